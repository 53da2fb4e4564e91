// A border between two parts of the page. The pointer and the arrow keys move it.
import { useSignal } from '@preact/signals';

interface Split {
  label: string;
  /** The property of the parent element that holds the size, in percent. */
  property: string;
  /** Whether the border is vertical, and the side from which the size counts. */
  upright: boolean; from: 'start' | 'end';
  initial: number;
  /** Called with the size after each move. */
  moved?(percent: number): void;
}

const LEAST = 12;
const MOST = 80;

export function Splitter({ label, property, upright, from, initial, moved }: Split) {
  const size = useSignal(initial);
  const set = (border: HTMLElement, percent: number): void => {
    size.value = Math.round(Math.min(MOST, Math.max(LEAST, percent)));
    border.parentElement?.style.setProperty(property, `${size.value}%`);
    moved?.(size.value);
  };
  const drag = (event: PointerEvent): void => {
    const border = event.currentTarget as HTMLElement;
    if (!border.hasPointerCapture(event.pointerId)) return;
    const box = border.parentElement?.getBoundingClientRect();
    if (!box) return;
    const part = upright ? (event.clientX - box.left) / box.width : (event.clientY - box.top) / box.height;
    set(border, 100 * (from === 'start' ? part : 1 - part));
  };
  const key = (event: KeyboardEvent): void => {
    const [less, more] = upright ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown'];
    const step = event.key === more ? 3 : event.key === less ? -3 : 0;
    if (step === 0) return;
    event.preventDefault();
    event.stopPropagation();
    set(event.currentTarget as HTMLElement, size.value + (from === 'start' ? step : -step));
  };
  return (
    <div
      class={upright ? 'splitter upright' : 'splitter'} role="separator" tabIndex={0} aria-label={label}
      aria-orientation={upright ? 'vertical' : 'horizontal'} aria-valuenow={size.value} aria-valuemin={LEAST} aria-valuemax={MOST}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)} onPointerMove={drag} onKeyDown={key}
    />
  );
}
