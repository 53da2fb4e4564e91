// The view of all cells while a program is stopped in the debugger. A click on a cell goes there.
import { debug, type DebugSession, type Disposable, Uri, type WebviewView, type WebviewViewProvider, window } from 'vscode';
import { messageOf } from './words';

/** The answer to `psl/table`. Cells are 1-based. */
interface CellTable {
  registers: string[];
  cells: { cell: number; values: { value: string; after?: string }[] }[];
  current: number;
  layer: number | null;
  attends: number | null;
  total: number;
  isChanged: boolean;
}

/** An event or an answer of the debug adapter. */
interface Message {
  type: string;
  event?: string;
  command?: string;
}

export class CellTableView implements WebviewViewProvider, Disposable {
  private view: WebviewView | undefined;
  private readonly registrations = [
    window.registerWebviewViewProvider('psl.cells', this),
    debug.onDidChangeActiveDebugSession((session) => this.update(session)),
    debug.registerDebugAdapterTrackerFactory('psl', {
      createDebugAdapterTracker: (session) => ({
        onDidSendMessage: (message: Message) => showsNewValues(message) && void this.update(session),
      }),
    }),
  ];

  constructor(private readonly media: Uri) {}

  resolveWebviewView(view: WebviewView): void {
    this.view = view;
    view.webview.options = { enableScripts: true, localResourceRoots: [this.media] };
    view.webview.onDidReceiveMessage((message: { ready?: boolean; goTo?: unknown }) => {
      if (message.ready) void this.update(debug.activeDebugSession);
      if (typeof message.goTo === 'number') void goToCell(message.goTo);
    });
    view.onDidDispose(() => {
      this.view = undefined;
    });
    const file = (name: string) => view.webview.asWebviewUri(Uri.joinPath(this.media, name)).toString();
    const policy = `default-src 'none'; style-src ${view.webview.cspSource}; script-src ${view.webview.cspSource}`;
    view.webview.html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>Cells</title>
<link rel="stylesheet" href="${file('cells.css')}">
<p id="note">The cells are shown when the run stops.</p>
<table></table>
<script src="${file('cells.js')}"></script>
</html>`;
  }

  private async update(session: DebugSession | undefined): Promise<void> {
    if (!this.view || session?.type !== 'psl') return;
    try {
      const table: CellTable = await session.customRequest('psl/table');
      await this.view?.webview.postMessage({ table });
    } catch {
      // The session has not started or has ended. The view keeps the last table until it is hidden.
    }
  }

  dispose(): void {
    this.registrations.forEach((registration) => registration.dispose());
  }
}

const showsNewValues = ({ type, event, command }: Message): boolean =>
  (type === 'event' && (event === 'stopped' || event === 'invalidated')) || (type === 'response' && command === 'setVariable');

async function goToCell(cell: number): Promise<void> {
  try {
    await debug.activeDebugSession?.customRequest('evaluate', { expression: `goto cell ${cell}`, context: 'repl' });
  } catch (failure) {
    void window.showErrorMessage(messageOf(failure));
  }
}
