//! The input of a run: the registers, the vocabulary, the prompt as cells, and the limits.

use std::{collections::BTreeSet, fmt};

use psl_syntax::program::{DEFAULT_STOP, ProductionId, Program, RegisterId, Roles};
use smallvec::SmallVec;

use crate::{
    cell_id::CellId,
    limits::Limits,
    qkvl,
    vocabulary::{ValueId, Vocabulary},
};

/// The values of a cell's registers, by their index in [`Registers`]. Most programs need no allocation for it.
pub type State = SmallVec<[Option<ValueId>; 16]>;

/// The registers that hold state, in the order of their declaration, and the roles of those that the machine sets and
/// reads.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Registers {
    /// The long names.
    pub long: Vec<String>,
    /// The short names.
    pub short: Vec<String>,
    /// The roles, as indices into both.
    pub roles: Roles,
}

impl Registers {
    /// The number of registers.
    pub fn len(&self) -> usize {
        self.short.len()
    }

    /// Whether the list has no registers.
    pub fn is_empty(&self) -> bool {
        self.short.is_empty()
    }

    /// All registers, in the order of their declaration.
    pub fn ids(&self) -> impl Iterator<Item = RegisterId> + use<> {
        (0..self.len()).map(RegisterId::new)
    }

    /// The cells of a plain prompt, with one symbol each.
    pub fn cells<'t>(&self, symbols: &[&'t str]) -> Vec<Cell<'t>> {
        symbols.iter().map(|&text| self.roles.symbol.map(|symbol| (symbol, text)).into_iter().collect()).collect()
    }

    /// The register with that short name.
    pub fn by_short(&self, short: &str) -> Option<RegisterId> {
        self.short.iter().position(|name| name == short).map(RegisterId::new)
    }

    /// The register with that long name.
    pub fn by_long(&self, long: &str) -> Option<RegisterId> {
        self.long.iter().position(|name| name == long).map(RegisterId::new)
    }

    /// The long name of a register, or `?` for one of another program.
    pub fn name(&self, register: RegisterId) -> &str {
        self.long.get(register.index()).map_or("?", String::as_str)
    }
}

impl From<&Program> for Registers {
    fn from(program: &Program) -> Self {
        Self {
            long: program.registers.iter().map(|register| register.name.clone()).collect(),
            short: program.registers.iter().map(|register| register.short.clone()).collect(),
            roles: program.roles,
        }
    }
}

impl From<&qkvl::Program> for Registers {
    fn from(program: &qkvl::Program) -> Self {
        let (long, short): (Vec<_>, Vec<_>) =
            program.registers().map(|(long, short)| (long.to_owned(), short.to_owned())).unzip();
        let role = |name| {
            let register = program.system_map.get(name)?;
            short.iter().position(|short| short == register).map(RegisterId::new)
        };
        let roles = Roles {
            symbol: role("symbol"),
            position: role("position"),
            output: role("output"),
            parse: role("parse"),
            eop: role("eop"),
        };
        Self { long, short, roles }
    }
}

/// A cell of a structured prompt: the registers that it sets, and their values.
pub type Cell<'t> = SmallVec<[(RegisterId, &'t str); 1]>;

/// The value of a register of a cell.
pub(crate) fn held(state: &[Option<ValueId>], register: RegisterId) -> Option<ValueId> {
    state.get(register.index()).copied().flatten()
}

/// A prompt as cells, each with its state before the first layer.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// One state per cell.
    pub cells: Vec<State>,
    /// The cells whose parse or eop the prompt sets, with that register. The machine sets the others.
    pub given_roles: BTreeSet<(CellId, RegisterId)>,
}

impl Input {
    /// The cells of a prompt (70b): `position`, `parse` = 1, and `eop` = EOP on the last cell, each only if the program
    /// maps the role. A value that the cell itself sets takes precedence. Values outside the vocabulary are added to
    /// it, and unknown registers are ignored.
    pub fn new(registers: &Registers, vocabulary: &mut Vocabulary, cells: &[Cell<'_>]) -> Self {
        let Roles { position, parse, eop, .. } = registers.roles;
        let [of_parse, of_eop] = [Vocabulary::PARSE, Vocabulary::EOP].map(|text| vocabulary.get(text));
        let mut states = vec![State::new(); cells.len()];
        for ((number, state), given) in (1..).zip(&mut states).zip(cells) {
            let last = number == cells.len();
            state.resize(registers.len(), None);
            let by_role = [
                (position, vocabulary.positions().get(number).copied()),
                (parse, of_parse),
                (eop, of_eop.filter(|_| last)),
            ];
            let by_role = by_role.into_iter().filter_map(|(role, value)| Some((role?, value?)));
            let given = given.iter().map(|&(register, text)| (register, vocabulary.add(text)));
            for (register, value) in by_role.chain(given) {
                if let Some(slot) = state.get_mut(register.index()) {
                    *slot = Some(value);
                }
            }
        }
        let is_role = |register| [parse, eop].into_iter().flatten().any(|role| role == register);
        let given = cells
            .iter()
            .zip(CellId::first(cells.len()))
            .flat_map(|(given, cell)| given.iter().map(move |&(register, _)| (cell, register)));
        let given_roles = given.filter(|&(_, register)| is_role(register)).collect();
        Self { cells: states, given_roles }
    }
}

/// The options of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The maximum length of the continuation. By default the length of the prompt, but at least 16.
    pub max_new: Option<usize>,
    /// The symbol that ends a continuation. By default `.`.
    pub stop: Option<String>,
    /// The maximum number of passes of one repeat block. By default [`Options::MAX_PASSES`].
    pub max_passes: Option<usize>,
    /// Whether every generated cell makes all cells run again, instead of only itself.
    pub recompute: bool,
    /// The layers that write nothing: see [`Limits::ablated`].
    pub ablated: BTreeSet<ProductionId>,
    /// The register whose values in the prompt's cells are the result, a *row*. The run is then the prompt pass alone,
    /// whatever `max_new` is. `None` for a continuation.
    pub answer: Option<RegisterId>,
}

