// The messages between the page and the module, and the data in the page. Generated from the types of psl-explorer:
// `UPDATE=1 cargo test -p psl-explorer protocol` rewrites this file.

/** The answer to each request. */
export type Answers = { open: Program, run: Run, tile: Tile, update: UpdateDetail, why: Why, history: Array<Write>, origin: Array<Link>, difference: Difference, patch: Patches, tensors: LayerTensors, block: BlockNumbers, attention: Attention, residual: Residual, parse: Parse, schedule: Schedule, codes: Codes, debug: Debugged, complete: Array<Completed> };

/** A register that the update sets. */
export type Assigned = { register: number, value: string, source: Term,
  /** The source, as written. */
  text: string,
  /** The whole assignment. */
  span: LineSpan };

/** The attention of a layer. Both lists have one entry per cell N. */
export type Attention = { row: number,
  /** The cell attended to, 0 if the layer did not fire, or -1 if the cell rests. */
  attends: Array<number>,
  /** All cells that match. */
  matches: Array<Array<number>> };

/** The weights of the query, key or value. */
export type Attribute = "q" | "k" | "v";

export type BlockKind = "identity" | "shift" | "constant" | "complement" | "many";

export type BlockNumbers = {
  /** The value of each component. */
  values: Array<string>,
  /** Row, column and value of each nonzero entry. */
  weights: Array<[number, number, number]>,
  /** Column and value of each nonzero entry. */
  bias: Array<[number, number]> };

export type CausalAttn = "true" | "false" | "reverse";

/** The cell that is updated, or the one that it attends to. */
export type CellName = "N" | "n";

/** A set of heads with which some cell attends to another. */
export type Code = { heads: Array<number>,
  /** The code's effect in words. */
  meaning: string,
  /** The number of pairs in the whole run. */
  pairs: number };

/** The codes of a layer. Heads are given by their indices in the layer. */
export type Codes = {
  /** The number of the layer in the schedule, 1-based. */
  layer: number, heads: Array<Head>,
  /** The passes of the enclosing repeat blocks whose pairs are given, outermost first. */
  pass: Array<number>, distinct: Array<Code>,
  /** The pairs of that pass: N, n, and the index of the code. */
  pairs: Array<[number, number, number]>,
  /** By two heads: the cosine of their mean codes, or null if one of them never attends. */
  similarities: Array<Array<number | null>> };

/** A text that completes a command. */
export type Completed = {
  /** The start of the text that it replaces, in UTF-16 code units. */
  start: number, text: string };

/** A condition with the values that it compares. */
export type ConditionResult = { span: LineSpan,
  /** The condition, as written. */
  text: string, left: Reading, operator: Operator, right: RightSide, holds: boolean };

/** A constant, by its name in the program and its value in the run. */
export type Constant = { name: string, value: string };

/** A line of the console. */
export type DebugLine = {
  /** `title`, `value`, `remark` or `wrong`. */
  kind: string, text: string };

/** An answer of the debugger. */
export type Debugged = {
  /** The answer to the command. */
  lines: Array<DebugLine>,
  /** Whether the command failed. */
  failed: boolean,
  /** Whether the session has ended. The next one has begun. */
  quit: boolean, place: Place, stops: Array<Stop>,
  /** The values of the watched expressions, in their order. */
  watched: Array<Watched>,
  /** The name of a run with changed registers or ablated layers. */
  whatIf: string | null,
  /** The shown run, if the command has replaced it. */
  run: Run | null };

export type Diagnostic = { severity: Severity, code: string, message: string, help?: string,
  /** In UTF-16 code units. */
  start: number,
  /** Exclusive. */
  end: number,
  /** The 1-based line of `start`. */
  line: number };

/** The first differences between two runs of a program. */
export type Difference = {
  /** The first cell of the prompt whose start differs. */
  start: number | null,
  /** The first update that differs in the cell attended to or the values written. */
  update: DifferentUpdate | null };

/** An update that differs. Null in a run that lacks it. */
export type DifferentUpdate = { first: UpdateCoordinates | null, second: UpdateCoordinates | null, text: string };

/** The embedding: `local` vectors are one-hot, `distributed` ones are dense. */
export type EmbeddingName = "local" | "distributed";

/** A production as a head of a layer. */
export type Head = {
  /** The production's number in the program, 1-based, which is that of its layer in the shown run. */
  production: number,
  /** The short name. */
  name: string };

/** An instruction of a query or a key, with the values that it accepts. */
export type Instruction = {
  /** Whether the instruction accepts all values except `values`. */
  negated: boolean,
  /** The value of the register, which may be null, or the constants. */
  values: Array<string | null>,
  /** The long name of the register that it reads, or null for constants. */
  register: string | null, function: PositionFunction | null };

