// Runs prompts and tests, and shows their results in the editor.
import { CancellationTokenSource, commands, type Memento, Range, type TextDocument, Uri, WorkspaceEdit, window, workspace } from 'vscode';
import { toRange } from './convert';
import { CurrentPrompt } from './currentPrompt';
import { askForPrompt, type Chosen, labelOf } from './prompt';
import type { Range as ProtocolRange, RunArguments, RunResult, TestEntry } from './protocol';
import { Results } from './results';
import { type Run, RunHistory } from './runHistory';
import type { Server } from './server';
import type { TestExplorer } from './testExplorer';
import { duration, shortened, stopReason } from './words';

/** The line of the lens that runs prompts. */
const TOP = 0;

export class Runs {
  readonly history: RunHistory;
  readonly results = new Results();
  readonly current = new CurrentPrompt();

  constructor(
    private readonly server: Server,
    private readonly explorer: TestExplorer,
    memento: Memento,
  ) {
    this.history = new RunHistory(memento);
  }

  /** Runs a prompt or a test for a lens or another extension. */
  async ofArguments({ uri, prompt, test }: { uri: Uri } & Omit<RunArguments, 'uri'>): Promise<RunResult | undefined> {
    if (test !== undefined) return this.tests(uri, [test]);
    return prompt === undefined ? this.askAndRun(uri) : this.prompt(uri, prompt);
  }

  async askAndRun(uri: Uri): Promise<RunResult | undefined> {
    await this.check(uri);
    const chosen = await askForPrompt({ title: 'Run on a Prompt', verb: 'run', earlier: this.history.prompts(uri.toString()) });
    return chosen && this.ofArguments({ uri, ...chosen });
  }

  /** Asks for a prompt or a test. The current one comes first. */
  async ask(uri: Uri, title: string, verb: string): Promise<Chosen | undefined> {
    await this.check(uri);
    const [tests, earlier] = [await this.explorer.entriesOf(uri), this.history.prompts(uri.toString())];
    return askForPrompt({ title, verb, earlier, tests, current: this.current.of(uri) });
  }

  /** Makes a prompt or a test the current one by a run in the server, which shows its values. The run may end early. */
  async choose(uri: Uri, chosen: Chosen, milliseconds?: number): Promise<void> {
    await this.note(uri, chosen);
    const source = new CancellationTokenSource();
    const end = milliseconds === undefined ? undefined : setTimeout(() => source.cancel(), milliseconds);
    try {
      await this.server.request('psl.run', { uri: uri.toString(), ...chosen }, source.token);
    } finally {
      clearTimeout(end);
      source.dispose();
    }
  }

  /** Runs tests and the current prompts again, which a new server does not know. */
  async restore(): Promise<void> {
    await this.explorer.restore();
    const open = workspace.textDocuments.map(({ uri }) => ({ uri, chosen: this.current.of(uri) }));
    await Promise.all(open.map(({ uri, chosen }) => chosen && this.server.request('psl.run', { uri: uri.toString(), ...chosen })));
  }

  private async note(uri: Uri, chosen: Chosen): Promise<void> {
    if ('prompt' in chosen) return this.current.set(uri, chosen, chosen.prompt);
    const entry = (await this.explorer.entriesOf(uri)).find(({ index }) => index === chosen.test);
    this.current.set(uri, chosen, entry ? labelOf(entry) : `test ${chosen.test + 1}`);
  }

  /** Reports a program that cannot run, before a question. */
  private async check(uri: Uri): Promise<void> {
    await this.server.request('psl.compile', { uri: uri.toString(), emit: 'psl' });
  }

  async prompt(uri: Uri, prompt: string): Promise<RunResult> {
    const result = await this.server.request<RunResult>('psl.run', { uri: uri.toString(), prompt });
    await this.note(uri, { prompt });
    const { continuation, stopped, seconds } = result;
    const run: Run = { uri: uri.toString(), prompt, continuation, stopped, seconds, when: Date.now() };
    await this.history.add(run);
    this.results.show(uri, TOP, prompt, result);
    if (!isVisible(uri, TOP)) void this.offerMore(run);
    return result;
  }

  /** Runs all tests of a program, or those with the given indexes. Returns the result if there is only one. */
  async tests(uri: Uri, indexes?: number[]): Promise<RunResult | undefined> {
    const results = await this.explorer.runTests(uri, indexes);
    const [only] = indexes?.length === 1 ? indexes : [];
    if (only !== undefined) await this.note(uri, { test: only });
    const passed = results.filter((result) => result.passed).length;
    if (indexes?.length !== 1) {
      const failed = results.length - passed;
      window.setStatusBarMessage(`$(${failed > 0 ? 'error' : 'check'}) PSL: ${passed} passed, ${failed} failed`, 10_000);
    }
    return results.length === 1 ? results[0] : undefined;
  }

  async testAtCursor(document: TextDocument, line: number): Promise<void> {
    const entries = await this.explorer.entriesOf(document.uri);
    if (entries.length === 0) throw new Error('This program has no tests. Add a line `//@ test "prompt" => "continuation"`.');
    const here = entries.find(({ range }) => toRange(range).start.line <= line && line <= toRange(range).end.line);
    const chosen = here ?? (await chooseTest(entries));
    if (chosen) await this.tests(document.uri, [chosen.index]);
  }

  async saveAsTest({ uri, prompt, continuation }: Run): Promise<void> {
    const document = await workspace.openTextDocument(Uri.parse(uri));
    await window.showTextDocument(document);
    type Edit = { range: ProtocolRange; newText: string };
    const edits = await this.server.request<Edit[]>('psl.saveTest', { uri, prompt, continuation });
    const change = new WorkspaceEdit();
    edits.forEach(({ range, newText }) => change.replace(document.uri, toRange(range), newText));
    await workspace.applyEdit(change);
    const at = edits[0]?.range.start;
    if (at) window.activeTextEditor?.revealRange(new Range(at.line, at.character, at.line + 1, 0));
  }

  private async offerMore(run: Run): Promise<void> {
    const words = `${shortened(run.prompt, 60)} ⇒ ${run.continuation} (${stopReason(run.stopped)}, ${duration(run.seconds)})`;
    const answer = await window.showInformationMessage(words, 'Show Table', 'Save as Test');
    if (answer === 'Show Table') await commands.executeCommand('psl.showTable', run);
    if (answer === 'Save as Test') await commands.executeCommand('psl.saveRunAsTest', run);
  }
}

async function chooseTest(entries: TestEntry[]): Promise<TestEntry | undefined> {
  const items = entries.map((entry) => ({
    label: labelOf(entry),
    description: `line ${entry.range.start.line + 1}`,
    detail: `⇒ ${entry.gold}`,
    entry,
  }));
  return (await window.showQuickPick(items, { title: 'Run a Test', placeHolder: 'Choose a test: the cursor is not on one' }))?.entry;
}

const isVisible = (uri: Uri, line: number): boolean =>
  window.visibleTextEditors.some((editor) => editor.document.uri.toString() === uri.toString()
    && editor.visibleRanges.some(({ start, end }) => start.line <= line && line <= end.line));
