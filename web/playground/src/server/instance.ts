// An instance of the language server's module. Texts go through its memory: 4 bytes with the length, and then UTF-8.
import { withoutLoneSurrogates } from '../../../src/json';

interface Exports {
  memory: WebAssembly.Memory;
  server_start(runs: number): void;
  server_alloc(length: number): number;
  server_receive(at: number, length: number): number;
  server_work(): number;
  server_wait(): number;
  server_send(): number;
  server_free(at: number, length: number): void;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Instance {
  private readonly exports: Exports;

  /** Starts a server. Only with `runs` it does what may take long: runs, tests and searches. */
  constructor(module: WebAssembly.Module, runs: boolean) {
    const page = { now: () => performance.now() };
    this.exports = new WebAssembly.Instance(module, { page }).exports as unknown as Exports;
    this.exports.server_start(Number(runs));
  }

  /** Handles a message of the client, and returns whether the session goes on. */
  receive(message: string): boolean {
    const text = encoder.encode(withoutLoneSurrogates(message));
    const at = this.exports.server_alloc(text.length);
    new Uint8Array(this.exports.memory.buffer, at, text.length).set(text);
    return this.exports.server_receive(at, text.length) !== 0;
  }

  /** Does one piece of work, and returns whether there was one. */
  work(): boolean {
    return this.exports.server_work() !== 0;
  }

  /** The time until work is due, in ms. Null if none is. */
  wait(): number | null {
    const wait = this.exports.server_wait();
    return wait < 0 ? null : wait;
  }

  /** Takes the messages to the client. */
  *messages(): Generator<string> {
    for (let at = this.exports.server_send() >>> 0; at !== 0; at = this.exports.server_send() >>> 0) {
      const { buffer } = this.exports.memory;
      const length = new DataView(buffer).getUint32(at, true);
      const message = decoder.decode(new Uint8Array(buffer, at + 4, length));
      this.exports.server_free(at, length + 4);
      yield message;
    }
  }
}
