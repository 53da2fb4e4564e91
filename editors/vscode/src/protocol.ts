// The arguments and results of the server's commands.

export interface Position {
  line: number;
  character: number;
}

export interface Range {
  start: Position;
  end: Position;
}

/** A place that explains the failure of a test. */
export interface Related {
  location: { uri: string; range: Range };
  message: string;
}

/** The result of `psl.run`. The fields from `gold` on are only set for a test. */
export interface RunResult {
  continuation: string;
  stopped: 'stop-symbol' | 'max-new' | 'prompt-pass';
  steps: number;
  seconds: number;
  note?: string;
  gold?: string;
  passed?: boolean;
  explanation?: string | null;
  missed?: Range | null;
  related?: Related[];
  /** What the runs of a law prove. */
  holds?: string | null;
  /** The symbols that break a law. */
  symbols?: string | null;
}

/** An entry of `psl.tests`. Null means unknown. */
export interface TestEntry {
  index: number;
  name: string | null;
  prompt: unknown;
  gold: string;
  range: Range;
  passed: boolean | null;
  /** The prompt and the continuation of a law, with its variables. `prompt` and `gold` are then those of one prompt. */
  law?: string;
}

/** An entry of `psl.tests` without `uri`. */
export interface TestedFile {
  uri: string;
  tests: TestEntry[];
}

/** A part of a program with its counts, in the result of `psl.coverage`. */
export interface CoveredPart {
  range: Range;
  kind: 'production' | 'condition' | 'entry' | 'assignment' | 'went-on' | 'ended';
  reached: number;
  mattered: number;
  verdict: string;
}

/** The result of `psl.coverage`. The first part of a production is the production. */
export interface Coverage {
  productions: { label: string | null; head: { range: Range }; parts: CoveredPart[] }[];
  /** Both sides of `until`. */
  repeats: [CoveredPart, CoveredPart][];
}

/** The result of `psl.compile` with `emit` `qkvl`: the text, and the ranges of each layer in the program and in the text. */
export interface CompiledQkvl {
  text: string;
  layers: { layer: number; range: Range; text: Range }[];
}

/** The arguments of `psl.run`, `psl.trace` and `psl.table`. */
export interface RunArguments {
  uri: string;
  prompt?: string;
  test?: number;
}

/** An entry of `psl.repair` or `psl.fill`. */
export interface Proposal {
  title: string;
  edits: { range: Range; newText: string }[];
  warnings: string[];
  same: string | null;
}

/** The result of `psl.repair` or `psl.fill`: the best of `count` results. */
export interface Proposals {
  found: Proposal[];
  count: number;
  cutOff: boolean;
  distinguishingPrompt: { prompt: string } | null;
}