export type Layer = {
  /** 1-based. */
  number: number,
  /** The comment above the production, without its mark. */
  label: string | null,
  /** The whole production. */
  span: LineSpan,
  /** From `where` to the colon. */
  head: LineSpan,
  /** The numbers of the enclosing repeat blocks, outermost first. */
  blocks: Array<number>, causal: CausalAttn | null,
  /** Whether the rightmost match wins. */
  rightmost: boolean,
  /** Whether a condition mentions `n`. */
  bindsN: boolean, q: Array<Slot>, k: Array<Slot>, v: Array<Slot> };

/** The weights of a layer, block by block. */
export type LayerTensors = { layer: number,
  /** d, the number of components of a register. Matrices are R d x R d. */
  dimension: number,
  /** The short names of all R registers, primed ones included. */
  registers: Array<string>, blocks: Array<WeightBlock> };

/** A span in a program. */
export type LineSpan = {
  /** In UTF-16 code units. */
  start: number,
  /** Exclusive. */
  end: number,
  /** The 1-based line of `start`. */
  line: number };

/** A register of a cell at a time, and how it got its value. */
export type Link = { register: number, cell: number, time: number, value: string | null,
  /** The row that wrote the value, or before which it was changed. Null if the cell started with it. */
  row: number | null, kind: LinkKind, text: string };

export type LinkKind = "assigned" | "moved" | "copied" | "constant" | "prompt" | "machine" | "null" | "changed";

export type Machine = "psm" | "qkvm" | "dat" | "full-dat";

export type Operator = "==" | "!=" | "in" | "not in";

/** Another version of the program in a page. */
export type PageAgainst = {
  /** For each layer of this version, the 1-based layer of the program, or null if the program lacks it. */
  layers: Array<number | null>, name: string, text: string,
  /** The stop symbol, if the program does not name one. */
  stop?: string,
  /** The prompt files of its tests: their contents by name. */
  prompts: { [key in string]: string } };

/** The data in the page: a program, what to open in it, and where its changes come from. */
export type PageData = {
  /** The layers that write nothing in that run. */
  ablated?: Array<number>,
  /** Values that that run has in place of its own. */
  set?: Array<SetValue>,
  /** Another version of the program. Its run on the same prompt is the second one. */
  against?: PageAgainst,
  /** Programs to choose from. */
  examples: Array<PageExample>,
  /** The server of the page. A page in a file has none. */
  serve?: PageServer, name: string, text: string,
  /** The stop symbol, if the program does not name one. */
  stop?: string,
  /** The prompt files of its tests: their contents by name. */
  prompts: { [key in string]: string },
  /** The prompt that runs first: by default, that of the first test. */
  open?: PagePrompt,
  /** The expected continuation of the prompt. A test has its own. */
  gold?: string };

/** An example to choose. */
export type PageExample = { name: string, text: string };

/** A prompt: symbols separated by spaces, a test, or cells. */
export type PagePrompt = string | {
  /** The 0-based index. */
  test: number }
  | {
  /** A JSON list of cells. */
  cells: string };

/** A server that sends the changes of the program. */
export type PageServer = {
  /** Whether the server can show a line of the program in an editor. */
  reveal: boolean };

export type Parse = {
  /** Null if the program has no registers named `region` and `field`. Then there are no tables either. */
  tree: ParseNode | null, tables: Array<ParseTable> };

export type ParseCell = {
  /** 1-based. */
  cell: number, value: string | null,
  /** Whether the generation of the symbol reads or writes it. */
  marked: boolean };

export type ParseNode = {
  /** `S` for the root (31), otherwise the region, the field or the symbol. */
  label: string,
  /** The first cell, 1-based. */
  first: number,
  /** The last cell, inclusive. */
  last: number,
  /** From left to right. A symbol has none. */
  children: Array<ParseNode> };

export type ParseRow = {
  /** The long name of the register. Empty in the last row, which names the cells read. */
  register: string,
  /** One for each column. */
  cells: Array<ParseCell> };

/** A table with a column for each cell. */
export type ParseTable = { title: string, rows: Array<ParseRow> };

/** The effect of a value of the second run, put into the first one. */
export type PatchEffect = {
  /** The index in `rows`. */
  row: number, cell: number, before: string | null, value: string | null,
  /** The continuation of the patched run. */
  continuation: Array<string>,
  /** The number of symbols that differ from those of the first run. Null if the patched run fails. */
  changes: number | null,
  /** Whether the continuation is that of the second run, and not that of the first one. */
  restores: boolean,
  /** The reason why the patched run fails. */
  error: string | null };

/** The patches of a register. */
export type Patches = {
  /** For each register, the number of places at which the second run has another value. */
  places: Array<number>, register: number,
  /** The rows of the prompt in the first run, without set values. */
  rows: Array<RunRow>, effects: Array<PatchEffect> };

