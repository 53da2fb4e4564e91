// The continuation against the expected one.
import { computed, signal } from '@preact/signals';
import { run, wantedRuns } from '../store';

/** The expected continuation of one's own prompt; empty if there is none. */
export const gold = signal('');

const symbols = (text: string): string[] => text.split(/\s+/).filter((symbol) => symbol !== '');

export interface Result {
  got: string[];
  /** Null if nothing is expected. */
  expected: string[] | null;
  right: boolean;
  /** The index of the first wrong symbol: in one of the two at least. */
  wrong: number | null;
}

export const result = computed<Result | null>(() => {
  const current = run.value;
  if (current === null) return null;
  const wanted = wantedRuns.value[0];
  const text = typeof wanted?.prompt === 'string' ? gold.value : (current.gold ?? '');
  const expected = symbols(text);
  const got = current.continuation;
  if (expected.length === 0) return { got, expected: null, right: false, wrong: null };
  const length = Math.max(got.length, expected.length);
  let wrong: number | null = null;
  for (let index = 0; index < length && wrong === null; index += 1) if (got[index] !== expected[index]) wrong = index;
  return { got, expected, right: wrong === null && current.error === null, wrong };
});
