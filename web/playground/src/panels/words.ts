// The wording of results.
import { messageOf } from '../page/notices';
import type { Stopped, TestEntry } from './protocol';

export const duration = (seconds: number): string =>
  seconds < 0.001 ? '<1 ms' : seconds < 1 ? `${Math.round(seconds * 1000)} ms` : `${seconds.toFixed(1)} s`;

export const stopReason = (stopped: Stopped): string =>
  stopped === 'stop-symbol' ? 'ended by the stop symbol' : 'cut off at max-new';

/** The name of a test, or else its prompt or law. */
export const labelOf = ({ name, prompt, law }: Pick<TestEntry, 'name' | 'prompt' | 'law'>): string =>
  name ?? law ?? (typeof prompt === 'string' ? prompt : 'structured prompt');

export const counted = (count: number, one: string, many = `${one}s`): string => `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** The code of an answer to a request that was stopped. */
const STOPPED = -32800;
/** Those of answers to requests that an edit or a run has ended. */
const SUPERSEDED: readonly unknown[] = [STOPPED, -32801, -32802];

const codeOf = (failure: unknown): unknown => (typeof failure === 'object' && failure !== null && 'code' in failure ? failure.code : null);

export const STOPPED_BY_READER = 'Stopped.';

const causeOf = (failure: unknown): unknown => (failure instanceof Error ? (failure.cause ?? failure) : failure);

/** Why a command failed, in words. */
export const reason = (failure: unknown): string => (codeOf(causeOf(failure)) === STOPPED ? STOPPED_BY_READER : messageOf(failure));

/** Whether something newer has ended a command before its answer. */
export const isSuperseded = (failure: unknown): boolean => SUPERSEDED.includes(codeOf(causeOf(failure)));

/** The symbols of a text, with the index of the first that differs from those of another text, or -1. */
export function compare(text: string, other: string): { symbols: string[]; wrong: number } {
  const [symbols, others] = [text, other].map((it) => it.split(/\s+/).filter((symbol) => symbol !== '')) as [string[], string[]];
  const wrong = symbols.findIndex((symbol, index) => symbol !== others[index]);
  return { symbols, wrong: wrong < 0 && symbols.length < others.length ? symbols.length : wrong };
}
