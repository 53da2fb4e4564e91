// What the extensions of an editor share: the client, and what the page wants to know.
import { type ChangeDesc, Facet, type Text } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { type LSPClient, LSPPlugin } from '@codemirror/lsp-client';
import type * as lsp from 'vscode-languageserver-protocol';
import { offsetOf } from './text/edits';

export type Kind = 'error' | 'warning' | 'info';

export interface Session {
  readonly client: LSPClient;
  /** Runs a command of a lens, an action or a link. */
  command(command: string, args: unknown[]): void;
  /** Shows a message to the user. */
  say(kind: Kind, text: string): void;
}

export const session = Facet.define<Session, Session | null>({ combine: ([first]) => first ?? null });

export const messageOf = (failure: unknown): string =>
  typeof failure === 'object' && failure !== null && 'message' in failure ? String(failure.message) : String(failure);

/** An answer about a document that may have changed since the question. */
export class Answer<R> {
  constructor(
    readonly result: R,
    /** The changes since the question. */
    readonly changes: ChangeDesc | null,
    private readonly asked: Text,
    readonly now: Text,
  ) {}

  /** Whether the document is still the one of the question. */
  get unchanged(): boolean {
    return this.changes?.empty ?? true;
  }

  /** The offset in the document of today. */
  at(position: lsp.Position, assoc = -1): number {
    const offset = offsetOf(this.asked, position);
    return this.changes === null || this.changes.empty ? offset : this.changes.mapPos(offset, assoc);
  }

  /** The range in the document of today, or null if it was deleted. */
  range({ start, end }: lsp.Range): { from: number; to: number } | null {
    const [from, to] = [this.at(start, 1), this.at(end, -1)];
    return from <= to ? { from, to } : null;
  }
}

/**
 * Sends a request about the open document, after its changes, and hands the answer to `use`. Does not call it if there is no answer, or
 * if another document was opened meanwhile. Rejects with the reason of the server.
 */
export async function ask<R, T>(
  view: EditorView, method: string, params: object, use: (answer: Answer<NonNullable<R>>) => T,
): Promise<T | null> {
  const plugin = LSPPlugin.get(view);
  if (plugin === null) return null;
  const { client, uri } = plugin;
  client.sync();
  const asked = view.state.doc;
  return client.withMapping(async (mapping) => {
    const about = { textDocument: { uri }, ...params };
    const result = await client.request<object, R | null>(method, about);
    if (result === null || result === undefined || LSPPlugin.get(view) !== plugin) return null;
    return use(new Answer(result as NonNullable<R>, mapping.getMapping(uri), asked, view.state.doc));
  });
}

/** Like {@link ask}, and shows why the server refuses. */
export async function askOrSay<R, T>(
  view: EditorView, method: string, params: object, use: (answer: Answer<NonNullable<R>>) => T,
): Promise<T | null> {
  try {
    return await ask<R, T>(view, method, params, use);
  } catch (failure) {
    view.state.facet(session)?.say('error', messageOf(failure));
    return null;
  }
}

/** Whether the server offers something. Unknown before it is ready, and then true. */
export const offers = (view: EditorView, what: keyof lsp.ServerCapabilities): boolean => {
  const known = view.state.facet(session)?.client.serverCapabilities;
  return known === null || known === undefined || Boolean(known[what]);
};

export const uriOf = (view: EditorView): string => LSPPlugin.get(view)?.uri ?? '';
