// Edits of the server, as changes of CodeMirror.
import type { ChangeSpec, Text } from '@codemirror/state';
import type * as lsp from 'vscode-languageserver-protocol';
import { firstStop, parseSnippet } from './snippet';

/** The offset of a position, moved into the document. */
export function offsetOf(doc: Text, { line, character }: lsp.Position): number {
  if (line < 0) return 0;
  if (line >= doc.lines) return doc.length;
  const { from, length } = doc.line(line + 1);
  return from + Math.min(Math.max(character, 0), length);
}

export function positionOf(doc: Text, offset: number): lsp.Position {
  const line = doc.lineAt(offset);
  return { line: line.number - 1, character: offset - line.from };
}

export const rangeOf = (doc: Text, from: number, to: number): lsp.Range =>
  ({ start: positionOf(doc, from), end: positionOf(doc, to) });

type AnyEdit = lsp.TextEdit | lsp.AnnotatedTextEdit | lsp.SnippetTextEdit;

export interface Changes {
  changes: ChangeSpec[];
  /** What to select in the text after the changes: the first place of a snippet to fill in. */
  selection: { anchor: number; head: number } | null;
}

/** Converts edits, which may be snippets. All of their ranges are in the given document. */
export function changesOf(doc: Text, edits: readonly AnyEdit[]): Changes {
  const read = edits.map((edit) => {
    const snippet = 'snippet' in edit ? parseSnippet(edit.snippet.value) : { text: edit.newText, stops: [] };
    return { from: offsetOf(doc, edit.range.start), to: offsetOf(doc, edit.range.end), snippet };
  }).toSorted((a, b) => a.from - b.from);
  let moved = 0;
  let selection: Changes['selection'] = null;
  for (const { from, to, snippet } of read) {
    const stop = firstStop(snippet);
    if (stop && !selection) selection = { anchor: from + moved + stop.from, head: from + moved + stop.to };
    moved += snippet.text.length - (to - from);
  }
  return { changes: read.map(({ from, to, snippet }) => ({ from, to, insert: snippet.text })), selection };
}

/** Whether two addresses name the same document. They may be escaped in different ways. */
export function sameUri(a: string, b: string): boolean {
  try {
    return a === b || decodeURIComponent(a) === decodeURIComponent(b);
  } catch {
    return false;
  }
}

/** The edits of one document. */
export function editsOf({ changes = {}, documentChanges = [] }: lsp.WorkspaceEdit, uri: string): AnyEdit[] {
  const plain = Object.entries(changes).flatMap(([about, edits]) => (sameUri(about, uri) ? edits : []));
  const versioned = documentChanges.flatMap((change) =>
    ('edits' in change && sameUri(change.textDocument.uri, uri) ? change.edits : []));
  return [...plain, ...versioned];
}
