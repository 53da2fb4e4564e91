// The register whose history and origin are shown.
import { computed, effect, signal } from '@preact/signals';
import type { UpdateDetail } from '../protocol';
import { program, registerOf } from '../store';

/** The register that the user chose, or null for one that the update sets. */
export const chosen = signal<number | null>(null);

const symbol = computed(() => Math.max(0, registerOf('symbol')));

const names = computed(() => JSON.stringify(program.value?.registers.map(({ long }) => long)));
effect(() => {
  void names.value;
  chosen.value = null;
});

/** The register to trace at an update, or at the start of a cell. */
export function asked(update: UpdateDetail | null): number {
  if (chosen.value !== null) return chosen.value;
  const set = [...(update?.set ?? [])].sort((a, b) => a.span.start - b.span.start).map(({ register }) => register);
  if (set.length === 0 || set.includes(symbol.value)) return symbol.value;
  return set.find((register) => update?.before[register] !== update?.after[register]) ?? set[0] ?? symbol.value;
}
