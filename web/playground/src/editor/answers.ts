// The transport between the client and the server. It answers the requests of the server, which the client refuses, and empties
// answers about a text that has changed meanwhile.
import type { Transport } from '@codemirror/lsp-client';

/** Returns the result of a request of the server. An error refuses it. */
export type Answerer = (method: string, params: unknown) => unknown;

interface Message { id?: number | string; method?: string; params?: unknown; error?: { code: number } }

/** RequestCancelled, ContentModified, ServerCancelled. */
const STALE = new Set([-32800, -32801, -32802]);
/** How the client writes a request. Reading the whole message would take long for a long text. */
const REQUEST = /^\{"jsonrpc":"2\.0","id":(\d+),"method":"([^"]+)"/;
const METHOD_NOT_FOUND = -32601;

export class Unknown extends Error {}

export function answering(server: Transport, answer: Answerer): Transport {
  const asked = new Map<number | string, string>();
  const handlers = new Map<(value: string) => void, (value: string) => void>();

  const reply = (id: number | string, method: string, params: unknown): void => {
    let body: object;
    try {
      body = { result: answer(method, params) ?? null };
    } catch (failure) {
      const code = failure instanceof Unknown ? METHOD_NOT_FOUND : -32603;
      body = { error: { code, message: failure instanceof Error ? failure.message : String(failure) } };
    }
    server.send(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
  };

  return {
    send(text) {
      const question = REQUEST.exec(text);
      if (question?.[1] !== undefined) asked.set(Number(question[1]), question[2] ?? '');
      server.send(text);
    },
    subscribe(handler) {
      const filter = (text: string): void => {
        const { id, method, params, error } = JSON.parse(text) as Message;
        if (id === undefined) return handler(text);
        if (method !== undefined) return reply(id, method, params);
        const question = asked.get(id);
        asked.delete(id);
        const stale = error !== undefined && STALE.has(error.code) && question !== 'workspace/executeCommand';
        handler(stale ? JSON.stringify({ jsonrpc: '2.0', id, result: null }) : text);
      };
      handlers.set(handler, filter);
      server.subscribe(filter);
    },
    unsubscribe(handler) {
      const filter = handlers.get(handler);
      if (filter) server.unsubscribe(filter);
      handlers.delete(handler);
    },
  };
}
