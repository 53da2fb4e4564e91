// The parts of the page, between which F6 moves.
import { editorShown, narrow } from './layout';
import { editor } from './state';

/** The parts in order: toolbar, editor, panel, problems. */
const PANES: readonly { id: string; focus?(): void }[] = [
  { id: 'toolbar' },
  { id: 'editor', focus: () => { editorShown.value = true; editor.peek()?.focus(); } },
  { id: 'panels' },
  { id: 'problems' },
];

const FIRST = 'button:not(:disabled):not([tabindex="-1"]), [tabindex="0"], input:not(:disabled), iframe, a[href]';

/** Moves the focus to the first element of the next part, or of the one before. */
export function movePane(back: boolean): void {
  const at = PANES.findIndex(({ id }) => document.getElementById(id)?.contains(document.activeElement));
  const step = back ? -1 : 1;
  for (let turn = 1; turn <= PANES.length; turn += 1) {
    const pane = PANES[((at < 0 && back ? 0 : at) + step * turn + 2 * PANES.length) % PANES.length];
    const element = pane && document.getElementById(pane.id);
    if (!pane || !element || (!element.checkVisibility() && !(pane.focus && narrow.peek()))) continue;
    if (pane.focus) return pane.focus();
    const first = [...element.querySelectorAll<HTMLElement>(FIRST)].find((it) => it.checkVisibility() && it.tabIndex >= 0);
    if (first) return first.focus();
  }
}
