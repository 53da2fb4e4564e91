// The program that a new reader sees, which has already run.
import { wantPlace, wantTest } from '../panels/explorer';
import { examples } from '../programs/examples';
import { openUnsaved } from './current';
import { opened } from './state';

const WELCOME = 'induction';
/** A generated cell, and the layer that copies what it continues with from the cell that it attends to. */
const PLACE = { layer: 3, cell: 6 };

/** The number of the opened program, if it is the welcome. */
let shown = -1;

/** Whether the program in view is the one that a new reader sees, as it was. */
export const isWelcome = (): boolean => opened.value === shown;

/** Shows an example without the comment at its head. */
export function welcome(): void {
  const example = examples.find(({ name }) => name === WELCOME) ?? examples[0];
  const text = example?.text ?? '';
  openUnsaved(example?.name ?? 'program', text.slice(Math.max(text.indexOf('//@ test'), 0)));
  shown = opened.peek();
  wantTest(0);
  wantPlace(PLACE);
}
