// The open documents as the client has sent them, to open them again in a new worker.
import { Text } from '@codemirror/state';

interface Place { line: number; character: number }
interface Change { range?: { start: Place; end: Place }; text: string }
interface Open { languageId: string; version: number; text: Text }

const lines = (text: string): Text => Text.of(text.split(/\r\n?|\n/));

const offset = (text: Text, { line, character }: Place): number => {
  if (line >= text.lines) return text.length;
  const { from, to } = text.line(line + 1);
  return Math.min(from + character, to);
};

export class OpenDocuments {
  private readonly open = new Map<string, Open>();

  /** Notes what a notification of the client changes. */
  note(method: string, message: string): void {
    if (!/^textDocument\/did(Open|Change|Close)$/.test(method)) return;
    const { params: { textDocument: document, contentChanges = [] } } = JSON.parse(message) as {
      params: { textDocument: { uri: string; version: number; languageId: string; text: string }; contentChanges?: Change[] };
    };
    const known = this.open.get(document.uri);
    if (method.endsWith('Open')) {
      this.open.set(document.uri, { languageId: document.languageId, version: document.version, text: lines(document.text) });
    } else if (method.endsWith('Close')) {
      this.open.delete(document.uri);
    } else if (known) {
      known.version = document.version;
      known.text = contentChanges.reduce((text, change) => {
        if (!change.range) return lines(change.text);
        return text.replace(offset(text, change.range.start), offset(text, change.range.end), lines(change.text));
      }, known.text);
    }
  }

  /** The version of a document. */
  version(uri: string): number | undefined {
    return this.open.get(uri)?.version;
  }

  /** Notifications that open all documents. */
  *openings(): Generator<string> {
    for (const [uri, { languageId, version, text }] of this.open) {
      const textDocument = { uri, languageId, version, text: text.toString() };
      yield JSON.stringify({ jsonrpc: '2.0', method: 'textDocument/didOpen', params: { textDocument } });
    }
  }
}
