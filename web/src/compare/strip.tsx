// Where two runs agree: rows are layers and passes, columns are cells.
import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Run, Tile } from '../protocol';
import type { Value } from '../value';
import { data, program, select, selected, shown, useAnswer } from '../store';
import { around } from '../transformer/around';
import { Matrix } from '../transformer/matrix';
import { Segments } from '../transformer/segments';
import type { FoundDifference } from './difference';
import { pairName, pairs, type RowPair } from './rows';
import { common, versions } from './versions';

/** The number of values in a request. */
const MOST = 200_000;
/** The maximum width, and the sizes of an entry. */
const SIDE = 700;
const LARGEST = 16;
const SMALLEST = 6;

type State = 'same' | 'differs' | 'attends' | 'one' | 'none';

export function Strip({ runs: [first, second], difference }: { runs: [Run, Run]; difference: FoundDifference | null }) {
  const [whole, setWhole] = useState(true);
  const all = program.value?.registers.map((_, index) => index) ?? [];
  const [registers, others] = common(whole ? all : shown.value);
  const cells = Math.max(first.symbols.length, second.symbols.length);
  const rows = useMemo(() => pairs(first.rows, second.rows), [first, second]);
  const most = Math.max(1, Math.floor(MOST / Math.max(1, rows.length * registers.length)));
  const center = selected.value?.cell ?? 1;
  const [from, to] = around(center, cells, most);
  const tile = (run: Run, registers: number[]): { rows: [number, number]; cells: [number, number]; registers: number[] } =>
    ({ rows: [0, run.rows.length], cells: [from, Math.max(from, Math.min(to, run.symbols.length + 1))], registers });
  const one = useAnswer({ op: 'tile', slot: 0, ...tile(first, registers) });
  const two = useAnswer({ op: 'tile', slot: 1, ...tile(second, others) });
  if (one.error !== null || two.error !== null) return <p class="message bad">{one.error ?? two.error}</p>;
  if (!one.answer || !two.answer || registers.length === 0) return null;
  return (
    <StripMatrix
      first={first} second={second} rows={rows} cells={[from, to]} tiles={[one.answer, two.answer]} registers={registers} difference={difference}
      choice={(
        <Segments
          label="Registers" value={whole ? 'all' : 'shown'} onChange={(next) => setWhole(next === 'all')}
          choices={[['all', 'All registers'], ['shown', 'Those in the grid']]}
        />
      )}
    />
  );
}

interface Props {
  first: Run; second: Run; rows: RowPair[]; cells: [number, number]; tiles: [Tile, Tile]; registers: number[]; difference: FoundDifference | null;
  choice: ComponentChildren;
}

function StripMatrix({ first, second, rows, cells: [from, to], tiles, registers, difference, choice }: Props) {
  const count = to - from;
  const cells = Math.max(first.symbols.length, second.symbols.length);
  const size = Math.max(SMALLEST, Math.min(LARGEST, Math.floor(SIDE / Math.max(1, count))));
  const state = (index: number, column: number): State => compare(tiles, rows[index], from + column, first, second);
  const symbol = (run: Run, cell: number): string => run.symbols[cell - 1] ?? '';
  const columnLabel = (column: number): string => {
    const cell = from + column;
    const [left, right] = [symbol(first, cell), symbol(second, cell)];
    return left === right || right === '' ? `${cell} ${left}` : `${cell} ${left}≠${right}`;
  };
  const describe = (index: number, column: number): string => {
    const pair = rows[index];
    if (!pair) return '';
    const cell = from + column;
    return `${pairName(pair)}, cell ${cell}: ${words(state(index, column), tiles, pair, cell, registers)}`;
  };
  const start = firstEntry(difference, rows, from);
  return (
    <section class="beside" aria-label="Layer by layer">
      <Matrix
        {...(start === null ? {} : { start, marked: start })}
        label={`Differences of the runs, ${rows.length} layers and passes by ${count} cells.`} file="differences"
        rows={rows.length} columns={count} width={size} height={12}
        rowLabel={(index) => { const pair = rows[index]; return pair ? `${sign(pair)}${[pair.row.layer, ...pair.row.pass].join('.')}` : ''; }}
        columnLabel={columnLabel} describe={describe}
        onPick={({ row, column }) => {
          const pair = rows[row];
          const slot = pair?.first === null ? 1 : 0;
          select({ slot, row: pair?.first ?? pair?.second ?? null, cell: from + column });
        }}
        paint={(context, { row, column, x, y, width, height }, colors) => {
          const entry = state(row, column);
          if (entry === 'differs') {
            context.fillStyle = colors.negative;
            context.fillRect(x + 1, y + 1, width - 1, height - 1);
          } else if (entry === 'attends') {
            context.strokeStyle = colors.negative;
            context.lineWidth = 1.5;
            context.strokeRect(x + 2, y + 2, width - 3, height - 3);
          } else if (entry === 'one') {
            context.fillStyle = colors.shade;
            context.fillRect(x, y, width, height);
          }
        }}
      />
      <aside aria-label="About the picture">
        <h3>Layer by layer</h3>
        <p class="caption">
          Each row is a layer and its passes, each column a cell. An entry compares the registers of the cell after the layer. The
          first difference has a colored label. Select an entry to go there.
          {count < cells && ` Cells ${from} to ${to - 1} of ${cells}.`}
        </p>
        {choice}
        <ul class="plain marks" aria-label="Legend">
          <li><span class="square same" />same</li>
          <li><span class="square differs" />different values</li>
          <li><span class="square attends" />same values, different cell attended to</li>
          <li><span class="square hidden" />only in one run</li>
          {versions.value && <li>{`+3: layer 3, only in the run of ${data.value.name}; −3: only in that of ${versions.value.name}`}</li>}
        </ul>
      </aside>
    </section>
  );
}