impl Options {
    /// The default limit on the passes of one repeat block.
    pub const MAX_PASSES: usize = 10_000;
    /// The maximum number of cells in a prompt and its continuation together.
    pub const MAX_CELLS: usize = 1_000_000;
    /// The limit on the pairs of cells that a run compares. It allows 10 seconds on the QKVM, and up to a few minutes
    /// on the PSM and in the full arithmetic. It also limits the passes of a block.
    pub const MAX_WORK: u64 = u32::MAX as u64;
    /// The limit on the values that a run keeps: a few gigabytes.
    pub const MAX_KEPT: u64 = 1 << 28;

    /// The options that a program's directives set: `//@ stop`, `//@ max-new` and, for a program without the role
    /// `output`, `//@ answer`.
    pub fn of(program: &Program) -> Self {
        let answer = program.answer.filter(|_| program.roles.output.is_none());
        Self { max_new: program.max_new, stop: program.stop.clone(), answer, ..Self::default() }
    }

    /// The maximum length of the continuation of a prompt with these many cells.
    fn max_new_after(&self, cells: usize, room: usize) -> usize {
        match self.answer {
            Some(_) => 0,
            None => self.max_new.unwrap_or(cells.max(16).min(room)),
        }
    }
}

/// A prompt with its vocabulary and limits. The machines read only a task and their program.
#[derive(Clone, Debug)]
pub struct Task {
    /// The values of the run.
    pub vocabulary: Vocabulary,
    /// The prompt.
    pub input: Input,
    /// The limits of the run, from the options and the prompt.
    pub limits: Limits,
    /// The register of the row, as in [`Options::answer`].
    pub answer: Option<RegisterId>,
    /// The stop symbol's text, whether or not the vocabulary contains it.
    stop: String,
}

impl Task {
    /// The task for a plain prompt, with one symbol per cell. `constants` are the values of the program's constants.
    ///
    /// # Errors
    ///
    /// A prompt that is empty or, with its continuation, has more than [`Options::MAX_CELLS`] cells.
    pub fn new(
        registers: &Registers,
        constants: &[&str],
        symbols: &[&str],
        options: &Options,
    ) -> Result<Self, InputError> {
        Self::structured(registers, constants, &registers.cells(symbols), options)
    }

