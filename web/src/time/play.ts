// Plays a run: layer by layer through the prompt, then through each generated cell.
import { batch, effect, signal } from '@preact/signals';
import { grid, placeAt } from '../grid/current';
import { lineOf, lines } from '../grid/lines';
import { generation, select, selected } from '../store';
import { cellsOf, steps, time, type Time } from './moment';

export const playing = signal(false);
/** Lines in a second. */
export const speed = signal(3);

/** Goes to a moment and selects a cell that changes then. */
export function goTo(next: Time): void {
  const { first, last } = cellsOf(next.step);
  const chosen = selected.peek()?.cell ?? last;
  const cell = grid.view?.firstChanged(next.line, first, last) ?? (chosen >= first && chosen <= last ? chosen : last);
  batch(() => {
    time.value = next;
    const place = placeAt(next.line, cell);
    if (place) select(place);
  });
}

function now(): Time {
  const at = time.peek();
  if (at) return at;
  const place = selected.peek();
  const { last } = cellsOf(0);
  return place ? { step: Math.max(0, place.cell - last), line: Math.max(0, lineOf(place.row)) } : { step: 0, line: 0 };
}

/** The next or previous line, or null at the end. */
function neighbor({ step, line }: Time, by: 1 | -1): Time | null {
  const count = lines.peek().length;
  if (line + by >= 0 && line + by < count) return { step, line: line + by };
  const other = step + by;
  return other < 0 || other > steps.peek() ? null : { step: other, line: by > 0 ? 0 : count - 1 };
}

/** The next or previous line at which a running cell fires. */
function nextFiring(from: Time, by: 1 | -1): Time | null {
  let at = neighbor(from, by);
  while (at && grid.view) {
    const { first, last } = cellsOf(at.step);
    if (grid.view.fires(at.line, first, last)) return at;
    at = neighbor(at, by);
  }
  return at;
}

export function stepBy(by: 1 | -1): void {
  const next = nextFiring(now(), by);
  if (next) goTo(next);
  else playing.value = false;
}

export function showAll(): void {
  playing.value = false;
  time.value = null;
}

export function togglePlay(): void {
  if (playing.peek()) {
    playing.value = false;
    return;
  }
  // Without a moment, or at the end, a run plays from its start.
  if (time.peek() === null || nextFiring(now(), 1) === null) goTo({ step: 0, line: 0 });
  playing.value = true;
}

effect(() => {
  if (!playing.value) return undefined;
  const timer = setInterval(() => stepBy(1), 1000 / speed.value);
  return () => clearInterval(timer);
});

// The moments of another run mean other things.
effect(() => {
  void generation.value;
  showAll();
});
