// The instructions of a query or a key.
import type { SlotEntry } from '../protocol';

/** `!= s@pos_decrement` as its parts. The term is a short name, a constant, or a list. */
export function instruction(source: string): { negated: boolean; term: string; step: string | undefined } {
  const [, not, text = ''] = /^(!= |not in )?(.*)$/s.exec(source) ?? [];
  const [term = '', step] = text.split('@');
  return { negated: not !== undefined, term, step };
}

export const valuesOf = (value: SlotEntry['queryValue']): (string | null)[] => (Array.isArray(value) ? value : [value]);

/** What an instruction accepts: `CQ`, `0 or 1`, `not 0`. */
export const accepted = (source: string, value: SlotEntry['queryValue']): string =>
  `${instruction(source).negated ? 'not ' : ''}${valuesOf(value).map((one) => one ?? 'null').join(' or ')}`;
