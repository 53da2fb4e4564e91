// The history of the selection, with Back and Forward.
import { batch, effect, signal } from '@preact/signals';
import { generation, selected, select, type Coordinates } from '../store';

/** The maximum length of the history. */
const MOST = 200;

const visited = signal<Coordinates[]>([]);
/** The index of the current selection. */
const current = signal(-1);

const same = (a: Coordinates, b: Coordinates): boolean => a.slot === b.slot && a.row === b.row && a.cell === b.cell;
/** Whether one press of an arrow key leads from one to the other. Such a move replaces its start. */
function near(a: Coordinates, b: Coordinates): boolean {
  return a.slot === b.slot && Math.abs(a.cell - b.cell) + Math.abs((a.row ?? -1) - (b.row ?? -1)) <= 1;
}

function show(list: Coordinates[], index: number): void {
  batch(() => {
    visited.value = list;
    current.value = index;
  });
}

effect(() => {
  const at = selected.value;
  if (at === null) return;
  const list = visited.peek();
  const index = current.peek();
  const last = list[index];
  if (last !== undefined && same(last, at)) return;
  const kept = list.slice(0, last !== undefined && near(last, at) ? index : index + 1);
  const next = [...kept, at].slice(-MOST);
  show(next, next.length - 1);
});

// Coordinates do not carry over to another run.
effect(() => {
  void generation.value;
  const at = selected.peek();
  show(at === null ? [] : [at], at === null ? -1 : 0);
});

function go(step: -1 | 1): void {
  const at = visited.value[current.value + step];
  if (at === undefined) return;
  current.value += step;
  select(at);
}

// The keys work on the whole page, except in fields, where they may move by words.
document.addEventListener('keydown', (event) => {
  if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
  if (event.target instanceof Element && event.target.closest('input, textarea, select') !== null) return;
  event.preventDefault();
  go(event.key === 'ArrowLeft' ? -1 : 1);
});

export function Visited() {
  return (
    <span class="row" role="group" aria-label="Visited places">
      <button
        type="button" class="icon" aria-label="Back" title="Back (Alt+Left)" disabled={current.value <= 0}
        onClick={() => go(-1)}
      >←</button>
      <button
        type="button" class="icon" aria-label="Forward" title="Forward (Alt+Right)" disabled={current.value >= visited.value.length - 1}
        onClick={() => go(1)}
      >→</button>
    </span>
  );
}
