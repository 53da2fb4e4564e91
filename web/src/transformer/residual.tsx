// The residual stream: the vectors of cells before or after a layer, as a heat map.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Residual, Run } from '../protocol';
import { programOf, rowOf, runs, select, useAnswer, type Coordinates } from '../store';
import { around } from './around';
import { paintNumber } from './colors';
import { Matrix, type MatrixProps } from './matrix';
import { Segments } from './segments';

type Embedding = 'local' | 'distributed';
type Extent = 'cell' | 'cells';
type ShownTime = 'before' | 'after';

/** The maximum number of components in a request. Those of the local embedding are shorter in JSON. */
const MOST: Record<Embedding, number> = { local: 600_000, distributed: 100_000 };
/** The width of the picture of one cell, and the sizes of an entry. */
const SIDE = 900;
const LARGEST = 18;
const SMALLEST = 6;

/** `head` is the choice of pictures. */
export function ResidualView({ head, at }: { head: ComponentChildren; at: Coordinates }) {
  const [embedding, setEmbedding] = useState<Embedding>('local');
  const [extent, setExtent] = useState<Extent>('cell');
  const [shownTime, setShownTime] = useState<ShownTime>('after');
  const run = runs.value[at.slot];
  const time = at.row === null ? 0 : at.row + (shownTime === 'after' ? 1 : 0);
  if (!run) return null;
  const layer = rowOf(at)?.layer;
  return (
    <div class="stack">
      <div class="row">
        {head}
        <Segments label="Embedding" value={embedding} onChange={(next) => setEmbedding(next)} choices={[['local', 'Local'], ['distributed', 'Distributed']]} />
        <Segments label="Cells" value={extent} onChange={(next) => setExtent(next)} choices={[['cell', `Cell ${at.cell}`], ['cells', 'All cells']]} />
        {layer !== undefined && (
          <Segments label="Moment" value={shownTime} onChange={(next) => setShownTime(next)} choices={[['before', `Before layer ${layer}`], ['after', `After layer ${layer}`]]} />
        )}
      </div>
      <Vectors key={embedding} at={at} time={time} embedding={embedding} run={run} stacked={extent === 'cells'} />
    </div>
  );
}

/** The vectors of one cell, or of as many as fit in a request. */
function Vectors({ at, time, embedding, run, stacked }: { at: Coordinates; time: number; embedding: Embedding; run: Run; stacked: boolean }) {
  const { slot, cell } = at;
  const one: [number, number] = [cell, cell + 1];
  const first = useAnswer({ op: 'residual', slot, time, cells: one, embedding });
  const components = first.answer?.vectors[0]?.length ?? 0;
  const cells = stacked && components > 0 ? around(cell, run.symbols.length, Math.floor(MOST[embedding] / components)) : one;
  const { answer, error } = useAnswer({ op: 'residual', slot, time, cells, embedding });
  if (error !== null) return <p class="message bad">{error}</p>;
  if (answer === null) return <p class="caption" role="status">Computing the vectors …</p>;
  return <HeatMap at={at} residual={answer} embedding={embedding} cells={cells} run={run} stacked={stacked} />;
}

interface HeatMapProps {
  at: Coordinates; residual: Residual; embedding: Embedding; cells: [number, number]; run: Run; stacked: boolean;
}

function HeatMap({ at, residual, embedding, cells, run, stacked }: HeatMapProps) {
  const { dimension, values, vectors } = residual;
  const groups = Math.floor((vectors[0]?.length ?? 0) / Math.max(1, dimension));
  const local = embedding === 'local';
  let most = 0;
  for (const vector of vectors) for (const component of vector) most = Math.max(most, Math.abs(component));
  const group = (index: number): string => (local ? registerName(at.slot, residual.registers[index] ?? '') : `role ${index + 1}`);
  const member = (index: number): string => (local ? (values[index] ?? '') : `${index + 1}`);
  const number = (cell: number, component: number): number => vectors[cell]?.[component] ?? 0;
  const words = (cell: number, component: number): string => {
    const [of, index] = [Math.floor(component / dimension), component % dimension];
    const name = local ? `${group(of)}, value ${member(index)}` : `component ${component + 1}: ${group(of)}, filler ${index + 1}`;
    return `cell ${cells[0] + cell}, ${name}: ${text(number(cell, component))}`;
  };
  const picture: MatrixProps = stacked
    ? {
        label: `Residual stream of ${vectors.length} cells, ${groups * dimension} components each.`, file: 'residual-stream',
        rows: vectors.length, columns: groups * dimension, width: SMALLEST, height: 14, columnGroup: dimension,
        rowLabel: (row) => `${cells[0] + row} ${run.symbols[cells[0] + row - 1] ?? ''}`,
        columnLabel: (column) => member(column % dimension), groupLabel: group,
        describe: words,
        marked: { row: at.cell - cells[0] }, start: { row: at.cell - cells[0], column: Math.max(0, vectors[at.cell - cells[0]]?.findIndex((component) => component !== 0) ?? 0) },
        onPick: ({ row }) => select({ ...at, cell: cells[0] + row }),
        paint: (context, box, colors) => paintNumber(context, box, number(box.row, box.column), most, colors),
      }
    : {
        label: `Vector of cell ${at.cell}, ${groups} registers with ${dimension} components each.`, file: `residual-stream-cell-${at.cell}`,
        rows: groups, columns: dimension, height: 14,
        width: Math.max(SMALLEST, Math.min(LARGEST, Math.floor(SIDE / Math.max(1, dimension)))),
        rowLabel: group, columnLabel: member,
        describe: (row, column) => words(0, row * dimension + column),
        paint: (context, box, colors) => paintNumber(context, box, number(0, box.row * dimension + box.column), most, colors),
      };
  const total = run.symbols.length;
  return (
    <>
      <p class="caption">
        {local
          ? 'Each register has its own components, one for each value. The component of its value is 1, all others are 0. Null is 0 throughout.'
          : 'The vector is a sum over all registers: the dense vector of the register (its role) ⊗ the dense vector of its value (the filler). Each component depends on all registers.'}
        {stacked && vectors.length < total && ` Cells ${cells[0]} to ${cells[1] - 1} of ${total}.`}
      </p>
      <div class="legend-scale" role="img" aria-label={`Scale: from ${local ? 0 : text(-most)} to ${text(most)}`}>
        <span>{local ? '0' : text(-most)}</span><span class={local ? 'bar positive' : 'bar'} /><span>{text(most)}</span>
      </div>
      <Matrix key={`${embedding} ${stacked}`} {...picture} />
    </>
  );
}

const text = (value: number): string => (Number.isInteger(value) ? String(value) : value.toFixed(3)).replace('-', '−');

/** The long name of a register. */
const registerName = (slot: number, short: string): string => programOf(slot)?.registers.find((register) => register.short === short)?.long ?? short;
