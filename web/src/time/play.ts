// Plays a run, layer by layer in each step.
import { batch, effect, signal } from '@preact/signals';
import { grid, coordinatesAt } from '../grid/current';
import { lineOf, lines } from '../grid/lines';
import { generation, select, selected } from '../store';
import { cellsOf, moment, steps, type Moment } from './moment';

export const playing = signal(false);
/** In lines per second. */
export const speed = signal(3);

/** Goes to a moment, and selects a cell that changes there. */
export function goTo(next: Moment): void {
  const { first, last } = cellsOf(next.step);
  const chosen = selected.peek()?.cell ?? last;
  const cell = grid.view?.firstChanged(next.line, first, last) ?? (chosen >= first && chosen <= last ? chosen : last);
  batch(() => {
    moment.value = next;
    const at = coordinatesAt(next.line, cell);
    if (at) select(at);
  });
}

function now(): Moment {
  const shown = moment.peek();
  if (shown) return shown;
  const at = selected.peek();
  const { last } = cellsOf(0);
  return at ? { step: Math.max(0, at.cell - last), line: Math.max(0, lineOf(at.row)) } : { step: 0, line: 0 };
}

/** The next or previous line, or null past either end. */
function neighbor({ step, line }: Moment, by: 1 | -1): Moment | null {
  const count = lines.peek().length;
  if (line + by >= 0 && line + by < count) return { step, line: line + by };
  const other = step + by;
  return other < 0 || other > steps.peek() ? null : { step: other, line: by > 0 ? 0 : count - 1 };
}

/** The next or previous line that fires at a cell of its step. */
function nextFiring(from: Moment, by: 1 | -1): Moment | null {
  let next = neighbor(from, by);
  while (next && grid.view) {
    const { first, last } = cellsOf(next.step);
    if (grid.view.fires(next.line, first, last)) return next;
    next = neighbor(next, by);
  }
  return next;
}

export function stepBy(by: 1 | -1): void {
  const next = nextFiring(now(), by);
  if (next) goTo(next);
  else playing.value = false;
}

export function showAll(): void {
  playing.value = false;
  moment.value = null;
}

export function togglePlay(): void {
  if (playing.peek()) {
    playing.value = false;
    return;
  }
  // At the end, or if the whole run is shown, plays from the start.
  if (moment.peek() === null || nextFiring(now(), 1) === null) goTo({ step: 0, line: 0 });
  playing.value = true;
}

effect(() => {
  if (!playing.value) return undefined;
  const timer = setInterval(() => stepBy(1), 1000 / speed.value);
  return () => clearInterval(timer);
});

// A moment does not carry over to another run.
effect(() => {
  void generation.value;
  showAll();
});
