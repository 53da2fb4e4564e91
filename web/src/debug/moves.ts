// The movements of the debugger: a button and a key for each.
import { signal } from '@preact/signals';
import { send } from './session';

/** A movement: its command, the name of its button, the sign before or after it, and its key. */
export interface Move { command: string; name: string; back: boolean; key: string; title: string }

export const MOVES: Move[] = [
  { command: 'goto start', name: 'Start', back: true, key: 'g', title: 'Go to the start of the run' },
  { command: 'rback', name: 'Stop', back: true, key: 'C', title: 'Back to the stop before' },
  { command: 'back', name: 'Layer', back: true, key: 'N', title: 'Back to the layer before' },
  { command: 'stepback', name: 'Cell', back: true, key: 'S', title: 'Back to the cell before' },
  { command: 'step', name: 'Cell', back: false, key: 's', title: 'Go to the next cell, or into a repeat block' },
  { command: 'next', name: 'Layer', back: false, key: 'n', title: 'Go to the next layer, over the passes of a repeat block' },
  { command: 'out', name: 'Pass', back: false, key: 'o', title: 'Go to the end of the pass, then of the block, then of the forward step' },
  { command: 'continue', name: 'Stop', back: false, key: 'c', title: 'Go to the next stop' },
  { command: 'goto end', name: 'End', back: false, key: 'G', title: 'Go to the end of the run' },
];

/** The keys as the help shows them. */
export const DEBUG_KEYS: [string, string][] = [
  [':', 'Go to the command'],
  ...MOVES.map(({ key, title }): [string, string] => [key, title]),
  ['Tab', 'Complete a command'],
  ['↑ ↓', 'Earlier and later commands, in the command'],
];

/** Whether the panel is open. Its keys work only then. */
export const isOpen = signal(false);

/** Makes the movement of a key. Returns false if it has none. */
export function debugKey({ key }: KeyboardEvent): boolean {
  const move = isOpen.peek() ? MOVES.find((other) => other.key === key) : undefined;
  if (move) send(move.command);
  return move !== undefined;
}

/** Whether the command must get the focus. */
export const wantsCommand = signal(false);
