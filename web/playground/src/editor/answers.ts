// The transport between the client and the server. It answers the requests of the server, which the client refuses, and empties
// answers about a text that has changed meanwhile.
import type { Transport } from '@codemirror/lsp-client';
import { head } from '../server/head';

/** Returns the result of a request of the server. An error refuses it. */
export type Answerer = (method: string, params: unknown) => unknown;

/** RequestCancelled, ContentModified, ServerCancelled. */
const STALE = new Set([-32800, -32801, -32802]);
const METHOD_NOT_FOUND = -32601;
const INTERNAL_ERROR = -32603;
/** Errors are shorter, in characters. A longer answer is not parsed here, too. */
const LONG = 5000;

/** The page does not know a method. */
export class Unknown extends Error {}

export function answering(server: Transport, answer: Answerer): Transport {
  /** The methods of the client's requests, by their ids in JSON. */
  const asked = new Map<string, string>();
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

  const isStale = (text: string, id: string): boolean => {
    const method = asked.get(id);
    asked.delete(id);
    if (text.length > LONG || method === 'workspace/executeCommand') return false;
    const { error } = JSON.parse(text) as { error?: { code: number } };
    return error !== undefined && STALE.has(error.code);
  };

  return {
    send(text) {
      const about = head(text);
      if (about.kind === 'request') asked.set(about.id, about.method);
      server.send(text);
    },
    subscribe(handler) {
      const filter = (text: string): void => {
        const about = head(text);
        if (about.kind === 'request') reply(text);
        else if (about.kind === 'response' && isStale(text, about.id)) handler(`{"jsonrpc":"2.0","id":${about.id},"result":null}`);
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
