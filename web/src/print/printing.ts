// Whether the page is being printed, and the sizes of paper.
import { signal } from '@preact/signals';

/** While true, views show everything, even if they scroll or otherwise draw only what is in view. */
export const printing = signal(false);

/** The size that fits all paper within usual margins, in CSS pixels: A4 and Letter, portrait and landscape. */
export const WIDTH = 700;
export const HEIGHT = 640;
