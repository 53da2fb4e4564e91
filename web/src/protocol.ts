// The messages between the page and the module, and the data in the page: the types of psl-explorer.
// `UPDATE=1 cargo test -p psl-explorer protocol` rewrites this file.

/** The answer to each request. */
export type Answers = { open: Program, run: Run, tile: Tile, update: UpdateDetail, why: Why, history: Array<Write>, origin: Array<Link>, difference: Difference, tensors: LayerTensors, block: BlockNumbers, attention: Attention, residual: Residual, parse: Parse };

/** A register that is set. */
export type Assigned = { register: number, value: string, source: Term,
  /** The source, as written. */
  text: string,
  /** The assignment. */
  span: LineSpan };

/** One entry per cell N. */
export type Attention = { row: number,
  /** The cell attended to, 0 if the layer did not fire, or -1 if the cell rests. */
  attends: Array<number>,
  /** All cells that meet the conditions. */
  matches: Array<Array<number>> };

/** A part of a layer's weights. */
export type Attribute = "q" | "k" | "v";

/** The form of a block. */
export type BlockKind = "identity" | "shift" | "constant" | "complement" | "many";

/** The numbers of a block. */
export type BlockNumbers = {
  /** The value of each component. */
  values: Array<string>,
  /** Row, column and nonzero entry. */
  weights: Array<[number, number, number]>,
  /** Column and nonzero entry. */
  bias: Array<[number, number]> };

export type CausalAttn = "true" | "false" | "reverse";

/** The cell that is updated, or the one that it attends to. */
export type CellName = "N" | "n";

/** A condition with the values that it compares. */
export type ConditionResult = { span: LineSpan,
  /** The condition, as written. */
  text: string, left: Reading, operator: Operator, right: RightSide, holds: boolean };

/** A constant, by its name in the program and its value in the run. */
export type Constant = { name: string, value: string };

export type Diagnostic = { severity: Severity, code: string, message: string, help?: string,
  /** The first code unit. */
  start: number,
  /** The one just past the last. */
  end: number,
  /** The line of the first. */
  line: number };

/** The first differences between two runs. */
export type Difference = {
  /** The first cell of the prompt that starts differently. */
  start: number | null,
  /** The first update that attends, writes or holds something else. */
  update: DifferentUpdate | null };

/** The place of that update in one of the runs. */
export type DifferencePlace = { row: number, cell: number, layer: number, pass: Array<number>,
  /** The first register that is set differently. */
  register: number | null, text: string };

/** The first update that differs. A run that lacks it has no place. */
export type DifferentUpdate = { first: DifferencePlace | null, second: DifferencePlace | null, text: string };

/** An embedding. */
export type EmbeddingName = "local" | "distributed";

/** An instruction of a query or a key, with the values that it accepts. */
export type Instruction = {
  /** Whether it accepts every value except these. */
  negated: boolean,
  /** The value of a register, which may be null, or the constants. */
  values: Array<string | null>,
  /** The long name of the register that it reads, or null for constants. */
  register: string | null, function: PositionFunction | null };

export type Layer = {
  /** 1-based. */
  number: number,
  /** The comment above the production, without its mark. */
  label: string | null,
  /** The production. */
  span: LineSpan,
  /** The production from `where` to the colon. */
  head: LineSpan,
  /** The numbers of the enclosing repeat blocks, outermost first. */
  blocks: Array<number>, causal: CausalAttn | null,
  /** Whether the rightmost match wins. */
  rightmost: boolean,
  /** Whether a condition mentions `n`. */
  bindsN: boolean, q: Array<Slot>, k: Array<Slot>, v: Array<Slot> };

/** The blocks of a layer. */
export type LayerTensors = { layer: number,
  /** d: matrices are R d x R d. */
  dimension: number,
  /** The short names of all R registers, primed ones included. */
  registers: Array<string>, blocks: Array<WeightBlock> };

/** A span in UTF-16 code units, with its 1-based line. */
export type LineSpan = {
  /** The first code unit. */
  start: number,
  /** The one just past the last. */
  end: number,
  /** The line of the first. */
  line: number };

/** A register of a cell at a time, and how it came to have its value. */
export type Link = { register: number, cell: number, time: number, value: string | null,
  /** The row that wrote it or before which it was changed, or null for the start of the cell. */
  row: number | null, kind: LinkKind, text: string };

/** The kind of a link. */
export type LinkKind = "assigned" | "moved" | "copied" | "constant" | "prompt" | "machine" | "null" | "changed";

export type Machine = "psm" | "qkvm" | "dat" | "full-dat";

