// Commands of the server about the open program.
import { editor } from '../page/state';

/** How long after a command the server's message about it may arrive. */
const LATE_MS = 1_000;
let pending = 0;
let ended = -Infinity;

/** Whether a message of the server is about a command whose result a panel shows. */
export const isShown = (): boolean => pending > 0 || performance.now() - ended < LATE_MS;

/** Runs a command. Fails with the server's message. */
export async function command<T>(name: string, argument: object = {}): Promise<T> {
  const open = editor.peek();
  if (!open) throw new Error('The editor is not ready.');
  pending += 1;
  try {
    return await open.execute<T>(name, [{ uri: open.uri(), ...argument }]);
  } finally {
    pending -= 1;
    ended = performance.now();
  }
}
