// The lines of a text that edits change.
import { ChangeSet, Text } from '@codemirror/state';
import type { TextEdit } from 'vscode-languageserver-protocol';
import { changesOf } from '../editor/text/edits';

/** Lines from a 1-based number on, and those that take their place. */
export interface Changed { line: number; before: string[]; after: string[] }

export function changedLines(text: string, edits: readonly TextEdit[]): Changed[] {
  const old = Text.of(text.split(/\r\n?|\n/));
  const changes = ChangeSet.of(changesOf(old, edits).changes, old.length);
  const changed = changes.apply(old);
  const found: Changed[] = [];
  changes.iterChangedRanges((fromOld, toOld, from, to) => {
    found.push(withoutEqualEnds({
      line: old.lineAt(fromOld).number, before: linesBetween(old, fromOld, toOld), after: linesBetween(changed, from, to),
    }));
  });
  return found;
}

function linesBetween(text: Text, from: number, to: number): string[] {
  const [first, last] = [text.lineAt(from).number, text.lineAt(to).number];
  return Array.from({ length: last - first + 1 }, (_, index) => text.line(first + index).text);
}

function withoutEqualEnds({ line, before, after }: Changed): Changed {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return { line: line + start, before: before.slice(start, before.length - end), after: after.slice(start, after.length - end) };
}
