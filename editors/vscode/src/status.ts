// The item in the status bar shows the server, its version and its state. A click opens a menu.
import { commands, type Disposable, MarkdownString, StatusBarAlignment, ThemeColor, window } from 'vscode';
import type { Server, State } from './server';

const SHOWN: Record<State, { icon: string; words: string }> = {
  starting: { icon: 'loading~spin', words: 'starting' },
  ready: { icon: 'check', words: 'ready' },
  testing: { icon: 'sync~spin', words: 'running tests' },
  gone: { icon: 'error', words: 'not running' },
};

/** Shorter test runs are not shown. */
const NOTICED_MS = 300;

export function statusItem(server: Server): Disposable {
  const item = window.createStatusBarItem('psl.status', StatusBarAlignment.Right, 100);
  item.name = 'PSL';
  item.command = 'psl.serverMenu';
  let delayed: NodeJS.Timeout | undefined;
  const show = () => {
    clearTimeout(delayed);
    const { icon, words } = SHOWN[server.state];
    item.text = `$(${icon}) PSL`;
    item.accessibilityInformation = { label: `PSL server: ${words}` };
    item.backgroundColor = server.state === 'gone' ? new ThemeColor('statusBarItem.errorBackground') : undefined;
    const program = server.program;
    const which = program ? `psl ${program.version}, ${program.source}\n\n\`${program.command}\`` : 'psl was not found.';
    item.tooltip = new MarkdownString(`**PSL server: ${words}**\n\n${which}`);
  };
  const changed = server.onDidChange(() => {
    clearTimeout(delayed);
    if (server.state === 'testing') delayed = setTimeout(show, NOTICED_MS);
    else show();
  });
  show();
  item.show();
  return { dispose: () => (clearTimeout(delayed), changed.dispose(), item.dispose()) };
}

export async function serverMenu(server: Server): Promise<void> {
  const { words } = SHOWN[server.state];
  const choices = [
    { label: '$(output) Show Log', run: () => server.log.show() },
    { label: '$(debug-restart) Restart Server', run: () => server.restart() },
    {
      label: '$(gear) Open Settings',
      run: () => commands.executeCommand('workbench.action.openSettings', '@ext:psl-tools.psl'),
    },
  ];
  const title = server.program ? `psl ${server.program.version}: ${words}` : `PSL server: ${words}`;
  const chosen = await window.showQuickPick(choices, { title });
  await chosen?.run();
}
