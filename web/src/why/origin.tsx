// The chain of writes and copies of a value, back to its origin.
import type { Link, Program, Run } from '../protocol';
import { useAnswer, type Coordinates } from '../store';
import { Because } from './because';
import { Bounded, Go, Shown, Words } from './parts';
import { code, longName, rowNameAt, say, type Sentence } from './words';

/** The number of links listed at first. */
const MOST = 20;

export function Origin({ at, register, program, run }: { at: Coordinates; register: number; program: Program; run: Run }) {
  const time = at.row === null ? 0 : at.row + 1;
  const { answer, error } = useAnswer({ op: 'origin', slot: at.slot, register, cell: at.cell, time });
  if (error !== null) return <p class="message bad">{error}</p>;
  if (answer === null) return null;
  const last = answer.at(-1);
  return (
    <>
      <p class="caption">{`${answer.length} ${answer.length === 1 ? 'link' : 'links'}, from the last write back to ${end(last)}.`}</p>
      <ol class="chain">
        <Bounded items={answer} most={MOST} each={(link, index) => {
          const { register, cell, value, row } = link;
          return (
            <li key={index}>
              <Go slot={at.slot} row={row} cell={cell} register={register}>{`${longName(program, register)} of cell ${cell}`}</Go>
              {' is '}<Shown value={value} />{': '}<Words of={step(link, answer[index + 1], program, run)} />
            </li>
          );
        }} />
      </ol>
      {last?.kind === 'constant' && <Because at={at} link={last} program={program} />}
    </>
  );
}

function end(last: Link | undefined): string {
  switch (last?.kind) {
    case 'prompt': return 'the prompt';
    case 'constant': return 'a constant';
    case 'machine': return 'the machine';
    default: return 'the start of a cell';
  }
}

/** Explains a link in words. `from` is the next link, which the value came from. */
function step(link: Link, from: Link | undefined, program: Program, run: Run): Sentence {
  const by = rowNameAt(run, link.row);
  if (from === undefined) {
    switch (link.kind) {
      case 'prompt': return ['it was in the prompt'];
      case 'machine': return ['the machine set it at the start of the cell'];
      case 'null': return ['no layer set it, and the cell started without it'];
      default: return link.row === null ? ['the cell started with it'] : say`${by} set it to the constant ${code(link.value)}`;
    }
  }
  if (link.row === null) return say`cell ${link.cell} started as a copy of cell ${from.cell}`;
  const name = code(longName(program, from.register));
  const source: Sentence = from.cell === link.cell ? say`its own ${name}` : say`${name} of cell ${from.cell}`;
  if (from.value !== link.value) return say`${by} computed it from ${source}, ${code(from.value)}`;
  return say`${by} copied it from ${source}`;
}
