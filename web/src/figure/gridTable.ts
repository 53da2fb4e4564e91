// A part of the grid as a table: a row for each register of a line.
import { arrow, numberOf, title } from '../grid/draw';
import { type Choice, loadPart } from './gridPart';
import type { Table } from './tableText';

/** The maximum number of cells in a table. */
const MOST = 100_000;

/** Throws if there is no run, or if the table is too large. */
export async function gridTable(choice: Choice): Promise<Table> {
  let size = 0;
  const part = await loadPart(choice, ({ cells }) => {
    for (const { values } of cells) size += values.length + 1;
    if (size > MOST) throw new Error(`The table would have more than ${MOST.toLocaleString('en')} cells. Choose fewer layers, cells or registers.`);
  });
  if (part === null) throw new Error('There is nothing to copy: run a prompt first.');
  const { run, program, registers, first, last } = part;
  const cells = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const body = part.lines.flatMap((line) => {
    const heading = [numberOf(line, run), title(line, program)];
    return [
      ...registers.map((register, index) => [...heading, register, ...line.cells.map(({ values }) => values[index] ?? '')]),
      [...heading, 'attends', ...line.cells.map(({ attends }, index) => (attends > 0 ? arrow(attends, first + index) : ''))],
    ];
  });
  return {
    head: [['layer', 'name', 'register', ...cells.map(String)], ['', '', 'start', ...cells.map((cell) => run.symbols[cell - 1] ?? '∅')]],
    body,
  };
}
