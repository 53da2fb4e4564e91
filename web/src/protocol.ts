// The messages between the page, its worker and the module, and the data in the page.

/** A program, what to open in it, and where its changes come from. */
export interface PageData {
  name: string;
  text: string;
  /** The stop symbol of a program that does not name one. */
  stop?: string;
  /** The contents of the files with its tests' prompts. */
  prompts: Record<string, string>;
  /** What is run first: by default, the first test. */
  open?: { prompt: string } | { test: number };
  /** Another version of the program, whose run on the same prompt is the second one. */
  against?: Against;
  /** Programs to choose from. */
  examples: { name: string; text: string }[];
  /** Set if a server sends changes; `reveal` if it takes clicks on lines. */
  serve?: { reveal: boolean };
}

export interface Against {
  name: string;
  text: string;
  stop?: string;
  prompts: Record<string, string>;
  /** The layer of the program for each layer of this version; null if the program lacks it. */
  layers: (number | null)[];
}

/** Symbols separated by spaces, the prompt of a test, or cells as a JSON list of `{register: value}`. */
export type Prompt = string | { test: number } | { cells: string };
export type Machine = 'psm' | 'qkvm' | 'dat' | 'full-dat';
/** Null is a register without a value. */
export type Value = string | null;
/** Offsets in UTF-16 code units; the line is 1-based. */
export interface Span { start: number; end: number; line: number }

export interface Token { start: number; end: number; type: string }
export interface Diagnostic extends Span { severity: 'error' | 'warning' | 'info' | 'hint'; code: string; message: string; help?: string }
/** Roles are separated by `, `. */
export interface Register { long: string; short: string; role?: string; watched: boolean }
export interface Slot { name: string; source: string }
export interface Layer {
  /** 1-based. */
  number: number;
  /** The comment above the production, without its mark. */
  label: string | null;
  /** The production, and its head from `where` to the colon. */
  span: Span; head: Span;
  /** The numbers of the enclosing repeat blocks, outermost first. */
  blocks: number[];
  causal: 'true' | 'false' | 'reverse' | null;
  rightmost: boolean;
  bindsN: boolean;
  q: Slot[]; k: Slot[]; v: Slot[];
}
export interface Block { number: number; label: string | null; span: Span; first: number; last: number; until: string }
export interface TestLine { name: string | null; prompt: string | null; file: string | null; gold: string; line: number }
export interface Program {
  tokens: Token[];
  diagnostics: Diagnostic[];
  /** The first error, if the program does not compile. The lists below are then empty. */
  error: string | null;
  layers: Layer[];
  blocks: Block[];
  registers: Register[];
  tests: TestLine[];
}

export interface Row { layer: number; pass: number[] }
export interface Run {
  /** The symbol with which each cell starts. */
  symbols: Value[];
  promptCells: number;
  rows: Row[];
  /** By row: the registers that changed in some cell. */
  writes?: number[][];
  /** By generated cell: the rows that it lacks, as it rests. Empty for most. Keys are cells. */
  resting: Record<number, number[]>;
  continuation: string[];
  stopped: 'stop-symbol' | 'max-new' | null;
  gold: string | null;
  passed: boolean | null;
  /** The first wrong symbol of a test that failed, the row and cell that wrote it if known, and the cause in words. */
  wrong: { number: number; row: number | null; cell: number; text: string } | null;
  /** The reason why the run failed. What ran before is there. */
  error: string | null;
  note: string | null;
}

/** One entry per cell and register. */
export interface Tile {
  rows: [number, number]; cells: [number, number];
  /** values[row][cell][register], after the row; null also where the cell does not exist. */
  values: Value[][][];
  /** changed[row][cell][register]. */
  changed: boolean[][][];
  /** attends[row][cell]: 0 if it did not fire, -1 if the cell rests. */
  attends: number[][];
}

