// Starts the debug adapter, and gives it the current text at a restart.
import {
  commands, debug, DebugAdapterExecutable, type DebugConfiguration, type DebugSession, type Disposable, workspace,
} from 'vscode';
import { withText } from './debugConfigurations';
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

/** Registers the debug adapter: the executable of the language server. */
export function debugAdapter(server: Server): Disposable[] {
  return [
    debug.onDidStartDebugSession(openViews),
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
