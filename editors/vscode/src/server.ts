// Starts the language server, and restarts it after a crash, within a limit.
import { type CancellationToken, commands, env, EventEmitter, type ExtensionContext, type LogOutputChannel, window } from 'vscode';
import {
  CloseAction, ErrorAction, ExecuteCommandRequest, LanguageClient, type LanguageClientOptions, type Middleware,
  RevealOutputChannelOn, State as ClientState,
} from 'vscode-languageclient/node';
import { findServer, type Program } from './findServer';

/** The maximum number of automatic restarts within `WITHIN_MS`. */
const RESTARTS = 4;
const WITHIN_MS = 3 * 60_000;

/** The schemes of documents for the server. Others, such as old versions in git, are ignored. */
export const SCHEMES = ['file', 'untitled', 'vscode-vfs'];

export const NOT_RUNNING = 'The PSL server is not running. Start it with "PSL: Restart Server".';

export type State = 'starting' | 'ready' | 'testing' | 'gone';

export class Server {
  state: State = 'starting';
  program: Program | undefined;
  private client: LanguageClient | undefined;
  private turn: Promise<void> = Promise.resolve();
  private ends: number[] = [];
  private readonly changed = new EventEmitter<void>();
  private readonly started = new EventEmitter<void>();
  readonly onDidChange = this.changed.event;
  readonly onDidStart = this.started.event;

  constructor(
    private readonly context: ExtensionContext,
    readonly log: LogOutputChannel,
    private readonly middleware: Middleware,
  ) {}

  /** Starts the server after stopping a running one. Waits for an earlier start. */
  start(): Promise<void> {
    this.turn = this.turn.then(() => this.startNow());
    return this.turn;
  }

  async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    // A server that does not answer exits when its connection closes.
    if (client?.state === ClientState.Running) await client.stop().catch((failure) => this.log.warn(String(failure)));
  }

  restart(): Promise<void> {
    this.ends = [];
    return this.start();
  }

  /** Runs a command of the server. Throws an error with the reason if it fails. */
  async request<T>(command: string, argument: object, token?: CancellationToken): Promise<T> {
    await this.turn;
    if (!this.client) throw new Error(NOT_RUNNING);
    return this.client.sendRequest(ExecuteCommandRequest.type, { command, arguments: [argument] }, token);
  }

  /** The path of psl. Throws an error if psl was not found. */
  async command(): Promise<string> {
    await this.turn;
    if (!this.program) throw new Error(NOT_RUNNING);
    return this.program.command;
  }

  private set(state: State): void {
    this.state = state;
    this.changed.fire();
  }

  private async startNow(): Promise<void> {
    await this.stop();
    this.program = undefined;
    this.set('starting');
    try {
      const program = await findServer(this.context);
      this.program = program;
      this.log.info(`Starting psl ${program.version}, ${program.source}: ${program.command}`);
      const client = this.newClient(program);
      await client.start();
      if (client.state !== ClientState.Running) throw new Error('it ended immediately');
      this.client = client;
      this.set('ready');
      this.started.fire();
    } catch (failure) {
      this.set('gone');
      this.log.error(String(failure));
      void this.offerHelp(failure instanceof Error ? failure.message : String(failure));
    }
  }

  private newClient({ command }: Program): LanguageClient {
    const options: LanguageClientOptions = {
      documentSelector: [
        ...SCHEMES.map((scheme) => ({ scheme, language: 'psl' })),
        { scheme: 'file', pattern: '**/psl.toml' },
      ],
      initializationOptions: { linkLines: true, showDebug: true, showResults: false, showStatus: true },
      middleware: this.middleware,
      outputChannel: this.log,
      // The caller of a request shows its error.
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      errorHandler: {
        error: (_error, _message, count) => ({
          action: (count ?? 0) <= 3 ? ErrorAction.Continue : ErrorAction.Shutdown,
          handled: true,
        }),
        closed: () => {
          if (this.client === client) this.ended();
          return { action: CloseAction.DoNotRestart, message: 'The server has ended.', handled: true };
        },
      },
    };
    const client = new LanguageClient('psl', 'PSL', { command, args: ['lsp'] }, options);
    client.onNotification('psl/status', ({ testing }: { testing: boolean }) => {
      if (this.client === client) this.set(testing ? 'testing' : 'ready');
    });
    return client;
  }

  /** Handles an unexpected exit of the server. */
  private ended(): void {
    this.client = undefined;
    const now = Date.now();
    this.ends = [...this.ends.filter((end) => now - end < WITHIN_MS), now];
    this.log.warn(`The server ended unexpectedly (${this.ends.length} times in 3 minutes).`);
    if (this.ends.length <= RESTARTS) return void this.start();
    this.set('gone');
    void this.offerRestart();
  }

  private async offerRestart(): Promise<void> {
    const message = `The PSL server ended ${this.ends.length} times in 3 minutes and was not restarted.`;
    const answer = await window.showErrorMessage(message, 'Restart Server', 'Show Log');
    if (answer === 'Restart Server') await this.restart();
    if (answer === 'Show Log') this.log.show();
  }

  private async offerHelp(reason: string): Promise<void> {
    const message = `The PSL server did not start: ${reason}. Install psl, or set its path in psl.path.`;
    const answer = await window.showErrorMessage(message, 'Open Setting', 'Try Again', 'Show Log');
    if (answer === 'Open Setting') {
      // The path belongs to the machine that runs the server.
      const settings = env.remoteName ? 'workbench.action.openRemoteSettings' : 'workbench.action.openSettings';
      await commands.executeCommand(settings, { query: 'psl.path' });
    }
    if (answer === 'Try Again') await this.restart();
    if (answer === 'Show Log') this.log.show();
  }
}
