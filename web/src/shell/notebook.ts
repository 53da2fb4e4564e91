// The notebook whose output has the page in a frame. It follows the selected place, sets it, and knows the theme.
import { batch, effect, signal } from '@preact/signals';
import { data, firstRun, run, select, selected, wantedRuns } from '../store';

/** A cell, 1-based, and the number of rows applied to it. Null without a selection in the notebook's run. */
interface Place { cell: number | null; row: number | null }

/** A message of the notebook. The name of the frame marks the messages of both sides. */
interface Message { psl?: unknown; hello?: unknown; cell?: unknown; row?: unknown; dark?: unknown }

/** The place that the notebook wants, until the run is there. */
const wanted = signal<{ cell: number; row: number } | null>(null);

export function followNotebook(): void {
  if (parent === window || !window.name.startsWith('psl-')) return;
  const own = data.peek();
  const ownRun = JSON.stringify(firstRun(own));
  /** Whether the run is that of the notebook. The reader can run other prompts and programs. */
  const isOwn = (): boolean => run.value !== null && data.value === own && JSON.stringify(wantedRuns.value[0]) === ownRun;
  const place = (): Place => {
    const at = selected.value;
    if (at === null || at.slot !== 0 || !isOwn()) return { cell: null, row: null };
    return { cell: at.cell, row: at.row === null ? 0 : at.row + 1 };
  };
  const tell = (what: Partial<Place>): void => parent.postMessage({ psl: window.name, ...what }, '*');
  // The last place that either side named. The notebook must not get its own place back: it may want another one by then.
  let known = '';
  effect(() => {
    if (run.value === null || wanted.value !== null) return;
    const now = place();
    if (JSON.stringify(now) !== known) tell(now);
    known = JSON.stringify(now);
  });
  effect(() => {
    const at = wanted.value;
    if (at === null || !isOwn()) return;
    known = JSON.stringify(at);
    batch(() => {
      wanted.value = null;
      select({ slot: 0, row: at.row === 0 ? null : at.row - 1, cell: at.cell }, true);
    });
  });
  addEventListener('message', ({ data: message, source }: MessageEvent<Message | null>) => {
    if (source !== parent || message?.psl !== window.name) return;
    const { hello, cell, row, dark } = message;
    if (hello === true) tell({});
    if (typeof dark === 'boolean') document.documentElement.style.colorScheme = dark ? 'dark' : 'light';
    if (typeof cell === 'number' && typeof row === 'number') wanted.value = { cell, row };
  });
  tell({});
}
