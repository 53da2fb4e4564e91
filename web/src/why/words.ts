// Sentences with values and names in them, and the names of places.
import type { Program, Run, RunRow } from '../protocol';
import type { Value } from '../value';

/** Text that a user could type: shown as code. */
export interface Code { code: string }
export type Sentence = (string | Code)[];

/** A register, a value or a condition. Null is a value that is missing. */
export const code = (text: Value): Code => ({ code: text ?? 'null' });

/** A sentence from a template. */
export const say = (texts: TemplateStringsArray, ...inserts: (number | string | Code | Sentence)[]): Sentence =>
  texts.flatMap((text, index) => {
    const insert = inserts[index];
    if (insert === undefined) return [text];
    if (Array.isArray(insert)) return [text, ...insert];
    return [text, typeof insert === 'number' ? String(insert) : insert];
  });

/** `a`, `a and b`, `a, b and c`. */
export const join = (items: Sentence[], last = 'and'): Sentence =>
  items.flatMap((item, index) => {
    if (index === 0) return item;
    return [index === items.length - 1 ? ` ${last} ` : ', ', ...item];
  });

export const plain = (sentence: Sentence): string =>
  sentence.map((part) => (typeof part === 'string' ? part : part.code)).join('');

/** `layer 7, pass 2`; inner passes follow outer ones. */
export function rowName({ layer, pass }: RunRow): string {
  if (pass.length === 0) return `layer ${layer}`;
  return `layer ${layer}, pass ${pass.join('.')}`;
}

export const rowAt = (run: Run, row: number | null): RunRow | undefined => (row === null ? undefined : run.rows[row]);

/** `layer 7, pass 2`, or the start of a cell. */
export function rowNameAt(run: Run, row: number | null): string {
  const found = rowAt(run, row);
  return found === undefined ? 'the start' : rowName(found);
}

export const longName = (program: Program, register: number): string => program.registers[register]?.long ?? '?';
export const symbolOf = (run: Run, cell: number): Value => run.symbols[cell - 1] ?? null;
