// The first difference of two runs, with the way to it in both.
import { select } from '../store';
import { Prose } from '../transformer/prose';
import type { DifferencePlace, FoundDifference } from './difference';
import { rowName } from './rows';
import { versions } from './versions';

const same = (): string => (versions.value === null
  ? 'The runs are the same: each cell starts, attends and is written alike.'
  : 'After the layers of both versions, the runs are the same: each cell attends alike and has the same values.');

export function FirstDifference({ difference: { start, update } }: { difference: FoundDifference }) {
  const place = update?.first ?? update?.second;
  if (start === null && update === null) return <p class="message">{same()}</p>;
  return (
    <section class="stack" aria-label="First difference">
      {start !== null && (
        <p>
          Cell {start} is the first cell that starts differently.
          {' '}<Go slot={0} place={{ row: null, cell: start }} /> <Go slot={1} place={{ row: null, cell: start }} />
        </p>
      )}
      {update && (
        <p>
          First difference{place && `, ${rowName(place)}`}: <Prose text={update.text} />.
          {' '}{update.first && <Go slot={0} place={update.first} />}
          {' '}{update.second && <Go slot={1} place={update.second} />}
        </p>
      )}
    </section>
  );
}

function Go({ slot, place: { row, cell } }: { slot: number; place: Pick<DifferencePlace, 'row' | 'cell'> }) {
  const run = slot === 0 ? 'first run' : 'second run';
  return <button onClick={() => select({ slot, row, cell })}>Show in the {run}</button>;
}
