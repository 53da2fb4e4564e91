// Prepares the page for printing, and restores it. A browser prints the page as it is when the listeners return.
import { flushSync } from 'preact/compat';
import { cutWide } from './wide';
import { printing } from './printing';

let undo = (): void => undefined;

function begin(): void {
  if (printing.peek()) return;
  // Canvases read their colors before the medium changes.
  document.documentElement.style.colorScheme = 'light';
  flushSync(() => { printing.value = true; });
  undo = cutWide();
}

function end(): void {
  undo();
  undo = () => undefined;
  flushSync(() => { printing.value = false; });
  document.documentElement.style.colorScheme = '';
}

export function watchPrinting(): void {
  addEventListener('beforeprint', begin);
  addEventListener('afterprint', end);
}
