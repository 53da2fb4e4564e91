// Results after the lines that were run, until the program changes.
import {
  type Disposable, MarkdownString, Range, type TextEditor, ThemeColor, type Uri, window, workspace,
} from 'vscode';
import type { RunResult } from './protocol';
import { duration, shortened, stopReason } from './words';

const decoration = window.createTextEditorDecorationType({
  after: { margin: '0 0 0 2em', color: new ThemeColor('editorCodeLens.foreground') },
});

/** Longer prompts and continuations are shortened. The hover shows them in full. */
const LONGEST = 40;

interface Shown {
  line: number;
  text: string;
  details: MarkdownString;
}

export class Results implements Disposable {
  private readonly byDocument = new Map<string, Map<number, Shown>>();
  private readonly listeners = [
    window.onDidChangeVisibleTextEditors((editors) => editors.forEach((editor) => this.draw(editor))),
    workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0) this.clear(document.uri);
    }),
    workspace.onDidCloseTextDocument(({ uri }) => this.byDocument.delete(uri.toString())),
  ];

  /** Shows the result of a prompt after a 0-based line. */
  show(uri: Uri, line: number, prompt: string, { continuation, stopped, seconds, note }: RunResult): void {
    const parts = [stopReason(stopped), duration(seconds), shortened(prompt, LONGEST)];
    // The lens above the line shows the continuation.
    if (!workspace.getConfiguration('editor', uri).get('codeLens')) parts.unshift(`⇒ ${shortened(continuation, LONGEST)}`);
    const details = new MarkdownString();
    details.appendText(`Prompt: ${prompt}\n`).appendText(`Continuation: ${continuation}\n`);
    if (note) details.appendText(`${note}\n`);
    const lines = this.byDocument.get(uri.toString()) ?? new Map<number, Shown>();
    this.byDocument.set(uri.toString(), lines.set(line, { line, text: parts.join(' · '), details }));
    this.redraw(uri);
  }

  clear(uri: Uri): void {
    if (this.byDocument.delete(uri.toString())) this.redraw(uri);
  }

  private redraw(uri: Uri): void {
    window.visibleTextEditors.filter(({ document }) => document.uri.toString() === uri.toString())
      .forEach((editor) => this.draw(editor));
  }

  private draw(editor: TextEditor): void {
    const shown = [...(this.byDocument.get(editor.document.uri.toString())?.values() ?? [])];
    editor.setDecorations(decoration, shown.map(({ line, text, details }) => ({
      range: new Range(line, Number.MAX_SAFE_INTEGER, line, Number.MAX_SAFE_INTEGER),
      hoverMessage: details,
      renderOptions: { after: { contentText: text } },
    })));
  }

  dispose(): void {
    this.listeners.forEach((listener) => listener.dispose());
    decoration.dispose();
  }
}
