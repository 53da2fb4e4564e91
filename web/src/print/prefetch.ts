// Loads all values of a run of moderate size while the page is idle, since printing cannot wait for them.
import { computed, effect } from '@preact/signals';
import { grid } from '../grid/current';
import { generation, run, shown } from '../store';

/** The maximum number of values on paper: rows x cells x registers. Chromium took 11 to 17 s to print 54,000 on a busy machine. */
const MOST = 100_000;
/** The pause after a change, in ms. */
const PAUSE = 300;

export const fitsPaper = computed(() => {
  const { rows, symbols } = run.value ?? { rows: [], symbols: [] };
  return rows.length * symbols.length * shown.value.length <= MOST;
});

export function prefetch(): void {
  let timer = 0;
  effect(() => {
    void [generation.value, shown.value];
    clearTimeout(timer);
    if (fitsPaper.value) timer = setTimeout(() => grid.view?.loadAll(), PAUSE);
  });
}
