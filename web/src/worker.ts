// Runs the module in a worker. The first message is the compiled module, and the others are requests, which are answered in
// order. Another version of the program has a separate instance.
import { withoutLoneSurrogates } from './json';
import type { WorkerRequest } from './module';

interface Exports {
  memory: WebAssembly.Memory;
  alloc(length: number): number;
  call(at: number, length: number): number;
  free(at: number, length: number): void;
}

type Message = { module: WebAssembly.Module } | { id: number; request: WorkerRequest };

let compiled: WebAssembly.Module | undefined;
let exports: Exports | undefined;
let ofVersion: Exports | undefined;

/** The playground's module needs a clock. */
const IMPORTS = { page: { now: () => performance.now() } };

const instance = (module: WebAssembly.Module): Exports => new WebAssembly.Instance(module, IMPORTS).exports as unknown as Exports;

addEventListener('message', ({ data }: MessageEvent<Message>) => {
  if ('module' in data) {
    compiled = data.module;
    exports = instance(compiled);
    return;
  }
  try {
    // Text takes less time to post than the objects in it.
    postMessage({ id: data.id, response: call(chosen(data.request), data.request) });
  } catch (trap) {
    // A trap leaves the instance in an unknown state.
    exports = ofVersion = compiled = undefined;
    postMessage({ id: data.id, trap: String(trap) });
  }
});

/** The instance that answers a request. */
function chosen(request: WorkerRequest): Exports | undefined {
  const second = 'slot' in request && request.slot === 1;
  if (request.op === 'open') ofVersion = second && compiled ? instance(compiled) : undefined;
  return second && ofVersion ? ofVersion : exports;
}

function call(module: Exports | undefined, request: WorkerRequest): string {
  if (module === undefined) throw new Error('the module has stopped');
  const text = new TextEncoder().encode(withoutLoneSurrogates(JSON.stringify(request)));
  const at = module.alloc(text.length);
  new Uint8Array(module.memory.buffer, at, text.length).set(text);
  const answer = module.call(at, text.length) >>> 0;
  const length = new DataView(module.memory.buffer).getUint32(answer, true);
  const json = new TextDecoder().decode(new Uint8Array(module.memory.buffer, answer + 4, length));
  module.free(answer, length + 4);
  return json;
}
