// Two runs after the selected layer, cell below cell: their symbols and the registers shown in the grid.
import type { Run, Tile } from '../protocol';
import type { Value } from '../value';
import { Table } from '../figure/table';
import { program, rowOf, select, selected, shown, useAnswer } from '../store';
import { around, COLUMNS } from '../transformer/around';
import { CellHeads } from '../transformer/cellHeads';
import { pairName, pairs } from './rows';
import { common } from './versions';

interface Line { name: string; values: [Value, Value][] }

export function SideBySide({ runs: [first, second] }: { runs: [Run, Run] }) {
  const at = selected.value;
  const row = rowOf(at);
  const pair = at === null || row === null ? undefined
    : pairs(first.rows, second.rows).find((pair) => (at.slot === 0 ? pair.first : pair.second) === at.row);
  const count = Math.max(first.symbols.length, second.symbols.length);
  const [from, until] = around(at?.cell ?? 1, count, COLUMNS);
  const [registers, others] = common(shown.value);
  const [one, two] = [useRow(0, pair?.first, first, from, until, registers), useRow(1, pair?.second, second, from, until, others)];
  const cells = Array.from({ length: until - from }, (_, index) => from + index);
  const lines: Line[] = [
    { name: 'start', values: cells.map((cell) => [first.symbols[cell - 1] ?? null, second.symbols[cell - 1] ?? null]) },
    ...registers.map((register, index) => ({
      name: program.value?.registers[register]?.long ?? '',
      values: cells.map((cell): [Value, Value] => [value(one, cell, index), value(two, cell, index)]),
    })).filter(() => one !== null && two !== null),
  ];
  const exists = (run: Run, cell: number): boolean => cell <= run.symbols.length;
  const differs = ({ values }: Line, column: number): boolean => values[column]?.[0] !== values[column]?.[1];
  return (
    <section class="cell-table" aria-label="Side by side">
      <h3>{pair ? `Side by side, after ${pairName(pair)}` : 'Side by side'}</h3>
      <p class="caption">
        The values of the first and the second run. The mark ≠ is at those that differ.
        {until - from < count && ` Cells ${from} to ${until - 1} of ${count}.`}
      </p>
      <Table>
        <CellHeads cells={cells} current={at?.cell ?? null} to={{ slot: at?.slot ?? 0, row: at?.row ?? null }} />
        {lines.map((line) => (
          <tbody key={line.name}>
            {[first, second].map((run, slot) => (
              <tr key={slot}>
                <th scope="row">{slot === 0 ? line.name : <span class="visually-hidden">{line.name}</span>} {slot === 0 ? 'first' : 'second'}</th>
                {cells.map((cell, column) => {
                  const held = line.values[column]?.[slot as 0 | 1] ?? null;
                  const different = differs(line, column);
                  const same = slot === 0 ? pair?.first : pair?.second;
                  return (
                    <td
                      key={cell} class={`value ${cell > run.promptCells ? 'generated' : ''} ${different ? 'changed' : ''}`}
                      onClick={() => exists(run, cell) && select({ slot, row: same ?? null, cell })}
                    >{exists(run, cell) ? (held ?? <span class="null">∅</span>) : ''}{different && slot === 1 && ' ≠'}</td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        ))}
      </Table>
    </section>
  );
}

/** The values after a row, or null if the run lacks it. */
function useRow(slot: number, row: number | null | undefined, run: Run, from: number, until: number, registers: number[]): Tile | null {
  const { answer } = useAnswer(row === null || row === undefined
    ? null
    : { op: 'tile', slot, rows: [row, row + 1], cells: [from, Math.max(from, Math.min(until, run.symbols.length + 1))], registers });
  return row === null || row === undefined ? null : answer;
}

const value = (tile: Tile | null, cell: number, register: number): Value =>
  tile?.values[0]?.[cell - (tile.cells[0] ?? 1)]?.[register] ?? null;
