// Connects the language server with the editor: lenses, commands, the Test Explorer and the views.
import { debug, type Disposable, type ExtensionContext, tasks, Uri, window, workspace } from 'vscode';
import { type Middleware } from 'vscode-languageclient/node';
import { CellTableView } from './cellTable';
import { registerCommands } from './commands';
import { rememberProgram } from './currentProgram';
import { debugAdapter } from './debugAdapter';
import { DebugConfigurations, debuggedPrompts } from './debugConfigurations';
import { debuggedValues } from './debuggedValues';
import { ExplorerPages } from './explorerPages';
import { failingTestLinks } from './failingTestLinks';
import type { Chosen } from './prompt';
import { isSearch, propose } from './proposals';
import type { RunArguments } from './protocol';
import { Qkvl } from './qkvl';
import { Runs } from './runs';
import { RunsView } from './runsView';
import { Server } from './server';
import { statusItem } from './status';
import { taskProvider } from './tasks';
import { TestExplorer } from './testExplorer';
import { Views } from './views';
import { messageOf } from './words';

/** The settings editor saves on every keystroke. */
const PAUSE_MS = 1000;
/** The longest run for the values of a prompt that is debugged or explored: such a program may run without end. */
const SHOWN_MS = 2000;

let server: Server | undefined;

export function activate(context: ExtensionContext): void {
  const log = window.createOutputChannel('PSL', { log: true });
  const middleware: Middleware = { executeCommand: (command, args, next) => execute(command, args, next) };
  const started = new Server(context, log, middleware);
  server = started;
  const explorer = new TestExplorer(server);
  const runs = new Runs(server, explorer, context.workspaceState);
  const views = new Views();
  const qkvl = new Qkvl(server, views);
  const choose = (uri: Uri, chosen: Chosen) => runs.choose(uri, chosen, SHOWN_MS);
  const pages = new ExplorerPages(server, choose);

  /** Runs a lens here and shows its result. Other requests, from other extensions, go to the server. */
  async function execute(command: string, args: unknown[], next: (command: string, args: unknown[]) => unknown) {
    try {
      type Arguments = Partial<RunArguments> & { run?: boolean; machine?: string; page?: unknown };
      const { uri, run, machine, page, ...which } = (args[0] ?? {}) as Arguments;
      if (uri === undefined || machine !== undefined) return await next(command, args);
      if (command === 'psl.run') return await runs.ofArguments({ ...which, uri: Uri.parse(uri) });
      if (command === 'psl.explore' && page === undefined) return await pages.show(Uri.parse(uri), which);
      if (isSearch(command)) return await propose(started, command, Uri.parse(uri), which);
      if (command === 'psl.tests' && run !== false) return await runs.tests(Uri.parse(uri));
      return await next(command, args);
    } catch (failure) {
      void window.showErrorMessage(messageOf(failure));
      return undefined;
    }
  }

  server.onDidStart(() => void runs.restore().catch((failure) => log.debug(messageOf(failure))));
  context.subscriptions.push(
    log, explorer, runs.results, runs.current, views, qkvl, pages, statusItem(server),
    window.registerTreeDataProvider('psl.runs', new RunsView(runs.history)),
    tasks.registerTaskProvider('psl', taskProvider(() => server?.program?.command)),
    ...debugAdapter(server), ...debuggedValues(), new CellTableView(Uri.joinPath(context.extensionUri, 'media')),
    debug.registerDebugConfigurationProvider('psl', new DebugConfigurations((uri) => runs.ask(uri, 'Debug', 'debug'))),
    debuggedPrompts(choose, log), failingTestLinks(explorer), restartOnNewPath(server), rememberProgram(),
    ...registerCommands(server, runs, views, qkvl, pages),
  );
  void server.start();
}

function restartOnNewPath(started: Server): Disposable {
  let pause: NodeJS.Timeout | undefined;
  return workspace.onDidChangeConfiguration((event) => {
    if (!event.affectsConfiguration('psl.path')) return;
    clearTimeout(pause);
    pause = setTimeout(() => started.restart(), PAUSE_MS);
  });
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}
