// The Test Explorer: the `//@ test` lines of the workspace, listed by the server.
import {
  type CancellationToken, type Disposable, FileCoverage, type FileCoverageDetail, Location, MarkdownString, type TestItem, TestMessage,
  TestMessageStackFrame, type TestRun, TestRunProfileKind, TestRunRequest, type TextDocument, Uri, tests, workspace,
} from 'vscode';
import { toLocation, toRange } from './convert';
import { detailsOf } from './coverage';
import { debugToTheEnd } from './debugConfigurations';
import type { Coverage, RunResult, TestEntry, TestedFile } from './protocol';
import { SCHEMES, type Server } from './server';
import { messageOf } from './words';

/** Pause in typing before the tests of a program are listed again. */
const PAUSE_MS = 300;
/** Number of tests that run in parallel. */
const AT_ONCE = 4;

export class TestExplorer implements Disposable {
  private readonly controller = tests.createTestController('psl', 'PSL');
  /** The entries of the items for tests. Items for files have none. */
  private readonly entries = new WeakMap<TestItem, TestEntry>();
  /** Whether each test passed when it last ran here. */
  private readonly passed = new WeakMap<TestItem, boolean>();
  /** The parts of the programs whose coverage is shown. */
  private readonly covered = new WeakMap<FileCoverage, FileCoverageDetail[]>();
  /** The tests whose result here is older than an edit that may change it. */
  private readonly outdated = new WeakSet<TestItem>();
  /** The programs with an edit since the last listing. */
  private readonly edited = new Set<string>();
  private readonly pauses = new Map<string, NodeJS.Timeout>();
  /** The deleted programs. A listing that was requested before may still name them. */
  private readonly deleted = new Set<string>();
  /** Whether the tests of the whole workspace are listed. */
  private listsAll = false;
  private readonly disposables: Disposable[] = [];

  constructor(private readonly server: Server) {
    this.controller.resolveHandler = async (item) => {
      if (!item) await this.listAll();
    };
    this.controller.refreshHandler = () => this.listAll();
    const run = (request: TestRunRequest, token: CancellationToken) => this.run(request, token);
    this.controller.createRunProfile('Run', TestRunProfileKind.Run, run, true, undefined, true);
    this.controller.createRunProfile('Debug', TestRunProfileKind.Debug, (request) => this.debug(request), true);
    const coverage = this.controller.createRunProfile('Coverage', TestRunProfileKind.Coverage, run, true);
    coverage.loadDetailedCoverage = async (_, file) => this.covered.get(file) ?? [];
    const watcher = workspace.createFileSystemWatcher('**/*.psl');
    this.disposables.push(
      this.controller,
      watcher,
      watcher.onDidCreate((uri) => {
        this.deleted.delete(uri.toString());
        if (this.listsAll) this.listSoon(uri);
      }),
      watcher.onDidChange((uri) => this.listsAll && this.listSoon(uri, true)),
      watcher.onDidDelete((uri) => this.forget(uri)),
      workspace.onDidOpenTextDocument((document) => this.listDocument(document)),
      workspace.onDidChangeTextDocument(({ document }) => this.listDocument(document, true)),
      workspace.onDidCloseTextDocument(({ uri }) => {
        const isThere = workspace.getWorkspaceFolder(uri) ? workspace.fs.stat(uri) : Promise.reject(uri);
        isThere.then(undefined, () => this.controller.items.delete(uri.toString()));
      }),
      workspace.onDidChangeWorkspaceFolders(() => this.listsAll && this.listAll()),
      // The server has run the tests after an edit.
      server.onDidChange(() => server.state === 'ready' && workspace.textDocuments.forEach((it) => this.listDocument(it, true))),
      server.onDidStart(() => (this.listsAll ? void this.listAll() : workspace.textDocuments.forEach((it) => this.listDocument(it)))),
    );
  }

  dispose(): void {
    this.pauses.forEach((pause) => clearTimeout(pause));
    this.disposables.forEach((it) => it.dispose());
  }

  /** Runs all tests of a program, or those with the given indexes, for a lens. */
  async runTests(uri: Uri, indexes?: number[], token?: CancellationToken): Promise<RunResult[]> {
    const file = await this.list(uri);
    const chosen = [...(file?.children ?? [])].map(([, item]) => item)
      .filter((item) => !indexes || indexes.includes(this.entries.get(item)?.index ?? -1));
    return this.runItems(this.controller.createTestRun(new TestRunRequest(chosen)), chosen, token);
  }

  /** Runs the tests of open programs again that have a result here. */
  async restore(): Promise<void> {
    const files = workspace.textDocuments.map(({ uri }) => this.controller.items.get(uri.toString()));
    const items = files.flatMap((file) => [...(file?.children ?? [])].map(([, item]) => item)).filter((item) => this.passed.has(item));
    if (items.length === 0) return;
    await this.runItems(this.controller.createTestRun(new TestRunRequest(items), undefined, false), items, undefined, true);
  }

  /** The tests of a program. */
  async entriesOf(uri: Uri): Promise<TestEntry[]> {
    const file = await this.list(uri);
    return [...(file?.children ?? [])].flatMap(([, item]) => this.entries.get(item) ?? []).sort((a, b) => a.index - b.index);
  }

