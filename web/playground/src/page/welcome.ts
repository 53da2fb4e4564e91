// The program that a new reader sees, which has already run.
import { wantPlace, wantFirst } from '../panels/explorer';
import { skeleton } from '../programs/examples';
import { openUnsaved } from './current';
import { text } from './state';

/** A generated cell, and the layer that copies what it continues with from the cell that it attends to. */
const PLACE = { layer: 2, cell: 6 };

/** Whether the program in view is the one that a new reader sees, as it was. */
export const isWelcome = (): boolean => text.value === skeleton;

export function welcome(): void {
  openUnsaved('first', skeleton);
  wantFirst({ open: { test: 0 } });
  wantPlace(PLACE);
}
