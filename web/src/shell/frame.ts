// The playground, which has this page in a frame. It sends its module, the program and a place to select, and follows the selection.
import { effect, signal } from '@preact/signals';
import { useModule } from '../module';
import type { PageData } from '../protocol';
import { data, rowOf, run, running, select, selected } from '../store';
import { home, openHome } from '../toolbar/programs';
import { cursorLine } from './cursor';
import { alone, isAlone } from './open';

/** A layer and a cell, 1-based. */
interface Place { layer: number; cell: number }

/** Whether the page is in the frame of the playground. Only that page lacks data of its own. */
export const inFrame = parent !== window && document.getElementById('psl-data') === null;

/** The place that the playground wants, until the run is there. */
const wanted = signal<Place | null>(null);

interface Message {
  module?: unknown; program?: unknown; select?: { layer?: unknown; cell?: unknown }; alone?: unknown; line?: unknown; dark?: unknown;
}

export const isData = (value: unknown): value is PageData =>
  typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string' && 'name' in value && typeof value.name === 'string';

/** Sends a message to the playground. The origin of a page in a file is opaque. */
export const tell = (message: object): void => parent.postMessage(message, origin === 'null' ? '*' : origin);

/** Follows the playground, and calls `start` once its first program is there. */
export function awaitFrame(start: () => void): void {
  let started = false;
  addEventListener('message', ({ data: message, source, origin: from }: MessageEvent<Message | null>) => {
    if (source !== parent || from !== origin || !message) return;
    const { module, program, select: place, alone: part, line, dark } = message;
    if (module instanceof WebAssembly.Module || module instanceof ArrayBuffer) useModule(module);
    if (typeof dark === 'boolean') document.documentElement.style.colorScheme = dark ? 'dark' : 'light';
    if (isData(program)) {
      if (started) openHome(program);
      else {
        data.value = program;
        home.value = program;
        started = true;
        start();
      }
    }
    if (part !== undefined) alone.value = isAlone(part) ? part : null;
    if (typeof line === 'number') cursorLine.value = line;
    if (typeof place?.layer === 'number' && typeof place.cell === 'number') wanted.value = { layer: place.layer, cell: place.cell };
  });
  addEventListener('keydown', (event) => {
    // The playground moves between its parts with this key.
    if (event.key !== 'F6') return;
    event.preventDefault();
    tell({ leave: event.shiftKey ? 'back' : 'on' });
  });
  tell({ ready: true });
}

/** Selects the wanted place, and tells the playground the selected one. */
export function followSelection(): void {
  effect(() => {
    const [at, shown] = [wanted.value, run.value];
    if (at === null || shown === null || running.value) return;
    wanted.value = null;
    const row = shown.rows.findIndex(({ layer }) => layer === at.layer);
    if (at.cell >= 1 && at.cell <= shown.symbols.length) select({ slot: 0, row: row < 0 ? null : row, cell: at.cell }, true);
  });
  effect(() => {
    const at = selected.value;
    const layer = rowOf(at)?.layer;
    tell({ selected: at === null || at.slot !== 0 || layer === undefined ? null : { layer, cell: at.cell } });
  });
}
