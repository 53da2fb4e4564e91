// Selects the layer of the production at the cursor of the editor.
import { effect } from '@preact/signals';
import { cursorLine, pinned } from '../shell/cursor';
import { layer, run, running } from '../store';
import { goToLayer, layerAt } from './link';

export function followCursor(): void {
  effect(() => {
    const line = cursorLine.value;
    if (line === null || pinned.value || run.value === null || running.value) return;
    cursorLine.value = null;
    const at = layerAt(line);
    if (at !== null && at.number !== layer.peek()?.number) goToLayer(at);
  });
}