  private listDocument({ languageId, uri }: TextDocument, edited = false): void {
    if (languageId === 'psl' && SCHEMES.includes(uri.scheme) && this.server.state !== 'gone') this.listSoon(uri, edited);
  }

  private forget(uri: Uri): void {
    const key = uri.toString();
    clearTimeout(this.pauses.get(key));
    this.pauses.delete(key);
    this.deleted.add(key);
    this.controller.items.delete(key);
  }

  private listSoon(uri: Uri, edited = false): void {
    const key = uri.toString();
    if (edited) this.edited.add(key);
    clearTimeout(this.pauses.get(key));
    this.pauses.set(key, setTimeout(() => {
      this.pauses.delete(key);
      this.list(uri, this.edited.delete(key)).catch((failure) => this.server.log.debug(`${uri.fsPath}: ${messageOf(failure)}`));
    }, PAUSE_MS));
  }

  private async list(uri: Uri, edited = false): Promise<TestItem | undefined> {
    const found = await this.server.request<TestEntry[]>('psl.tests', { uri: uri.toString(), run: false });
    return this.update(uri, found, edited);
  }

  private async listAll(): Promise<void> {
    this.listsAll = true;
    try {
      const files = await this.server.request<TestedFile[]>('psl.tests', { run: false });
      const listed = new Set(files.map(({ uri, tests }) => (this.update(Uri.parse(uri), tests), Uri.parse(uri).toString())));
      const open = new Set(workspace.textDocuments.map(({ uri }) => uri.toString()));
      this.controller.items.forEach(({ id }) => !listed.has(id) && !open.has(id) && this.controller.items.delete(id));
    } catch (failure) {
      this.server.log.warn(`Cannot list the tests of the workspace: ${messageOf(failure)}`);
    }
  }

  /** Shows the tests of a program. A test keeps its state as long as it keeps its name or, without a name, its prompt or law. */
  private update(uri: Uri, entries: TestEntry[], edited = false): TestItem | undefined {
    const id = uri.toString();
    const isDeleted = this.deleted.has(id) && !workspace.textDocuments.some((document) => document.uri.toString() === id);
    if (entries.length === 0 || isDeleted) return void this.controller.items.delete(id);
    const file = this.controller.items.get(id) ?? this.controller.createTestItem(id, workspace.asRelativePath(uri), uri);
    const seen = new Map<string, number>();
    const [outdated, changed]: [TestItem[], TestItem[]] = [[], []];
    const items = entries.map((entry) => {
      const prompt = entry.law ?? (typeof entry.prompt === 'string' ? entry.prompt : JSON.stringify(entry.prompt));
      const key = entry.name === null ? `prompt ${prompt}` : `name ${entry.name}`;
      const times = (seen.get(key) ?? 0) + 1;
      seen.set(key, times);
      const testId = times === 1 ? key : `${key} #${times}`;
      const item = file.children.get(testId) ?? this.controller.createTestItem(testId, entry.name ?? prompt, uri);
      item.sortText = String(entry.index).padStart(6, '0');
      item.range = toRange(entry.range);
      this.entries.set(item, entry);
      const shown = edited ? this.passed.get(item) : undefined;
      if (shown !== undefined && entry.passed === null) outdated.push(item);
      else if (shown !== undefined && (shown !== entry.passed || this.outdated.has(item))) changed.push(item);
      return item;
    });
    file.children.replace(items);
    this.controller.items.add(file);
    outdated.forEach((item) => this.outdated.add(item));
    if (outdated.length > 0) this.controller.invalidateTestResults(outdated);
    // The server has run these tests. The margin shows the new result only after a run here.
    if (changed.length > 0) void this.runItems(this.controller.createTestRun(new TestRunRequest(changed), undefined, false), changed, undefined, true);
    return file;
  }

  private async run(request: TestRunRequest, token: CancellationToken): Promise<void> {
    if (!request.continuous) {
      await this.runOnce(request, undefined, token);
      return;
    }
    const saved = workspace.onDidSaveTextDocument(({ uri, languageId }) => {
      // The file may be a structured prompt.
      if (languageId === 'psl') void this.runOnce(request, uri, token);
      else if (uri.path.endsWith('.json')) void this.runOnce(request, undefined, token);
    });
    token.onCancellationRequested(() => saved.dispose());
  }

  /** Runs the tests of a request, in one program or in all. */
  private async runOnce(request: TestRunRequest, only: Uri | undefined, token: CancellationToken): Promise<void> {
    const chosen = await this.chosen(request, only);
    if (chosen.length === 0) return;
    const covers = request.profile?.kind === TestRunProfileKind.Coverage;
    const run = this.controller.createTestRun(request);
    await this.runItems(run, chosen, token, covers || chosen.length > 1, () => (covers ? this.addCoverage(run, chosen) : Promise.resolve()));
  }

