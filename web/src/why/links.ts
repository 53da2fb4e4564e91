// The links of a value's origin, in words.
import type { Link, Program, Run } from '../protocol';
import { code, longName, rowNameAt, say, type Sentence } from './words';

/** How a value came to its place: what happened, and the source if it came from another place. */
export interface Step { said: Sentence; source: Sentence | null }

/** Explains a link. `from` is the next link, which the value came from. */
export function step(link: Link, from: Link | undefined, program: Program, run: Run): Step {
  const by = rowNameAt(run, link.row);
  if (from === undefined) return { said: start(link, by), source: null };
  if (link.row === null) return { said: say`cell ${link.cell} started as a copy of `, source: say`cell ${from.cell}` };
  const name = code(longName(program, from.register));
  const source: Sentence = from.cell === link.cell ? say`its own ${name}` : say`${name} of cell ${from.cell}`;
  if (from.value === link.value) return { said: say`${by} copied it from `, source };
  return { said: say`${by} computed it from `, source: [...source, ...say`, ${code(from.value)}`] };
}

function start(link: Link, by: string): Sentence {
  switch (link.kind) {
    case 'prompt': return ['it was in the prompt'];
    case 'machine': return ['the machine set it at the start of the cell'];
    case 'null': return ['no layer set it, and the cell started without it'];
    default: return link.row === null ? ['the cell started with it'] : say`${by} set it to the constant ${code(link.value)}`;
  }
}
