// The diagnostics in the text, each with that of the server.
import { type Diagnostic, forEachDiagnostic } from '@codemirror/lint';
import type { EditorState } from '@codemirror/state';
import type * as lsp from 'vscode-languageserver-protocol';

/** A diagnostic with that of the server. */
export interface Marked extends Diagnostic { about: lsp.Diagnostic }

/** Visits the diagnostics of the server with their present places. */
export function forEachMarked(state: EditorState, visit: (about: lsp.Diagnostic, from: number, to: number) => void): void {
  forEachDiagnostic(state, (diagnostic, from, to) => visit((diagnostic as Marked).about, from, to));
}
