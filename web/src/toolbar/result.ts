// The continuation, compared with the expected one.
import { computed } from '@preact/signals';
import { testOf } from '../engine';
import { run, wantedRuns } from '../store';

const symbols = (text: string): string[] => text.split(/\s+/).filter((symbol) => symbol !== '');

export interface Result {
  got: string[];
  /** Null if nothing is expected. */
  expected: string[] | null;
  right: boolean;
  /** The index of the first wrong symbol. One of the two may end before it. */
  wrong: number | null;
}

export const result = computed<Result | null>(() => {
  const current = run.value;
  if (current === null) return null;
  const wanted = wantedRuns.value[0];
  const text = testOf(wanted?.prompt) === null ? wanted?.gold : current.gold;
  const expected = symbols(text ?? '');
  const got = current.continuation;
  if (expected.length === 0) return { got, expected: null, right: false, wrong: null };
  const length = Math.max(got.length, expected.length);
  let wrong: number | null = null;
  for (let index = 0; index < length && wrong === null; index += 1) if (got[index] !== expected[index]) wrong = index;
  return { got, expected, right: wrong === null && current.error === null, wrong };
});
