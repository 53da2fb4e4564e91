// The registers of a cell before and after an update, and those of the cell attended to.
import type { Program, UpdateDetail } from '../protocol';
import type { Value } from '../value';
import { Table } from '../figure/table';
import { chosen } from './asked';
import { Shown } from './parts';

interface RegisterValues { register: number; name: string; before: Value; after: Value; read: Value | undefined; written: string | undefined }

export function Registers({ update, program }: { update: UpdateDetail; program: Program }) {
  const { before, after, read, attends, cell, set } = update;
  const registers = program.registers.map(({ long }, register): RegisterValues => ({
    register,
    name: long,
    before: before[register] ?? null,
    after: after[register] ?? null,
    read: attends === null || attends === cell ? undefined : read?.[register],
    written: set.find((written) => written.register === register)?.text,
  }));
  const isWritten = (register: RegisterValues): boolean => register.written !== undefined || register.before !== register.after;
  const written = registers.filter(isWritten);
  const others = registers.filter((register) => !isWritten(register));
  const source = attends === null || attends === cell || read === null ? null : attends;
  return (
    <>
      {written.length === 0
        ? <p class="caption">{`No register of cell ${cell} changes.`}</p>
        : <RegisterTable registers={written} cell={cell} source={source} assignments />}
      {others.length > 0 && (
        <details>
          <summary>{written.length === 0 ? `All ${others.length} registers` : `${others.length} registers that it does not set`}</summary>
          <RegisterTable registers={others} cell={cell} source={source} assignments={false} />
        </details>
      )}
    </>
  );
}

/** The registers at the start of a cell. */
export function Start({ values, program }: { values: Value[]; program: Program }) {
  const given = program.registers.flatMap(({ long }, register) => (values[register] == null ? [] : [{ long, register, value: values[register] }]));
  return (
    <details>
      <summary>{`${given.length} registers that have a value`}</summary>
      <Table>
        <thead><tr><th scope="col">Register</th><th scope="col">Value</th></tr></thead>
        <tbody>
          {given.map(({ long, register, value }) => (
            <tr key={register}>
              <th scope="row"><Trace register={register} name={long} /></th>
              <td><Shown value={value} /></td>
            </tr>
          ))}
        </tbody>
      </Table>
    </details>
  );
}

/** Traces a register, and scrolls to its history and origin. */
function trace(register: number): void {
  chosen.value = register;
  document.getElementById('traced')?.scrollIntoView({ block: 'nearest' });
}

/** A register as a button that traces it. */
function Trace({ register, name }: { register: number; name: string }) {
  return (
    <button
      type="button" class="link" title={`Trace ${name}`} aria-pressed={chosen.value === register}
      onClick={() => trace(register)}
    >{name}</button>
  );
}

function RegisterTable({ registers, cell, source, assignments }: { registers: RegisterValues[]; cell: number; source: number | null; assignments: boolean }) {
  return (
    <Table>
      <thead>
        <tr>
          <th scope="col">Register</th>
          {assignments && <th scope="col">Before</th>}
          <th scope="col">{assignments ? 'After' : `Cell ${cell}`}</th>
          {assignments && <th scope="col">Set to</th>}
          {source !== null && <th scope="col">{`Cell ${source}`}</th>}
        </tr>
      </thead>
      <tbody>
        {registers.map(({ register, name, before, after, read, written }) => (
          <tr key={register}>
            <th scope="row"><Trace register={register} name={name} /></th>
            {assignments && <td><Shown value={before} /></td>}
            <td class={before === after ? undefined : 'changed'}><Shown value={after} /></td>
            {assignments && <td class="value">{written}</td>}
            {source !== null && <td><Shown value={read ?? null} /></td>}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