/** The place of the debugger. */
export type Place = {
  /** The place, what the layer does to the cell, and the line of the program. */
  lines: Array<DebugLine>, step: number,
  /** The row that the place is about. Null at the start of a cell. */
  row: number | null, cell: number };

export type PositionFunction = "pos_increment" | "pos_decrement";

export type Program = { tokens: Array<Token>, diagnostics: Array<Diagnostic>,
  /** The first error, or null if the program compiles. With an error, the lists below are empty. */
  error: string | null, layers: Array<Layer>, blocks: Array<RepeatBlock>, registers: Array<Register>, tests: Array<TestLine>,
  /** Whether the module has a debugger. */
  debugger: boolean };

/** A register that is read, with its value. */
export type Reading = {
  /** The long name. */
  register: string, at: CellName, function: PositionFunction | null,
  /** The value after the function. */
  value: string | null };

export type Register = { long: string, short: string,
  /** Those of the machine, and `answer` for the register of rows. */
  roles: Array<string>, watched: boolean };

export type RepeatBlock = { number: number, label: string | null, span: LineSpan,
  /** The first layer. */
  first: number,
  /** The last layer. */
  last: number };

/** A request. Slot 0 has the run that is shown, and slot 1 the run compared with it. */
export type Request = { "op": "open", text: string,
  /** The stop symbol, if the program does not name one. */
  stop?: string,
  /** The prompt files of its tests: their contents by name. */
  prompts?: { [key in string]: string } }
  | { "op": "run", slot: number, prompt: PagePrompt, machine: Machine,
  /** Layers that write nothing in this run. */
  ablated?: Array<number>,
  /** Values that this run has in place of its own. */
  set?: Array<SetValue>,
  /** The tile that comes with the answer. */
  tile?: WholeTile }
  | { "op": "tile", slot: number, rows: [number, number], cells: [number, number], registers: Array<number> }
  | { "op": "update", slot: number, row: number, cell: number }
  | { "op": "why", slot: number, row: number, cell: number, source: number }
  | { "op": "history", slot: number, register: number, cell: number }
  | { "op": "origin", slot: number, register: number, cell: number, time: number }
  | { "op": "difference" } | { "op": "patch",
  /** The register. Without it, the one with the most patches within the limit. */
  register?: number,
  /** The cells of the prompts that correspond, such as `1-3:1-3,4:6`. */
  align?: string }
  | { "op": "tensors", slot: number, layer: number }
  | { "op": "block", slot: number, layer: number, attribute: Attribute, index: number }
  | { "op": "attention", slot: number, row: number }
  | { "op": "residual", slot: number, time: number, cells: [number, number], embedding: EmbeddingName }
  | { "op": "parse", slot: number, time: number,
  /** The cell whose symbol the tables explain. Without it, they have one example of each kind. */
  cell?: number }
  | { "op": "schedule",
  /** The maximum number of heads in a layer. */
  limit?: number }
  | { "op": "codes", slot: number, limit?: number, layer: number,
  /** The passes of the enclosing repeat blocks, outermost first. */
  pass: Array<number> }
  | { "op": "debug", slot: number,
  /** The command. Without it, the answer has the place. */
  command?: string,
  /** The row, or null for the start of the cell, and the cell that the page shows, unless the debugger has named
   * them. */
  at?: [number | null, number],
  /** The expressions whose values come with the answer. */
  watch?: Array<string>,
  /** The tile that comes with another run. */
  tile?: WholeTile }
  | { "op": "complete", slot: number, text: string };

/** The vectors of some cells at a time. */
export type Residual = {
  /** d, the number of components of a register. */
  dimension: number,
  /** The short names of the registers, block by block. */
  registers: Array<string>,
  /** The vocabulary. In the local embedding, each value has one component of a register, in this order. */
  values: Array<string>,
  /** `vectors[cell][component]`. */
  vectors: Array<Array<number>> };

/** The response to a request. */
export type Response<T> = { "ok": T } | { "error": string };

/** The right side of a condition: one term, or the constants of a list. */
export type RightSide = Term | Array<Constant>;

export type Run = {
  /** The symbol that each cell starts with. */
  symbols: Array<string | null>, promptCells: number, rows: Array<RunRow>,
  /** By row: the registers that it changes in some cell. */
  writes: Array<Array<number>>,
  /** By cell: the rows that it lacks. Only cells that rest have an entry. */
  resting: { [key in number]: Array<number> },
  /** The continuation or the row. */
  continuation: Array<string>,
  /** The register that holds it. */
  output: number | null, stopped: Stopped | null,
  /** The expected continuation, if a test is run. */
  gold: string | null, passed: boolean | null, wrong: Wrong | null,
  /** The reason why the run failed. The cells and rows before the failure are included. */
  error: string | null, note: string | null,
  /** The tile of the whole grid, if the request wants it and it has few values. */
  tile: Tile | null };

