// QKVL beside its program. Both scroll together, and the layer at the cursor is highlighted on both sides.
import {
  type Disposable, Range, type TextEditor, TextEditorRevealType, ThemeColor, type Uri, window, workspace,
} from 'vscode';
import { toRange } from './convert';
import type { CompiledQkvl } from './protocol';
import type { Server } from './server';
import { SCHEME, Views } from './views';

const KIND = 'qkvl';
/** Scroll events of an editor within this time come from this extension or from opening the editor. */
const ECHO_MS = 300;

const highlight = window.createTextEditorDecorationType({
  isWholeLine: true,
  backgroundColor: new ThemeColor('editor.rangeHighlightBackground'),
});

interface Layer {
  program: Range;
  text: Range;
}

type Side = keyof Layer;
const other = (side: Side): Side => (side === 'program' ? 'text' : 'program');

export class Qkvl implements Disposable {
  /** The layers of each program with a view, from the last compilation. */
  private readonly layers = new Map<string, Layer[]>();
  /** The time at which each editor was last scrolled from here, or first seen. */
  private readonly moved = new WeakMap<TextEditor, number>();
  private readonly listeners: Disposable[];

  constructor(
    server: Server,
    private readonly views: Views,
  ) {
    views.register(KIND, async (view) => {
      const program = Views.program(view);
      const { text, layers } = await server.request<CompiledQkvl>('psl.compile', { uri: program.toString(), emit: 'qkvl' });
      this.layers.set(program.toString(), layers.map((layer) => ({ program: toRange(layer.range), text: toRange(layer.text) })));
      return text;
    });
    this.listeners = [
      highlight,
      window.onDidChangeTextEditorSelection(({ textEditor }) => this.follow(textEditor)),
      window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => this.scroll(textEditor)),
      // A new text moves the layers.
      workspace.onDidChangeTextDocument(({ document }) => {
        if (document.uri.scheme === SCHEME && window.activeTextEditor) this.follow(window.activeTextEditor);
      }),
      window.onDidChangeVisibleTextEditors(() => this.clean()),
    ];
  }

  async show(program: Uri): Promise<void> {
    await this.views.open(Views.of(KIND, program, '.qkvl.json'));
    const editor = window.visibleTextEditors.find(({ document: { uri } }) => uri.toString() === program.toString());
    if (editor) this.follow(editor);
  }

  /** The two sides of an editor that shows a view, or a program with a view. */
  private sides(editor: TextEditor): { side: Side; counterparts: TextEditor[]; layers: Layer[] } | undefined {
    const { uri } = editor.document;
    const isView = (it: Uri) => it.scheme === SCHEME && it.path.startsWith(`/${KIND}/`);
    const side: Side = isView(uri) ? 'text' : 'program';
    const program = (side === 'text' ? Views.program(uri) : uri).toString();
    const counterparts = window.visibleTextEditors.filter(({ document }) =>
      side === 'text' ? document.uri.toString() === program : isView(document.uri) && Views.program(document.uri).toString() === program);
    const layers = this.layers.get(program);
    return layers && counterparts.length > 0 ? { side, counterparts, layers } : undefined;
  }

  private follow(editor: TextEditor): void {
    const found = this.sides(editor);
    if (!found || editor !== window.activeTextEditor) return;
    const { side, counterparts, layers } = found;
    const cursor = editor.selection.active;
    const here = layers.find((layer) => layer[side].start.line <= cursor.line && cursor.line <= layer[side].end.line);
    editor.setDecorations(highlight, here ? [here[side]] : []);
    for (const counterpart of counterparts) {
      counterpart.setDecorations(highlight, here ? [here[other(side)]] : []);
      if (here) this.reveal(counterpart, here[other(side)], TextEditorRevealType.InCenterIfOutsideViewport);
    }
  }

  private scroll(editor: TextEditor): void {
    const found = this.sides(editor);
    const top = editor.visibleRanges[0]?.start.line;
    if (!found || top === undefined) return;
    const moved = this.moved.get(editor) ?? Date.now();
    this.moved.set(editor, moved);
    if (Date.now() - moved < ECHO_MS) return;
    const { side, counterparts, layers } = found;
    const first = layers.find((layer) => layer[side].end.line >= top);
    if (!first) return;
    counterparts.forEach((it) => this.reveal(it, first[other(side)], TextEditorRevealType.AtTop));
  }

  private reveal(editor: TextEditor, range: Range, how: TextEditorRevealType): void {
    this.moved.set(editor, Date.now());
    editor.revealRange(new Range(range.start, range.start), how);
  }

  /** Removes the highlight from programs whose view was closed. */
  private clean(): void {
    for (const editor of window.visibleTextEditors) {
      if (!this.sides(editor)) editor.setDecorations(highlight, []);
    }
  }

  dispose(): void {
    this.listeners.forEach((it) => it.dispose());
  }
}
