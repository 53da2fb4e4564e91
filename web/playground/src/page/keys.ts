// Keys that work everywhere on the page.
import { shortcuts } from '../editor/keys';
import { runTests } from '../panels/tests';
import { runOrAsk } from './commands';
import { saveToDisk } from './files';
import { PANELS, showPanel } from './layout';
import { movePane } from './panes';
import { dialog, server } from './state';

const isApple = /mac|iphone|ipad/i.test(navigator.platform);
const MOD = isApple ? 'Cmd' : 'Ctrl';

/** A key of the editor, as it is written on the page. */
const shown = (keys: string): string =>
  keys.replaceAll('Mod', MOD).replaceAll(/-(?=\S)/g, '+').replaceAll(/\+([a-z])\b/g, (_, letter: string) => `+${letter.toUpperCase()}`);

/** The keys of the page and the editor, and what they do. */
export const KEYS: readonly { title: string; keys: readonly (readonly [string, string])[] }[] = [
  { title: 'Everywhere', keys: [
    [`${MOD}+Enter`, 'Run the prompt'],
    [`${MOD}+Shift+Enter`, 'Run all tests'],
    [`${MOD}+Shift+.`, 'Stop what runs'],
    [`${MOD}+S`, 'Save to disk'],
    ['F6, Shift+F6', 'Move to the next part of the page, or back'],
    ['Alt+1 … Alt+5', PANELS.map(({ title }) => title).join(', ')],
    ['F1, or ? outside of a text', 'This help'],
    ['Escape', 'Close a menu or a dialog'],
  ] },
  { title: 'In the editor', keys: shortcuts.map(({ keys, what }) => [shown(keys), what] as const) },
  { title: 'In a list of tabs or a border', keys: [['Arrow keys, Home, End', 'Move']] },
];

const digit = /^Digit([1-5])$/;

/** Handles a key before the editor does. */
export function pageKey(event: KeyboardEvent): void {
  const run = action(event);
  if (!run || document.querySelector('dialog[open]')) return;
  event.preventDefault();
  event.stopPropagation();
  run();
}

/** Whether a key goes into a text. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));

function action({ key, code, shiftKey, ctrlKey, metaKey, altKey, target }: KeyboardEvent): (() => void) | null {
  const mod = isApple ? metaKey : ctrlKey;
  if (mod && !altKey && key === 'Enter') return shiftKey ? () => void runTests() : runOrAsk;
  if (mod && !altKey && !shiftKey && key.toLowerCase() === 's') return () => void saveToDisk();
  // Without the shift key, it lists fixes in the editor, also while something runs.
  if (mod && shiftKey && !altKey && code === 'Period' && server.busy.peek()) return () => server.stop();
  if (key === 'F6' && !mod && !altKey) return () => movePane(shiftKey);
  if (!mod && !altKey && (key === 'F1' || (key === '?' && !isTyping(target)))) return () => { dialog.value = 'help'; };
  const panel = altKey && !mod && !shiftKey ? PANELS[Number(digit.exec(code)?.[1]) - 1] : undefined;
  if (!panel) return null;
  return () => {
    showPanel(panel.name);
    document.getElementById(`tab-${panel.name}`)?.focus();
  };
}
