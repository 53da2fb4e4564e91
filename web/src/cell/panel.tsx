// What a layer computes in a cell, register by register: input, query, key, value, attention output and result.
import { Table } from '../figure/table';
import { layerOf, programOf, runs, selected, useAnswer } from '../store';
import type { Instruction, Register, Slot, SlotEntry, UpdateDetail } from '../protocol';
import './cell.css';

type Shown = string | null;

/** The values that one side of the entries named after a register accepts. */
function bySlot(entries: SlotEntry[], name: string, side: (entry: SlotEntry) => Instruction): Shown {
  const found = entries.filter(({ register }) => register === name);
  return found.length === 0 ? null : found.map((entry) => accepted(side(entry))).join(' · ');
}

/** The accepted values in words: `CQ`, `0 or 1`, `not 0`. */
const accepted = ({ negated, values }: Instruction): string => `${negated ? 'not ' : ''}${values.map((value) => value ?? 'null').join(' or ')}`;

/** Names the cell whose key is shown. If no cell matches, adds why it is that one. */
function answering({ attends, cell, why }: UpdateDetail): string {
  const source = why?.source ?? cell;
  if (attends !== null) return `what cell ${source} answers`;
  return source === cell ? `what cell ${cell} itself answers: no cell matches` : `what cell ${source} answers: no cell matches, and it comes closest`;
}

interface Line { name: string; of: string; cells: Shown[]; mark?: (register: number) => boolean }

function linesOf(update: UpdateDetail, registers: Register[], v: Slot[]): Line[] {
  const { before, after, read, entries, set, attends, cell } = update;
  const written = new Map(set.map(({ register, value }) => [register, value]));
  const fires = attends !== null;
  return [
    { name: 'input', of: `cell ${cell} before the layer`, cells: before },
    { name: 'query', of: `what cell ${cell} asks for`, cells: registers.map(({ long }) => bySlot(entries, long, ({ query }) => query)) },
    { name: 'key', of: answering(update), cells: registers.map(({ long }) => bySlot(entries, long, ({ key }) => key)) },
    { name: 'value', of: fires ? `what cell ${attends} offers` : 'no cell matches', cells: registers.map(({ short }, register) => (fires && read && v.some(({ name }) => name === short) ? (written.get(register) ?? null) : null)) },
    { name: 'attention output', of: fires ? 'the value of the cell attended to' : 'nothing', cells: registers.map((_, register) => written.get(register) ?? null) },
    { name: 'result', of: `cell ${cell} after the layer`, cells: after, mark: (register) => written.has(register) },
  ];
}

export function CellPanel() {
  const at = selected.value;
  const known = programOf(at?.slot ?? 0);
  const exists = at !== null && at.row !== null && runs.value[at.slot] != null;
  const { answer, error } = useAnswer(exists ? { op: 'update' as const, slot: at.slot, row: at.row ?? 0, cell: at.cell } : null);
  if (!exists || known === null) return <p class="empty">Select a cell in a layer. This panel shows its input, query, key, value, attention output and result.</p>;
  if (error !== null) return <p class="message bad">{error}</p>;
  const layer = answer && layerOf(answer.layer, at.slot);
  if (!answer || !layer) return null;
  if (answer.rests) return <p class="empty">{`Cell ${answer.cell} rests here: it needs fewer passes.`}</p>;
  const lines = linesOf(answer, known.registers, layer.v);
  const columns = known.registers.map((_, register) => register).filter((register) => lines.some(({ cells }) => (cells[register] ?? null) !== null));
  return (
    <Table class="update-table">
      <caption class="caption">{`Layer ${answer.layer}, cell ${answer.cell}`}</caption>
      <thead>
        <tr><td />{columns.map((register) => <th key={register} scope="col">{known.registers[register]?.long}</th>)}</tr>
      </thead>
      <tbody>
        {lines.map(({ name, of, cells, mark }) => (
          <tr key={name}>
            <th scope="row">{name} <span class="caption">{of}</span></th>
            {columns.map((register) => <td key={register} class={mark?.(register) ? 'value changed' : 'value'}>{cells[register] ?? ''}</td>)}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
