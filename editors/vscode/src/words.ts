// The wording of results.
import type { RunResult } from './protocol';

export const duration = (seconds: number): string =>
  seconds < 0.001 ? '<1 ms' : seconds < 1 ? `${Math.round(seconds * 1000)} ms` : `${seconds.toFixed(1)} s`;

export const stopReason = (stopped: RunResult['stopped']): string =>
  ({ 'stop-symbol': 'ended by the stop symbol', 'max-new': 'cut off at max-new', 'prompt-pass': 'a row, from the prompt alone' })[stopped];

export const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`;

export const messageOf = (failure: unknown): string => (failure instanceof Error ? failure.message : String(failure));

/** The name of a diagnostic's code. */
export const codeOf = (code: string | number | { value: string | number } | undefined): string =>
  String(typeof code === 'object' ? code.value : code);
