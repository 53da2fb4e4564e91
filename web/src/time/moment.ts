// How much of the run has happened: a line in the prompt pass (step 0) or in a generated cell.
import { computed, signal } from '@preact/signals';
import { run } from '../store';

export interface Time { step: number; line: number }

/** Null shows the whole run. */
export const time = signal<Time | null>(null);

/** The cells that run in a step. */
export function cellsOf(step: number): { first: number; last: number } {
  const prompt = run.peek()?.promptCells ?? 1;
  return step === 0 ? { first: 1, last: prompt } : { first: prompt + step, last: prompt + step };
}

export const moment = computed(() => {
  const now = time.value;
  return now === null || run.value === null ? null : { line: now.line, ...cellsOf(now.step) };
});

/** Generated cells. */
export const steps = computed(() => (run.value === null ? 0 : run.value.symbols.length - run.value.promptCells));
