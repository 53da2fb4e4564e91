//! The program of a Turing machine (75)-(79).

use psl_syntax::token::quote;

use super::{
    names::Names,
    table::{Instruction, Table},
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

/// The cells after the prompt are not squares: they have no part in the machine.
const GENERATED_CELLS: &str = "\
# clear a generated cell, which starts as a copy of the last square
where parse[N] == 0:
    head[N] = 0
";

const PROMPT_CELLS: &str = "\
# start to the left of the first square
where parse[N] == 1:
    cursor[N] = 0
    parse[N] = 0
";

/// The number of layers of [`GENERATED_CELLS`] and [`PROMPT_CELLS`].
const START_LAYERS: usize = 2;

/// All instructions share these.
const MOVES: &str = "\
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

/// The program of a Turing machine.
pub struct Program<'t> {
    table: &'t Table,
    tape: Option<&'t Tape>,
    names: Names,
    /// The symbol that ends the continuation, different from all symbols of table and tape.
    pub stop: String,
    /// What differs from the table or from the usual program, with the reason.
    pub changes: Vec<String>,
}

/// A test of a program.
pub struct Test {
    /// The file of the structured prompt, from the folder of the program.
    pub prompt: String,
    /// The expected continuation.
    pub gold: String,
}

impl<'t> Program<'t> {
    /// The program for a table, and for a tape if it is known.
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

    /// The layer of the first instruction. The others follow in the order of the table.
    pub const fn first_instruction_layer(&self) -> usize {
        START_LAYERS + 1
    }

    /// The last layer of a pass.
    pub fn last_layer_of_pass(&self) -> usize {
        START_LAYERS + self.table.instructions.len() + MOVE_LAYERS
    }

    /// The text in the layout of the formatter.
    pub fn text(&self, test: Option<&Test>) -> String {
        let text = self.unformatted(test);
        psl_syntax::format(&text).map_or(text, |formatted| formatted.text)
    }

    fn unformatted(&self, test: Option<&Test>) -> String {
        let (registers, constants) = (self.names.registers(), self.names.constants());
        let stop = &self.stop;
        let mut text = HEAD.to_owned();
        let mut line = |line: String| {
            text.push_str(&line);
            text.push('\n');
        };
        line(format!(
            "# After a halt, the program generates the tape and `{stop}`. A head that leaves the tape is lost, and the run"
        ));
        line(
            "# looks like a halt: a plain `psl run` cannot tell the two apart, and `psl turing --run` can.".to_owned(),
        );
        if !self.changes.is_empty() {
            line("#\n# Names:".to_owned());
            self.changes.iter().for_each(|change| line(format!("# - {change}")));
        }
        line("\n//@ input head, state".to_owned());
        if stop != STOP {
            line(format!("//@ stop {}", quote(stop)));
        }
        if let Some(tape) = self.tape {
            line(format!("//@ max-new {}", tape.symbols.len() + 1));
        }
        if let Some(Test { prompt, gold }) = test {
            line(format!("//@ test json {} => {}", quote(prompt), quote(gold)));
        }
        line(format!("\nregisters: {{{registers}}}\nconstants: {{{constants}}}"));
        line("system: {symbol: symbol, position: position, output: output, parse: parse}".to_owned());
        line("watch: [symbol, head, state]\n".to_owned());
        line(format!("{GENERATED_CELLS}    symbol[N] = {}\n\n{PROMPT_CELLS}", self.names.constant(stop)));
        line("# ---- The machine: a pass is a step ----\n\ncausal_attn: false\n".to_owned());
        line("//@ allow may-not-terminate: a Turing machine may run forever\nrepeat:".to_owned());
        self.table.instructions.iter().for_each(|instruction| line(self.production(instruction)));
        text + MOVES + OUTPUT
    }

    /// The production of an instruction (75).
    fn production(&self, instruction: &Instruction) -> String {
        let Instruction { state, symbol, new_state, new_symbol, direction } = instruction;
        let direction = direction.letter();
        let label = format!("# {state} {symbol} => {new_state} {new_symbol} {direction} (75)");
        let [state, symbol, new_state, new_symbol] =
            [state, symbol, new_state, new_symbol].map(|value| self.names.constant(value));
        format!(
            "{label}\nwhere head[N] == 1 and state[N] == {state} and symbol[N] == {symbol}:\nhead[N] = {direction}\n\
             state[N] = {new_state}\nsymbol[N] = {new_symbol}\n"
        )
    }
}

/// The usual stop symbol.
const STOP: &str = ".";

fn stop(table: &Table, tape: Option<&Tape>) -> String {
    let on_tape = |stop: &str| {
        table.symbols().any(|symbol| symbol == stop)
            || tape.is_some_and(|tape| tape.symbols.iter().any(|symbol| symbol == stop))
    };
    let mut stop = STOP.to_owned();
    if on_tape(&stop) {
        "END".clone_into(&mut stop);
    }
    while on_tape(&stop) {
        stop.push('_');
    }
    stop
}
