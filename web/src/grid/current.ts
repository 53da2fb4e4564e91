// The grid on the page, and moves in it.
import { run, selected, type Place } from '../store';
import { lineOf, lines } from './lines';
import type { GridView } from './view';

export const grid: { view: GridView | null } = { view: null };

/** Where the selection is: line -1 is the start of a cell. */
export function here(): { line: number; cell: number } {
  const place = selected.peek();
  return place?.slot === 0 ? { line: lineOf(place.row), cell: place.cell } : { line: -1, cell: run.peek()?.promptCells ?? 1 };
}

/** The place of a line and a cell, within the grid. */
export function placeAt(line: number, cell: number): Place | null {
  const shown = run.peek();
  if (shown === null) return null;
  const inside = Math.min(shown.symbols.length, Math.max(1, cell));
  const index = Math.min(lines.peek().length - 1, line);
  const row = index < 0 ? null : (grid.view?.rowAt(index, inside) ?? lines.peek()[index]?.to ?? null);
  return { slot: 0, row, cell: inside };
}
