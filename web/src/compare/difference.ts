// The first difference of two runs. The module finds it for one program, and the page for two versions.

/** The coordinates of an update. The start of a cell has no row and no layer. */
export interface UpdateCoordinates { row: number | null; cell: number; layer: number | null; pass: number[] }

export interface FoundDifference {
  /** The first cell whose start differs. */
  start: number | null;
  /** The first update that differs. Its coordinates are null in a run that lacks it. */
  update: { first: UpdateCoordinates | null; second: UpdateCoordinates | null; text: string } | null;
}
