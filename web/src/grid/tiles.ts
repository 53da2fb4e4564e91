// Tiles of the run, fetched when they come into view.
import { WHOLE } from '../engine';
import type { Run, Tile } from '../protocol';
import type { Value } from '../value';
import { ask } from '../store';
import type { Line } from './lines';

const ROWS = 16;
const CELLS = 64;
/** The maximum number of open requests. It is low, so that what comes into view need not wait long. */
const AT_ONCE = 2;

/** Rows and cells, both inclusive. */
export interface Area { from: number; to: number; first: number; last: number }

export interface Loaded {
  /** The tile with a row and a cell, or undefined if it is not loaded. */
  at(row: number, cell: number): Tile | undefined;
}

export class Tiles implements Loaded {
  private readonly loaded = new Map<number, Tile>();
  private readonly asked = new Set<number>();
  private wanted: number[] = [];
  private readonly rows: number;
  private readonly cells: number;
  private readonly high: number;
  private readonly wide: number;
  private readonly across: number;

  constructor(
    { rows, symbols, tile }: Run,
    private readonly registers: number[],
    private readonly arrived: () => void,
  ) {
    this.rows = rows.length;
    this.cells = symbols.length;
    const whole = this.rows * this.cells * registers.length <= WHOLE;
    this.high = whole ? Math.max(1, this.rows) : ROWS;
    this.wide = whole ? Math.max(1, this.cells) : CELLS;
    this.across = Math.ceil(this.cells / this.wide);
    // The run came with the registers that were shown before.
    if (tile !== null && String(tile.registers) === String(registers)) this.loaded.set(0, tile);
  }

  private key(row: number, cell: number): number {
    return Math.floor(row / this.high) * this.across + Math.floor((cell - 1) / this.wide);
  }

  at(row: number, cell: number): Tile | undefined {
    return this.loaded.get(this.key(row, cell));
  }

  get complete(): boolean {
    return this.loaded.size === Math.ceil(this.rows / this.high) * this.across;
  }

  /** Fetches the tiles of these areas in order, and no longer those wanted before. */
  want(areas: Area[]): void {
    const keys = new Set<number>();
    for (const { from, to, first, last } of areas) {
      for (let row = Math.floor(from / this.high); row <= Math.floor(to / this.high); row += 1) {
        for (let cell = Math.floor((first - 1) / this.wide); cell <= Math.floor((last - 1) / this.wide); cell += 1) {
          keys.add(row * this.across + cell);
        }
      }
    }
    this.wanted = [...keys].filter((key) => !this.loaded.has(key) && !this.asked.has(key));
    this.fetch();
  }

  private fetch(): void {
    while (this.asked.size < AT_ONCE) {
      const key = this.wanted.shift();
      if (key === undefined) return;
      this.asked.add(key);
      const row = Math.floor(key / this.across) * this.high;
      const cell = (key % this.across) * this.wide + 1;
      const rows: [number, number] = [row, Math.min(this.rows, row + this.high)];
      const cells: [number, number] = [cell, Math.min(this.cells + 1, cell + this.wide)];
      ask({ op: 'tile', slot: 0, rows, cells, registers: this.registers }).then((tile) => {
        this.loaded.set(key, tile);
        this.arrived();
      }, () => undefined).finally(() => {
        this.asked.delete(key);
        this.fetch();
      });
    }
  }
}

/** A cell after a row. */
export interface Shown { values: Value[]; changed: boolean[]; attends: number }

export function lookUp(tile: Tile, row: number, cell: number): Shown | undefined {
  const y = row - tile.rows[0];
  const x = cell - tile.cells[0];
  const values = tile.values[y]?.[x];
  return values && { values, changed: tile.changed[y]?.[x] ?? [], attends: tile.attends[y]?.[x] ?? 0 };
}

/** The contents of a cell of a line, or null if they are not loaded. */
export function shownCell(line: Line, cell: number, loaded: Loaded): Shown | null {
  const end = loaded.at(line.to, cell);
  const shown = end && lookUp(end, line.to, cell);
  if (shown === undefined) return null;
  if (!line.folded) return shown;
  // A folded pass shows every change in it, and the cell that the last of them attended to.
  let { attends } = shown;
  const changed = shown.changed.slice();
  if (!changed.includes(true)) attends = Math.min(attends, 0);
  for (let row = line.to - 1; row >= line.from; row -= 1) {
    const tile = loaded.at(row, cell);
    const inside = tile && lookUp(tile, row, cell);
    if (inside === undefined) return null;
    if (inside.changed.includes(true) && attends <= 0) attends = inside.attends;
    inside.changed.forEach((wrote, register) => { if (wrote) changed[register] = true; });
    if (attends === -1 && inside.attends >= 0) attends = 0;
  }
  return { values: shown.values, changed, attends };
}
