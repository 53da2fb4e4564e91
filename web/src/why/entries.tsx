// Query and key, entry by entry.
import type { Instruction, SlotEntry } from '../protocol';
import { Table } from '../figure/table';
import { Shown } from './parts';

/** The values that an instruction accepts, and the register and function that they come from. */
function Side({ instruction: { negated, values, register, function: of }, at }: { instruction: Instruction; at: 'N' | 'n' }) {
  return (
    <td>
      {negated && 'not '}
      {values.map((value, index) => <span key={index}>{index > 0 && ' or '}<Shown value={value} /></span>)}
      {register !== null && <span class="caption">{` ${register}[${at}]${of === null ? '' : `@${of}`}`}</span>}
    </td>
  );
}

/** `unmatched` is whether no cell matches. */
interface Props { entries: SlotEntry[]; cell: number; source: number; unmatched: boolean }

export function Entries({ entries, cell, source, unmatched }: Props) {
  const matching = entries.filter(({ match }) => match).length;
  return (
    <Table>
      <caption class="caption">
        {`The query asks, the key answers: N attends to n only if all entries match. Matches here: ${matching} of ${entries.length}.`}
        {unmatched && ` No cell matches: ${source === cell ? 'the key is that of the cell itself' : `the key is that of cell ${source}, which comes closest`}.`}
      </caption>
      <thead>
        <tr>
          <th scope="col">Slot</th>
          <th scope="col">{`Query of cell ${cell}`}</th>
          <th scope="col">{`Key of cell ${source}`}</th>
          <th scope="col">Match</th>
        </tr>
      </thead>
      <tbody>
        {entries.map(({ slot, register, query, key, match }) => (
          <tr key={slot}>
            <th scope="row" class="value" title={register ?? undefined}>{slot}</th>
            <Side instruction={query} at="N" />
            <Side instruction={key} at="n" />
            <td class={match ? 'good' : 'bad'}>{match ? '✓ yes' : '✗ no'}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
