// The numbers of one block: d by d weights, with the bias as the last row.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { BlockNumbers, LayerTensors, WeightBlock } from '../protocol';
import { useAnswer } from '../store';
import { paintNumber } from './colors';
import { BlockName } from './blockName';
import { blockName, blockRequest } from './kinds';
import type { At } from './drawMatrix';
import { Matrix } from './matrix';

/** The maximum width of the matrix, and the sizes of an entry. */
const SIDE = 560;
const LARGEST = 24;
const SMALLEST = 8;
/** The maximum number of listed entries of a row or column. */
const MOST = 12;

interface Props { slot: number; tensors: LayerTensors; block: WeightBlock; onClose(): void }

export function BlockNumbersView({ slot, tensors, block, onClose }: Props) {
  const { answer, error } = useAnswer(blockRequest(slot, tensors, block));
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => { heading.current?.focus(); heading.current?.scrollIntoView({ block: 'start' }); }, []);
  return (
    <section class="numbers stack" aria-label={`Numbers of ${blockName(block)}`}>
      <div class="row">
        <h3 tabIndex={-1} ref={heading}>Numbers of <BlockName block={block} /></h3>
        <button onClick={onClose}>Close</button>
      </div>
      <p class="caption">
        {block.source === null
          ? <>A bias is added whatever the cell holds. It has one number for each value that <code>{block.target}</code> can get.</>
          : <>A row is a value of <code>{block.source}</code>, and a column a value that <code>{block.target}</code> gets.</>}
      </p>
      {error !== null && <p class="message bad">{error}</p>}
      {answer && <Numbers numbers={answer} block={block} />}
    </section>
  );
}

function Numbers({ numbers, block }: { numbers: BlockNumbers; block: WeightBlock }) {
  const { values } = numbers;
  const weightRows = block.source === null ? 0 : values.length;
  // The first nonzero entry.
  const start = useMemo(() => {
    const [row, column] = numbers.weights[0] ?? [weightRows, numbers.bias[0]?.[0] ?? 0];
    return { row, column };
  }, [numbers]);
  const [at, setAt] = useState<At>(start);
  const rows = weightRows + (numbers.bias.length > 0 ? 1 : 0);
  const columns = values.length;
  const entries = useMemo(() => {
    const map = new Map(numbers.weights.map(([row, column, entry]) => [row * columns + column, entry]));
    for (const [column, entry] of numbers.bias) map.set(weightRows * columns + column, entry);
    return map;
  }, [numbers]);
  const most = Math.max(...[...entries.values()].map(Math.abs), 0);
  const size = Math.max(SMALLEST, Math.min(LARGEST, Math.floor(SIDE / Math.max(1, columns))));
  const entry = (row: number, column: number): number => entries.get(row * columns + column) ?? 0;
  const rowName = (row: number): string => (row < weightRows ? (values[row] ?? '') : 'bias');
  const columnName = (column: number): string => values[column] ?? '';
  const inRow = values.flatMap((name, column) => listed(name, entry(at.row, column)));
  const inColumn = Array.from({ length: rows }, (_, row) => row).flatMap((row) => listed(rowName(row), entry(row, at.column)));
  return (
    <div class="beside">
      <Matrix
        label={`Numbers of ${blockName(block)}, ${rows} rows and ${columns} columns.`} file={`weights-${block.attribute}`}
        rows={rows} columns={columns} width={size} height={size} rowLabel={rowName} columnLabel={columnName} start={start}
        describe={(row, column) => `row ${rowName(row)}, column ${columnName(column)}: ${text(entry(row, column))}`}
        onMove={setAt}
        onPick={setAt}
        marked={at}
        paint={(context, box, colors) => {
          const value = entry(box.row, box.column);
          paintNumber(context, box, value, most, colors);
          if (value !== 0 && size >= 18) {
            context.fillStyle = colors.paper;
            context.font = '11px system-ui, sans-serif';
            context.textAlign = 'center';
            context.textBaseline = 'middle';
            context.fillText(text(value), box.x + box.width / 2, box.y + box.height / 2);
          }
        }}
      />
      <dl>
        <dt>Row {rowName(at.row)}</dt><dd><Listed entries={inRow} /></dd>
        <dt>Column {columnName(at.column)}</dt><dd><Listed entries={inColumn} /></dd>
      </dl>
    </div>
  );
}

const text = (value: number): string => (Number.isInteger(value) ? String(value) : value.toFixed(2)).replace('-', '−');
const listed = (name: string, value: number): Entry[] => (value === 0 ? [] : [{ name, value }]);

interface Entry { name: string; value: number }

function Listed({ entries }: { entries: Entry[] }) {
  if (entries.length === 0) return <>all 0</>;
  const more = entries.length - MOST;
  return (
    <>
      {entries.slice(0, MOST).map(({ name, value }, index) => <span key={index}>{index > 0 && ', '}<code class="listed">{name}</code>: {text(value)}</span>)}
      {more > 0 && `, … ${more} more`}; all others 0
    </>
  );
}
