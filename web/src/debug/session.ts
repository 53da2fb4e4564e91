// The session of the debugger: the commands of `psl debug`, at the place that is selected in the grid.
import { batch, effect, signal } from '@preact/signals';
import { WHOLE } from '../engine';
import { lineOf, openTo } from '../grid/lines';
import { Ended } from '../module';
import type { Debugged, DebugLine, Place } from '../protocol';
import { debug, generation, run, select, selected, shown, showRun, type Coordinates } from '../store';
import { moment, steps } from '../time/moment';
import { playing } from '../time/play';

/** A command with its answer. */
export interface Entry { id: number; command: string; lines: DebugLine[] }

/** An expression with its value at the place. It is `changed` if it had another value at the place before. */
export interface WatchedValue { expression: string; value: string; failed: boolean; changed: boolean }

/** The latest commands, oldest first. */
export const entries = signal<Entry[]>([]);
/** The latest answer in this run. */
export const answer = signal<Debugged | null>(null);
export const watched = signal<WatchedValue[]>([]);
/** Whether a command takes long. */
export const slow = signal(false);

/** The most entries that are kept. */
const MOST = 300;
/** The time after which a command takes long, in ms. */
const LONG = 400;

/** The selection that the debugger knows. Any other one is the user's. */
let known: Coordinates | null = null;
/** The generation of the session. Another run has another one. */
let own = generation.peek();
/** The commands that have set the stops, by number. Another run gets the same stops. */
let setBy = new Map<number, string>();
let ids = 0;
let queue: Promise<void> = Promise.resolve();

const same = (a: Coordinates | null, b: Coordinates | null): boolean => a?.slot === b?.slot && a?.row === b?.row && a?.cell === b?.cell;

/** The selection in the shown run, if the debugger does not know it. */
const unknown = (): Coordinates | null => {
  const at = selected.peek();
  return at !== null && at.slot === 0 && !same(at, known) ? at : null;
};

/** Executes a command after the ones before it. */
export function send(command: string): void {
  playing.value = false;
  queue = queue.then(() => execute(command, true));
}

/** Follows the selection in the grid. */
export function follow(): void {
  queue = queue.then(() => (unknown() === null && answer.peek() !== null ? undefined : execute(null, false)));
}

/** Watches an expression, or no longer. */
export function watch(expression: string, on: boolean): void {
  const others = watched.peek().filter((other) => other.expression !== expression);
  watched.value = on ? [...others, { expression, value: '', failed: false, changed: false }] : others;
  if (on) queue = queue.then(() => execute(null, false));
}

async function execute(command: string | null, isShown: boolean): Promise<void> {
  if (run.peek() === null) return;
  await renew();
  const at = unknown();
  const timer = setTimeout(() => { slow.value = true; }, LONG);
  const stamp = generation.peek();
  try {
    const found = await debug({
      op: 'debug', slot: 0, watch: watched.peek().map(({ expression }) => expression), tile: { registers: shown.peek(), most: WHOLE },
      ...(at === null ? {} : { at: [at.row, at.cell] }), ...(command === null ? {} : { command }),
    });
    if (stamp === generation.peek()) take(command, isShown, at, found);
  } catch (error) {
    const text = error instanceof Ended ? 'interrupted' : `error: ${(error as Error).message}`;
    if (command !== null) add(command, [{ kind: 'wrong', text }]);
  } finally {
    clearTimeout(timer);
    slow.value = false;
  }
}

/** Sets the stops of the session before in a new run. */
async function renew(): Promise<void> {
  if (own === generation.peek()) return;
  own = generation.peek();
  const disabled = answer.peek()?.stops.filter(({ enabled }) => !enabled).map(({ id }) => id) ?? [];
  const stops = [...setBy];
  setBy = new Map();
  known = null;
  answer.value = null;
  for (const [id, command] of stops) {
    await execute(command, false);
    const set = [...setBy.keys()].at(-1);
    if (set !== undefined && disabled.includes(id)) await execute(`disable ${set}`, false);
  }
}

function take(command: string | null, isShown: boolean, at: Coordinates | null, found: Debugged): void {
  const last = answer.peek();
  const moved = placeOf(last) !== placeOf(found);
  for (const { id } of found.stops) if (!setBy.has(id) && command !== null) setBy.set(id, command);
  for (const id of [...setBy.keys()]) if (!found.stops.some((stop) => stop.id === id)) setBy.delete(id);
  if (found.run !== null) {
    showRun(found.run);
    own = generation.peek();
  }
  batch(() => {
    answer.value = found;
    watched.value = watched.peek().map((old, index) => {
      const { value, failed } = found.watched[index] ?? old;
      return { ...old, value, failed, changed: old.value !== '' && value !== old.value ? true : old.changed && !moved };
    });
    if (found.quit) entries.value = [];
    else if (isShown && command !== null) add(command, found.lines);
  });
  if (command === null) known = at ?? known;
  else if (moved || found.run !== null) show(found.place);
}

const placeOf = (found: Debugged | null): string => JSON.stringify(found?.place ?? null);

function add(command: string, lines: DebugLine[]): void {
  entries.value = [...entries.peek(), { id: ++ids, command, lines }].slice(-MOST);
}

/** Shows the place of the debugger in the grid, and the run up to it. */
function show({ step, row, cell }: Place): void {
  const at = { slot: 0, row, cell };
  known = at;
  batch(() => {
    if (!same(selected.peek(), at)) select(at);
    // A hidden row has a line only while it is selected.
    if (row !== null) openTo(row);
    moment.value = { step: Math.min(step, steps.peek()), line: Math.max(0, lineOf(row)) };
  });
}

// The answer is about another run then.
effect(() => {
  if (generation.value !== own) watched.value = watched.peek().map((old) => ({ ...old, value: '', failed: false, changed: false }));
});
