// A server in a worker. Another worker replaces it after a trap, or when its work is ended.
import { loadModule, workerUrl } from '../offline/parts';
import { head } from './head';
import type { FromWorker, Start } from './workerMessages';

/** The id of our own `initialize` in a new worker. */
const AGAIN = '"again"';

export class Peer {
  private worker: Worker | undefined;
  /** The requests of the client without an answer: the ids in JSON, and the methods. */
  readonly pending = new Map<string, string>();
  /** Since when the server has worked without a pause, in ms. Null while it is idle. */
  busySince: number | null = null;

  constructor(
    private readonly runs: boolean,
    private readonly take: (message: string) => void,
    private readonly trapped: (why: string) => void,
  ) {}

  /** Starts a worker, to which these messages are sent first. Rejects if there is no module. */
  async start(replay: Iterable<string> = []): Promise<void> {
    const worker = new Worker(workerUrl());
    this.worker?.terminate();
    this.worker = worker;
    this.busySince = null;
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if (this.worker === worker) this.receive(data);
    };
    worker.onerror = ({ message }) => {
      if (this.worker === worker) this.trapped(message);
    };
    // What arrives from now on waits for the module.
    this.waiting = [...replay, ...this.waiting ?? []];
    const module = await loadModule();
    if (this.worker !== worker) return;
    worker.postMessage({ module, runs: this.runs } satisfies Start);
    this.waiting.forEach((message) => worker.postMessage(message));
    this.waiting = null;
  }

  /** The messages for a worker that has not started. */
  private waiting: string[] | null = [];

  send(message: string): void {
    const about = head(message);
    if (about.kind === 'request' && about.id !== AGAIN) this.pending.set(about.id, about.method);
    if (this.waiting) this.waiting.push(message);
    else this.worker?.postMessage(message);
  }

  /** Ends the worker, and returns the ids of the requests that it has not answered. */
  end(): string[] {
    this.worker?.terminate();
    this.worker = undefined;
    this.busySince = null;
    this.waiting = [];
    const ids = [...this.pending.keys()];
    this.pending.clear();
    return ids;
  }

  private receive(data: FromWorker): void {
    if (typeof data === 'string') {
      const about = head(data);
      if (about.kind === 'response') {
        if (about.id === AGAIN) return;
        this.pending.delete(about.id);
      }
      this.take(data);
    } else if ('busy' in data) {
      this.busySince = data.busy ? performance.now() : null;
    } else {
      this.trapped(data.trap);
    }
  }
}

/** The client's `initialize` under our id. */
export const again = (initialize: string): string =>
  JSON.stringify({ ...JSON.parse(initialize) as object, id: JSON.parse(AGAIN) as string });
