// The text of the program, cut into lines of colored and underlined pieces.
import type { Diagnostic, Token } from '../protocol';

export interface Piece { text: string; type: string; diagnostic: Diagnostic | null }
export interface TextLine { number: number; start: number; pieces: Piece[] }

/** Lines end at \n, \r\n or \r. */
const END = /\r\n|\r|\n/g;

export function linesOf(text: string, tokens: Token[], diagnostics: Diagnostic[]): TextLine[] {
  const made: TextLine[] = [];
  let start = 0;
  let token = 0;
  const add = (end: number, next: number): void => {
    const cuts = new Set([start, end]);
    while (token > 0 && (tokens[token - 1]?.end ?? 0) > start) token -= 1;
    const inside: Token[] = [];
    for (let at = token; at < tokens.length; at += 1) {
      const candidate = tokens[at];
      if (candidate === undefined || candidate.start >= end) break;
      if (candidate.end <= start) continue;
      token = at;
      inside.push(candidate);
      cuts.add(Math.max(start, candidate.start)).add(Math.min(end, candidate.end));
    }
    const marked = diagnostics.filter((diagnostic) => diagnostic.start < end && diagnostic.end > start);
    for (const { start: from, end: to } of marked) cuts.add(Math.max(start, from)).add(Math.min(end, to));
    const sorted = [...cuts].sort((a, b) => a - b);
    const pieces = sorted.slice(0, -1).map((from, index): Piece => {
      const to = sorted[index + 1] ?? end;
      return {
        text: text.slice(from, to),
        type: inside.find((other) => other.start <= from && other.end >= to)?.type ?? '',
        diagnostic: marked.find((other) => other.start <= from && other.end >= to) ?? null,
      };
    });
    made.push({ number: made.length + 1, start, pieces });
    start = next;
  };
  for (const match of text.matchAll(END)) add(match.index, match.index + match[0].length);
  add(text.length, text.length);
  return made;
}
