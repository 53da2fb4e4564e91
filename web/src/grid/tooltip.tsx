// All registers of the cell under the pointer.
import { signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { program, useAnswer, type Coordinates } from '../store';

export const hovered = signal<{ at: Coordinates; x: number; y: number } | null>(null);

const MARGIN = 14;

export function Tooltip() {
  const pointer = hovered.value;
  const request = pointer && pointer.at.row !== null
    ? { op: 'update' as const, slot: pointer.at.slot, row: pointer.at.row, cell: pointer.at.cell } : null;
  const { answer } = useAnswer(request);
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!box.current || !pointer) return;
    const { width, height } = box.current.getBoundingClientRect();
    box.current.style.left = `${Math.max(0, Math.min(pointer.x + MARGIN, innerWidth - width - 4))}px`;
    // The panel below the grid explains the selected value.
    const bottom = document.getElementById('grid')?.getBoundingClientRect().bottom ?? innerHeight;
    box.current.style.top = `${pointer.y + MARGIN + height > bottom ? Math.max(0, pointer.y - height - MARGIN) : pointer.y + MARGIN}px`;
  });
  if (!pointer || answer === null || answer.row !== pointer.at.row || answer.cell !== pointer.at.cell) return null;
  const registers = program.value?.registers ?? [];
  const written = new Set(answer.set.map(({ register }) => register));
  const attends = answer.rests ? 'rests: this cell needs fewer passes'
    : answer.attends === null ? 'does not fire'
      : answer.attends === answer.cell ? 'attends to itself' : `attends to cell ${answer.attends}`;
  return (
    <div class="tooltip" ref={box}>
      <strong>Layer {answer.layer}, cell {answer.cell}</strong>: {attends}
      <dl>
        {registers.map(({ long }, index) => {
          const value = answer.after[index] ?? null;
          if (value === null) return null;
          return (
            <>
              <dt key={`t${index}`}>{long}</dt>
              <dd key={`d${index}`} class={written.has(index) ? 'value changed' : 'value'}>{value}</dd>
            </>
          );
        })}
      </dl>
    </div>
  );
}
