// Configurations of the debugger: from launch.json, or for a prompt or a test that the user chooses.
import { isAbsolute, join } from 'node:path';
import {
  debug, type DebugConfiguration, type DebugConfigurationProvider, type DebugSession, type DebugSessionOptions, type Disposable,
  type LogOutputChannel, SourceBreakpoint, type TestRun, type Uri, workspace, type WorkspaceFolder,
} from 'vscode';
import { editor } from './currentProgram';
import type { Chosen } from './prompt';
import { messageOf } from './words';

export class DebugConfigurations implements DebugConfigurationProvider {
  constructor(private readonly ask: (uri: Uri) => Promise<Chosen | undefined>) {}

  /** Without a launch.json, asks for a prompt or a test of the active program. */
  async resolveDebugConfiguration(folder: WorkspaceFolder | undefined, given: DebugConfiguration) {
    if (given.type || given.request || given.name) return withAbsolutePath(folder, given);
    const { uri } = editor().document;
    const chosen = await this.ask(uri);
    return chosen && { ...given, ...configurationOf(uri, chosen) };
  }

  resolveDebugConfigurationWithSubstitutedVariables(_folder: WorkspaceFolder | undefined, given: DebugConfiguration) {
    return { stopEverywhere: workspace.getConfiguration('psl').get<boolean>('debug.stopEverywhere'), ...withText(given) };
  }
}

/** Calls `choose` with the prompt or the test of each session, so that the editor shows the values of the debugged run. */
export function debuggedPrompts(choose: (uri: Uri, chosen: Chosen) => Promise<void>, log: LogOutputChannel): Disposable {
  return debug.onDidStartDebugSession(({ type, configuration: { program, prompt, test } }) => {
    const document = workspace.textDocuments.find(({ uri }) => pathOf(uri) === program);
    const chosen = typeof prompt === 'string' ? { prompt } : { test: test === undefined ? 0 : Number(test) - 1 };
    // A test can be given by its name.
    if (type !== 'psl' || !document || ('test' in chosen && Number.isNaN(chosen.test))) return;
    choose(document.uri, chosen).catch((failure) => log.debug(messageOf(failure)));
  });
}

/** Starts the debugger on a prompt or a test. The program need not be saved. Returns whether it started. */
export function startDebugging(uri: Uri, chosen: Chosen, options: DebugSessionOptions = {}): Thenable<boolean> {
  const allOptions = { suppressSaveBeforeStart: true, ...options };
  return debug.startDebugging(workspace.getWorkspaceFolder(uri), configurationOf(uri, chosen), allOptions);
}

/** Debugs a test until its session ends or the test run is cancelled. Returns whether the session has started and ended. */
export async function debugToTheEnd(uri: Uri, chosen: Chosen, testRun: TestRun): Promise<boolean> {
  let session: DebugSession | undefined;
  const listeners: Disposable[] = [debug.onDidStartDebugSession((started) => {
    if (started.type === 'psl') session ??= started;
  })];
  const hasEnded = new Promise<boolean>((resolve) => {
    listeners.push(
      debug.onDidTerminateDebugSession((it) => it === session && resolve(true)),
      testRun.token.onCancellationRequested(() => resolve(false)),
    );
  });
  try {
    return (await startDebugging(uri, chosen, { testRun })) && (await hasEnded);
  } finally {
    listeners.forEach((listener) => listener.dispose());
  }
}

/** The configuration with the text of the program, if that is not saved. */
export function withText(given: DebugConfiguration): DebugConfiguration {
  const document = workspace.textDocuments.find(({ uri }) => pathOf(uri) === given.program);
  const isNewer = document && (document.isDirty || document.uri.scheme !== 'file');
  // Undefined overrides the text of an earlier launch.
  return { ...given, text: isNewer ? document.getText() : undefined };
}

function configurationOf(uri: Uri, chosen: Chosen): DebugConfiguration {
  return {
    type: 'psl',
    request: 'launch',
    name: `Debug ${uri.path.split('/').pop()}`,
    program: pathOf(uri),
    ...('test' in chosen ? { test: chosen.test + 1 } : chosen),
    // Without a breakpoint, the run would stop at its end.
    stopOnEntry: !debug.breakpoints.some((breakpoint) => breakpoint.enabled && stopsIn(uri, breakpoint)),
  };
}

const stopsIn = (uri: Uri, breakpoint: object): boolean =>
  !(breakpoint instanceof SourceBreakpoint)
  || (breakpoint.location.uri.toString() === uri.toString() && breakpoint.logMessage === undefined);

/** The debugger names an untitled program by its URI. */
export const pathOf = (uri: Uri): string => (uri.scheme === 'file' ? uri.fsPath : uri.toString());

function withAbsolutePath(folder: WorkspaceFolder | undefined, given: DebugConfiguration): DebugConfiguration {
  const program: unknown = given.program;
  const isRelative = typeof program === 'string' && !program.startsWith('$') && !isAbsolute(program);
  return folder && isRelative ? { ...given, program: join(folder.uri.fsPath, program) } : given;
}
