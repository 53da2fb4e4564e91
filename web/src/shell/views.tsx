// The open parts of the page, and the help.
import { signal } from '@preact/signals';
import { exportOpen } from '../figure/dialog';
import { run } from '../store';
import { helpOpen } from './help';

/** A narrow page starts with the grid alone. */
export const programOpen = signal(innerWidth > 1000);
export const detailsOpen = signal(true);
/** Whether a narrow page shows all controls, and not only the prompt. */
export const controlsOpen = signal(false);

export function Views() {
  return (
    <div class="row views" role="group" aria-label="View">
      <button type="button" aria-pressed={programOpen.value} onClick={() => { programOpen.value = !programOpen.value; }}>Program</button>
      <button type="button" aria-pressed={detailsOpen.value} onClick={() => { detailsOpen.value = !detailsOpen.value; }}>Details</button>
      <button type="button" title="Save or copy the grid for a paper" disabled={run.value === null} onClick={() => { exportOpen.value = true; }}>Export…</button>
      <button type="button" class="icon" aria-label="Keys and legend" title="Keys and legend (?)" onClick={() => { helpOpen.value = true; }}>?</button>
    </div>
  );
}