/** The operator of a condition. */
export type Operator = "==" | "!=" | "in" | "not in";

/** Another version of the program in a page. */
export type PageAgainst = {
  /** The layer of the program for each layer of this version, or null if the program lacks it. */
  layers: Array<number | null>,
  /** The name of the program. */
  name: string,
  /** The program. */
  text: string,
  /** The stop symbol of a program that does not name one. */
  stop?: string,
  /** The contents of the files with its tests' prompts. */
  prompts: { [key in string]: string } };

/** The data in the page: a program, what to open in it, and where its changes come from. */
export type PageData = {
  /** The prompt that runs first: by default, that of the first test. */
  open?: PagePrompt,
  /** Another version of the program, whose run on the same prompt is the second one. */
  against?: PageAgainst,
  /** Programs to choose from. */
  examples: Array<PageExample>,
  /** The server of the page. A page in a file has none. */
  serve?: PageServer,
  /** The name of the program. */
  name: string,
  /** The program. */
  text: string,
  /** The stop symbol of a program that does not name one. */
  stop?: string,
  /** The contents of the files with its tests' prompts. */
  prompts: { [key in string]: string } };

/** A program to choose. */
export type PageExample = {
  /** The name. */
  name: string,
  /** The program. */
  text: string };

/** A prompt as the page names it, in requests and in its data. */
export type PagePrompt = string | {
  /** The 0-based index. */
  test: number }
  | {
  /** A JSON list of cells. */
  cells: string };

/** A server that sends the page changes of its program. */
export type PageServer = {
  /** Whether it takes clicks on lines. */
  reveal: boolean };

/** The pictures of a parse. */
export type Parse = {
  /** Null unless registers named `region` and `field` exist. The tables are then empty. */
  tree: ParseNode | null, tables: Array<ParseTable> };

/** An entry of a row. */
export type ParseCell = {
  /** The cell, 1-based. */
  cell: number,
  /** The value, or null. */
  value: string | null,
  /** Whether the generation of the symbol reads or writes it. */
  marked: boolean };

/** A node of a parse tree. */
export type ParseNode = {
  /** `S` for the root (31), otherwise the region, the field or the symbol. */
  label: string,
  /** The first cell, 1-based. */
  first: number,
  /** The last cell. */
  last: number,
  /** The parts, from left to right. A symbol has none. */
  children: Array<ParseNode> };

/** A row of a table. */
export type ParseRow = {
  /** The long name of the register, or empty for the row below the registers, which names the cells read. */
  register: string,
  /** One entry for each column. */
  cells: Array<ParseCell> };

/** A table with a column for each cell. */
export type ParseTable = {
  /** The title. */
  title: string,
  /** The rows. */
  rows: Array<ParseRow> };

export type PositionFunction = "pos_increment" | "pos_decrement";

/** A program. */
export type Program = { tokens: Array<Token>, diagnostics: Array<Diagnostic>,
  /** The first error, if the program does not compile. The lists below are then empty. */
  error: string | null, layers: Array<Layer>, blocks: Array<RepeatBlock>, registers: Array<Register>, tests: Array<TestLine> };

/** A register that is read. */
export type Reading = {
  /** The long name. */
  register: string, at: CellName, function: PositionFunction | null,
  /** The value, after the function. */
  value: string | null };

export type Register = { long: string, short: string, roles: Array<string>, watched: boolean };

export type RepeatBlock = { number: number, label: string | null, span: LineSpan,
  /** The first layer. */
  first: number,
  /** The last layer. */
  last: number };

/** A request. A `slot` is the place of one of two runs. */
export type Request = { "op": "open",
  /** The text. */
  text: string,
  /** The stop symbol of a program that does not name one. */
  stop?: string,
  /** The contents of the files with its tests' prompts. */
  prompts?: { [key in string]: string } }
  | { "op": "run", slot: number, prompt: PagePrompt, machine: Machine,
  /** The layers that write nothing. */
  ablated?: Array<number> }
  | { "op": "tile", slot: number, rows: [number, number], cells: [number, number], registers: Array<number> }
  | { "op": "update", slot: number, row: number, cell: number }
  | { "op": "why", slot: number, row: number, cell: number, source: number }
  | { "op": "history", slot: number, register: number, cell: number }
  | { "op": "origin", slot: number, register: number, cell: number, time: number }
  | { "op": "difference" } | { "op": "tensors", slot: number, layer: number }
  | { "op": "block", slot: number, layer: number, attribute: Attribute, index: number }
  | { "op": "attention", slot: number, row: number }
  | { "op": "residual", slot: number, time: number, cells: [number, number], embedding: EmbeddingName }
  | { "op": "parse", slot: number, time: number,
  /** The cell whose tables are wanted. */
  cell?: number };

