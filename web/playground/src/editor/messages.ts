// Short messages at the top of the editor, such as why a name cannot be changed. A new one replaces the last one.
import { type Extension, StateEffect, StateField } from '@codemirror/state';
import { type Command, EditorView, keymap, type Panel, showPanel } from '@codemirror/view';
import type { Kind } from './session';
import { withCode } from './markdown';

interface Message { kind: Kind; text: string }

const set = StateEffect.define<Message | null>();

const field = StateField.define<Message | null>({
  create: () => null,
  update(message, { effects, docChanged }) {
    let now = docChanged ? null : message;
    for (const it of effects) if (it.is(set)) now = it.value;
    return now;
  },
  provide: (it) => showPanel.from(it, (message) => message && panel(message)),
});

const panel = ({ kind, text }: Message) => (view: EditorView): Panel => {
  const dom = document.createElement('div');
  dom.className = `cm-dialog psl-said psl-said-${kind}`;
  dom.append(...withCode(text));
  const button = dom.appendChild(document.createElement('button'));
  button.type = 'button';
  button.className = 'cm-dialog-close';
  button.textContent = '×';
  button.setAttribute('aria-label', 'Close the message');
  button.addEventListener('click', () => close(view));
  return { dom, top: true };
};

const close: Command = (view) => {
  if (!view.state.field(field)) return false;
  view.dispatch({ effects: set.of(null) });
  view.focus();
  return true;
};

const extension: Extension = [field, keymap.of([{ key: 'Escape', run: close }])];

export const messages = {
  extension,
  say: (view: EditorView, kind: Kind, text: string): void =>
    view.dispatch({ effects: [set.of({ kind, text }), EditorView.announce.of(text)] }),
};
