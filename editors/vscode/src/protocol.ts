// What the server's commands take and give, as its documentation says.

export interface Position {
  line: number;
  character: number;
}

export interface Range {
  start: Position;
  end: Position;
}

/** A place that explains why a test failed. */
export interface Related {
  location: { uri: string; range: Range };
  message: string;
}

/** `psl.run` with a prompt, or with a test: then the fields from `gold` on are there too. */
export interface RunResult {
  continuation: string;
  stopped: 'stop-symbol' | 'max-new';
  steps: number;
  seconds: number;
  note?: string;
  gold?: string;
  passed?: boolean;
  explanation?: string | null;
  missed?: Range | null;
  related?: Related[];
}

/** An entry of `psl.tests`: null stands for what is not known. */
export interface TestEntry {
  index: number;
  name: string | null;
  prompt: unknown;
  gold: string;
  range: Range;
  passed: boolean | null;
}

/** An entry of `psl.tests` without `uri`. */
export interface TestedFile {
  uri: string;
  tests: TestEntry[];
}

/** `psl.compile` with `emit` `qkvl`: where each layer stands in the program and in the text. */
export interface CompiledQkvl {
  text: string;
  layers: { layer: number; range: Range; text: Range }[];
}

/** What `psl.run`, `psl.trace` and `psl.table` are asked for. */
export interface RunArguments {
  uri: string;
  prompt?: string;
  test?: number;
}