  /** Debugs the tests of a request one after another. Each gets its result when its session ends. */
  private async debug(request: TestRunRequest): Promise<void> {
    const chosen = await this.chosen(request);
    const run = this.controller.createTestRun(request);
    for (const item of chosen) {
      const [uri, entry] = [item.uri, this.entries.get(item)];
      if (!uri || !entry || run.token.isCancellationRequested) continue;
      run.started(item);
      if (await debugToTheEnd(uri, { test: entry.index }, run)) await this.runItem(run, item);
      else run.skipped(item);
    }
    // The stop button of the session cancels the run. The session ends when the run ends.
    run.end();
  }

  /** The tests of a request, in one program or in all. */
  private async chosen(request: TestRunRequest, only?: Uri): Promise<TestItem[]> {
    if (!request.include && !this.listsAll) await this.listAll();
    const roots = request.include ?? [...this.controller.items].map(([, item]) => item);
    const of = (item: TestItem) => !only || item.uri?.toString() === only.toString();
    const files = new Set(roots.filter(of).map(({ uri }) => uri?.toString()));
    // Edits since the last listing have moved the tests.
    const open = workspace.textDocuments.filter(({ uri }) => files.has(uri.toString()));
    await Promise.all(open.map(({ uri }) => this.list(uri).catch(() => undefined)));
    return roots.flatMap((item) => (item.children.size > 0 ? [...item.children].map(([, child]) => child) : [item]))
      .filter((item) => of(item) && this.entries.has(item) && !request.exclude?.some((it) => it === item || it === item.parent));
  }

  /** Runs tests. One alone becomes the current prompt of its program. */
  private async runItems(
    run: TestRun, items: TestItem[], token?: CancellationToken, background = items.length > 1, after?: () => Promise<void>,
  ): Promise<RunResult[]> {
    const results: RunResult[] = [];
    items.forEach((item) => run.enqueued(item));
    const waiting = [...items];
    const isCancelled = () => run.token.isCancellationRequested || token?.isCancellationRequested;
    const worker = async () => {
      for (let item = waiting.shift(); item; item = waiting.shift()) {
        if (isCancelled()) run.skipped(item);
        else results.push(...(await this.runItem(run, item, background)));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    await after?.();
    run.end();
    return results;
  }

  /** Adds to a run the coverage of each program by those of its tests that ran. */
  private async addCoverage(run: TestRun, items: TestItem[]): Promise<void> {
    const indexes = new Map<string, number[]>();
    for (const item of items) {
      const [uri, entry] = [item.uri?.toString(), this.entries.get(item)];
      if (uri && entry) indexes.set(uri, [...(indexes.get(uri) ?? []), entry.index]);
    }
    for (const [uri, tests] of indexes) {
      if (run.token.isCancellationRequested) return;
      try {
        const details = detailsOf(await this.server.request<Coverage>('psl.coverage', { uri, tests }, run.token));
        const file = FileCoverage.fromDetails(Uri.parse(uri), details);
        this.covered.set(file, details);
        run.addCoverage(file);
      } catch (failure) {
        run.appendOutput(`Cannot count the coverage of ${uri}: ${messageOf(failure)}\r\n`);
      }
    }
  }

  private async runItem(run: TestRun, item: TestItem, background = false): Promise<RunResult[]> {
    const [uri, entry] = [item.uri, this.entries.get(item)];
    if (!uri || !entry) return [];
    run.started(item);
    try {
      const result = await this.server.request<RunResult>('psl.run', { uri: uri.toString(), test: entry.index, background }, run.token);
      const milliseconds = result.seconds * 1000;
      if (result.passed) run.passed(item, milliseconds);
      else run.failed(item, failureMessage(uri, entry, result), milliseconds);
      this.passed.set(item, result.passed ?? false);
      this.outdated.delete(item);
      run.appendOutput(`${result.passed ? '✓' : '✗'} ${item.label}: ${result.holds ?? result.continuation}\r\n`, undefined, item);
      return [result];
    } catch (failure) {
      if (run.token.isCancellationRequested) {
        run.skipped(item);
      } else {
        const message = new TestMessage(messageOf(failure));
        message.location = new Location(uri, toRange(entry.range));
        run.errored(item, message);
      }
      return [];
    }
  }
}

/** The difference to the gold, at the first wrong symbol, with links to the layers that explain it. */
function failureMessage(uri: Uri, entry: TestEntry, result: RunResult): TestMessage {
  const words = new MarkdownString();
  if (result.symbols) words.appendMarkdown(`With ${result.symbols}: `);
  words.appendText(result.explanation ?? `got ${result.continuation}`);
  const related = result.related ?? [];
  for (const { message, location } of related) {
    const { line, character } = location.range.start;
    const target = Uri.parse(location.uri).with({ fragment: `L${line + 1},${character + 1}` });
    words.appendMarkdown(`\n\n[line ${line + 1}](${target.toString()}): `).appendText(message);
  }
  const shown = TestMessage.diff(words, result.gold ?? entry.gold, result.continuation);
  shown.location = new Location(uri, toRange(result.missed ?? entry.range));
  shown.stackTrace = related.map(({ message, location }) => {
    const { uri: where, range } = toLocation(location);
    return new TestMessageStackFrame(message, where, range.start);
  });
  return shown;
}
