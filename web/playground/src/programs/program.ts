// A program of the user, and what happens when two tabs change it.
import { withEnd } from './name';

export interface Saved {
  id: string;
  name: string;
  text: string;
  /** In ms since 1970. */
  changed: number;
  /** The text of the example it came from. */
  original: string | null;
  prompt: string | null;
}

/** A program in the database. */
export interface Kept extends Saved {
  /** Counts the changes of the text. */
  revision: number;
}

export type Change = Partial<Pick<Saved, 'name' | 'text' | 'prompt'>>;

/** The name of a text that another tab has replaced. */
export const otherName = (name: string): string => withEnd(name, ' (other tab)');

/** A name that no other program has: `name`, `name 2` and so on. */
export function freeName(name: string, taken: Iterable<string>): string {
  const names = new Set(taken);
  let free = name;
  for (let number = 2; names.has(free); number++) free = withEnd(name, ` ${number}`);
  return free;
}

/**
 * Changes a program that this tab knows as `known` and that the database has as `current`. If another tab has changed the text since,
 * the result is a copy with another id. A program that another tab has deleted returns. Returns null if both are unknown.
 */
export function merged(current: Kept | undefined, known: Kept | undefined, change: Change, now: number, copyId: string): Kept | null {
  if (current === undefined) return known ? { ...known, ...change, changed: now, revision: known.revision + 1 } : null;
  const isNew = change.text !== undefined && change.text !== current.text;
  if (isNew && known && known.revision !== current.revision) {
    const copy = { ...known, ...change };
    return { ...copy, id: copyId, name: otherName(copy.name), changed: now, revision: 1 };
  }
  return { ...current, ...change, changed: now, revision: current.revision + (isNew ? 1 : 0) };
}
