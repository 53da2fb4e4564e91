// Sizes in the grid, in CSS pixels. style/grid.css has the same ones.
import type { Run } from '../protocol';

export const LINE = 15;
export const HEAD = 54;
/** The number of columns drawn at once. */
export const CHUNK = 8;
const CHARACTER = 7.3;
/** The height of the names of the two parts of a run, above their first cells. */
const PROMPT = 50;
const CONTINUATION = 90;

export interface Geometry { row: number; column: number; label: number }

export function geometry(run: Run, registers: number, width: number): Geometry {
  const longest = run.symbols.reduce((most, symbol) => Math.max(most, symbol?.length ?? 0), 2);
  return {
    row: Math.max(2, registers + 1) * LINE + 7,
    column: Math.max(Math.round(Math.min(10, Math.max(3.4, longest)) * CHARACTER + 10), Math.ceil(PROMPT / Math.max(1, run.promptCells))),
    label: width < 760 ? 170 : 270,
  };
}

/** Whether a value surely fits in a column. Other characters may be wider than those of ASCII. */
export const fits = (value: string, { column }: Geometry): boolean => value.length * CHARACTER + 7 <= column && /^[ -~]*$/.test(value);

/** The width of all columns and headings. */
export function widthOf(run: Run, { column, label }: Geometry): number {
  const after = run.symbols.length > run.promptCells ? CONTINUATION : 0;
  return label + Math.max(run.symbols.length * column + 12, run.promptCells * column + after);
}

/** The columns and lines in view, and `more` on each side. */
export interface Window { firstLine: number; lastLine: number; firstChunk: number; lastChunk: number }

export function inView(scroller: HTMLElement, { row, column, label }: Geometry, lines: number, cells: number, more: number): Window {
  const top = scroller.scrollTop - more * row;
  const bottom = scroller.scrollTop + scroller.clientHeight - HEAD + more * row;
  const left = scroller.scrollLeft - more * column * CHUNK / 2;
  const right = scroller.scrollLeft + scroller.clientWidth - label + more * column * CHUNK / 2;
  return {
    firstLine: Math.max(0, Math.floor(top / row)),
    lastLine: Math.min(lines - 1, Math.floor(bottom / row)),
    firstChunk: Math.max(0, Math.floor(left / (column * CHUNK))),
    lastChunk: Math.min(Math.ceil(cells / CHUNK) - 1, Math.floor(right / (column * CHUNK))),
  };
}
