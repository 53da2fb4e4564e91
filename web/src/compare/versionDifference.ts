// The first difference between runs of two versions, in the order of computation. Layers of one version alone are skipped.
import { useEffect, useState } from 'preact/hooks';
import type { Run, Tile } from '../protocol';
import { ask, generation, program } from '../store';
import type { UpdateCoordinates, FoundDifference } from './difference';
import { pairs, type RowPair } from './rows';
import { common, versions } from './versions';

/** The number of values in a request. */
const MOST = 200_000;

type Found = FoundDifference['update'];

/** The first difference, or null while it is being computed. */
export function useVersionDifference(first: Run, second: Run | null): FoundDifference | null {
  const [found, setFound] = useState<FoundDifference | null>(null);
  useEffect(() => {
    let current = true;
    setFound(null);
    if (second) difference([first, second], () => current).then((next) => current && setFound(next), () => undefined);
    return () => { current = false; };
  }, [generation.value]);
  return found;
}

async function difference(runs: [Run, Run], goesOn: () => boolean): Promise<FoundDifference> {
  const [first, second] = runs;
  const start = first.symbols.slice(0, first.promptCells).findIndex((symbol, index) => symbol !== second.symbols[index]);
  return { start: start < 0 ? null : start + 1, update: await firstUpdate(runs, goesOn) };
}

async function firstUpdate(runs: [Run, Run], goesOn: () => boolean): Promise<Found> {
  const [first, second] = runs;
  const rows = pairs(first.rows, second.rows).filter((pair) => isCompared(pair, first, second));
  const end = Math.min(first.symbols.length, second.symbols.length) + 1;
  // Step 0 computes the prompt, and each later step one cell.
  for (let [from, to] = [1, first.promptCells + 1]; from < end && goesOn(); [from, to] = [to, to + 1]) {
    const update = await inStep(runs, rows, [from, Math.min(to, end)]);
    if (update !== null) return update;
  }
  const [one, two] = [first, second].map(({ symbols }) => (symbols.length < end ? null : start(end)));
  if (!one && !two) return null;
  return { first: one ?? null, second: two ?? null, text: `only the ${one ? 'first' : 'second'} run generates cell ${end}` };
}

const start = (cell: number): UpdateCoordinates => ({ row: null, cell, layer: null, pass: [] });

/** Whether both versions have the layer of a pair. */
function isCompared({ first: one, second: two }: RowPair, first: Run, second: Run): boolean {
  const layers = versions.value?.layers ?? [];
  const [here, there] = [first.rows[one ?? -1]?.layer, second.rows[two ?? -1]?.layer];
  return here !== undefined ? layers.includes(here) : there !== undefined && layers[there - 1] != null;
}

/** The first difference in some cells. Fetches rows in batches. */
async function inStep(runs: [Run, Run], rows: RowPair[], cells: [number, number]): Promise<Found> {
  const [registers, others] = common(program.peek()?.registers.map((_, index) => index) ?? []);
  const size = Math.max(1, Math.floor(MOST / Math.max(1, registers.length * (cells[1] - cells[0]))));
  for (let at = 0; at < rows.length; at += size) {
    const batch = rows.slice(at, at + size);
    const tiles = await Promise.all([tile(0, batch.map(({ first }) => first), cells, registers), tile(1, batch.map(({ second }) => second), cells, others)]);
    for (const pair of batch) {
      for (let cell = cells[0]; cell < cells[1]; cell += 1) {
        const text = differs(tiles, pair, cell, registers);
        if (text !== null) return { first: coordinates(runs[0], pair.first, cell), second: coordinates(runs[1], pair.second, cell), text };
      }
    }
  }
  return null;
}

async function tile(slot: number, rows: (number | null)[], cells: [number, number], registers: number[]): Promise<Tile | null> {
  const known = rows.filter((row) => row !== null);
  return known.length === 0 ? null : ask({ op: 'tile', slot, rows: [Math.min(...known), Math.max(...known) + 1], cells, registers });
}

function coordinates({ rows }: Run, row: number | null, cell: number): UpdateCoordinates | null {
  const here = rows[row ?? -1];
  return here === undefined ? null : { row, cell, layer: here.layer, pass: here.pass };
}

/** The difference of an entry in words, or null if there is none. */
function differs([one, two]: [Tile | null, Tile | null], pair: RowPair, cell: number, registers: number[]): string | null {
  const [left, right] = [held(one, pair.first, cell), held(two, pair.second, cell)];
  if (left === null || right === null) return left === right ? null : `only the ${right === null ? 'first' : 'second'} run has this update`;
  const index = left.values.findIndex((value, index) => value !== right.values[index]);
  if (index >= 0) {
    const name = program.peek()?.registers[registers[index] ?? -1]?.long ?? '';
    const words = ({ values }: Held): string => (values[index] == null ? 'null' : `\`${values[index]}\``);
    return `\`${name}\` of cell ${cell} is ${words(left)} in the first run, and ${words(right)} in the second`;
  }
  if (left.attends === right.attends) return null;
  const target = ({ attends }: Held): string => (attends > 0 ? `cell ${attends}` : 'no cell');
  return `cell ${cell} attends to ${target(left)} in the first run, and to ${target(right)} in the second`;
}

interface Held { values: (string | null)[]; attends: number }

/** Null if the run lacks the row, or if the cell rests. */
function held(tile: Tile | null, row: number | null, cell: number): Held | null {
  if (tile === null || row === null) return null;
  const values = tile.values[row - tile.rows[0]]?.[cell - tile.cells[0]];
  const attends = tile.attends[row - tile.rows[0]]?.[cell - tile.cells[0]];
  return values === undefined || attends === undefined || attends === -1 ? null : { values, attends };
}
