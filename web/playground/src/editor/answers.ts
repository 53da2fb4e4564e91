// The transport between the client and the server. It answers the requests of the server, which the client refuses, asks again what
// the server has given up, and empties answers about a text that has changed meanwhile.
import type { Transport } from '@codemirror/lsp-client';
import { head } from '../server/head';

/** Returns the result of a request of the server. An error refuses it. */
export type Answerer = (method: string, params: unknown) => unknown;

/** RequestCancelled, ContentModified, ServerCancelled. */
const STALE = new Set([-32800, -32801, -32802]);
const SERVER_CANCELLED = -32802;
/** How often a request is sent again, if the text is still the same. */
const TRIES = 3;
const METHOD_NOT_FOUND = -32601;
const INTERNAL_ERROR = -32603;
/** Errors are shorter, in characters. A longer answer is not parsed here, too. */
const LONG = 5000;

/** The page does not know a method. */
export class Unknown extends Error {}

export function answering(server: Transport, answer: Answerer): Transport {
  /** The client's requests by their ids in JSON, with the number of changes before them. */
  const asked = new Map<string, { method: string; text: string; changes: number; tries: number }>();
  let changes = 0;
  const filters = new Map<(value: string) => void, (value: string) => void>();

  const reply = (text: string): void => {
    const { id, method, params } = JSON.parse(text) as { id: number | string; method: string; params?: unknown };
    let body: object;
    try {
      body = { result: answer(method, params) ?? null };
    } catch (failure) {
      const code = failure instanceof Unknown ? METHOD_NOT_FOUND : INTERNAL_ERROR;
      body = { error: { code, message: failure instanceof Error ? failure.message : String(failure) } };
    }
    server.send(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
  };

  /** Hands an answer on. */
  const answered = (text: string, id: string, handler: (value: string) => void): void => {
    const question = asked.get(id);
    asked.delete(id);
    if (question === undefined || text.length > LONG || question.method === 'workspace/executeCommand') return handler(text);
    const { error } = JSON.parse(text) as { error?: { code: number } };
    if (error === undefined || !STALE.has(error.code)) return handler(text);
    if (error.code === SERVER_CANCELLED && question.changes === changes && question.tries < TRIES) {
      asked.set(id, { ...question, tries: question.tries + 1 });
      return server.send(question.text);
    }
    handler(`{"jsonrpc":"2.0","id":${id},"result":null}`);
  };

  return {
    send(text) {
      const about = head(text);
      if (about.kind === 'request') asked.set(about.id, { method: about.method, text, changes, tries: 0 });
      if (about.kind === 'notification' && about.method === 'textDocument/didChange') changes += 1;
      server.send(text);
    },
    subscribe(handler) {
      const filter = (text: string): void => {
        const about = head(text);
        if (about.kind === 'request') reply(text);
        else if (about.kind === 'response') answered(text, about.id, handler);
        else handler(text);
      };
      filters.set(handler, filter);
      server.subscribe(filter);
    },
    unsubscribe(handler) {
      const filter = filters.get(handler);
      if (filter) server.unsubscribe(filter);
      filters.delete(handler);
    },
  };
}
