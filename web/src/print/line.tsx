// A line of the run on paper: a row for each register, and one for the cells attended to.
import { arrow } from '../grid/draw';
import type { Shown } from '../grid/tiles';

interface Props {
  number: string; title: string;
  /** The shown registers. */
  names: string[];
  cells: number[];
  /** By cell. Null if it is not loaded. */
  drawn: (Shown | null)[];
  promptCells: number;
  selected: number | null;
}

export const cellClass = (cell: number, promptCells: number): string =>
  (cell <= promptCells ? '' : cell === promptCells + 1 ? 'generated first' : 'generated');

function classOf(shown: Shown | null): string {
  if (shown?.attends === -1) return 'rests';
  return shown?.changed.includes(true) ? '' : 'idle';
}

export function LineRows({ number, title, names, cells, drawn, promptCells, selected }: Props) {
  const classes = cells.map((cell, index) => `${cellClass(cell, promptCells)} ${classOf(drawn[index] ?? null)} ${cell === selected ? 'selected' : ''}`);
  return (
    <tbody>
      {names.map((name, register) => (
        <tr key={name}>
          {register === 0 && <th scope="rowgroup" rowSpan={names.length + 1}><span class="g-number">{number}</span>{title}</th>}
          <th scope="row">{name}</th>
          {cells.map((cell, index) => (
            <td key={cell} class={`${classes[index]} ${drawn[index]?.changed[register] === true ? 'changed' : ''}`}>{drawn[index]?.values[register] ?? ''}</td>
          ))}
        </tr>
      ))}
      <tr>
        <th scope="row">attends</th>
        {cells.map((cell, index) => {
          const attends = drawn[index]?.attends ?? 0;
          return <td key={cell} class={`${classes[index]} ${attends === cell ? 'own' : 'other'}`}>{attends > 0 ? arrow(attends, cell) : ''}</td>;
        })}
      </tr>
    </tbody>
  );
}
