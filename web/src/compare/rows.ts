// The rows of two runs side by side.
import type { Row } from '../protocol';

/** The same layer in the same passes; null where a run lacks it. */
export interface RowPair { row: Row; first: number | null; second: number | null }

const key = ({ layer, pass }: Row): string => `${layer} ${pass.join(' ')}`;

/** Pairs rows. Both lists are in program order. */
export function pairs(first: Row[], second: Row[]): RowPair[] {
  const inSecond = new Map(second.map((row, index) => [key(row), index]));
  const paired: RowPair[] = [];
  let next = 0;
  const takeUntil = (end: number): void => {
    for (; next < end; next += 1) {
      const row = second[next];
      if (row) paired.push({ row, first: null, second: next });
    }
  };
  for (const [index, row] of first.entries()) {
    const same = inSecond.get(key(row));
    if (same !== undefined) {
      takeUntil(same);
      next = same + 1;
    }
    paired.push({ row, first: index, second: same ?? null });
  }
  takeUntil(second.length);
  return paired;
}

export const rowName = ({ layer, pass }: { layer: number | null; pass: number[] }): string =>
  layer === null ? 'the start' : pass.length === 0 ? `layer ${layer}` : `layer ${layer}, pass ${pass.join('.')}`;