/** Marks a row that only one of two versions has. */
const sign = ({ first, second }: RowPair): string => (versions.value === null ? '' : first === null ? '−' : second === null ? '+' : '');

/** The entry of the first update that differs. */
function firstEntry(difference: FoundDifference | null, rows: RowPair[], from: number): { row: number; column: number } | null {
  const update = difference?.update;
  const row = rows.findIndex(({ first, second }) =>
    (update?.first ? first === update.first.row : update?.second != null && second === update.second.row));
  const cell = (update?.first ?? update?.second)?.cell;
  return row === -1 || cell === undefined || cell < from ? null : { row, column: cell - from };
}

/** The values of the registers after a row, and the cell attended to. Null if the run lacks the row or the cell. */
function held(tile: Tile, row: number | null, cell: number): { values: Value[]; attends: number } | null {
  const at = cell - tile.cells[0];
  if (row === null || cell >= tile.cells[1]) return null;
  const values = tile.values[row - tile.rows[0]]?.[at];
  const attends = tile.attends[row - tile.rows[0]]?.[at];
  return values === undefined || attends === undefined ? null : { values, attends };
}

function compare([one, two]: [Tile, Tile], pair: RowPair | undefined, cell: number, first: Run, second: Run): State {
  if (!pair) return 'none';
  const left = cell <= first.symbols.length ? held(one, pair.first, cell) : null;
  const right = cell <= second.symbols.length ? held(two, pair.second, cell) : null;
  if (left === null && right === null) return 'none';
  // A cell that rests lacks the row, like a run without it.
  if (left === null || right === null || (left.attends === -1) !== (right.attends === -1)) return 'one';
  if (left.values.some((value, index) => value !== right.values[index])) return 'differs';
  return left.attends === right.attends ? 'same' : 'attends';
}

function words(state: State, [one, two]: [Tile, Tile], pair: RowPair, cell: number, registers: number[]): string {
  const [left, right] = [held(one, pair.first, cell), held(two, pair.second, cell)];
  if (state === 'same') return 'same';
  if (state === 'none') return 'in neither run';
  if (state === 'one' || left === null || right === null) return `only in the ${right === null || right.attends === -1 ? 'first' : 'second'} run`;
  if (state === 'attends') return `attends to ${target(left.attends)} in the first run, ${target(right.attends)} in the second`;
  const different = registers.flatMap((register, index) => {
    const [before, after] = [left.values[index], right.values[index]];
    return before === after ? [] : [`${program.value?.registers[register]?.long ?? ''} ${before ?? '∅'} ≠ ${after ?? '∅'}`];
  });
  return different.join(', ');
}

const target = (attends: number): string => (attends > 0 ? `cell ${attends}` : 'no cell');
