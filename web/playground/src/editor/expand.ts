// Selections that grow and shrink along the structure of the program.
import { type EditorSelection, StateEffect, StateField } from '@codemirror/state';
import { type Command } from '@codemirror/view';
import type * as lsp from 'vscode-languageserver-protocol';
import { askOrSay } from './session';
import { positionOf } from './text/edits';

const grown = StateEffect.define<EditorSelection[]>();

/** The selections from which the present one has grown. */
const before = StateField.define<EditorSelection[]>({
  create: () => [],
  update(stack, { effects, selection, docChanged }) {
    for (const it of effects) if (it.is(grown)) return it.value;
    return selection || docChanged ? [] : stack;
  },
});

export const expandSelection: Command = (view) => {
  const { selection, doc } = view.state;
  const { from, to, head } = selection.main;
  void askOrSay<lsp.SelectionRange[], void>(view, 'textDocument/selectionRange', { positions: [positionOf(doc, head)] }, (answer) => {
    if (!answer.unchanged) return;
    for (let it = answer.result[0]; it; it = it.parent) {
      const at = answer.range(it.range);
      if (!at || at.from > from || at.to < to || (at.from === from && at.to === to)) continue;
      const stack = [...view.state.field(before), selection];
      return view.dispatch({ selection: { anchor: at.from, head: at.to }, effects: grown.of(stack), userEvent: 'select' });
    }
  });
  return true;
};

export const shrinkSelection: Command = (view) => {
  const stack = view.state.field(before, false) ?? [];
  const last = stack.at(-1);
  if (last) view.dispatch({ selection: last, effects: grown.of(stack.slice(0, -1)), userEvent: 'select' });
  return last !== undefined;
};

export const expansion = before;
