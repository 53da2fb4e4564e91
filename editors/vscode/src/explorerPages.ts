// The pages of the explorer, each beside its program: whole, or the weights alone. A page follows the edits and the cursor, and a
// click on a line moves the cursor.
import { Disposable, Range, type Uri, ViewColumn, type WebviewPanel, window, workspace } from 'vscode';
import type { Chosen } from './prompt';
import type { RunArguments } from './protocol';
import type { Server } from './server';

/** Pause in typing before a page is updated. */
const PAUSE_MS = 200;

/** A prompt or test, and the continuation that is expected of a prompt. */
interface First { open?: unknown; gold?: string }

interface Page {
  panel: WebviewPanel;
  /** What it was opened on. The page keeps its prompt while updates repeat this one. */
  first: First;
  pause?: NodeJS.Timeout;
  /** The program and the part of the page. */
  uri: Uri;
  part: Part;
  /** The line of the cursor that the page has followed. */
  line: number | undefined;
}

type Part = 'whole' | 'weights';

const TITLES = { whole: 'Explore', weights: 'Weights of' };

export class ExplorerPages implements Disposable {
  private readonly pages = new Map<string, Page>();
  private readonly listeners = Disposable.from(
    workspace.onDidChangeTextDocument(({ document }) => this.of(document.uri).forEach((page) => this.updateSoon(page))),
    window.onDidChangeTextEditorSelection(({ textEditor }) => this.of(textEditor.document.uri).forEach(follow)),
  );

  /** `choose` makes a prompt that was run in a page the current one. */
  constructor(
    private readonly server: Server,
    private readonly choose: (uri: Uri, chosen: Chosen) => Promise<void>,
  ) {}

  /**
   * Opens a page on a prompt or a test, or else on the current prompt and at the production of the cursor.
   */
  async show(uri: Uri, { prompt, test }: Omit<RunArguments, 'uri'> = {}, part: Part = 'whole'): Promise<void> {
    const argument = { uri: uri.toString(), prompt, test, page: true };
    const { html, ...first } = await this.server.request<{ html: string } & First>('psl.explore', argument);
    const page = this.pages.get(keyOf(uri, part)) ?? this.create(uri, part);
    page.first = first;
    // A run that was asked for starts at its own place.
    page.line = prompt === undefined && test === undefined ? undefined : cursorIn(uri);
    page.panel.webview.html = html;
    page.panel.reveal(undefined, true);
  }

  private of(uri: Uri): Page[] {
    return [...this.pages.values()].filter((page) => page.uri.toString() === uri.toString());
  }

  private create(uri: Uri, part: Part): Page {
    const key = keyOf(uri, part);
    const name = uri.path.split('/').pop() ?? '';
    // Most of a page's state is only in its memory.
    const options = { enableScripts: true, retainContextWhenHidden: true, localResourceRoots: [] };
    const place = { viewColumn: ViewColumn.Beside, preserveFocus: true };
    const panel = window.createWebviewPanel('psl.explorer', `${TITLES[part]} ${name}`, place, options);
    const page: Page = { panel, first: {}, uri, part, line: undefined };
    this.pages.set(key, page);
    panel.onDidDispose(() => {
      clearTimeout(page.pause);
      this.pages.delete(key);
    });
    type Message = { ready?: unknown; reveal?: { line?: unknown }; ran?: string | { test?: unknown } };
    panel.webview.onDidReceiveMessage(({ ready, reveal, ran }: Message) => {
      if (typeof ran === 'string') void this.note(uri, { prompt: ran });
      else if (typeof ran?.test === 'number') void this.note(uri, { test: ran.test });
      if (typeof reveal?.line === 'number') void showLine(uri, reveal.line);
      if (ready !== true) return;
      if (part !== 'whole') void panel.webview.postMessage({ alone: part });
      follow(page);
    });
    return page;
  }

  private async note(uri: Uri, chosen: Chosen): Promise<void> {
    await this.choose(uri, chosen).catch((failure) => this.server.log.debug(String(failure)));
  }

  private updateSoon(page: Page): void {
    clearTimeout(page.pause);
    page.pause = setTimeout(() => void this.update(page), PAUSE_MS);
  }

  /** Sends the current program. Without a server, the page keeps the last one. */
  private async update({ uri, panel, first }: Page): Promise<void> {
    try {
      const { program } = await this.server.request<{ program: object }>('psl.explore', { uri: uri.toString(), page: 'data' });
      await panel.webview.postMessage({ program: { ...program, ...first } });
    } catch (failure) {
      this.server.log.warn(String(failure));
    }
  }

  dispose(): void {
    this.listeners.dispose();
    this.pages.forEach(({ panel }) => panel.dispose());
  }
}

const keyOf = (uri: Uri, part: Part): string => `${part} ${uri.toString()}`;

/** The 1-based line of the cursor in a program that an editor shows. */
function cursorIn(uri: Uri): number | undefined {
  const shown = window.visibleTextEditors.find((editor) => editor.document.uri.toString() === uri.toString());
  return shown && shown.selection.active.line + 1;
}

/** Sends the line of the cursor to a page, if it has moved. */
function follow(page: Page): void {
  const line = cursorIn(page.uri);
  if (line === undefined || line === page.line) return;
  page.line = line;
  void page.panel.webview.postMessage({ line });
}

/** Moves the cursor to a 1-based line, in the column of the program. The page keeps the focus. */
async function showLine(uri: Uri, line: number): Promise<void> {
  const document = await workspace.openTextDocument(uri);
  const shown = window.visibleTextEditors.find((editor) => editor.document === document);
  const start = document.lineAt(Math.min(Math.max(line, 1), document.lineCount) - 1).range.start;
  const place = { viewColumn: shown?.viewColumn ?? ViewColumn.One, preserveFocus: true, selection: new Range(start, start) };
  await window.showTextDocument(document, place);
}
