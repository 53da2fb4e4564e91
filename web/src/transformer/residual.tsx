// The residual stream: the vectors of cells before or after a layer, as a heat map.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Residual, Run } from '../protocol';
import { programOf, rowOf, runs, select, useAnswer, type Place } from '../store';
import { around } from './around';
import { paintNumber } from './colors';
import { Matrix, type MatrixProps } from './matrix';
import { Segments } from './segments';

type Embedding = 'local' | 'distributed';
type Extent = 'cell' | 'cells';
type Moment = 'before' | 'after';

/** The number of components asked for at a time. Those of the local embedding are short. */
const MOST: Record<Embedding, number> = { local: 600_000, distributed: 100_000 };
/** The width of one cell's picture, and the sizes of an entry. */
const SIDE = 900;
const LARGEST = 18;
const SMALLEST = 6;

/** `head` is the choice of pictures. */
export function ResidualView({ head, place }: { head: ComponentChildren; place: Place }) {
  const [embedding, setEmbedding] = useState<Embedding>('local');
  const [extent, setExtent] = useState<Extent>('cell');
  const [moment, setMoment] = useState<Moment>('after');
  const run = runs.value[place.slot];
  const time = place.row === null ? 0 : place.row + (moment === 'after' ? 1 : 0);
  if (!run) return null;
  const layer = rowOf(place)?.layer;
  return (
    <div class="stack">
      <div class="row">
        {head}
        <Segments label="Embedding" value={embedding} onChange={(next) => setEmbedding(next)} choices={[['local', 'Local'], ['distributed', 'Distributed']]} />
        <Segments label="Cells" value={extent} onChange={(next) => setExtent(next)} choices={[['cell', `Cell ${place.cell}`], ['cells', 'All cells']]} />
        {layer !== undefined && (
          <Segments label="Moment" value={moment} onChange={(next) => setMoment(next)} choices={[['before', `Before layer ${layer}`], ['after', `After layer ${layer}`]]} />
        )}
      </div>
      <Vectors key={embedding} place={place} time={time} embedding={embedding} run={run} stacked={extent === 'cells'} />
    </div>
  );
}

/** The vectors of one cell, or of as many as are asked for at a time. */
function Vectors({ place, time, embedding, run, stacked }: { place: Place; time: number; embedding: Embedding; run: Run; stacked: boolean }) {
  const { slot, cell } = place;
  const one: [number, number] = [cell, cell + 1];
  const first = useAnswer({ op: 'residual', slot, time, cells: one, embedding });
  const components = first.answer?.vectors[0]?.length ?? 0;
  const cells = stacked && components > 0 ? around(cell, run.symbols.length, Math.floor(MOST[embedding] / components)) : one;
  const { answer, error } = useAnswer({ op: 'residual', slot, time, cells, embedding });
  if (error !== null) return <p class="message bad">{error}</p>;
  if (answer === null) return <p class="caption" role="status">Computing the vectors …</p>;
  return <HeatMap place={place} residual={answer} embedding={embedding} cells={cells} run={run} stacked={stacked} />;
}

interface HeatMapProps {
  place: Place; residual: Residual; embedding: Embedding; cells: [number, number]; run: Run; stacked: boolean;
}

function HeatMap({ place, residual, embedding, cells, run, stacked }: HeatMapProps) {
  const { dimension, values, vectors } = residual;
  const groups = Math.floor((vectors[0]?.length ?? 0) / Math.max(1, dimension));
  const local = embedding === 'local';
  let most = 0;
  for (const vector of vectors) for (const component of vector) most = Math.max(most, Math.abs(component));
  const group = (index: number): string => (local ? registerName(place.slot, residual.registers[index] ?? '') : `role ${index + 1}`);
  const member = (index: number): string => (local ? (values[index] ?? '') : `${index + 1}`);
  const number = (cell: number, component: number): number => vectors[cell]?.[component] ?? 0;
  const words = (cell: number, component: number): string => {
    const [of, at] = [Math.floor(component / dimension), component % dimension];
    const name = local ? `${group(of)}, value ${member(at)}` : `component ${component + 1}: ${group(of)}, filler ${at + 1}`;
    return `cell ${cells[0] + cell}, ${name}: ${text(number(cell, component))}`;
  };
  const picture: MatrixProps = stacked
    ? {
        label: `Residual stream of ${vectors.length} cells, ${groups * dimension} components each.`, file: 'residual-stream',
        rows: vectors.length, columns: groups * dimension, width: SMALLEST, height: 14, columnGroup: dimension,
        rowLabel: (row) => `${cells[0] + row} ${run.symbols[cells[0] + row - 1] ?? ''}`,
        columnLabel: (column) => member(column % dimension), groupLabel: group,
        describe: words,
        marked: { row: place.cell - cells[0] }, start: { row: place.cell - cells[0], column: Math.max(0, vectors[place.cell - cells[0]]?.findIndex((component) => component !== 0) ?? 0) },
        onPick: ({ row }) => select({ ...place, cell: cells[0] + row }),
        paint: (context, box, colors) => paintNumber(context, box, number(box.row, box.column), most, colors),
      }
    : {
        label: `Vector of cell ${place.cell}, ${groups} registers with ${dimension} components each.`, file: `residual-stream-cell-${place.cell}`,
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

/** The long name of a register, which the program's text uses. */
const registerName = (slot: number, short: string): string => programOf(slot)?.registers.find((register) => register.short === short)?.long ?? short;
