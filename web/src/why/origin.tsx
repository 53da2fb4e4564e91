// The chain of writes and copies of a value, back to its origin.
import type { Link, Program, Run } from '../protocol';
import { useAnswer, type Coordinates } from '../store';
import { Because } from './because';
import { Bounded, Go, Shown, Words } from './parts';
import { step } from './links';
import { longName } from './words';

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
          const { said, source } = step(link, answer[index + 1], program, run);
          return (
            <li key={index}>
              <Go slot={at.slot} row={row} cell={cell} register={register}>{`${longName(program, register)} of cell ${cell}`}</Go>
              {' is '}<Shown value={value} />{': '}<Words of={[...said, ...(source ?? [])]} />
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
