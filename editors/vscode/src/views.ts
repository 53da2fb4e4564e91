// What the server makes of a program, as read-only documents beside it: QKVL, weights, tables, explanations.
import { type Disposable, EventEmitter, type TextDocumentContentProvider, Uri, ViewColumn, window, workspace } from 'vscode';
import { messageOf } from './words';

export const SCHEME = 'psl-view';

/** Typing pauses for so long before a view is computed anew. */
const PAUSE_MS = 200;

/** Computes the text of a view. */
type Compute = (view: Uri) => Promise<string>;

export class Views implements TextDocumentContentProvider, Disposable {
  private readonly changed = new EventEmitter<Uri>();
  private readonly computations = new Map<string, Compute>();
  /** What each view showed last. */
  private readonly texts = new Map<string, string>();
  /** What was computed before a view opened. */
  private readonly fresh = new Map<string, string>();
  private readonly pauses = new Map<string, NodeJS.Timeout>();
  readonly onDidChange = this.changed.event;
  private readonly disposables = [
    this.changed,
    workspace.registerTextDocumentContentProvider(SCHEME, this),
    workspace.onDidChangeTextDocument(({ document }) => this.renewSoon(document.uri)),
    workspace.onDidCloseTextDocument(({ uri }) => {
      if (uri.scheme === SCHEME) this.texts.delete(uri.toString());
    }),
  ];

  /** The kind of a view stands in its path, before the name of the file. */
  register(kind: string, compute: Compute): void {
    this.computations.set(kind, compute);
  }

  /** The address of a view of a program; its file name ends in `suffix`. */
  static of(kind: string, program: Uri, suffix: string, more: Record<string, string> = {}): Uri {
    const name = program.path.split('/').pop()?.replace(/\.psl$/, '') || 'program';
    const query = new URLSearchParams({ program: program.toString(), ...more }).toString();
    return Uri.from({ scheme: SCHEME, path: `/${kind}/${name}${suffix}`, query });
  }

  /** The program of a view. */
  static program(view: Uri): Uri {
    return Uri.parse(new URLSearchParams(view.query).get('program') ?? '');
  }

  static parameter(view: Uri, name: string): string | undefined {
    return new URLSearchParams(view.query).get(name) ?? undefined;
  }

  /** Opens a view beside the program. Throws an error where there is nothing to show. */
  async open(view: Uri): Promise<void> {
    const key = view.toString();
    this.fresh.set(key, await this.compute(view));
    const document = await workspace.openTextDocument(view);
    // One that was open already has not asked for its text.
    if (this.fresh.has(key)) this.changed.fire(view);
    await window.showTextDocument(document, { viewColumn: ViewColumn.Beside, preserveFocus: true, preview: true });
  }

  /** While a program cannot be compiled, a view keeps what it showed. */
  async provideTextDocumentContent(view: Uri): Promise<string> {
    const key = view.toString();
    try {
      const text = this.fresh.get(key) ?? (await this.compute(view));
      this.fresh.delete(key);
      this.texts.set(key, text);
      return text;
    } catch (failure) {
      return this.texts.get(key) ?? messageOf(failure);
    }
  }

  private async compute(view: Uri): Promise<string> {
    return (await this.computations.get(view.path.split('/')[1] ?? '')?.(view)) ?? '';
  }

  private renewSoon(program: Uri): void {
    if (program.scheme === SCHEME) return;
    const views = workspace.textDocuments.filter(
      ({ uri }) => uri.scheme === SCHEME && Views.program(uri).toString() === program.toString(),
    );
    if (views.length === 0) return;
    const key = program.toString();
    clearTimeout(this.pauses.get(key));
    this.pauses.set(key, setTimeout(() => {
      this.pauses.delete(key);
      views.filter(({ isClosed }) => !isClosed).forEach(({ uri }) => this.changed.fire(uri));
    }, PAUSE_MS));
  }

  dispose(): void {
    this.pauses.forEach((pause) => clearTimeout(pause));
    this.disposables.forEach((it) => it.dispose());
  }
}
