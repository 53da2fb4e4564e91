// A client of the language server for one program at a time.
import type { LanguageServer } from '../server/languageServer';
import { startServer } from '../server/languageServer';

interface Answer { id?: number; method?: string; result?: unknown; error?: { message: string } }
interface Asked { resolve(result: unknown): void; reject(why: Error): void }

export class Client {
  private readonly server: LanguageServer = startServer();
  private readonly asked = new Map<number, Asked>();
  private readonly failed: Promise<never>;
  private readonly ready: Promise<unknown>;
  private ids = 0;

  constructor() {
    this.failed = new Promise((_, reject) => {
      this.server.state.subscribe((state) => { if (state.kind === 'failed') reject(new Error(state.why)); });
    });
    this.failed.catch(() => undefined);
    this.server.transport.subscribe((message) => this.take(JSON.parse(message) as Answer));
    this.ready = this.send('initialize', { processId: null, rootUri: null, capabilities: {} }).then(() => this.notify('initialized', {}));
  }

  /** Opens a program. Each needs another uri. */
  async open(uri: string, text: string): Promise<void> {
    await Promise.race([this.ready, this.failed]);
    this.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'psl', version: 1, text } });
  }

  close(uri: string): void {
    this.notify('textDocument/didClose', { textDocument: { uri } });
  }

  /** Asks the server. Rejects with its message. */
  ask<T>(method: string, params: object): Promise<T> {
    return Promise.race([this.send(method, params) as Promise<T>, this.failed]);
  }

  execute<T>(command: string, argument: object): Promise<T> {
    return this.ask('workspace/executeCommand', { command, arguments: [argument] });
  }

  /** Ends what is being computed, with an error. */
  stop(): void {
    this.server.stop();
  }

  private send(method: string, params: object): Promise<unknown> {
    this.ids += 1;
    const id = this.ids;
    return new Promise((resolve, reject) => {
      this.asked.set(id, { resolve, reject });
      this.server.transport.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    });
  }

  private notify(method: string, params: object): void {
    this.server.transport.send(JSON.stringify({ jsonrpc: '2.0', method, params }));
  }

  private take({ id, method, result, error }: Answer): void {
    if (id === undefined) return;
    if (method !== undefined) {
      // A request of the server: none matters here.
      this.server.transport.send(JSON.stringify({ jsonrpc: '2.0', id, result: method === 'workspace/configuration' ? [null] : null }));
      return;
    }
    const asked = this.asked.get(id);
    this.asked.delete(id);
    if (error) asked?.reject(new Error(error.message));
    else asked?.resolve(result);
  }
}
