// The page as a frame in the book, which keeps the reader's text and notes which exercises are solved.
import { effect } from '@preact/signals';
import { command } from '../panels/command';
import type { TestEntry } from '../panels/protocol';
import { counts, tests } from '../panels/tests';
import { theme, THEMES } from './layout';
import { embedded, text, version } from './state';

/** Takes the theme of the book, and tells it the text and the results of its tests. */
export function followBook(): void {
  if (!embedded || parent === window) return;
  theme.value = THEMES.find((name) => name === new URLSearchParams(location.search).get('theme')) ?? theme.peek();
  effect(() => tell({ psl: 'text', text: text.value }));
  effect(() => {
    if (tests.value.length > 0) tell({ psl: 'tests', ...counts.value, text: text.peek() });
    if (tests.value.some(({ passed }) => passed === null)) void runOnce();
  });
}

/** The version whose tests were run last. */
let last = -1;

/** Runs the tests of a version that has results for some only. The reader need not ask for it. */
async function runOnce(): Promise<void> {
  const own = version.peek();
  if (own === last) return;
  last = own;
  try {
    const found = await command<TestEntry[]>('psl.tests');
    if (version.peek() === own) tests.value = found;
  } catch { /* The panels show why, or the reader has stopped it. */ }
}

/** Sends a message to the page around this one. Only a page of the same origin gets it. */
function tell(message: object): void {
  parent.postMessage(message, location.origin);
}
