// What the server makes of a program, as read-only documents beside it: QKVL, weights, tables, explanations.
import { type Disposable, EventEmitter, type TextDocumentContentProvider, Uri, workspace } from 'vscode';
import { messageOf } from './words';

export const SCHEME = 'psl-view';

/** Typing pauses for so long before a view is computed anew. */
const PAUSE_MS = 200;

/** Computes the text of a view. */
type Compute = (view: Uri) => Promise<string>;

export class Views implements TextDocumentContentProvider, Disposable {
  private readonly changed = new EventEmitter<Uri>();
  private readonly computations = new Map<string, Compute>();
  private readonly texts = new Map<string, string>();
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

  /** While a program cannot be compiled, a view keeps what it showed. */
  async provideTextDocumentContent(view: Uri): Promise<string> {
    const compute = this.computations.get(view.path.split('/')[1] ?? '');
    try {
      const text = (await compute?.(view)) ?? '';
      this.texts.set(view.toString(), text);
      return text;
    } catch (failure) {
      return this.texts.get(view.toString()) ?? messageOf(failure);
    }
  }

  renew(view: Uri): void {
    this.changed.fire(view);
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
      views.filter(({ isClosed }) => !isClosed).forEach(({ uri }) => this.renew(uri));
    }, PAUSE_MS));
  }

  dispose(): void {
    this.pauses.forEach((pause) => clearTimeout(pause));
    this.disposables.forEach((it) => it.dispose());
  }
}
