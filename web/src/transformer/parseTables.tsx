// The registers of a parse as tables, one column for each cell.
import type { Parse } from '../protocol';
import { Table } from '../figure/table';
import { type Coordinates, select } from '../store';
import { around, COLUMNS } from './around';
import { CellHeads } from './cellHeads';
import { Prose } from './prose';

interface Props { tables: Parse['tables']; cell: number | null; to: Omit<Coordinates, 'cell'> }

export function ParseTables({ tables, cell, to }: Props) {
  return <>{tables.map((table, index) => <ParseTable key={index} table={table} cell={cell} to={to} />)}</>;
}

function ParseTable({ table: { title, rows }, cell: current, to }: Omit<Props, 'tables'> & { table: Parse['tables'][number] }) {
  const columns = rows[0]?.cells.map(({ cell }) => cell) ?? [];
  const [from, until] = around(Math.max(1, columns.indexOf(current ?? 0) + 1), columns.length, COLUMNS);
  const shown = columns.slice(from - 1, until - 1);
  const hasMarks = rows.some(({ cells }) => cells.some(({ marked }) => marked));
  return (
    <section class="cell-table" aria-label={title}>
      <h3><Prose text={title} /></h3>
      <p class="caption">
        {hasMarks && 'A frame marks what is read and written. '}
        {shown.length < columns.length && `Cells ${shown[0]} to ${shown.at(-1)} of ${columns.length}.`}
      </p>
      <Table>
        <CellHeads cells={shown} current={current} to={to} />
        <tbody>
          {rows.map(({ register, cells }) => (
            <tr key={register}>
              {/* The names of the cells in the paper. */}
              <th scope="row">{register === '' ? 'role' : register}</th>
              {cells.slice(from - 1, until - 1).map(({ cell, value, marked }) => (
                <td key={cell} class={`value ${marked ? 'marked' : ''} ${cell === current ? 'current' : ''}`} onClick={() => select({ ...to, cell })}>
                  {marked ? <mark>{value ?? '∅'}</mark> : (value ?? (register !== '' && <span class="null">∅</span>))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
    </section>
  );
}
