// The language server: starts it, starts it again when it ends, and gives up when it ends too often.
import { type CancellationToken, commands, env, EventEmitter, type ExtensionContext, type LogOutputChannel, window } from 'vscode';
import {
  CloseAction, ErrorAction, ExecuteCommandRequest, LanguageClient, type LanguageClientOptions, type Middleware,
  RevealOutputChannelOn, State as ClientState,
} from 'vscode-languageclient/node';
import { findServer, type Program } from './findServer';

/** As many ends within the time are answered by a start. */
const RESTARTS = 4;
const WITHIN_MS = 3 * 60_000;

/** Where the programs stand that are served. Of others, such as old versions in git, nothing is told. */
export const SCHEMES = ['file', 'untitled', 'vscode-vfs'];

export const NOT_RUNNING = 'The PSL server is not running. "PSL: Restart Server" starts it.';

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

  /** Starts the server, in place of one that runs. One start waits for another. */
  start(): Promise<void> {
    this.turn = this.turn.then(() => this.startNow());
    return this.turn;
  }

  async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    // One that does not answer is ended by its connection's end.
    if (client?.state === ClientState.Running) await client.stop().catch((failure) => this.log.warn(String(failure)));
  }

  restart(): Promise<void> {
    this.ends = [];
    return this.start();
  }

  /** Carries out a command of the server. Throws an error that says why it could not. */
  async request<T>(command: string, argument: object, token?: CancellationToken): Promise<T> {
    await this.turn;
    if (!this.client) throw new Error(NOT_RUNNING);
    return this.client.sendRequest(ExecuteCommandRequest.type, { command, arguments: [argument] }, token);
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
      this.log.info(`Starting psl ${program.version}, ${program.origin}: ${program.command}`);
      const client = this.newClient(program);
      await client.start();
      if (client.state !== ClientState.Running) throw new Error('it ended at once');
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
      initializationOptions: { showResults: false, showStatus: true },
      middleware: this.middleware,
      outputChannel: this.log,
      // Who waits for a request is shown why it failed.
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

  /** It ended without having been told to. */
  private ended(): void {
    this.client = undefined;
    const now = Date.now();
    this.ends = [...this.ends.filter((end) => now - end < WITHIN_MS), now];
    this.log.warn(`The server ended unexpectedly, ${this.ends.length} times in three minutes.`);
    if (this.ends.length <= RESTARTS) return void this.start();
    this.set('gone');
    void this.offerRestart();
  }

  private async offerRestart(): Promise<void> {
    const message = `The PSL server ended ${this.ends.length} times within three minutes, so it is not started again by itself.`;
    const answer = await window.showErrorMessage(message, 'Restart Server', 'Show Log');
    if (answer === 'Restart Server') await this.restart();
    if (answer === 'Show Log') this.log.show();
  }

  private async offerHelp(reason: string): Promise<void> {
    const message = `The PSL server did not start: ${reason}. Install psl, or name it in the setting psl.path.`;
    const answer = await window.showErrorMessage(message, 'Open Setting', 'Try Again', 'Show Log');
    if (answer === 'Open Setting') {
      // The path is a setting of the machine that the server runs on.
      const settings = env.remoteName ? 'workbench.action.openRemoteSettings' : 'workbench.action.openSettings';
      await commands.executeCommand(settings, { query: 'psl.path' });
    }
    if (answer === 'Try Again') await this.restart();
    if (answer === 'Show Log') this.log.show();
  }
}
