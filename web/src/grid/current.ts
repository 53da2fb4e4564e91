// The grid on the page, and the selection in it.
import { run, selected, type Coordinates } from '../store';
import { lineOf, lines } from './lines';
import type { GridView } from './view';

export const grid: { view: GridView | null } = { view: null };

/** The selected line and cell. Line -1 is the start of the cell. */
export function here(): { line: number; cell: number } {
  const at = selected.peek();
  return at?.slot === 0 ? { line: lineOf(at.row), cell: at.cell } : { line: -1, cell: run.peek()?.promptCells ?? 1 };
}

/** The coordinates of a line and a cell, which are moved into the grid. */
export function coordinatesAt(line: number, cell: number): Coordinates | null {
  const shown = run.peek();
  if (shown === null) return null;
  const inside = Math.min(shown.symbols.length, Math.max(1, cell));
  const index = Math.min(lines.peek().length - 1, line);
  const row = index < 0 ? null : (grid.view?.rowAt(index, inside) ?? lines.peek()[index]?.to ?? null);
  return { slot: 0, row, cell: inside };
}
