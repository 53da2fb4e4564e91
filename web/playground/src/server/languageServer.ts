// The language server as the page sees it: one peer. Two workers share the work, so that no run delays an answer at the cursor:
// one knows the text, and the other also runs programs. Both have the same documents.
import type { Transport } from '@codemirror/lsp-client';
import { type ReadonlySignal, signal } from '@preact/signals';
import { type Head, head, withId } from './head';
import { OpenDocuments } from './openDocuments';
import { Peer, again } from './peer';

export type ServerState = { kind: 'starting' } | { kind: 'ready' } | { kind: 'failed'; why: string };

export interface LanguageServer {
  /** The server as one peer. Its workers are replaced after a trap or a stop, and open the documents again. */
  readonly transport: Transport;
  readonly state: ReadonlySignal<ServerState>;
  /** Whether a run, tests or a search that the user has asked for are being computed. */
  readonly busy: ReadonlySignal<boolean>;
  /** Ends what is being computed. Its requests are answered with an error. */
  stop(): void;
}

const COMMAND = 'workspace/executeCommand';

/** The requests whose answers depend on runs. */
const OF_RUNS = new Set(['textDocument/inlayHint', 'workspace/textDocumentContent', 'textDocument/diagnostic', 'workspace/diagnostic']);
/** The requests that are answered from the text alone while the user's run takes its time. */
const BETTER_WITH_RUNS = new Set(['textDocument/codeLens', 'textDocument/codeAction']);
/** The commands that the text alone answers, at once. */
const OF_TEXT = /"command":"psl\.(?:explain|explore|saveTest)"/;
/** A list of tests with their known results, which the page asks for by itself, and which can wait. */
const LISTING = /"command":"psl\.tests".*"run":false/;
/** A compilation, which follows the edits. */
const COMPILATION = /"command":"psl\.compile"/;
/** The messages of both workers of which the client gets one. */
const ONCE = new Set(['window/logMessage', 'client/registerCapability', 'workspace/configuration']);

/** Background work that takes longer ends for what the user does next, in ms. */
const PATIENCE = 500;
/** A server that traps this often within `SOON` ms is broken. */
const TRAPS = 3;
const SOON = 10_000;
/** The longest time until the worker with runs gets a change, in ms. */
const POSTPONED = 100;
/** The time without a broken worker, in ms. */
const PAUSE = 2_000;

const REQUEST_CANCELLED = -32_800;
const SERVER_CANCELLED = -32_802;

/** The mark of a request that the worker with runs makes to the client. */
const MARK = 'runs-';

export function startServer(): LanguageServer {
  return new Workers();
}

