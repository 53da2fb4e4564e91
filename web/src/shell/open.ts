// The open parts of the page.
import { signal } from '@preact/signals';

/** A narrow page starts with the grid alone. */
export const programOpen = signal(innerWidth > 1000);
export const detailsOpen = signal(true);
/** Whether a narrow page shows all controls, and not only the prompt. */
export const controlsOpen = signal(false);
/** The panel below the grid. */
export const panel = signal('why');
/** A part that an editor shows alone: the program with its maps, or the weights of a layer. */
export type Alone = 'program' | 'weights';
export const alone = signal<Alone | null>(null);
export const isAlone = (value: unknown): value is Alone => value === 'program' || value === 'weights';
