// The moment up to which the run is shown.
import { computed, signal } from '@preact/signals';
import { run } from '../store';

/** A step, and a line of the grid at its cells. */
export interface Moment { step: number; line: number }

/** Null shows the whole run. */
export const moment = signal<Moment | null>(null);

/** The cells of a step. */
export function cellsOf(step: number): { first: number; last: number } {
  const prompt = run.peek()?.promptCells ?? 1;
  return step === 0 ? { first: 1, last: prompt } : { first: prompt + step, last: prompt + step };
}

/** The line of the moment, and the cells of its step. */
export const reached = computed(() => {
  const now = moment.value;
  return now === null || run.value === null ? null : { line: now.line, ...cellsOf(now.step) };
});

/** The last step: the number of generated cells. */
export const steps = computed(() => (run.value === null ? 0 : run.value.symbols.length - run.value.promptCells));