export interface Side { text: string; value: Value }
export interface ConditionResult { span: Span; text: string; left: Side; right: Side; holds: boolean }
export interface Why {
  source: number;
  /** Whether N can see the cell: it exists then, and causal_attn shows it. */
  visible: boolean;
  conditions: ConditionResult[];
  firstFailed: number | null;
  /** Whether every condition holds, and whether the layer attends to this cell. */
  holds: boolean; wins: boolean;
}
export interface Entry { slot: string; query: string; key: string; queryValue: string[] | Value; keyValue: string[] | Value; match: boolean }
export interface UpdateDetail {
  row: number; cell: number; layer: number; pass: number[];
  /** The cell rests: nothing else is set. */
  rests: boolean;
  attends: number | null;
  /** All cells that meet the conditions, before leftmost or rightmost decides. */
  matches: number[];
  /** Of the cell attended to; or, if none, of N itself or the best candidate. */
  why: Why | null;
  /** Query at N against key at the same cell, slot by slot. */
  entries: Entry[];
  set: { register: number; value: string; text: string; span: Span }[];
  before: Value[]; after: Value[];
  /** The registers of the cell attended to, as they were read. */
  read: Value[] | null;
}
export interface Write { row: number; before: Value; value: string; attends: number }
export type LinkKind = 'assigned' | 'copied' | 'moved' | 'constant' | 'prompt' | 'machine' | 'null' | 'changed';
/** A step back: how the value came to be in this register of this cell. */
export interface Link {
  register: number; cell: number; time: number; value: Value;
  /** The row that wrote it; null for a start. */
  row: number | null;
  kind: LinkKind;
  text: string;
}
export interface Place { row: number | null; cell: number; layer: number | null; pass: number[]; register: number | null; text: string }
export interface Difference {
  /** The first cell that starts differently, and the first update that attends, writes or holds something else. */
  start: number | null;
  /** The row in each run. */
  update: { first: Place | null; second: Place | null; text: string } | null;
}

export type Attribute = 'q' | 'k' | 'v';
export interface TensorBlock {
  attribute: Attribute;
  /** Short names; the source is null for a bias alone. */
  target: string; source: string | null;
  kind: 'identity' | 'shift' | 'constant' | 'complement' | 'many';
  text: string;
  /** Indices of registers in `LayerTensors.registers`. */
  targetIndex: number; sourceIndex: number | null;
  weights: number; biases: number;
}
export interface LayerTensors {
  layer: number;
  /** d, and the short names of all R registers, primed ones included: matrices are R d x R d. */
  dimension: number; registers: string[];
  blocks: TensorBlock[];
}
export interface BlockNumbers {
  /** The vocabulary, by component. */
  values: string[];
  /** Row, column, entry; nonzero only. */
  weights: [number, number, number][];
  bias: [number, number][];
}
/** attends[N - 1]: the cell, 0 if the layer did not fire there, -1 if the cell rests. matches: all that met the conditions. */
export interface Attention { row: number; attends: number[]; matches: number[][] }
export interface Residual {
  dimension: number; registers: string[]; values: string[];
  /** vectors[cell][component], R d components. */
  vectors: number[][];
}
export interface Node { label: string; first: number; last: number; children: Node[] }
export interface Parse {
  /** Null unless registers named region and field exist. */
  tree: Node | null;
  tables: { title: string; rows: { register: string; cells: { cell: number; value: Value; marked: boolean }[] }[] }[];
}

export type Request =
  /** Slot 1 is another version of the program. */
  | { op: 'open'; slot?: 1; text: string; stop?: string; prompts?: Record<string, string> }
  | { op: 'run'; slot: number; prompt: Prompt; machine: Machine; ablated?: number[] }
  | { op: 'tile'; slot: number; rows: [number, number]; cells: [number, number]; registers: number[] }
  | { op: 'update'; slot: number; row: number; cell: number }
  | { op: 'why'; slot: number; row: number; cell: number; source: number }
  | { op: 'history'; slot: number; register: number; cell: number }
  | { op: 'origin'; slot: number; register: number; cell: number; time: number }
  | { op: 'difference' }
  | { op: 'tensors'; slot: number; layer: number }
  | { op: 'block'; slot: number; layer: number; attribute: Attribute; index: number }
  | { op: 'attention'; slot: number; row: number }
  | { op: 'residual'; slot: number; time: number; cells: [number, number]; embedding: 'local' | 'distributed' }
  /** With a cell, only the tables of the symbol that it generates. */
  | { op: 'parse'; slot: number; time: number; cell?: number };

/** The answer to each request. */
export interface Answers {
  open: Program; run: Run; tile: Tile; update: UpdateDetail; why: Why; history: Write[]; origin: Link[]; difference: Difference;
  tensors: LayerTensors; block: BlockNumbers; attention: Attention; residual: Residual; parse: Parse;
}
export type Response<T> = { ok: T } | { error: string };
