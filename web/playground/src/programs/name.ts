// The names of programs. A program is saved as a file of its name.

/** The most characters of a name. */
export const LONGEST_NAME = 100;

const DEFAULT = 'program';
/** What no file should have in its name: half characters, control characters, line ends, marks that reorder text, separators of paths. */
const FOREIGN = /[\p{Cs}\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}/\\]/gu;

export const isTooLong = (name: string): boolean => name.length > LONGEST_NAME && [...name].length > LONGEST_NAME;

/** The nearest name that a program may have. */
export function safeName(name: string): string {
  const safe = start(name.trim().replace(FOREIGN, '_'), LONGEST_NAME).trim();
  // The dots alone are folders.
  return /^\.*$/.test(safe) ? DEFAULT : safe;
}

/** A name that ends with `end`, and is cut before it if it would be too long. */
export const withEnd = (name: string, end: string): string => `${start(name, LONGEST_NAME - end.length)}${end}`;

const start = (name: string, most: number): string => (name.length > most ? [...name].slice(0, most).join('') : name);
