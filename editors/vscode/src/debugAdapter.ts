// Starts the debug adapter, and gives it the current text at a restart.
import {
  commands, debug, DebugAdapterExecutable, type DebugConfiguration, type DebugSession, type Disposable, type TextDocument, workspace,
} from 'vscode';
import { pathOf, withText } from './debugConfigurations';
import type { Server } from './server';

interface Restart {
  command?: string;
  arguments?: { arguments?: DebugConfiguration };
}

/** Opens the views of a session. The editor opens only its own views, and only at breakpoints. */
async function openViews({ type, configuration }: DebugSession): Promise<void> {
  const stays = configuration.noDebug === true || workspace.getConfiguration('debug').get('openDebug') === 'neverOpen';
  if (type !== 'psl' || stays) return;
  await commands.executeCommand('workbench.view.debug');
  await commands.executeCommand('psl.cells.focus', { preserveFocus: true });
  await commands.executeCommand('workbench.action.focusActiveEditorGroup');
}

const sessions = new Set<DebugSession>();

/** Reports the text of a debugged program, saved or not: the frames show the text that runs. */
function reportText({ uri }: TextDocument, text: string | null): void {
  for (const session of sessions) {
    // A session that is ending needs no text.
    if (session.configuration.program === pathOf(uri)) session.customRequest('psl/text', { text }).then(undefined, () => undefined);
  }
}

/** Registers the debug adapter: the executable of the language server. */
export function debugAdapter(server: Server): Disposable[] {
  return [
    debug.onDidStartDebugSession(openViews),
    debug.onDidStartDebugSession((session) => session.type === 'psl' && sessions.add(session)),
    debug.onDidTerminateDebugSession((session) => sessions.delete(session)),
    workspace.onDidChangeTextDocument(({ document }) => reportText(document, document.getText())),
    workspace.onDidCloseTextDocument((document) => reportText(document, null)),
    debug.registerDebugAdapterDescriptorFactory('psl', {
      createDebugAdapterDescriptor: async () => new DebugAdapterExecutable(await server.command(), ['dap']),
    }),
    debug.registerDebugAdapterTrackerFactory('psl', {
      createDebugAdapterTracker: () => ({
        onWillReceiveMessage(message: Restart) {
          // The editor repeats the arguments of the launch, including the old text.
          const launched = message.command === 'restart' ? message.arguments?.arguments : undefined;
          if (launched) message.arguments = { arguments: withText(launched) };
        },
      }),
    }),
  ];
}
