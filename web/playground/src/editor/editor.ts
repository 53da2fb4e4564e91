// The editor of a program: CodeMirror with everything that the language server offers.
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension, Prec } from '@codemirror/state';
import {
  drawSelection, dropCursor, EditorView, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, keymap, lineNumbers,
  rectangularSelection, tooltips,
} from '@codemirror/view';
import { type ReadonlySignal, signal } from '@preact/signals';
import type * as lsp from 'vscode-languageserver-protocol';
import type { LanguageServer } from '../server/languageServer';
import { actions } from './actions';
import { answering } from './answers';
import { applyEdits, reveal } from './apply';
import { newClient } from './client';
import { completion } from './completion';
import { diagnosticExtensions, Diagnostics, type Problem } from './diagnostics';
import { expansion } from './expand';
import { folding } from './folding';
import { format, formatOnType } from './formatting';
import { highlights } from './highlights';
import { hover } from './hover';
import { inlayHints } from './inlayHints';
import { bindings } from './keys';
import { language } from './language';
import { lenses } from './lenses';
import { messages } from './messages';
import { navigation } from './navigation';
import { overLines } from './overLines';
import { popup } from './popup';
import { answers } from './requests';
import { semanticTokens } from './semanticTokens';
import { type Kind, messageOf, type Session, session, uriOf } from './session';
import { signature } from './signature';
import { theme } from './theme';

export type { Problem } from './diagnostics';

/** A program. The uri is `file:///NAME.psl`, with an escaped name. */
export interface Doc { uri: string; text: string }

export interface EditorOptions {
  parent: HTMLElement;
  server: LanguageServer;
  doc: Doc;
  readOnly?: boolean;
  /** After each change of the text by the user or by an edit of the server. */
  onChange(text: string): void;
  /** A lens, an action or a link has a command. */
  onCommand(command: string, args: unknown[]): void;
}

export interface Editor {
  readonly view: EditorView;
  /** Shows another document, with a new history. */
  open(doc: Doc): void;
  text(): string;
  uri(): string;
  /** Runs a command of the server on the text as it is. Rejects with the server's message. */
  execute<T>(command: string, args: unknown[]): Promise<T>;
  /** Sends another request about the text as it is. */
  request<P, R>(method: string, params: P): Promise<R>;
  readonly problems: ReadonlySignal<readonly Problem[]>;
  /** The 1-based line of the cursor. */
  readonly line: ReadonlySignal<number>;
  /** Calls the handler with messages of the server. */
  onMessage(handler: (kind: Kind, text: string) => void): void;
  /** Moves the cursor to a 1-based line and column. */
  reveal(line: number, column?: number): void;
  format(): Promise<void>;
  /** Applies edits of the server to the text as one step. */
  apply(edits: readonly lsp.TextEdit[]): void;
  focus(): void;
  destroy(): void;
}

const KINDS: Record<number, Kind> = { 1: 'error', 2: 'warning' };

const basics: Extension = [
  lineNumbers(), highlightSpecialChars(), history(), drawSelection(), dropCursor(), rectangularSelection(), highlightActiveLine(),
  highlightActiveLineGutter(), highlightSelectionMatches(), search({ top: true }), EditorState.allowMultipleSelections.of(true),
  tooltips({ position: 'fixed' }),
  EditorView.contentAttributes.of({
    'aria-label': 'Program',
    'aria-description': 'Tab indents. To leave the editor, press Escape and then Tab.',
    autocorrect: 'off', autocapitalize: 'off', spellcheck: 'false',
  }),
];

const keys: Extension = [
  Prec.high(keymap.of(bindings)),
  keymap.of([...searchKeymap, ...historyKeymap, ...defaultKeymap, indentWithTab]),
];

export function createEditor({ parent, server, doc, readOnly = false, onChange, onCommand }: EditorOptions): Editor {
  const diagnostics = new Diagnostics();
  const line = signal(1);
  const handlers: ((kind: Kind, text: string) => void)[] = [];
  let made: EditorView | null = null;
  const client = newClient({
    diagnostics: (it, params) => diagnostics.publish(it, params),
    message: ({ type, message }) => {
      for (const handler of handlers) handler(KINDS[type] ?? 'info', message);
    },
  });
  client.connect(answering(server.transport, answers(() => made)));

  const shared: Session = {
    client,
    command: onCommand,
    say: (kind, text) => { if (made) messages.say(made, kind, text); },
  };
  const follow = EditorView.updateListener.of(({ docChanged, selectionSet, state }) => {
    if (docChanged) {
      // At once, so that the diagnostics come with the key.
      client.sync();
      onChange(state.doc.toString());
    }
    if (docChanged || selectionSet) line.value = state.doc.lineAt(state.selection.main.head).number;
  });
  const stateOf = ({ uri, text }: Doc): EditorState => EditorState.create({
    doc: text,
    extensions: [
      session.of(shared), client.plugin(uri, 'psl'), follow, EditorState.readOnly.of(readOnly), popup, messages.extension, basics, language, overLines,
      semanticTokens, diagnosticExtensions, actions, completion, hover, signature, inlayHints, lenses, folding, highlights, navigation,
      expansion, formatOnType, keys, theme,
    ],
  });
  const view = new EditorView({ state: stateOf(doc), parent });
  made = view;

  const request = async <P, R>(method: string, params: P): Promise<R> => {
    client.sync();
    try {
      return await client.request<P, R>(method, params);
    } catch (failure) {
      throw new Error(messageOf(failure), { cause: failure });
    }
  };
  return {
    view,
    open(next) {
      diagnostics.clear();
      view.setState(stateOf(next));
      line.value = 1;
    },
    text: () => view.state.doc.toString(),
    uri: () => uriOf(view),
    execute: (command, args) => request('workspace/executeCommand', { command, arguments: args }),
    request,
    problems: diagnostics.problems,
    line,
    onMessage: (handler) => { handlers.push(handler); },
    reveal(number, column = 1) {
      const { doc: text } = view.state;
      const at = text.line(Math.min(Math.max(number, 1), text.lines));
      reveal(view, Math.min(at.from + Math.max(column, 1) - 1, at.to));
    },
    format: () => format(view),
    apply: (edits) => applyEdits(view, edits, 'input.server'),
    focus: () => view.focus(),
    destroy() {
      view.destroy();
      client.disconnect();
    },
  };
}
