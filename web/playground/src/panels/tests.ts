// The tests of the open program.
import { batch, computed, effect, signal } from '@preact/signals';
import { panelInView, showPanel } from '../page/layout';
import { editor, embedded, opened, text, version } from '../page/state';
import { command } from './command';
import { firstOf, wantFirst } from './explorer';
import { follow } from './follow';
import { prompt } from './prompt';
import type { Proposal, Proposals, RunResult, TestEntry } from './protocol';
import { isSuperseded, reason } from './words';

export const tests = signal<readonly TestEntry[]>([]);
/** The indices of the tests that are running. */
export const running = signal<ReadonlySet<number>>(new Set());
/** Why the tests could not be listed or run. */
export const failure = signal<string | null>(null);
export const counts = computed(() => ({
  passed: tests.value.filter(({ passed }) => passed === true).length,
  failed: tests.value.filter(({ passed }) => passed === false).length,
}));

export type Search = 'repair' | 'fill' | 'unnoticed';

/** What a search has found, in the version that it searched. */
export const search = signal<{ kind: Search; version: number; text: string; state: 'searching' | Proposals | { why: string } } | null>(null);

const PAUSE_MS = 300;

/** The version whose tests have all run. The server lists no results for it if an edit ended its own run. */
let ran = -1;

/** Shows the results of all tests of a version. */
export function showResults(of: number, results: readonly TestEntry[]): void {
  if (version.peek() !== of) return;
  ran = of;
  tests.value = results;
}

/** Lists the tests after edits, and after the server has run them. The field for prompts offers them, too. */
export function followTests(): void {
  const isShown = (): boolean => embedded || panelInView.value !== null;
  follow(isShown, PAUSE_MS, () => void list());
  let last: unknown = null;
  effect(() => {
    const problems = editor.value?.problems.value;
    if (problems === last || !isShown()) return;
    last = problems;
    void list();
  });
  effect(() => {
    void opened.value;
    batch(() => {
      tests.value = [];
      search.value = null;
      failure.value = null;
    });
  });
}

async function list(): Promise<void> {
  const asked = version.peek();
  if (running.peek().size > 0 || ran === asked) return;
  try {
    const found = await command<TestEntry[]>('psl.tests', { run: false });
    if (version.peek() !== asked || running.peek().size > 0 || ran === asked) return;
    batch(() => {
      tests.value = found;
      failure.value = null;
      offerPrompt();
    });
  } catch (why) {
    if (version.peek() !== asked) return;
    if (isSuperseded(why)) setTimeout(() => void list(), PAUSE_MS);
    else failure.value = reason(why);
  }
}

/** The program for which a prompt was offered last, and the prompt. */
let offered: { program: number; prompt: string | null } = { program: -1, prompt: null };

/** Fills the field for the prompt with that of the first test, unless the reader has written another one or emptied it. */
function offerPrompt(): void {
  const isNew = offered.program !== opened.peek();
  const first = tests.peek().find((test): test is TestEntry & { prompt: string } => typeof test.prompt === 'string')?.prompt ?? null;
  if (first === null) return;
  if (prompt.peek() === (isNew ? '' : offered.prompt)) prompt.value = first;
  offered = { program: opened.peek(), prompt: first };
}

/** Runs tests and shows their results. By default, all. */
export async function runTests(index?: number): Promise<void> {
  showPanel('tests');
  const program = opened.peek();
  const asked = version.peek();
  if (index !== undefined && tests.peek().length === 0) await list();
  running.value = new Set(index === undefined ? tests.peek().map((test) => test.index) : [...running.peek(), index]);
  let why: string | null = null;
  let found: readonly TestEntry[] | null = null;
  try {
    if (index === undefined) found = await command<TestEntry[]>('psl.tests');
    else {
      const result = await command<RunResult>('psl.run', { test: index });
      found = tests.peek().map((test) => (test.index === index ? withResult(test, result) : test));
    }
  } catch (error) {
    why = reason(error);
  }
  if (program !== opened.peek()) return;
  batch(() => {
    running.value = new Set(index === undefined ? [] : [...running.peek()].filter((other) => other !== index));
    if (found && index === undefined) showResults(asked, found);
    else if (found && version.peek() === asked) tests.value = found;
    failure.value = why;
  });
  const failed = tests.peek().find(({ passed }) => passed === false);
  wantFirst(failed ? firstOf(failed) : null);
  if (version.peek() !== asked) void list();
}

const withResult = (test: TestEntry, { passed, explanation, related, ...result }: RunResult): TestEntry => ({
  ...test, ...result, passed: passed ?? null, explanation: explanation ?? null, related: related ?? [], error: null,
});

/** Searches for repairs of failing tests, for what belongs in the holes, or for tests that would notice more of a production. */
export async function propose(kind: Search, production?: number): Promise<void> {
  showPanel('tests');
  const own = { kind, version: version.peek(), text: text.peek() };
  search.value = { ...own, state: 'searching' };
  const program = opened.peek();
  const show = (state: Proposals | { why: string }): void => { if (opened.peek() === program) search.value = { ...own, state }; };
  try {
    show(await command<Proposals>(`psl.${kind}`, production === undefined ? {} : { production }));
  } catch (why) {
    show({ why: reason(why) });
  }
}

/** Applies a proposal to the version that it was found for. */
export function accept({ edits }: Proposal): void {
  editor.peek()?.apply(edits);
  search.value = null;
}
