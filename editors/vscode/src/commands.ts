// The commands of the palette, the menus and the views.
import { commands, type Disposable, languages, type TextEditor, Uri, window } from 'vscode';
import { editor, program } from './currentProgram';
import { startDebugging } from './debugConfigurations';
import type { ExplorerPages } from './explorerPages';
import { newProgram } from './newProgram';
import { propose, proposedText } from './proposals';
import type { Qkvl } from './qkvl';
import type { Run } from './runHistory';
import type { Runs } from './runs';
import type { Server } from './server';
import { serverMenu } from './status';
import { Views } from './views';
import { codeOf, messageOf } from './words';

export function registerCommands(server: Server, runs: Runs, views: Views, qkvl: Qkvl, pages: ExplorerPages): Disposable[] {
  views.register('table', async (view) => {
    const [prompt, test] = [Views.parameter(view, 'prompt'), Views.parameter(view, 'test')];
    const which = { prompt, test: test === undefined ? undefined : Number(test) };
    return (await server.request<{ text: string }>('psl.table', { uri: Views.program(view).toString(), ...which })).text;
  });
  views.register('proposal', proposedText);
  views.register('explanation', (view) => server.request('psl.explain', { code: Views.parameter(view, 'code') }));

  const table: Record<string, (argument: unknown) => Promise<unknown>> = {
    'psl.runOnPrompt': async (argument) => runs.askAndRun(program(argument)),
    'psl.debug': async (argument) => {
      const { uri, test } = argument as { uri: string; test: number };
      await startDebugging(Uri.parse(uri), { test });
    },
    'psl.debugOnPrompt': async (argument) => {
      const uri = program(argument);
      const chosen = await runs.ask(uri, 'Debug', 'debug');
      if (chosen) await startDebugging(uri, chosen);
    },
    'psl.choosePrompt': async (argument) => {
      const uri = program(argument);
      const chosen = await runs.ask(uri, 'Choose the Current Prompt', 'choose it');
      if (chosen) await runs.choose(uri, chosen);
    },
    'psl.runTestAtCursor': async () => {
      const { document, selection } = editor();
      await runs.testAtCursor(document, selection.active.line);
    },
    'psl.runAllTests': async (argument) => runs.tests(program(argument)),
    'psl.runWorkspaceTests': async () => commands.executeCommand('testing.runAll'),
    'psl.showExplorer': async (argument) => pages.show(program(argument)),
    'psl.showQkvl': async (argument) => qkvl.show(program(argument)),
    'psl.showWeights': async (argument) => pages.show(program(argument), {}, 'weights'),
    'psl.showTable': async (argument) => showTable(argument, views),
    'psl.findRepair': async (argument) => propose(server, 'psl.repair', program(argument)),
    'psl.fillHoles': async (argument) => propose(server, 'psl.fill', program(argument)),
    'psl.explainDiagnostic': async (argument) => explain(argument),
    'psl.restartServer': async () => server.restart(),
    'psl.showLog': async () => server.log.show(),
    'psl.serverMenu': async () => serverMenu(server),
    'psl.newProgram': async (argument) => newProgram(server, (argument as { from?: string } | undefined)?.from),
    'psl.runAgain': async (run) => runs.prompt(Uri.parse((run as Run).uri), (run as Run).prompt),
    'psl.saveRunAsTest': async (run) => runs.saveAsTest(run as Run),
    'psl.clearRuns': async () => runs.history.clear(),
  };
  return Object.entries(table).map(([name, run]) => commands.registerCommand(name, async (argument: unknown) => {
    try {
      return await run(argument);
    } catch (failure) {
      void window.showErrorMessage(messageOf(failure));
      return undefined;
    }
  }));
}

/** Shows the table of a run or a test, or of the current prompt. */
async function showTable(argument: unknown, views: Views): Promise<void> {
  const run = argument as Partial<Run> & { test?: number } | undefined;
  if (run?.test !== undefined) {
    return views.open(Views.of('table', Uri.parse(run.uri ?? ''), '.table.txt', { test: String(run.test) }));
  }
  const uri = run?.prompt === undefined ? program(argument) : Uri.parse(run.uri ?? '');
  const prompt = run?.prompt;
  await views.open(Views.of('table', uri, '.table.txt', prompt === undefined ? {} : { prompt }));
}

/** Explains a code, or the diagnostic at the cursor, or one chosen from those of the program. */
async function explain(argument: unknown): Promise<void> {
  const active = window.activeTextEditor;
  const code = typeof argument === 'string' ? argument : await codeHere(editor());
  if (code === undefined) return;
  const view = Views.of('explanation', Uri.from({ scheme: 'psl', path: `/${code}` }), '.md', { code });
  await commands.executeCommand('markdown.showPreviewToSide', view);
  // The preview takes the focus: return it to the program.
  if (active) await window.showTextDocument(active.document, active.viewColumn);
}

async function codeHere({ document, selection }: TextEditor): Promise<string | undefined> {
  const found = languages.getDiagnostics(document.uri).filter(({ source, code }) => source === 'psl' && code !== undefined);
  const at = selection.active;
  const [here, onLine] = [found.filter(({ range }) => range.contains(at)), found.filter(({ range }) => range.start.line === at.line)];
  const offered = [here, onLine, found].find(({ length }) => length > 0) ?? [];
  if (offered.length === 0) throw new Error('This program has no diagnostics.');
  const codes = [...new Map(offered.map((it) => [codeOf(it.code), it.message.split('\n')[0] ?? '']))];
  if (codes.length === 1) return codes[0]?.[0];
  const items = codes.map(([label, detail]) => ({ label, detail }));
  return (await window.showQuickPick(items, { title: 'Explain Diagnostic' }))?.label;
}
