// Keys that work everywhere on the page.
import { debugKey, wantsCommand } from '../debug/moves';
import { gridKey } from '../grid/keys';
import { runDraft } from '../toolbar/prompt';
import { hasDebugger } from '../store';
import { helpOpen } from './help';
import { detailsOpen, panel } from './open';

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, select, textarea, dialog, [contenteditable]') !== null;

/** Whether the target handles arrow keys, Enter or Space itself. */
const takesKeys = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target !== document.body && target.closest('[role="tablist"], .program-code, button, a, summary, [tabindex]') !== null;

export function pageKey(event: KeyboardEvent): void {
  if (event.key === 'F5' && !event.ctrlKey && !event.shiftKey) {
    event.preventDefault();
    runDraft();
    return;
  }
  if (event.key === 'Escape' && isField(event.target)) {
    document.getElementById('grid')?.focus();
    return;
  }
  if (isField(event.target) || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === '/') {
    event.preventDefault();
    const prompt = document.getElementById('prompt');
    if (prompt instanceof HTMLInputElement || prompt instanceof HTMLTextAreaElement) {
      prompt.focus();
      prompt.select();
    }
  } else if (event.key === ':' && hasDebugger.value) {
    event.preventDefault();
    detailsOpen.value = true;
    panel.value = 'debug';
    wantsCommand.value = true;
  } else if (debugKey(event)) {
    event.preventDefault();
  } else if (event.key === '?') {
    helpOpen.value = true;
  } else if (!takesKeys(event.target) || ((event.key === 'j' || event.key === 'k') && !event.defaultPrevented)) {
    gridKey(event);
  }
}