/** The vectors of some cells at a time. */
export type Residual = {
  /** d, the components of a register. */
  dimension: number,
  /** The short names of the registers, block by block. */
  registers: Array<string>,
  /** The vocabulary, by component. */
  values: Array<string>,
  /** `vectors[cell][component]`. */
  vectors: Array<Array<number>> };

/** The response to a request. */
export type Response<T> = { "ok": T } | { "error": string };

/** The right side of a condition: one term, or the constants of a list. */
export type RightSide = Term | Array<Constant>;

/** A run. */
export type Run = {
  /** The symbol with which each cell starts. */
  symbols: Array<string | null>, promptCells: number, rows: Array<RunRow>,
  /** By row: the registers that changed in some cell. */
  writes: Array<Array<number>>,
  /** By cell that rests: the rows that it lacks. */
  resting: { [key in number]: Array<number> }, continuation: Array<string>, stopped: Stopped | null,
  /** The expected continuation of a test. */
  gold: string | null, passed: boolean | null, wrong: Wrong | null,
  /** The reason why the run failed. The cells and rows before that are there. */
  error: string | null, note: string | null };

export type RunRow = { layer: number, pass: Array<number> };

export type Severity = "error" | "warning" | "info" | "hint";

export type Slot = { name: string,
  /** Null for the value of one term. */
  operator: Operator | null,
  /** Registers under their short names, and constants by their values. */
  terms: Array<string> };

/** An entry of the query with that of the key. */
export type SlotEntry = { slot: string,
  /** The long name of the register that the slot is named after. */
  register: string | null, query: Instruction, key: Instruction, match: boolean };

export type Stopped = "stop-symbol" | "max-new";

/** A register or a constant. */
export type Term = Reading | Constant;

export type TestLine = { name: string | null,
  /** The symbols of the prompt, or null if it is in a file. */
  prompt: string | null, file: string | null, gold: string, line: number };

/** One entry per row, cell and register. */
export type Tile = {
  /** The first row, and the one after the last. */
  rows: [number, number],
  /** The first cell, and the one after the last. */
  cells: [number, number],
  /** `values[row][cell][register]`, after the row. Null also if the cell does not exist. */
  values: Array<Array<Array<string | null>>>,
  /** `changed[row][cell][register]`: whether the row changed the value. */
  changed: Array<Array<Array<boolean>>>,
  /** `attends[row][cell]`: the cell attended to, 0 if the layer did not fire, or -1 if the cell rests. */
  attends: Array<Array<number>> };

export type Token = { start: number, end: number, type: string };

/** An update. */
export type UpdateDetail = { row: number, cell: number, layer: number, pass: Array<number>,
  /** Whether the cell rests. Nothing else is set then. */
  rests: boolean,
  /** The cell attended to. */
  attends: number | null,
  /** All cells that meet the conditions, before leftmost or rightmost decides. */
  matches: Array<number>,
  /** Of the cell attended to. If there is none, of the cell that meets most conditions. */
  why: Why | null,
  /** Query and key for the same cell. */
  entries: Array<SlotEntry>,
  /** The registers that it sets. */
  set: Array<Assigned>,
  /** The registers of the cell before the layer. */
  before: Array<string | null>,
  /** The registers of the cell after the layer. */
  after: Array<string | null>,
  /** The registers of the cell attended to, when they were read. */
  read: Array<string | null> | null };

/** A block of a matrix, a part of its bias, or both. */
export type WeightBlock = { attribute: Attribute,
  /** The short name of the register written. */
  target: string,
  /** That of the register read, or null for a bias alone. */
  source: string | null, kind: BlockKind,
  /** The effect, in words. */
  text: string,
  /** Indices of the registers. */
  targetIndex: number, sourceIndex: number | null,
  /** The numbers of nonzero entries. */
  weights: number, biases: number };

/** Why cell N attends to cell n, or does not. */
export type Why = {
  /** The cell n. */
  source: number,
  /** Whether N can attend to the cell: it exists then, and `causal_attn` shows it. */
  visible: boolean, conditions: Array<ConditionResult>,
  /** The index of the first condition that fails. */
  firstFailed: number | null,
  /** Whether every condition holds. */
  holds: boolean,
  /** Whether N attends to the cell. */
  wins: boolean };

/** A write of a value. */
export type Write = { row: number, before: string | null, value: string,
  /** The cell attended to. */
  attends: number };

/** The first wrong symbol of a test. */
export type Wrong = { number: number, row: number | null, cell: number, text: string };
