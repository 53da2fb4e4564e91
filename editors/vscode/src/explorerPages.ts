// The pages of the explorer, each beside its program. A page follows the edits, and a click on a line moves the cursor.
import { type Disposable, Range, type Uri, ViewColumn, type WebviewPanel, window, workspace } from 'vscode';
import type { RunArguments } from './protocol';
import type { Server } from './server';

/** Pause in typing before a page is updated. */
const PAUSE_MS = 200;

interface Page {
  panel: WebviewPanel;
  /** The prompt or test that it was opened on. The page keeps its prompt while updates repeat this one. */
  open: unknown;
  pause?: NodeJS.Timeout;
}

export class ExplorerPages implements Disposable {
  private readonly pages = new Map<string, Page>();
  private readonly listener = workspace.onDidChangeTextDocument(({ document }) => this.updateSoon(document.uri));

  constructor(private readonly server: Server) {}

  /** Opens a page on a prompt or a test: by default, on the last prompt that was run, or else on the first test. */
  async show(uri: Uri, { prompt, test }: Omit<RunArguments, 'uri'> = {}): Promise<void> {
    const argument = { uri: uri.toString(), prompt, test, page: true };
    const { html, open } = await this.server.request<{ html: string; open?: unknown }>('psl.explore', argument);
    const page = this.pages.get(uri.toString()) ?? this.create(uri);
    page.open = open;
    page.panel.webview.html = html;
    page.panel.reveal(undefined, true);
  }

  private create(uri: Uri): Page {
    const key = uri.toString();
    const name = uri.path.split('/').pop() ?? '';
    // Most of a page's state is only in its memory.
    const options = { enableScripts: true, retainContextWhenHidden: true, localResourceRoots: [] };
    const place = { viewColumn: ViewColumn.Beside, preserveFocus: true };
    const panel = window.createWebviewPanel('psl.explorer', `Explore ${name}`, place, options);
    const page: Page = { panel, open: undefined };
    this.pages.set(key, page);
    panel.onDidDispose(() => {
      clearTimeout(page.pause);
      this.pages.delete(key);
    });
    panel.webview.onDidReceiveMessage(({ reveal }: { reveal?: { line?: unknown } }) => {
      if (typeof reveal?.line === 'number') void showLine(uri, reveal.line);
    });
    return page;
  }

  private updateSoon(uri: Uri): void {
    const page = this.pages.get(uri.toString());
    if (!page) return;
    clearTimeout(page.pause);
    page.pause = setTimeout(() => void this.update(uri, page), PAUSE_MS);
  }

  /** Sends the current program. Without a server, the page keeps the last one. */
  private async update(uri: Uri, { panel, open }: Page): Promise<void> {
    try {
      const { program } = await this.server.request<{ program: object }>('psl.explore', { uri: uri.toString(), page: 'data' });
      await panel.webview.postMessage({ program: { ...program, open } });
    } catch (failure) {
      this.server.log.warn(String(failure));
    }
  }

  dispose(): void {
    this.listener.dispose();
    this.pages.forEach(({ panel }) => panel.dispose());
  }
}

/** Moves the cursor to a 1-based line, in the column of the program. The page keeps the focus. */
async function showLine(uri: Uri, line: number): Promise<void> {
  const document = await workspace.openTextDocument(uri);
  const shown = window.visibleTextEditors.find((editor) => editor.document === document);
  const start = document.lineAt(Math.min(Math.max(line, 1), document.lineCount) - 1).range.start;
  const place = { viewColumn: shown?.viewColumn ?? ViewColumn.One, preserveFocus: true, selection: new Range(start, start) };
  await window.showTextDocument(document, place);
}
