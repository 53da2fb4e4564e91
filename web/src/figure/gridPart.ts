// A part of the grid: some lines and cells, as folded and filtered.
import type { Program, Run } from '../protocol';
import { ask, data, program, run, shown } from '../store';
import { lines, type Line } from '../grid/lines';
import { type Shown, shownCell } from '../grid/tiles';

/** Inclusive ranges of 0-based lines and 1-based cells. */
export interface Choice { lines: [number, number]; cells: [number, number] }

export interface PartLine extends Line {
  /** One entry per cell of the part. */
  cells: Shown[];
}

export interface Part {
  name: string;
  program: Program; run: Run;
  /** The long names of the shown registers. */
  registers: string[];
  /** The numbers of the first and the last cell. */
  first: number; last: number;
  lines: PartLine[];
}

/** Loads a part line by line. After each line, calls `more` with the share loaded, which throws to stop. */
export async function loadPart({ lines: [from, to], cells: [first, last] }: Choice, more: (line: PartLine, share: number) => void): Promise<Part | null> {
  const [known, current, registers] = [program.peek(), run.peek(), shown.peek()];
  if (known === null || current === null) return null;
  const chosen = lines.peek().slice(from, to + 1);
  const loaded: PartLine[] = [];
  for (const line of chosen) {
    const tile = await ask({ op: 'tile', slot: 0, rows: [line.from, line.to + 1], cells: [first, last + 1], registers });
    const cells = Array.from({ length: last - first + 1 }, (_, index) => shownCell(line, first + index, { at: () => tile }))
      .filter((cell) => cell !== null);
    const next = { ...line, cells };
    loaded.push(next);
    more(next, loaded.length / chosen.length);
  }
  return {
    name: data.peek().name, program: known, run: current, registers: registers.map((register) => known.registers[register]?.long ?? ''),
    first, last, lines: loaded,
  };
}
