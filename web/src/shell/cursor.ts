// The cursor of the editor that the page follows.
import { signal } from '@preact/signals';

/** The 1-based line of the cursor since it last moved, until the page has followed it. */
export const cursorLine = signal<number | null>(null);
/** Whether the page keeps its layer while the cursor moves. */
export const pinned = signal(false);
