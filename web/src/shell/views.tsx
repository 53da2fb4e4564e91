// The buttons that open parts of the page, and the help.
import { exportOpen } from '../figure/dialog';
import { run } from '../store';
import { pinned } from './cursor';
import { besideEditor } from './editor';
import { helpOpen } from './help';
import { detailsOpen, programOpen } from './open';

export function Views() {
  return (
    <div class="row views" role="group" aria-label="View">
      <button type="button" aria-pressed={programOpen.value} onClick={() => { programOpen.value = !programOpen.value; }}>Program</button>
      <button type="button" aria-pressed={detailsOpen.value} onClick={() => { detailsOpen.value = !detailsOpen.value; }}>Details</button>
      {besideEditor() && (
        <button type="button" title="Keep the layer while the cursor of the editor moves" aria-pressed={pinned.value} onClick={() => { pinned.value = !pinned.value; }}>Pin</button>
      )}
      <button type="button" title="Save or copy the grid for a paper" disabled={run.value === null} onClick={() => { exportOpen.value = true; }}>Export…</button>
      <button type="button" class="icon" aria-label="Keys and legend" title="Keys and legend (?)" onClick={() => { helpOpen.value = true; }}>?</button>
    </div>
  );
}