    /// The task for a structured prompt, whose cells may set any register except the position, as the universal Turing
    /// machine of section 8.2 requires (82). The values of the cells are added to the vocabulary.
    ///
    /// # Errors
    ///
    /// A prompt that is empty, sets the position or, with its continuation, has more than [`Options::MAX_CELLS`] cells.
    pub fn structured(
        registers: &Registers,
        constants: &[&str],
        cells: &[Cell<'_>],
        options: &Options,
    ) -> Result<Self, InputError> {
        let new = |last| Vocabulary::with_positions(constants, &[], last);
        Self::growing(registers, new, cells, options)
    }

    /// The task for a structured prompt, with a vocabulary made for its last position.
    pub(crate) fn growing(
        registers: &Registers,
        vocabulary: impl FnOnce(usize) -> Vocabulary,
        cells: &[Cell<'_>],
        options: &Options,
    ) -> Result<Self, InputError> {
        check(registers, cells)?;
        let max_new = options.max_new_after(cells.len(), usize::MAX);
        let length = cells.len().saturating_add(max_new);
        if length > Options::MAX_CELLS {
            return Err(InputError::TooLong { cells: length });
        }
        let mut vocabulary = vocabulary(Vocabulary::last_position(cells.len(), max_new));
        let input = Input::new(registers, &mut vocabulary, cells);
        Ok(Self::ready(vocabulary, input, max_new, options))
    }

    /// The task for a prompt in a fixed vocabulary. By default, the continuation is limited by the positions in it.
    ///
    /// # Errors
    ///
    /// A prompt that is empty, sets the position, or has a value outside the vocabulary. Too few positions for the
    /// prompt and its continuation.
    pub fn within(
        registers: &Registers,
        vocabulary: &Vocabulary,
        cells: &[Cell<'_>],
        options: &Options,
    ) -> Result<Self, InputError> {
        check(registers, cells)?;
        let values: Vec<&str> = cells.iter().flatten().map(|&(_, text)| text).collect();
        let unknown = vocabulary.unknown(&values);
        if !unknown.is_empty() {
            return Err(InputError::UnknownValues { values: unknown.into_iter().map(str::to_owned).collect() });
        }
        let last = vocabulary.positions().len().saturating_sub(1);
        let room = last.saturating_sub(cells.len() + 1);
        let max_new = options.max_new_after(cells.len(), room.max(1));
        if max_new > room {
            return Err(InputError::NoPosition { needed: Vocabulary::last_position(cells.len(), max_new), last });
        }
        let mut vocabulary = vocabulary.clone();
        let input = Input::new(registers, &mut vocabulary, cells);
        Ok(Self::ready(vocabulary, input, max_new, options))
    }

    /// Adds a value for a [`Change`](crate::Change). It ends the continuation if it is the stop symbol.
    pub fn add_value(&mut self, text: &str) -> ValueId {
        let value = self.vocabulary.add(text);
        if text == self.stop {
            self.limits.stop = Some(value);
        }
        value
    }

    fn ready(vocabulary: Vocabulary, input: Input, max_new: usize, options: &Options) -> Self {
        let stop = options.stop.clone().unwrap_or_else(|| DEFAULT_STOP.to_owned());
        let limits = Limits {
            max_new,
            stop: vocabulary.get(&stop),
            max_passes: options.max_passes.unwrap_or(Options::MAX_PASSES),
            max_work: Options::MAX_WORK,
            max_kept: Options::MAX_KEPT,
            recompute: options.recompute,
            ablated: options.ablated.clone(),
            cancelled: Vec::new(),
        };
        Self { vocabulary, input, limits, answer: options.answer, stop }
    }

    /// The register that holds the result: of the row, else that with the role `output`.
    pub fn output(&self, registers: &Registers) -> Option<RegisterId> {
        self.answer.or(registers.roles.output)
    }
}

fn check(registers: &Registers, cells: &[Cell<'_>]) -> Result<(), InputError> {
    if cells.is_empty() {
        return Err(InputError::EmptyPrompt);
    }
    let sets_position = |cell: &Cell<'_>| cell.iter().any(|&(register, _)| Some(register) == registers.roles.position);
    cells
        .iter()
        .position(sets_position)
        .map_or(Ok(()), |index| Err(InputError::SetsPosition { cell: CellId::new(index) }))
}

/// The reason why a prompt cannot run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputError {
    /// The prompt has no symbol.
    EmptyPrompt,
    /// Prompt and continuation would have more cells than [`Options::MAX_CELLS`].
    TooLong {
        /// The length of the prompt plus max-new.
        cells: usize,
    },
    /// A cell of a structured prompt sets the register with the role `position`.
    SetsPosition {
        /// The cell.
        cell: CellId,
    },
    /// Values of the prompt are not in the fixed vocabulary.
    UnknownValues {
        /// The values, each once, in the prompt's order. There is at least one.
        values: Vec<String>,
    },
    /// The fixed vocabulary has too few positions.
    NoPosition {
        /// The last position that the run may need.
        needed: usize,
        /// The last position in the vocabulary.
        last: usize,
    },
}

impl InputError {
    /// The number of unknown values that a message names.
    const SHOWN: usize = 100;
}

impl fmt::Display for InputError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EmptyPrompt => out.write_str("the prompt is empty: give at least one symbol"),
            Self::SetsPosition { cell } => {
                write!(out, "cell {cell} of the prompt sets the position, which the machine sets: remove that register")
            }
            Self::TooLong { cells } => write!(
                out,
                "prompt and continuation may need {cells} cells, and the limit is {}: shorten the prompt or lower `max-new`",
                Options::MAX_CELLS
            ),
            Self::UnknownValues { values } => {
                let (shown, more) = values.split_at(values.len().min(InputError::SHOWN));
                let names: Vec<String> = shown.iter().map(|value| format!("`{value}`")).collect();
                let names = match names.split_last() {
                    Some((last, rest)) if more.is_empty() && !rest.is_empty() => {
                        format!("{} and {last}", rest.join(", "))
                    }
                    _ if more.is_empty() => names.concat(),
                    _ => format!("{} and {} more", names.join(", "), more.len()),
                };
                let (are, them) = if values.len() == 1 { ("is", "it") } else { ("are", "them") };
                write!(
                    out,
                    "{names} {are} not in the vocabulary of the weights: add {them} to FILE and write the weights again \
                     with `psl compile --emit weights --vocabulary FILE`"
                )
            }
            Self::NoPosition { needed, last } => write!(
                out,
                "prompt and continuation may need positions up to {needed}, and the weights have them up to {last}: write \
                 them again with `psl compile --emit weights --positions {needed}`, or lower `max-new`"
            ),
        }
    }
}

impl std::error::Error for InputError {}
