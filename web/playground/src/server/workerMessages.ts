// The messages between the page and a worker with a server. Strings are messages of the protocol.

/** The compiled module, and whether the server does what may take long. */
export interface Start { module: WebAssembly.Module; runs: boolean }

export type ToWorker = Start | string;

/** Whether the server works, or the reason why it has ended. */
export type FromWorker = { busy: boolean } | { trap: string } | string;
