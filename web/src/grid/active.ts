// Which rows change a shown register of some cell.
import { computed } from '@preact/signals';
import { run, shown } from '../store';

/** By row; null if the run does not tell. */
export const active = computed<boolean[] | null>(() => {
  const registers = new Set(shown.value);
  return run.value?.writes.map((written) => written.some((register) => registers.has(register))) ?? null;
});
