// The choices of the user in the transformer panel.
import { signal } from '@preact/signals';

export const VIEWS = ['weights', 'attention', 'residual'] as const;
export type View = (typeof VIEWS)[number];

export const view = signal<View>('weights');
/** The block of weights whose numbers are shown. */
export const block = signal<{ layer: number; name: string } | null>(null);
