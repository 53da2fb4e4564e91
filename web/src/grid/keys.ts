// Keys in the grid. The help shows this table.
import { batch } from '@preact/signals';
import { pointed, run, select } from '../store';
import { playing, togglePlay } from '../time/play';
import { grid, here, coordinatesAt } from './current';
import { lineOf, lines, toggle } from './lines';

export const KEYS: [string, string][] = [
  ['↑ ↓ or k j', 'Previous or next layer'],
  ['← → or h l', 'Previous or next cell'],
  ['Home End', 'First or last layer'],
  ['PgUp PgDn', 'Five layers up or down'],
  ['Shift+← →', 'Point at another cell: why does N attend to it, or why not?'],
  ['Shift+click or Alt+click', 'Point at a cell with the pointer'],
  ['Enter', 'Open or fold a pass of a repeat block'],
  ['Space', 'Play or pause'],
  ['F5', 'Run the prompt'],
  ['/', 'Go to the prompt'],
  ['Esc', 'Leave the prompt, close this help'],
  ['Alt+← →', 'Back and forward in the places visited'],
  ['?', 'Show the keys'],
];

function point(step: number): void {
  const cells = run.peek()?.symbols.length ?? 0;
  const next = (pointed.peek() ?? here().cell) + step;
  if (next >= 1 && next <= cells) pointed.value = next;
}

const STEPS: Record<string, [number, number]> = {
  ArrowUp: [-1, 0], k: [-1, 0], ArrowDown: [1, 0], j: [1, 0],
  ArrowLeft: [0, -1], h: [0, -1], ArrowRight: [0, 1], l: [0, 1],
  PageUp: [-5, 0], PageDown: [5, 0], Home: [-Infinity, 0], End: [Infinity, 0],
};

/** Moves the selection. Line -1 is the head. */
export function step(linesDown: number, cellsRight: number): void {
  const { line, cell } = here();
  const target = Math.min(lines.peek().length - 1, Math.max(-1, linesDown === -Infinity ? 0 : line + linesDown));
  playing.value = false;
  const at = coordinatesAt(target, cell + cellsRight);
  if (at) select(at);
}

export function gridKey(event: KeyboardEvent): void {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const by = STEPS[event.key];
  if (event.shiftKey && by !== undefined && by[1] !== 0) point(by[1]);
  else if (by !== undefined) batch(() => step(...by));
  else if (event.key === 'Enter') fold();
  else if (event.key === ' ') togglePlay();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function fold(): void {
  const { line, cell } = here();
  const current = lines.peek()[line];
  const key = current?.folds ?? lines.peek().slice(0, line + 1).findLast(({ folds }) => folds !== null)?.folds;
  if (!current || key == null) return;
  toggle(key);
  const at = coordinatesAt(lineOf(current.from), cell);
  if (at && grid.view) select(at);
}
