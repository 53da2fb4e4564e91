// Unsaved changes in localStorage, which can be written while a tab closes. A write to IndexedDB may not end then.
import { changeIn, knownIn } from './kept';
import type { Change, Kept } from './program';

export interface Entry {
  key: string;
  /** The program as the tab knew it, without its text. */
  known: Omit<Kept, 'text'>;
  change: Change;
}

const START = 'psl-playground unsaved ';

const keyOf = (id: string, tab: string): string => `${START}${tab} ${id}`;

/** Returns whether all changes of a tab could be written. */
export function writeJournal(tab: string, changes: Iterable<[Kept, Change]>): boolean {
  try {
    for (const [{ text: _, ...known }, change] of changes) localStorage.setItem(keyOf(known.id, tab), JSON.stringify({ known, change }));
    return true;
  } catch {
    return false;
  }
}

export function forget(id: string, tab: string): void {
  forgetEntry(keyOf(id, tab));
}

export function forgetEntry(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch { /* Without storage there are no entries. */ }
}

/** The entries of all tabs. */
export function readJournal(): Entry[] {
  try {
    const keys = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index) ?? '');
    return keys.filter((key) => key.startsWith(START)).flatMap((key) => entry(key, localStorage.getItem(key)));
  } catch {
    return [];
  }
}

function entry(key: string, text: string | null): Entry[] {
  try {
    const found = JSON.parse(text ?? '') as { known?: unknown; change?: unknown } | null;
    const [known, change] = [knownIn(found?.known), changeIn(found?.change)];
    return known && change ? [{ key, known, change }] : [];
  } catch {
    return [];
  }
}
