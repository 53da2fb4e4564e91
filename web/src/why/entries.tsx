// Query and key, entry by entry.
import type { Program, SlotEntry } from '../protocol';
import { Table } from '../figure/table';
import { instruction, valuesOf } from './instruction';
import { Shown } from './parts';

/** A register under its long name, or null for a constant. A primed name has a backquote at its end. */
function longOf(program: Program, short: string): string | null {
  return program.registers.find((register) => register.short === short.replace(/`+$/, ''))?.long ?? null;
}

interface Instruction { source: string; value: SlotEntry['queryValue']; at: 'N' | 'n'; program: Program }

/** An instruction as the values that it accepts, and the register with its function that has them. */
function Side({ source, value, at, program }: Instruction) {
  const { negated, term, step } = instruction(source);
  const long = longOf(program, term);
  return (
    <td>
      {negated && 'not '}
      {valuesOf(value).map((one, index) => <span key={index}>{index > 0 && ' or '}<Shown value={one} /></span>)}
      {long !== null && <span class="caption">{` ${long}[${at}]${step === undefined ? '' : `@${step}`}`}</span>}
    </td>
  );
}

/** `unmatched` says that no cell matches. */
interface Props { entries: SlotEntry[]; cell: number; source: number; unmatched: boolean; program: Program }

export function Entries({ entries, cell, source, unmatched, program }: Props) {
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
        {entries.map(({ slot, query, key, queryValue, keyValue, match }) => (
          <tr key={slot}>
            <th scope="row" class="value" title={longOf(program, slot) ?? undefined}>{slot}</th>
            <Side source={query} value={queryValue} at="N" program={program} />
            <Side source={key} value={keyValue} at="n" program={program} />
            <td class={match ? 'good' : 'bad'}>{match ? '✓ yes' : '✗ no'}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
