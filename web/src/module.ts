// The compiled module, which the page contains as gzip in base64 or gets from the playground, and the workers that run it.
import type { Answers, Request, Response } from './protocol';

declare const WORKER_SOURCE: string;

let compiled: Promise<WebAssembly.Module> | undefined;

const given = Promise.withResolvers<WebAssembly.Module>();

/** Uses the module of the page around this one, compiled or in bytes. */
export const useModule = (module: WebAssembly.Module | ArrayBuffer): void =>
  given.resolve(module instanceof ArrayBuffer ? WebAssembly.compile(module) : module);

function compile(): Promise<WebAssembly.Module> {
  const packed = document.getElementById('psl-module')?.textContent;
  if (packed === undefined || packed === null) return given.promise;
  const bytes = Uint8Array.from(atob(packed.trim()), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new globalThis.Response(stream).arrayBuffer().then((buffer) => WebAssembly.compile(buffer));
}

let source: string | undefined;

/** The module trapped during an answer. */
export class Trap extends Error {}
/** The worker was ended before it answered. */
export class Ended extends Error {}

interface Pending { resolve(answer: unknown): void; reject(error: Error): void }

/** A request to the module. If the text in slot 1 is another version of the program, it has a separate instance. */
export type WorkerRequest = Request | (Extract<Request, { op: 'open' }> & { slot: 1 });

/** A worker with an instance of the module. */
export class Instance {
  private readonly worker: Worker;
  private readonly ready: Promise<void>;
  private readonly pending = new Map<number, Pending>();
  private next = 0;
  private gone: Error | undefined;

  constructor() {
    source ??= URL.createObjectURL(new Blob([WORKER_SOURCE], { type: 'text/javascript' }));
    this.worker = new Worker(source);
    this.worker.onmessage = ({ data }) => this.take(data);
    this.worker.onerror = ({ message }) => this.end(new Trap(message));
    compiled ??= compile();
    this.ready = compiled.then((module) => this.worker.postMessage({ module }));
  }

  /** Asks the module. Rejects with its message, with `Trap`, or with `Ended`. */
  async ask<R extends WorkerRequest>(request: R): Promise<Answers[R['op']]> {
    await this.ready;
    if (this.gone) throw this.gone;
    const id = this.next++;
    const response = await new Promise<unknown>((resolve, reject) => {
      this.pending.set(id, { resolve, reject });
      this.worker.postMessage({ id, request });
    }) as Response<Answers[R['op']]>;
    if ('error' in response) throw new Error(response.error);
    return response.ok;
  }

  private take({ id, response, trap }: { id: number; response?: string; trap?: string }): void {
    const pending = this.pending.get(id);
    this.pending.delete(id);
    if (response !== undefined) return pending?.resolve(JSON.parse(response));
    const reason = new Trap(trap);
    pending?.reject(reason);
    return this.end(reason);
  }

  end(reason: Error = new Ended('the run was stopped')): void {
    this.gone = reason;
    this.worker.terminate();
    this.pending.forEach(({ reject }) => reject(reason));
    this.pending.clear();
  }
}
