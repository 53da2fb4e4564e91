// The kind of a message, from its first characters: a long one is not parsed on the page twice.

/** A message of the server, or of a client that writes JSON as JavaScript does. */
export type Head =
  | { kind: 'request'; id: string; method: string }
  | { kind: 'notification'; method: string }
  | { kind: 'response'; id: string };

const ID = /^\{"jsonrpc":"2\.0","id":(-?\d+|"(?:[^"\\]|\\.)*"|null)(?:,"method":"([^"]+)")?/;
const METHOD = /^\{"jsonrpc":"2\.0","method":"([^"]+)"/;

/** The head of a message. `id` is the id in JSON. */
export function head(message: string): Head {
  const id = ID.exec(message);
  if (id?.[1] !== undefined) {
    return id[2] === undefined ? { kind: 'response', id: id[1] } : { kind: 'request', id: id[1], method: id[2] };
  }
  const method = METHOD.exec(message);
  if (method?.[1] !== undefined) return { kind: 'notification', method: method[1] };
  return parsed(message);
}

function parsed(message: string): Head {
  const { id, method } = JSON.parse(message) as { id?: unknown; method?: string };
  if (method === undefined) return { kind: 'response', id: JSON.stringify(id ?? null) };
  return id === undefined ? { kind: 'notification', method } : { kind: 'request', id: JSON.stringify(id), method };
}

/** A message with another id, given in JSON. */
export function withId(message: string, id: string): string {
  const found = ID.exec(message);
  if (found?.[1] === undefined) return JSON.stringify({ ...JSON.parse(message) as object, id: JSON.parse(id) as unknown });
  return `{"jsonrpc":"2.0","id":${id}${message.slice('{"jsonrpc":"2.0","id":'.length + found[1].length)}`;
}
