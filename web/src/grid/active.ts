// Rows that change a shown register of some cell.
import { computed } from '@preact/signals';
import { run, shown } from '../store';

/** By row. Null if there is no run. */
export const active = computed<boolean[] | null>(() => {
  const registers = new Set(shown.value);
  return run.value?.writes.map((written) => written.some((register) => registers.has(register))) ?? null;
});
