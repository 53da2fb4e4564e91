// The writes of a register in a cell.
import type { Program, Run, Write } from '../protocol';
import { useAnswer, type Place } from '../store';
import { Bounded, Go, Shown } from './parts';
import { longName, rowNameAt } from './words';

/** The writes that are listed before the rest is asked for. */
const MOST = 20;

export function History({ place, register, program, run }: { place: Place; register: number; program: Program; run: Run }) {
  const { answer, error } = useAnswer({ op: 'history', slot: place.slot, register, cell: place.cell });
  if (error !== null) return <p class="message bad">{error}</p>;
  if (answer === null) return null;
  const first = answer[0];
  const here = place.row === null ? 0 : answer.findLastIndex(({ row }) => row <= (place.row ?? 0));
  return (
    <>
      <p class="caption">
        {answer.length === 0
          ? `No layer writes ${longName(program, register)} of cell ${place.cell}.`
          : `${answer.length} ${answer.length === 1 ? 'write' : 'writes'}, in order.`}
      </p>
      {first && (
        <ol class="plain steps">
          <li class={place.row === null ? 'here' : undefined}>
            <Go slot={place.slot} row={null} cell={place.cell} register={register}>Start</Go> <Shown value={first.before} />
          </li>
          <Bounded
            items={answer} most={MOST} around={here}
            each={(write) => <Item key={write.row} write={write} register={register} place={place} run={run} />}
          />
        </ol>
      )}
    </>
  );
}

interface Listed { write: Write; register: number; place: Place; run: Run }

function Item({ write: { row, before, value, attends }, register, place: { slot, row: here, cell }, run }: Listed) {
  return (
    <li class={row === here ? 'here' : undefined} aria-current={row === here ? 'step' : undefined}>
      <Go slot={slot} row={row} cell={cell} register={register}>{rowNameAt(run, row)}</Go>{' '}
      {before === value ? <>again <Shown value={value} /></> : <><Shown value={before} /> → <Shown value={value} /></>}
      {attends !== cell && <span class="caption">{`, attending to cell ${attends}`}</span>}
    </li>
  );
}
