// The page as a frame in the book, which keeps the reader's text and notes which exercises are solved.
import { effect } from '@preact/signals';
import { command } from '../panels/command';
import { follow } from '../panels/follow';
import type { TestEntry } from '../panels/protocol';
import { counts, showResults, tests } from '../panels/tests';
import { theme, THEMES } from './layout';
import { embedded, text, version } from './state';

const PAUSE_MS = 400;
const TRIES = 5;

/** Takes the theme of the book, and tells it the text and the results of its tests. */
export function followBook(): void {
  if (!embedded || parent === window) return;
  theme.value = THEMES.find((name) => name === new URLSearchParams(location.search).get('theme')) ?? theme.peek();
  effect(() => tell({ psl: 'text', text: text.value }));
  effect(() => {
    if (tests.value.length > 0) tell({ psl: 'tests', ...counts.value, text: text.peek() });
  });
  follow(() => true, PAUSE_MS, () => void runTests());
}

/** Runs the tests of the open version until all have results. The reader need not ask for it. */
async function runTests(): Promise<void> {
  const own = version.peek();
  for (let left = TRIES; left > 0 && version.peek() === own; left -= 1) {
    try {
      const found = await command<TestEntry[]>('psl.tests');
      if (found.every(({ passed }) => passed !== null)) return showResults(own, found);
    } catch (why) {
      if (String(why).includes('the run was stopped')) return;
    }
    await new Promise((resolve) => { setTimeout(resolve, PAUSE_MS); });
  }
}

/** Sends a message to the page around this one. Only a page of the same origin gets it. */
function tell(message: object): void {
  parent.postMessage(message, location.origin);
}
