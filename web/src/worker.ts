// Runs the module in a worker: takes the compiled module, then answers requests one after the other.
import type { Request } from './protocol';

interface Exports {
  memory: WebAssembly.Memory;
  alloc(length: number): number;
  call(at: number, length: number): number;
  free(at: number, length: number): void;
}

type Message = { module: WebAssembly.Module } | { id: number; request: Request };

let exports: Exports | undefined;

addEventListener('message', ({ data }: MessageEvent<Message>) => {
  if ('module' in data) {
    exports = new WebAssembly.Instance(data.module, {}).exports as unknown as Exports;
    return;
  }
  try {
    postMessage({ id: data.id, response: call(exports, data.request) });
  } catch (trap) {
    // A trap leaves the instance in an unknown state.
    exports = undefined;
    postMessage({ id: data.id, trap: String(trap) });
  }
});

function call(module: Exports | undefined, request: Request): unknown {
  if (module === undefined) throw new Error('the module has stopped');
  const text = new TextEncoder().encode(JSON.stringify(request));
  const at = module.alloc(text.length);
  new Uint8Array(module.memory.buffer, at, text.length).set(text);
  const answer = module.call(at, text.length) >>> 0;
  const length = new DataView(module.memory.buffer).getUint32(answer, true);
  const json = new TextDecoder().decode(new Uint8Array(module.memory.buffer, answer + 4, length));
  module.free(answer, length + 4);
  return JSON.parse(json);
}
