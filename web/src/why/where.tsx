// Where a value came from, in one sentence.
import type { Program, Run } from '../protocol';
import { useAnswer, type Coordinates } from '../store';
import { step } from './links';
import { Go, Shown, Words } from './parts';
import { longName } from './words';

/** The sentence follows this many links. The list of the origin has all. */
const MOST = 3;

export function Where({ at, register, program, run }: { at: Coordinates; register: number; program: Program; run: Run }) {
  const { answer } = useAnswer({ op: 'origin', slot: at.slot, register, cell: at.cell, time: at.row === null ? 0 : at.row + 1 });
  const first = answer?.[0];
  if (answer === null || first === undefined) return null;
  return (
    <p class="where" id="where">
      <code>{longName(program, register)}</code> <Shown value={first.value} /> of cell {at.cell}:{' '}
      {answer.slice(0, MOST).map((link, index) => {
        const from = answer[index + 1];
        const { said, source } = step(link, from, program, run);
        return (
          <span key={index}>
            {index > 0 && ', where '}
            <Words of={said} />
            {from && source && <Go slot={at.slot} row={from.row} cell={from.cell} register={from.register}><Words of={source} /></Go>}
          </span>
        );
      })}
      {answer.length > MOST && <>, and so on for <a href="#traced">{answer.length - MOST} more {answer.length - MOST === 1 ? 'link' : 'links'}</a></>}.
    </p>
  );
}
