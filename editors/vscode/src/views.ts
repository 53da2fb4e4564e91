// Read-only documents beside a program: QKVL, tables and explanations from the server.
import { type Disposable, EventEmitter, type TextDocumentContentProvider, Uri, ViewColumn, window, workspace } from 'vscode';
import { messageOf } from './words';

export const SCHEME = 'psl-view';

/** Pause in typing before a view is updated. */
const PAUSE_MS = 200;

/** Computes the text of a view. */
type Compute = (view: Uri) => Promise<string>;

export class Views implements TextDocumentContentProvider, Disposable {
  private readonly changed = new EventEmitter<Uri>();
  private readonly computations = new Map<string, Compute>();
  /** The last text of each view. */
  private readonly texts = new Map<string, string>();
  /** The texts computed before their view opened. */
  private readonly fresh = new Map<string, string>();
  private readonly pauses = new Map<string, NodeJS.Timeout>();
  readonly onDidChange = this.changed.event;
  private readonly disposables = [
    this.changed,
    workspace.registerTextDocumentContentProvider(SCHEME, this),
    workspace.onDidChangeTextDocument(({ document }) => this.updateSoon(document.uri)),
    workspace.onDidCloseTextDocument(({ uri }) => {
      if (uri.scheme === SCHEME) this.texts.delete(uri.toString());
    }),
  ];

  /** Registers a kind of view. The path of a view is `/KIND/FILE`. */
  register(kind: string, compute: Compute): void {
    this.computations.set(kind, compute);
  }

  /** The URI of a view of a program. Its file name ends in `suffix`. */
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

  /** Opens a view beside the program. Throws an error if its text cannot be computed. */
  async open(view: Uri): Promise<void> {
    const key = view.toString();
    this.fresh.set(key, await this.compute(view));
    const document = await workspace.openTextDocument(view);
    // A view that was already open has not requested its text.
    if (this.fresh.has(key)) this.changed.fire(view);
    await window.showTextDocument(document, { viewColumn: ViewColumn.Beside, preserveFocus: true, preview: true });
  }

  /** While the program does not compile, a view keeps its last text. */
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

  private updateSoon(program: Uri): void {
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
