// The writes of a register in a cell.
import type { Program, Run, Write } from '../protocol';
import { useAnswer, type Coordinates } from '../store';
import { Bounded, Go, Shown } from './parts';
import { longName, rowNameAt } from './words';

/** The number of writes listed at first. */
const MOST = 20;

export function History({ at, register, program, run }: { at: Coordinates; register: number; program: Program; run: Run }) {
  const { answer, error } = useAnswer({ op: 'history', slot: at.slot, register, cell: at.cell });
  if (error !== null) return <p class="message bad">{error}</p>;
  if (answer === null) return null;
  const first = answer[0];
  const here = at.row === null ? 0 : answer.findLastIndex(({ row }) => row <= (at.row ?? 0));
  return (
    <>
      <p class="caption">
        {answer.length === 0
          ? `No layer writes ${longName(program, register)} of cell ${at.cell}.`
          : `${answer.length} ${answer.length === 1 ? 'write' : 'writes'}, in order.`}
      </p>
      {first && (
        <ol class="plain steps">
          <li class={at.row === null ? 'here' : undefined}>
            <Go slot={at.slot} row={null} cell={at.cell} register={register}>Start</Go> <Shown value={first.before} />
          </li>
          <Bounded
            items={answer} most={MOST} around={here}
            each={(write) => <Item key={write.row} write={write} register={register} at={at} run={run} />}
          />
        </ol>
      )}
    </>
  );
}

interface Listed { write: Write; register: number; at: Coordinates; run: Run }

function Item({ write: { row, before, value, attends }, register, at: { slot, row: here, cell }, run }: Listed) {
  return (
    <li class={row === here ? 'here' : undefined} aria-current={row === here ? 'step' : undefined}>
      <Go slot={slot} row={row} cell={cell} register={register}>{rowNameAt(run, row)}</Go>{' '}
      {before === value ? <>again <Shown value={value} /></> : <><Shown value={before} /> → <Shown value={value} /></>}
      {attends !== cell && <span class="caption">{`, attending to cell ${attends}`}</span>}
    </li>
  );
}
