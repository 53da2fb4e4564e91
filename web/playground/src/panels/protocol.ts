// The results of the server's commands. Ranges are as in the protocol, 0-based.
import type { Range, TextEdit } from 'vscode-languageserver-protocol';

/** A place that explains the failure of a test. */
export interface Related { location: { uri: string; range: Range }; message: string }

export type Stopped = 'stop-symbol' | 'max-new';

/** The result of `psl.run`. The fields from `gold` on are only set for a test. */
export interface RunResult {
  continuation: string; stopped: Stopped; steps: number; seconds: number; note?: string;
  gold?: string; passed?: boolean; explanation?: string | null; related?: Related[];
  /** The prompt of a test. */
  prompt?: unknown;
  /** What the runs of a law prove, and the symbols that break it. */
  holds?: string | null; symbols?: string | null;
}

/** An entry of `psl.tests`. Null means unknown. */
export interface TestEntry {
  index: number; name: string | null; prompt: unknown; gold: string; range: Range; passed: boolean | null;
  continuation: string | null; stopped: Stopped | null; explanation: string | null; related: Related[] | null;
  error: string | null; seconds: number | null;
  /** The prompt and the continuation of a law, with its variables. `prompt` and `gold` are then those of one prompt. */
  law?: string; holds?: string | null; symbols?: string | null;
}

/** The result of `psl.compile`. Only QKVL has layers. */
export interface Compiled { text: string; layers?: { layer: number; range: Range; text: Range }[] }

export interface Proposal { title: string; edits: TextEdit[]; warnings: string[]; same: string | null }

/** The result of `psl.repair` and `psl.fill`: the best of `count` results. */
export interface Proposals { found: Proposal[]; count: number; cutOff: boolean; distinguishingPrompt: { prompt: string } | null }
