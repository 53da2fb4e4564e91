// Renaming of the name at the cursor.
import { type Command, type EditorView, getDialog, showDialog } from '@codemirror/view';
import type * as lsp from 'vscode-languageserver-protocol';
import { applyAnswer } from './apply';
import { ask, messageOf, session } from './session';
import { positionOf } from './text/edits';

const PANEL = 'psl-rename';

export const rename: Command = (view) => {
  const position = positionOf(view.state.doc, view.state.selection.main.head);
  ask<{ range: lsp.Range; placeholder: string }, true>(view, 'textDocument/prepareRename', { position }, ({ result }) => {
    prompt(view, position, result.placeholder);
    return true;
  }).then((can) => {
    if (!can) refuse(view, 'There is no name to rename at the cursor.');
  }, (failure: unknown) => refuse(view, messageOf(failure)));
  return true;
};

const refuse = (view: EditorView, why: string): void => view.state.facet(session)?.say('error', why);

function prompt(view: EditorView, position: lsp.Position, name: string): void {
  const open = getDialog(view, PANEL);
  if (open) return open.dom.querySelector('input')?.select();
  const { result } = showDialog(view, {
    label: `Rename ${name} to`, input: { name: 'name', value: name, spellcheck: 'false', autocapitalize: 'off' }, submitLabel: 'Rename', focus: true, top: true, class: PANEL,
  });
  void result.then((form) => {
    view.focus();
    const field = form?.elements.namedItem('name');
    if (!(field instanceof HTMLInputElement) || field.value === name) return;
    const question = { position, newName: field.value.trim() };
    ask<lsp.WorkspaceEdit, void>(view, 'textDocument/rename', question, (answer) => applyAnswer(view, answer, answer.result, 'rename'))
      .catch((failure: unknown) => refuse(view, messageOf(failure)));
  });
}
