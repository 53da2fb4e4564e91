// The choices of the user in the heads panel.
import { signal } from '@preact/signals';
import { goToLayer } from '../program/link';
import type { Schedule } from '../protocol';
import { layer, layerOf } from '../store';

/** The maximum number of heads in a layer. Null for any number. */
export const limit = signal<number | null>(null);
/** The layer of the schedule whose codes are shown. It follows the selected production. */
const other = signal<{ layer: number; selected: number | null } | null>(null);

const selected = (): number | null => layer.value?.number ?? null;

/** Shows the codes of a layer, until another production is selected. */
export function showCodes(number: number): void {
  other.value = { layer: number, selected: layer.peek()?.number ?? null };
}

/** The layer whose codes are shown: by default that of the selected production, or the first with several heads. */
export function shownLayer({ layers }: Schedule): number {
  const production = selected();
  const chosen = other.value;
  if (chosen !== null && chosen.selected === production && chosen.layer <= layers.length) return chosen.layer;
  const own = layers.findIndex((heads) => heads.some((head) => head.production === production));
  return (own >= 0 ? own : Math.max(0, layers.findIndex((heads) => heads.length > 1))) + 1;
}

/** Selects a production in the grid and in the program. */
export function choose(production: number): void {
  const found = layerOf(production);
  other.value = null;
  if (found) goToLayer(found);
}