export type RunRow = { layer: number, pass: Array<number> };

/** The layers and heads of a schedule, with a picture of them. */
export type Schedule = {
  /** The number of productions, layers and heads, in words. */
  summary: string,
  /** SVG. The attribute `data-production` of a head is the number of its production. */
  picture: string,
  /** By layer: its heads. */
  layers: Array<Array<Head>> };

/** The value of a register of a cell right after a layer. */
export type SetValue = {
  /** The number of the layer, or 0 for the start of the cell. */
  layer: number,
  /** The passes of the repeat blocks around the layer, outermost first, or null for every pass. */
  pass: Array<number> | null, cell: number,
  /** The long or short name. */
  register: string,
  /** The value, or null. */
  value: string | null };

export type Severity = "error" | "warning" | "info" | "hint";

export type Slot = { name: string,
  /** Null if the slot is the value of its only term. */
  operator: Operator | null,
  /** Registers by their short names, and constants by their values. */
  terms: Array<string> };

/** An entry of the query, with the entry of the key that it is compared with. */
export type SlotEntry = { slot: string,
  /** The long name of the register that the slot is named after. */
  register: string | null, query: Instruction, key: Instruction, match: boolean };

/** A breakpoint. */
export type Stop = { id: number, text: string, enabled: boolean };

export type Stopped = "stop-symbol" | "max-new" | "prompt-pass";

export type Term = Reading | Constant;

export type TestLine = { name: string | null,
  /** The symbols of the prompt, or null if it is in a file. */
  prompt: string | null, file: string | null, gold: string, line: number };

/** The values of some registers in a part of the grid. */
export type Tile = {
  /** A half-open range. */
  rows: [number, number],
  /** A half-open range. */
  cells: [number, number], registers: Array<number>,
  /** `values[row][cell][register]`, after the row. Null also if the cell does not exist. */
  values: Array<Array<Array<string | null>>>,
  /** `changed[row][cell][register]`: whether the row changed the value. */
  changed: Array<Array<Array<boolean>>>,
  /** `attends[row][cell]`: the cell attended to, 0 if the layer did not fire, or -1 if the cell rests. */
  attends: Array<Array<number>> };

export type Token = { start: number, end: number, type: string };

/** The coordinates of an update in one of the runs. */
export type UpdateCoordinates = { row: number, cell: number, layer: number, pass: Array<number>,
  /** The first register that is set to different values. */
  register: number | null, text: string };

export type UpdateDetail = { row: number, cell: number, layer: number, pass: Array<number>,
  /** Whether the cell rests. If so, the fields below are empty, except `before` and `after`. */
  rests: boolean,
  /** The cell attended to, or null if the layer does not fire. */
  attends: number | null,
  /** All cells that match, of which the leftmost or the rightmost wins. */
  matches: Array<number>,
  /** About the cell attended to or, if there is none, the one that meets the most conditions. */
  why: Why | null,
  /** The query, and the key of the same cell. */
  entries: Array<SlotEntry>, set: Array<Assigned>,
  /** The value of each register before the layer. */
  before: Array<string | null>,
  /** The value of each register after the layer. */
  after: Array<string | null>,
  /** The value of each register of the cell attended to, at the time when it was read. */
  read: Array<string | null> | null };

/** The value of an expression, or the reason why it has none. */
export type Watched = { value: string, failed: boolean };

/** A block of a matrix, a part of its bias, or both. */
export type WeightBlock = { attribute: Attribute,
  /** The short name of the register written. */
  target: string,
  /** The short name of the register read, or null for a bias alone. */
  source: string | null, kind: BlockKind,
  /** The effect, as a sentence. */
  text: string,
  /** The 0-based index of `target` in the registers. */
  targetIndex: number, sourceIndex: number | null,
  /** The number of nonzero entries of the matrix. */
  weights: number,
  /** The number of nonzero entries of the bias. */
  biases: number };

/** A tile of the whole grid, unless it has too many values. */
export type WholeTile = { registers: Array<number>,
  /** The most values that it may have. */
  most: number };

/** Why cell N attends to cell n, or does not. */
export type Why = {
  /** The cell n. */
  source: number,
  /** Whether N can attend to n: n exists at that time, and `causal_attn` allows it. */
  visible: boolean, conditions: Array<ConditionResult>,
  /** The 0-based index of the first condition that fails. */
  firstFailed: number | null,
  /** Whether every condition holds. */
  holds: boolean,
  /** Whether N attends to n. */
  wins: boolean };

/** A write to the register. */
export type Write = { row: number, before: string | null, value: string,
  /** The cell attended to. */
  attends: number };

/** The first wrong symbol of the continuation. */
export type Wrong = {
  /** 1-based. */
  number: number,
  /** The row that wrote it. */
  row: number | null,
  /** The cell that generated it. */
  cell: number, text: string };
