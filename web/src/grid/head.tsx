// The controls of the grid: its legend, its registers and its lines.
import type { TargetedFocusEvent, TargetedKeyboardEvent } from 'preact';
import { program, run, shown } from '../store';
import { onlyChanges } from './lines';

function flip(index: number): void {
  const all = program.peek()?.registers.length ?? 0;
  const next = new Set(shown.peek());
  if (!next.delete(index)) next.add(index);
  if (next.size === 0) return;
  shown.value = Array.from({ length: all }, (_, register) => register).filter((register) => next.has(register));
}

function close({ key, currentTarget }: TargetedKeyboardEvent<HTMLDetailsElement>): void {
  if (key === 'Escape') currentTarget.open = false;
}

function leave({ relatedTarget, currentTarget }: TargetedFocusEvent<HTMLDetailsElement>): void {
  if (relatedTarget instanceof Node && !currentTarget.contains(relatedTarget)) currentTarget.open = false;
}

function Registers() {
  const registers = program.value?.registers ?? [];
  if (registers.length === 0) return null;
  return (
    <details class="menu" onKeyDown={close} onFocusOut={leave}>
      <summary class="button">Registers ({shown.value.length} of {registers.length})</summary>
      <fieldset class="menu-body">
        <legend class="caption">Shown in each cell</legend>
        {registers.map(({ long, short, roles, watched }, index) => (
          <label key={index}>
            <input type="checkbox" checked={shown.value.includes(index)} onChange={() => flip(index)} />
            <code>{long}</code> <span class="caption">{[short, ...roles, ...(watched ? ['watched'] : [])].join(', ')}</span>
          </label>
        ))}
      </fieldset>
    </details>
  );
}

export function GridHead() {
  const resting = Object.keys(run.value?.resting ?? {}).length > 0;
  return (
    <div class="panel-head extra">
      <h2>Run</h2>
      <Registers />
      <label><input type="checkbox" id="only-changes" checked={onlyChanges.value} onChange={() => { onlyChanges.value = !onlyChanges.value; }} />Only layers that write them</label>
      <p class="legend grow" id="grid-hint">
        Columns are cells, lines are layers.{' '}
        <span class="sample w">changed</span>{' '}
        <span class="sample idle">grey</span> nothing changes{' '}
        {resting && <><span class="sample rests" /> rests{' '}</>}
        <span class="other">←3</span> attends to cell 3{' '}
        <span class="own">●</span> to itself
      </p>
    </div>
  );
}
