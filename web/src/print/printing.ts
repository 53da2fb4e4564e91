// Whether the page is being printed, and the sizes of paper.
import { signal } from '@preact/signals';

/** Views that scroll, or that draw only what is in view, show the rest as well while this is true. */
export const printing = signal(false);

/** The size that every paper has in common, in CSS pixels: A4 and Letter, upright and across, within usual margins. */
export const WIDTH = 700;
export const HEIGHT = 640;
