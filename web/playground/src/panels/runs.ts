// Runs of prompts.
import { signal } from '@preact/signals';
import type { TextEdit } from 'vscode-languageserver-protocol';
import type { Machine } from '../../../src/protocol';
import { keep } from '../page/current';
import { showPanel } from '../page/layout';
import { reveal } from '../page/reveal';
import { editor, opened, version } from '../page/state';
import { command } from './command';
import { wantFirst } from './explorer';
import { machine, prompt } from './prompt';
import type { RunResult } from './protocol';
import { reason } from './words';

export interface Run {
  id: number; program: number; prompt: string; machine: Machine;
  /** The version of the program that ran. */
  version: number;
  state: { kind: 'running' } | { kind: 'done'; result: RunResult } | { kind: 'failed'; why: string };
}

const MOST = 30;
const KEY = 'psl playground prompts';

/** The runs, the newest first. */
export const runs = signal<readonly Run[]>([]);
/** The prompts that ran, the newest first, without repeats. */
export const history = signal<readonly string[]>(readHistory());

let ids = 0;

const replace = (id: number, state: Run['state']): void => {
  runs.value = runs.peek().map((run) => (run.id === id ? { ...run, state } : run));
};

/** Runs a prompt on a machine and shows its result. */
export async function runPrompt(symbols: string, on = machine.peek()): Promise<void> {
  showPanel('runs');
  const wanted = symbols.trim();
  ids += 1;
  const run: Run = { id: ids, program: opened.peek(), prompt: wanted, machine: on, version: version.peek(), state: { kind: 'running' } };
  runs.value = [run, ...runs.peek()].slice(0, MOST);
  note(wanted);
  wantFirst(null);
  keep({ prompt: wanted });
  try {
    const result = await command<RunResult>('psl.run', { prompt: wanted, machine: on });
    replace(run.id, { kind: 'done', result });
  } catch (failure) {
    replace(run.id, { kind: 'failed', why: reason(failure) });
  }
}

export const runField = (): Promise<void> => runPrompt(prompt.peek());

export async function saveAsTest({ prompt: symbols, state }: Run): Promise<void> {
  if (state.kind !== 'done') return;
  const edits = await command<TextEdit[]>('psl.saveTest', { prompt: symbols, continuation: state.result.continuation });
  editor.peek()?.apply(edits);
  const line = edits[0]?.range.start.line;
  if (line !== undefined) reveal(line + 1);
}

/** The table of a run. */
export const tableOf = async ({ prompt: symbols, machine: on }: Run): Promise<string> =>
  (await command<{ text: string }>('psl.table', { prompt: symbols, machine: on })).text;

function note(symbols: string): void {
  history.value = [symbols, ...history.peek().filter((other) => other !== symbols)].slice(0, MOST);
  try {
    localStorage.setItem(KEY, JSON.stringify(history.peek()));
  } catch { /* The page works without it. */ }
}

function readHistory(): string[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(found) ? found.filter((it): it is string => typeof it === 'string').slice(0, MOST) : [];
  } catch {
    return [];
  }
}
