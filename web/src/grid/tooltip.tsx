// All registers of the cell under the pointer.
import { signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { program, useAnswer, type Place } from '../store';

export const hovered = signal<{ place: Place; x: number; y: number } | null>(null);

const MARGIN = 14;

export function Tooltip() {
  const at = hovered.value;
  const request = at && at.place.row !== null ? { op: 'update' as const, slot: at.place.slot, row: at.place.row, cell: at.place.cell } : null;
  const { answer } = useAnswer(request);
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!box.current || !at) return;
    const { width, height } = box.current.getBoundingClientRect();
    box.current.style.left = `${Math.max(0, Math.min(at.x + MARGIN, innerWidth - width - 4))}px`;
    box.current.style.top = `${at.y + MARGIN + height > innerHeight ? Math.max(0, at.y - height - MARGIN) : at.y + MARGIN}px`;
  });
  if (!at || answer === null || answer.row !== at.place.row || answer.cell !== at.place.cell) return null;
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
