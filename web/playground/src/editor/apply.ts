// Edits of the server, applied to the open document as one step.
import { EditorView } from '@codemirror/view';
import type * as lsp from 'vscode-languageserver-protocol';
import { type Answer, session, uriOf } from './session';
import { changesOf, editsOf } from './text/edits';

/** Applies edits of the document as it is. */
export function applyEdits(view: EditorView, edits: readonly (lsp.TextEdit | lsp.SnippetTextEdit)[], userEvent: string): void {
  const { changes, selection } = changesOf(view.state.doc, edits);
  if (changes.length === 0 || view.state.readOnly) return;
  view.dispatch({ changes, userEvent, scrollIntoView: true, ...(selection ? { selection } : {}) });
}

export const CHANGED = 'The program has changed meanwhile. Try again.';

/** Applies a workspace edit of the open document. Returns whether it was applied. */
export function applyWorkspaceEdit(view: EditorView, edit: lsp.WorkspaceEdit, userEvent: string): boolean {
  const edits = editsOf(edit, uriOf(view));
  if (edits.length === 0) return false;
  applyEdits(view, edits, userEvent);
  return true;
}

/** Applies an answer's edits, unless the text has changed since the question. */
export function applyAnswer(view: EditorView, answer: Answer<unknown>, edit: lsp.WorkspaceEdit, userEvent: string): void {
  if (!answer.unchanged) return view.state.facet(session)?.say('warning', CHANGED);
  applyWorkspaceEdit(view, edit, userEvent);
}

/** Moves the cursor to a range, in the middle of the view. */
export function reveal(view: EditorView, from: number, to = from): void {
  view.dispatch({
    selection: { anchor: from, head: to },
    effects: EditorView.scrollIntoView(from, { y: 'center' }),
    userEvent: 'select',
  });
  view.focus();
}
