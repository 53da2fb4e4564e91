// The language server as the page sees it.
import type { Transport } from '@codemirror/lsp-client';
import type { ReadonlySignal } from '@preact/signals';

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