class Workers implements LanguageServer {
  readonly state = signal<ServerState>({ kind: 'starting' });
  readonly busy = signal(false);
  private readonly handlers = new Set<(message: string) => void>();
  private readonly documents = new OpenDocuments();
  private readonly text = new Peer(false, (message) => this.fromText(message), (why) => this.trapped(this.text, why));
  private readonly runs = new Peer(true, (message) => this.fromRuns(message), (why) => this.trapped(this.runs, why));
  /** What every new worker gets before the documents. */
  private readonly greeting: string[] = [];
  private initialize: { id: string; message: string } | undefined;
  /** The last published diagnostics of the text worker. */
  private published = '';
  private traps: number[] = [];
  /** The workers that trap again and again. */
  private readonly broken = new Set<Peer>();
  /** The changes that the worker with runs has yet to get. */
  private readonly postponed: string[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The ids of the runs, tests and searches that the user has asked for, in JSON. */
  private readonly asked = new Set<string>();

  readonly transport: Transport = {
    send: (message) => this.send(message),
    subscribe: (handler) => void this.handlers.add(handler),
    unsubscribe: (handler) => void this.handlers.delete(handler),
  };

  constructor() {
    this.start(this.text);
  }

  stop(): void {
    this.replace(this.runs, REQUEST_CANCELLED, 'the run was stopped');
  }

  private start(peer: Peer, replay: Iterable<string> = []): void {
    peer.start(replay).catch((failure: unknown) => {
      this.state.value = { kind: 'failed', why: `${failure instanceof Error ? failure.message : String(failure)}. Reload the page to try again.` };
    });
  }

  private send(message: string): void {
    const about = head(message);
    if (about.kind === 'request') return this.request(about, message);
    if (about.kind === 'response') {
      const isOfRuns = about.id.startsWith(`"${MARK}`);
      return isOfRuns ? this.runs.send(withId(message, about.id.slice(MARK.length + 1, -1))) : this.text.send(message);
    }
    if (about.method === 'initialized') this.greeting.push(message);
    if (about.method === 'textDocument/didChange') {
      // A new worker gets this change after it has opened the documents.
      this.interrupt();
      this.tryAgain();
    }
    this.documents.note(about.method, message);
    this.text.send(message);
    if (about.method === 'textDocument/didChange') this.postpone(message);
    else this.sendToRuns(message);
  }

  /** Sends a change to the worker with runs after the answer about the text, with which it would compete for a processor. */
  private postpone(change: string): void {
    this.postponed.push(change);
    this.timer ??= setTimeout(() => this.catchUp(), POSTPONED);
  }

  private catchUp(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    for (const change of this.postponed.splice(0)) this.runs.send(change);
  }

  private sendToRuns(message: string): void {
    this.catchUp();
    this.runs.send(message);
  }

  private request(about: Head & { kind: 'request' }, message: string): void {
    if (about.method === 'initialize') {
      this.initialize = { id: about.id, message };
      this.greeting.push(again(message));
      this.runs.send(again(message));
    }
    const isCommand = about.method === COMMAND && !OF_TEXT.test(message);
    const isOfRuns = isCommand || OF_RUNS.has(about.method) || BETTER_WITH_RUNS.has(about.method) && !this.busy.value;
    const peer = isOfRuns ? this.runs : this.text;
    if (this.broken.has(peer)) return this.refuse(about.id, SERVER_CANCELLED, 'the language server has stopped');
    const isListing = LISTING.test(message);
    if (isCommand && !isListing) this.interrupt();
    if (isOfRuns) this.sendToRuns(message);
    else this.text.send(message);
    if (!isCommand || isListing || COMPILATION.test(message)) return;
    this.asked.add(about.id);
    this.busy.value = true;
  }

  /** Ends long work that nobody has asked for. */
  private interrupt(): void {
    const since = this.runs.busySince;
    if (!this.busy.value && since !== null && performance.now() - since > PATIENCE) {
      this.replace(this.runs, SERVER_CANCELLED, 'a newer edit came first');
    }
  }

  /** Starts broken workers again some time after their last trap: another text may not break them. */
  private tryAgain(): void {
    if (this.broken.size === 0 || performance.now() - (this.traps.at(-1) ?? 0) < PAUSE) return;
    const broken = [...this.broken];
    this.broken.clear();
    this.state.value = { kind: 'ready' };
    for (const peer of broken) this.replace(peer, SERVER_CANCELLED, 'the server starts again');
  }

  private replace(peer: Peer, code: number, message: string): void {
    // The documents are opened with all changes.
    if (peer === this.runs) this.postponed.length = 0;
    const unanswered = peer.end();
    this.start(peer, [...this.greeting, ...this.documents.openings()]);
    this.published = '';
    for (const id of unanswered) this.refuse(id, code, message);
    this.noteBusy();
  }

  private refuse(id: string, code: number, message: string): void {
    this.deliver(`{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify({ code, message })}}`);
  }

  private trapped(peer: Peer, why: string): void {
    const now = performance.now();
    this.traps = [...this.traps.filter((time) => now - time < SOON), now];
    if (this.traps.length < TRAPS) return this.replace(peer, SERVER_CANCELLED, `the server had to start again: ${why}`);
    peer.end();
    this.broken.add(peer);
    this.state.value = { kind: 'failed', why: `${why}. Your text is safe, and an edit starts the server again.` };
  }

  private fromText(message: string): void {
    const about = head(message);
    if (about.kind === 'response' && about.id === this.initialize?.id) {
      this.state.value = { kind: 'ready' };
      // The worker with runs starts after the first answer, which it would delay.
      this.start(this.runs);
    }
    if (about.kind === 'notification' && about.method === 'textDocument/publishDiagnostics') this.published = message;
    this.deliver(message);
    if (about.kind === 'notification' && about.method === 'textDocument/publishDiagnostics') this.catchUp();
  }

  private fromRuns(message: string): void {
    const about = head(message);
    if (about.kind === 'response') {
      this.deliver(message);
      return this.noteBusy();
    }
    if (ONCE.has(about.method)) {
      // The text worker's request is answered for both.
      if (about.kind === 'request') this.runs.send(`{"jsonrpc":"2.0","id":${about.id},"result":${about.method === 'workspace/configuration' ? '[null]' : 'null'}}`);
      return;
    }
    if (about.kind === 'request') return this.deliver(withId(message, `"${MARK}${about.id}"`));
    if (about.method === 'textDocument/publishDiagnostics' && !this.isNews(message)) return;
    this.deliver(message);
  }

  /** Whether diagnostics of the worker with runs are those of the current text, and the text alone does not have them. */
  private isNews(message: string): boolean {
    if (message === this.published) return false;
    const { params: { uri, version } } = JSON.parse(message) as { params: { uri: string; version?: number } };
    return version === undefined || version === this.documents.version(uri);
  }

  private noteBusy(): void {
    for (const id of this.asked) if (!this.runs.pending.has(id)) this.asked.delete(id);
    this.busy.value = this.asked.size > 0;
  }

  private deliver(message: string): void {
    for (const handler of [...this.handlers]) handler(message);
  }
}
