// The drawn part of a long run.

/** A half-open range of at most `most` cells that contains the given one. */
export function around(cell: number, count: number, most: number): [number, number] {
  const size = Math.max(1, Math.min(most, count));
  const first = Math.max(1, Math.min(cell - Math.floor(size / 2), count - size + 1));
  return [first, first + size];
}

/** The number of cells in a table. */
export const COLUMNS = 120;
