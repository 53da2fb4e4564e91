// The page as a frame in the book, which keeps the reader's text and notes which exercises are solved.
import { effect } from '@preact/signals';
import { counts, tests } from '../panels/tests';
import { theme, THEMES } from './layout';
import { embedded, text } from './state';

/** Takes the theme of the book, and tells it the text and the results of its tests. */
export function followBook(): void {
  if (!embedded || parent === window) return;
  theme.value = THEMES.find((name) => name === new URLSearchParams(location.search).get('theme')) ?? theme.peek();
  effect(() => tell({ psl: 'text', text: text.value }));
  effect(() => {
    if (tests.value.length > 0) tell({ psl: 'tests', ...counts.value, text: text.peek() });
  });
}

/** Sends a message to the page around this one. Only a page of the same origin gets it. */
function tell(message: object): void {
  parent.postMessage(message, location.origin);
}
