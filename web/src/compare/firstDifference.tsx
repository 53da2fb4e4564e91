// The first difference of two runs, with links to it in both.
import { select } from '../store';
import { Prose } from '../transformer/prose';
import type { UpdateCoordinates, FoundDifference } from './difference';
import { rowName } from '../why/words';
import { versions } from './versions';

function same(): string {
  const { value: other } = versions;
  if (other === null) return 'The runs are the same: each cell starts, attends and is written alike.';
  return other.layers.some((layer) => layer !== null)
    ? 'After the layers of both versions, the runs are the same: each cell attends alike and has the same values.'
    : 'The versions have no layer in common, so that the values of their cells are not compared.';
}

export function FirstDifference({ difference: { start, update } }: { difference: FoundDifference }) {
  const at = update?.first ?? update?.second;
  if (start === null && update === null) return <p class="message">{same()}</p>;
  return (
    <section class="stack" aria-label="First difference">
      {start !== null && (
        <p>
          Cell {start} is the first cell that starts differently.
          {' '}<Go slot={0} at={{ row: null, cell: start }} /> <Go slot={1} at={{ row: null, cell: start }} />
        </p>
      )}
      {update && (
        <p>
          First difference{at && `, ${placeName(at)}`}: <Prose text={update.text} />.
          {' '}{update.first && <Go slot={0} at={update.first} />}
          {' '}{update.second && <Go slot={1} at={update.second} />}
        </p>
      )}
    </section>
  );
}

const placeName = ({ layer, pass }: UpdateCoordinates): string => (layer === null ? 'the start' : rowName({ layer, pass }));

function Go({ slot, at: { row, cell } }: { slot: number; at: Pick<UpdateCoordinates, 'row' | 'cell'> }) {
  const run = slot === 0 ? 'first run' : 'second run';
  return <button onClick={() => select({ slot, row, cell })}>Show in the {run}</button>;
}
