// Why a layer wrote a constant: the registers that its conditions read.
import type { Link, Program } from '../protocol';
import { useAnswer, type Coordinates } from '../store';
import { isReading } from './condition';
import { Go, Shown } from './parts';
import { longName } from './words';

interface Read { register: number; cell: number; value: string | null | undefined }

/** `link` is the end of a chain, which is a constant. */
export function Because({ at: { slot }, link: { row, cell }, program }: { at: Coordinates; link: Link; program: Program }) {
  const { answer } = useAnswer(row === null ? null : { op: 'update', slot, row, cell });
  if (row === null || answer === null || answer.row !== row || answer.cell !== cell || answer.attends === null) return null;
  const { attends } = answer;
  const reads = new Map<string, Read>();
  for (const { left, right } of answer.why?.conditions ?? []) {
    for (const side of isReading(right) ? [left, right] : [left]) {
      const register = program.registers.findIndex(({ long }) => long === side.register);
      const of = side.at === 'N' ? cell : attends;
      // With a function, the value is not that of the register, but the position next to it.
      reads.set(`${register} ${of}`, { register, cell: of, value: side.function === null ? side.value : undefined });
    }
  }
  if (reads.size === 0) return null;
  return (
    <p class="because">
      {'It did so because of '}
      {[...reads.values()].map(({ register, cell: of, value }, index) => (
        <span key={index}>
          {index > 0 && (index === reads.size - 1 ? ' and ' : ', ')}
          <Go slot={slot} row={row === 0 ? null : row - 1} cell={of} register={register}>{`${longName(program, register)} of cell ${of}`}</Go>
          {value !== undefined && <>{', '}<Shown value={value} /></>}
        </span>
      ))}.
    </p>
  );
}
