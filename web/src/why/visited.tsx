// The places that were visited, with a way back.
import { batch, effect, signal } from '@preact/signals';
import { generation, selected, select, type Place } from '../store';

/** The places that are kept. */
const MOST = 200;

const visited = signal<Place[]>([]);
/** The index of the current place. */
const current = signal(-1);

const same = (a: Place, b: Place): boolean => a.slot === b.slot && a.row === b.row && a.cell === b.cell;
/** A step of the arrow keys: it replaces the place that it starts at. */
function near(a: Place, b: Place): boolean {
  return a.slot === b.slot && Math.abs(a.cell - b.cell) + Math.abs((a.row ?? -1) - (b.row ?? -1)) <= 1;
}

function show(places: Place[], at: number): void {
  batch(() => {
    visited.value = places;
    current.value = at;
  });
}

effect(() => {
  const place = selected.value;
  if (place === null) return;
  const places = visited.peek();
  const at = current.peek();
  const last = places[at];
  if (last !== undefined && same(last, place)) return;
  const kept = places.slice(0, last !== undefined && near(last, place) ? at : at + 1);
  const next = [...kept, place].slice(-MOST);
  show(next, next.length - 1);
});

// The places of another run mean other things.
effect(() => {
  void generation.value;
  const place = selected.peek();
  show(place === null ? [] : [place], place === null ? -1 : 0);
});

function go(step: -1 | 1): void {
  const place = visited.value[current.value + step];
  if (place === undefined) return;
  current.value += step;
  select(place);
}

// The keys work on the whole page, except in a field, where they may move by words.
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
