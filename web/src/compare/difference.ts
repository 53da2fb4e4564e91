// The first difference of two runs, as the module finds it for one program and the page for two versions of one.

/** The place of an update. The start of a cell has no row and no layer. */
export interface DifferencePlace { row: number | null; cell: number; layer: number | null; pass: number[] }

export interface FoundDifference {
  /** The first cell that starts differently. */
  start: number | null;
  /** The first update that attends, writes or holds something else. A run that lacks it has no place. */
  update: { first: DifferencePlace | null; second: DifferencePlace | null; text: string } | null;
}
