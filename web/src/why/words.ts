// Sentences that contain values and names, and the names of rows and cells.
import type { Program, Run, RunRow } from '../protocol';
import type { Value } from '../value';

/** Text that a user could type: shown as code. */
export interface Code { code: string }
export type Sentence = (string | Code)[];

/** Marks a register, a value or a condition as code. Null is a missing value. */
export const code = (text: Value): Code => ({ code: text ?? 'null' });

/** Makes a sentence from a template. */
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

/** `layer 7, pass 2`. Outer passes come first. */
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
