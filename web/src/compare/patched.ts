// What the map of patches shows.
import { signal } from '@preact/signals';

/** The long name of the register whose patches are shown: that with the most of them if it is empty, none if it is null. */
export const patched = signal<string | null>(null);
/** The cells of prompts of different lengths that correspond, such as `1-3:1-3,4:6`. */
export const aligned = signal('');
