// Which program a command is about.
import { type Disposable, type TextEditor, Uri, window, workspace } from 'vscode';
import { SCHEME, Views } from './views';

let lastEdited: string | undefined;

/** Remembers which program was edited last. */
export function rememberProgram(): Disposable {
  const note = (active: TextEditor | undefined) => {
    if (active?.document.languageId === 'psl') lastEdited = active.document.uri.toString();
  };
  note(window.activeTextEditor);
  return window.onDidChangeActiveTextEditor(note);
}

/** The editor of a program that has the focus. */
export function editor(): TextEditor {
  const active = window.activeTextEditor;
  if (active?.document.languageId !== 'psl') throw new Error('Open a PSL program first.');
  return active;
}

/** What a menu says, else what is edited; beside a walkthrough or a list, the program that was edited last. */
export function program(argument: unknown): Uri {
  if (argument instanceof Uri) return argument;
  const active = window.activeTextEditor?.document;
  if (active?.uri.scheme === SCHEME) return Views.program(active.uri);
  const last = workspace.textDocuments.find(({ uri }) => uri.toString() === lastEdited);
  return !active && last ? last.uri : editor().document.uri;
}
