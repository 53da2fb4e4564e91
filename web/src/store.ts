// The state of the page. Views read these signals, and change them only through the functions below.
import { batch, computed, signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { Engine, type RunRequest, type State } from './engine';
import { Ended } from './module';
import type { Answers, Layer, Machine, PageData, PagePrompt, Program, Request, Run, RunRow } from './protocol';
import { hasRole } from './roles';

/** The coordinates of an update. If `row` is null, it is the start of the cell. */
export interface Coordinates { slot: number; row: number | null; cell: number }

export const data = signal<PageData>(readData());
export const program = signal<Program | null>(null);
/** Whether the module has a debugger. */
export const hasDebugger = computed(() => program.value?.debugger ?? false);
/** Another version of the program, for the second run. */
export const against = signal<Program | null>(null);
/** The run that is shown, and one to compare it with. */
export const runs = signal<(Run | null)[]>([null, null]);
export const wantedRuns = signal<(RunRequest | null)[]>([null, null]);
export const machine = signal<Machine>('dat');
/** The message of a request that failed. */
export const failure = signal<string | null>(null);
/** The program of a link if it is not available. The page reports it until something else runs. */
export const missing = signal<string | null>(null);
/** Whether a run is being computed. */
export const running = signal(false);
/** Increases when earlier answers go out of date. */
export const generation = signal(0);

export const selected = signal<Coordinates | null>(null);
/** The cell n that the user asks about: why does N attend to it, or why not? */
export const pointed = signal<number | null>(null);
/** The indices of the registers that the grid shows. */
export const shown = signal<number[]>([]);

export const run = computed<Run | null>(() => runs.value[0] ?? null);
export const rowOf = (at: Coordinates | null): RunRow | null =>
  at === null || at.row === null ? null : (runs.value[at.slot]?.rows[at.row] ?? null);
/** The layer of the selected update. */
export const layer = computed<Layer | null>(() => {
  const at = selected.value;
  const row = rowOf(at);
  if (row === null) return null;
  // Maps a layer of the other version to that of the program, if there is one.
  const number = at?.slot === 1 && data.value.against ? data.value.against.layers[row.layer - 1] : row.layer;
  return number == null ? null : layerOf(number);
});
/** The program of the run in a slot. */
export const programOf = (slot: number): Program | null => (slot === 1 && against.value ? against.value : program.value);
export const textOf = (slot: number): string => (slot === 1 && data.value.against ? data.value.against.text : data.value.text);
export const layerOf = (number: number, slot = 0): Layer | null => programOf(slot)?.layers[number - 1] ?? null;

/** The index of the register with a role, or -1. */
export const registerOf = (role: string): number =>
  (program.value?.registers ?? []).findIndex((register) => hasRole(register, role));

const engine = new Engine();

/** The data in the page. The page of the playground has none, and gets it later. */
function readData(): PageData {
  const text = document.getElementById('psl-data')?.textContent;
  return text ? (JSON.parse(text) as PageData) : { name: '', text: '', prompts: {}, examples: [] };
}

/** The latest answers, so that views of the same thing ask only once. */
const answers = new Map<string, Promise<unknown>>();
const KEPT = 40;

/** Asks about the shown runs. */
export function ask<R extends Request>(request: R): Promise<Answers[R['op']]> {
  if (request.op === 'tile') return engine.ask(request);
  const key = `${generation.peek()} ${JSON.stringify(request)}`;
  const known = answers.get(key) as Promise<Answers[R['op']]> | undefined;
  if (known) return known;
  const answer = engine.ask(request);
  answer.catch(() => answers.delete(key));
  answers.set(key, answer);
  for (const oldest of answers.keys()) {
    if (answers.size <= KEPT) break;
    answers.delete(oldest);
  }
  return answer;
}

/** Executes a command of the debugger, which changes its place. */
export const debug = (request: Extract<Request, { op: 'debug' }>): Promise<Answers['debug']> => engine.ask(request);

/** Shows the run that the debugger has made of the first one. */
export function showRun(next: Run): void {
  batch(() => {
    runs.value = [next, runs.peek()[1] ?? null];
    generation.value += 1;
  });
}

/** Ends the current command of the debugger. */
export function interrupt(): void {
  engine.interrupt();
  void compute(wantedRuns.peek());
}

/** The answer to a request, or null for a null request. Keeps the last answer until the next one arrives. */
export function useAnswer<R extends Request>(request: R | null): { answer: Answers[R['op']] | null; error: string | null } {
  const [state, setState] = useState<{ answer: Answers[R['op']] | null; error: string | null }>({ answer: null, error: null });
  const key = request === null ? null : `${generation.value} ${JSON.stringify(request)}`;
  useEffect(() => {
    if (request === null) return setState({ answer: null, error: null });
    let current = true;
    ask(request).then(
      (answer) => current && setState({ answer, error: null }),
      (error: Error) => current && setState({ answer: null, error: error.message }),
    );
    return () => { current = false; };
  }, [key]);
  return state;
}

/** The long names of the shown registers, which survive edits that move them and programs with errors. */
let names: string[] = [];

/** The registers of results and the watched ones. */
export function usualRegisters(): number[] {
  const results = [registerOf('output'), registerOf('answer')];
  return (program.peek()?.registers ?? []).flatMap(({ watched }, index) => (watched || results.includes(index) ? [index] : []));
}

/** Shows a program with the same registers as the last one. */
function show(next: Program | null): void {
  const last = program.peek()?.registers ?? [];
  if (last.length > 0) names = shown.peek().flatMap((index) => last[index]?.long ?? []);
  program.value = next;
  const kept = names.map((name) => next?.registers.findIndex(({ long }) => long === name) ?? -1).filter((index) => index >= 0);
  shown.value = kept.length > 0 ? kept : usualRegisters();
}

/** The data whose program is shown. */
let opened: PageData | null = null;

/** Runs what is wanted and shows it. */
export async function compute(wanted: (RunRequest | null)[]): Promise<void> {
  batch(() => {
    wantedRuns.value = wanted;
    machine.value = wanted[0]?.machine ?? machine.peek();
    missing.value = null;
    running.value = true;
  });
  let state: State | null = null;
  let why: string | null = null;
  try {
    state = await engine.compute({ data: data.value, runs: wanted, registers: shown.peek() });
    if (state === null) return;
  } catch (error) {
    if (wantedRuns.peek() !== wanted) return;
    why = error instanceof Ended ? 'The run was stopped.' : (error as Error).message;
  }
  if (state === null && opened !== data.value) {
    // A new program replaces the old one even if its prompt does not run.
    state = await engine.compute({ data: data.value, runs: [null, null], registers: [] }).catch(() => null);
    if (wantedRuns.peek() !== wanted) return;
  }
  batch(() => {
    failure.value = why;
    if (state !== null || opened !== data.value) {
      // If the program is the same, it stays the same object, so that its views are not drawn again.
      if (opened !== data.value) {
        show(state?.program ?? null);
        against.value = state?.against ?? null;
      }
      opened = state && data.value;
      runs.value = state?.runs ?? [null, null];
      generation.value += 1;
    }
    running.value = false;
  });
}

export const stop = (): void => engine.stop();

/** The first run of a program. */
export const firstRun = ({ open: prompt = { test: 0 }, gold, ablated, set }: PageData): RunRequest =>
  ({ prompt, machine: machine.peek(), ...(gold === undefined ? {} : { gold }), ...(ablated ? { ablated } : {}), ...(set ? { set } : {}) });

/** Opens a program. Computes the wanted runs; by default, the same runs if only the text is new, otherwise its first run. */
export async function open(next: PageData, wanted?: (RunRequest | null)[]): Promise<void> {
  const last = data.value;
  const renamed = next.name !== last.name;
  const first = ({ open: prompt, gold }: PageData): string => JSON.stringify([prompt, gold]);
  const other = renamed || first(next) !== first(last);
  data.value = next;
  if (renamed) { selected.value = null; shown.value = []; names = []; }
  const before = wantedRuns.value;
  await compute(wanted ?? (other || before[0] === null ? [firstRun(next), null] : before));
}

/** The prompt that the user ran last. */
export const ranLast = signal<PagePrompt | null>(null);

/** Runs a prompt without the ablated layers. */
export function runPrompt(prompt: PagePrompt, gold = '', ablated = ablatedIn(0)): Promise<void> {
  ranLast.value = prompt;
  const run: RunRequest = { prompt, machine: machine.value, ...(gold === '' ? {} : { gold }), ...(ablated.length === 0 ? {} : { ablated }) };
  return compute([run, wantedRuns.value[1] ?? null]);
}

/** The ablated layers of a run. */
export const ablatedIn = (slot: number): number[] => wantedRuns.value[slot]?.ablated ?? [];

/** Ablates a layer of the shown run, or restores it. */
export function ablate(layer: number): void {
  const wanted = wantedRuns.peek()[0];
  if (!wanted) return;
  const others = ablatedIn(0).filter((other) => other !== layer);
  const next = others.length < ablatedIn(0).length ? others : [...others, layer].sort((a, b) => a - b);
  void runPrompt(wanted.prompt, wanted.gold, next);
}

/** `times` increases when the grid must scroll to the selection: to the middle if `center`. */
export const revealed = signal<{ times: number; center: boolean }>({ times: 0, center: false });

export function select(at: Coordinates | null, center = false): void {
  batch(() => {
    selected.value = at;
    pointed.value = null;
    revealed.value = { times: revealed.value.times + 1, center };
  });
}
