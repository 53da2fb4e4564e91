// The rows of two runs side by side.
import type { RunRow } from '../protocol';
import { programOf } from '../store';
import { rowName } from '../why/words';
import { versions } from './versions';

/** The same layer in the same passes. Null in a run that lacks it. */
export interface RowPair { row: RunRow; first: number | null; second: number | null }

const key = ({ layer, pass }: RunRow): string => `${layer} ${pass.join(' ')}`;

/** The row of the first run's program for a row of the second run, or null if it lacks the layer. */
function counterpart(row: RunRow): RunRow | null {
  const { value: other } = versions;
  if (other === null) return row;
  const layer = other.layers[row.layer - 1] ?? null;
  if (layer === null) return null;
  const depth = programOf(0)?.layers[layer - 1]?.blocks.length ?? 0;
  if (depth === row.pass.length) return { layer, pass: row.pass };
  // A layer outside a repeat block is compared with the first pass of one inside.
  const pass = row.pass.filter((number) => number > 1);
  while (pass.length < depth) pass.push(1);
  return { layer, pass };
}

/** Pairs rows. Both lists are in program order. */
export function pairs(first: RunRow[], second: RunRow[]): RowPair[] {
  const inSecond = new Map(second.flatMap((row, index) => {
    const same = counterpart(row);
    return same === null ? [] : [[key(same), index]];
  }));
  const paired: RowPair[] = [];
  let next = 0;
  const takeUntil = (end: number): void => {
    for (; next < end; next += 1) {
      const row = second[next];
      if (row) paired.push({ row, first: null, second: next });
    }
  };
  for (const [index, row] of first.entries()) {
    const found = inSecond.get(key(row));
    // If the repeat blocks differ, the layers may run in another order.
    const same = found === undefined || found < next ? null : found;
    if (same !== null) {
      takeUntil(same);
      next = same + 1;
    }
    paired.push({ row, first: index, second: same });
  }
  takeUntil(second.length);
  return paired;
}

/** The name of a row, from the second program if only that run has it. */
export const pairName = ({ row, first }: RowPair): string =>
  first === null && versions.value !== null ? `${rowName(row)} of ${versions.value.name}` : rowName(row);
