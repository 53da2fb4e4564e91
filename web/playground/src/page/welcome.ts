// The program that a new reader sees.
import { examples } from '../programs/examples';

const WELCOME = 'induction';

/** Its name and text. */
export function welcome(): [string, string] {
  const example = examples.find(({ name }) => name === WELCOME) ?? examples[0];
  return [example?.name ?? 'program', example?.text ?? ''];
}
