// The part of the run to print: all of it or, if it is too large or not loaded, the part in view.
import { grid } from '../grid/current';
import { CHUNK } from '../grid/geometry';
import { type Line, lines } from '../grid/lines';
import type { Loaded } from '../grid/tiles';
import { run } from '../store';
import { fitsPaper } from './prefetch';

/** The index of the first line, the lines, and the range of cells. */
export interface Extent { line: number; lines: Line[]; first: number; last: number; values: Loaded; whole: boolean }

export function extent(): Extent | null {
  const { view } = grid;
  const values = view?.values;
  const cells = run.peek()?.symbols.length ?? 0;
  if (!view || !values || cells === 0) return null;
  const all = lines.peek();
  if (fitsPaper.peek() && values.complete) return { line: 0, lines: all, first: 1, last: cells, values, whole: true };
  const { firstLine, lastLine, firstChunk, lastChunk } = view.visible(cells);
  return {
    line: firstLine, lines: all.slice(firstLine, lastLine + 1),
    first: firstChunk * CHUNK + 1, last: Math.min(cells, (lastChunk + 1) * CHUNK),
    values, whole: false,
  };
}
