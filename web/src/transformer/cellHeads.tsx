// The head of a table with one column for each cell. Its buttons select the cell.
import { useLayoutEffect, useRef } from 'preact/hooks';
import { type Coordinates, select } from '../store';
import { center } from './inView';
import { moveFocus } from './roving';

interface Props {
  cells: number[]; current: number | null; to: Omit<Coordinates, 'cell'>;
  /** After the number of the cell. */
  mark?(cell: number): string;
}

export function CellHeads({ cells, current, to, mark }: Props) {
  const head = useRef<HTMLTableSectionElement>(null);
  useLayoutEffect(() => center(head.current?.querySelector<HTMLElement>('.current'), head.current?.closest('.cell-table')), [current, cells[0]]);
  const stop = current !== null && cells.includes(current) ? current : cells[0];
  return (
    <thead ref={head}>
      <tr onKeyDown={moveFocus}>
        <th scope="col">cell</th>
        {cells.map((cell) => (
          <th key={cell} scope="col" class={cell === current ? 'current' : ''}>
            <button tabIndex={cell === stop ? 0 : -1} aria-label={`Select cell ${cell}`} onClick={() => select({ ...to, cell })}>
              {cell}{mark?.(cell)}
            </button>
          </th>
        ))}
      </tr>
    </thead>
  );
}
