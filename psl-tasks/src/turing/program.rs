//! The program of a Turing machine (75)-(79).

use psl_syntax::{program::ProductionId, token::quote};

use super::{
    names::Names,
    table::{Direction, Instruction, Table},
    tape::Tape,
};

/// The head of each program.
const HEAD: &str = "\
# A Turing machine, compiled from its table. It runs in the prompt pass, one step a pass.
#
# Each cell of the prompt is a square of the tape, and sets these registers:
#
#     symbol    the symbol in the square
#     head      1 for the square with the head, 0 for the others
#     state     the start state, in all cells
#
";

const LEAVING: &str = "\
#
# A head that leaves the tape is lost, and the run looks like a halt. A plain `psl run` cannot tell the
# two apart. `psl turing --run` can.
";

const ROLES: &str = "\
system: {symbol: symbol, position: position, output: output, parse: parse}
watch: [symbol, head, state]

";

/// The cells after the prompt are not squares: they have no part in the machine.
const GENERATED_CELLS: &str = "\
# clear a generated cell, which starts as a copy of the last square
where parse[N] == 0:
    head[N] = 0
";

const PROMPT_CELLS: &str = "
# start to the left of the first square
where parse[N] == 1:
    cursor[N] = 0
    parse[N] = 0

# ---- The machine: a pass is a step ----

causal_attn: false

//@ allow may-not-terminate: a Turing machine may run forever
repeat:
";

/// The number of layers of [`GENERATED_CELLS`] and [`PROMPT_CELLS`].
const START_LAYERS: usize = 2;

/// The productions that all instructions share.
const MOVES: &str = "    \
    //@ allow non-causal: the head comes from the right
    # move the head to the left (76)
    where head[n] == L and position[n] == position[N]@pos_increment:
        head[N] = 1
        state[N] = state[n]

    # move the head to the right (77)
    where head[n] == R and position[n] == position[N]@pos_decrement:
        head[N] = 1
        state[N] = state[n]

    # remove the mark of the move (78)
    where head[N] in [L, R]:
        head[N] = 0

    //@ allow non-causal: the head may be on the right
    # copy the state to all squares (79)
    where head[n] == 1:
        state[N] = state[n]
until NO_CHANGE

";

/// The number of layers of [`MOVES`].
const MOVE_LAYERS: usize = 4;

/// Prompt cells start at cursor 0, and generated cells at the cursor of the cell to the left.
const OUTPUT: &str = "\
# ---- The tape, from its first square ----

causal_attn: true

# generate the next square
where position[n] == cursor[N]@pos_increment:
    cursor[N] = position[n]
    output[N] = symbol[n]
";

/// The usual stop symbol.
const STOP: &str = ".";

/// The program of a Turing machine.
pub struct TuringProgram<'t> {
    table: &'t Table,
    tape: Option<&'t Tape>,
    names: Names,
    /// The symbol that ends the continuation, different from all symbols of table and tape.
    pub stop: String,
    /// The names and symbols that differ from the usual ones or from the table, each with the reason.
    pub changes: Vec<String>,
}

/// A test of a program.
pub struct Test {
    /// The file of the structured prompt, relative to the folder of the program.
    pub prompt: String,
    /// The expected continuation.
    pub gold: String,
}

impl<'t> TuringProgram<'t> {
    /// The layer of the first instruction. The others follow in the order of the table.
    pub const FIRST_INSTRUCTION: ProductionId = ProductionId::new(START_LAYERS);

    /// Creates the program of a table, and of a tape if it is known.
    pub fn new(table: &'t Table, tape: Option<&'t Tape>) -> Self {
        let stop = stop(table, tape);
        let own = ["L", "R", "0", "1", &stop];
        let names = Names::new(own.into_iter().chain(table.states()).chain(table.symbols()));
        let mut changes = names.changes.clone();
        if stop != STOP {
            changes.push(format!("the stop symbol is `{stop}`: the tape uses `{STOP}`"));
        }
        Self { table, tape, names, stop, changes }
    }

    /// The moves of the instructions.
    pub fn moves(&self) -> impl Iterator<Item = Direction> {
        self.table.instructions.iter().map(|instruction| instruction.direction)
    }

    pub fn last_layer_of_pass(&self) -> ProductionId {
        ProductionId::new(START_LAYERS + self.table.instructions.len() + MOVE_LAYERS - 1)
    }

    /// The text in the layout of the formatter.
    pub fn text(&self, example: Option<&Test>) -> String {
        let text = [self.head(), self.directives(example), self.declarations(), self.productions()].concat();
        psl_syntax::format(&text).map_or(text, |formatted| formatted.text)
    }

    fn head(&self) -> String {
        let stop = &self.stop;
        let changes: Vec<String> = self.changes.iter().map(|change| format!("# - {change}\n")).collect();
        let start = if changes.is_empty() { "" } else { "#\n# In this program:\n" };
        format!(
            "{HEAD}# After a halt, the program generates the tape and `{stop}`.\n{LEAVING}{start}{}\n",
            changes.concat()
        )
    }

    fn directives(&self, example: Option<&Test>) -> String {
        let stop = Some(&self.stop).filter(|stop| *stop != STOP).map(|stop| format!("//@ stop {}\n", quote(stop)));
        let length = self.tape.map(|tape| format!("//@ max-new {}\n", tape.symbols.len() + 1));
        let example =
            example.map(|Test { prompt, gold }| format!("//@ test json {} => {}\n", quote(prompt), quote(gold)));
        let given: Vec<String> = [stop, length, example].into_iter().flatten().collect();
        format!("//@ input head, state\n{}\n", given.concat())
    }

    fn declarations(&self) -> String {
        let (registers, constants) = (self.names.registers(), self.names.constants());
        format!("registers: {{{registers}}}\nconstants: {{{constants}}}\n{ROLES}")
    }

    fn productions(&self) -> String {
        let stop = self.names.constant(&self.stop);
        let instructions: Vec<String> = self.table.instructions.iter().map(|it| self.production(it)).collect();
        format!("{GENERATED_CELLS}    symbol[N] = {stop}\n{PROMPT_CELLS}{}{MOVES}{OUTPUT}", instructions.concat())
    }

    /// The production of an instruction (75).
    fn production(&self, instruction: &Instruction) -> String {
        let Instruction { state, symbol, new_state, new_symbol, direction } = instruction;
        let direction = direction.letter();
        let label = format!("# {state} {symbol} => {new_state} {new_symbol} {direction} (75)");
        let [state, symbol, new_state, new_symbol] =
            [state, symbol, new_state, new_symbol].map(|value| self.names.constant(value));
        format!(
            "    {label}
    where head[N] == 1 and state[N] == {state} and symbol[N] == {symbol}:
        head[N] = {direction}
        state[N] = {new_state}
        symbol[N] = {new_symbol}

"
        )
    }
}

/// A stop symbol that the tape never has.
fn stop(table: &Table, tape: Option<&Tape>) -> String {
    let is_used = |stop: &str| {
        let on_tape = tape.is_some_and(|tape| tape.symbols.iter().any(|symbol| symbol == stop));
        on_tape || table.symbols().any(|symbol| symbol == stop)
    };
    if !is_used(STOP) {
        return STOP.to_owned();
    }
    let mut stop = "END".to_owned();
    while is_used(&stop) {
        stop.push('_');
    }
    stop
}
