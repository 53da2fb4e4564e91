// The program that a command applies to.
import { type Disposable, type TextEditor, Uri, window, workspace } from 'vscode';
import { SCHEME, Views } from './views';

let lastEdited: string | undefined;

/** Remembers the program that was edited last. */
export function rememberProgram(): Disposable {
  const note = (active: TextEditor | undefined) => {
    if (active?.document.languageId === 'psl') lastEdited = active.document.uri.toString();
  };
  note(window.activeTextEditor);
  return window.onDidChangeActiveTextEditor(note);
}

/** The active editor, if it shows a program. Throws an error otherwise. */
export function editor(): TextEditor {
  const active = window.activeTextEditor;
  if (active?.document.languageId !== 'psl') throw new Error('Open a PSL program first.');
  return active;
}

/** The program from a menu, or else in the active editor. Without an active editor, the program that was edited last. */
export function program(argument: unknown): Uri {
  if (argument instanceof Uri) return argument;
  const active = window.activeTextEditor?.document;
  if (active?.uri.scheme === SCHEME) return Views.program(active.uri);
  const last = workspace.textDocuments.find(({ uri }) => uri.toString() === lastEdited);
  return !active && last ? last.uri : editor().document.uri;
}
