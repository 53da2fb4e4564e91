// Typing over a selection of several lines. Chromium would join the lines with styles, which the policy of the page blocks.
import { EditorView } from '@codemirror/view';

export const overLines = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { from, to } = view.state.selection.main;
    const { doc, readOnly } = view.state;
    const text = event.data;
    if (event.inputType !== 'insertText' || text === null || view.composing || readOnly || doc.lineAt(from).to >= to) return false;
    event.preventDefault();
    const insert = () => view.state.update(view.state.replaceSelection(text), { userEvent: 'input.type', scrollIntoView: true });
    if (!view.state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, text, insert))) view.dispatch(insert());
    return true;
  },
});
