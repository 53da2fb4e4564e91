// Finds the update that wrote a symbol of the continuation or the row.
import { ask, run, type Coordinates } from '../store';

/** The last write to the output register in the cell that generated or holds the symbol with a 0-based index. */
export async function coordinatesOfSymbol(index: number): Promise<Coordinates | null> {
  const current = run.peek();
  if (current === null) return null;
  const { wrong, promptCells, output, stopped } = current;
  if (wrong && wrong.number === index + 1) return { slot: 0, row: wrong.row, cell: wrong.cell };
  const cell = stopped === 'prompt-pass' ? index + 1 : promptCells + index;
  if (cell > current.symbols.length) return null;
  const writes = await ask({ op: 'history', slot: 0, register: output ?? 0, cell });
  return { slot: 0, row: writes.at(-1)?.row ?? null, cell };
}
