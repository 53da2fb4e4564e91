//! What a run starts from: the registers, the vocabulary, the prompt as cells, and the limits.

use std::fmt;

use psl_syntax::program::{Program, RegisterId, Roles};

use crate::limits::Limits;
use crate::qkvl;
use crate::vocabulary::{ValueId, Vocabulary};

/// What a cell's registers hold, by their index in [`Registers`].
pub type State = Vec<Option<ValueId>>;

/// The registers that hold state, in the order of their declaration, and those that the machine itself sets and reads.
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

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.short.is_empty()
    }

    /// The cells of a plain prompt, one symbol each.
    pub fn cells<'t>(&self, symbols: &[&'t str]) -> Vec<Cell<'t>> {
        let symbol = self.roles.symbol.map(|register| register.0 as usize);
        symbols.iter().map(|&text| symbol.map(|symbol| (symbol, text)).into_iter().collect()).collect()
    }

    /// The index of the register with that short name.
    pub fn by_short(&self, short: &str) -> Option<usize> {
        self.short.iter().position(|name| name == short)
    }

    /// The index of the register with that long name.
    pub fn by_long(&self, long: &str) -> Option<usize> {
        self.long.iter().position(|name| name == long)
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
            let wanted = program.system_map.get(name)?;
            short.iter().position(|short| short == wanted).map(|index| RegisterId(index as u32))
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

/// What one cell of a structured prompt holds: registers, by their index in [`Registers`], with their values.
pub type Cell<'t> = Vec<(usize, &'t str)>;

/// A prompt as cells: entry i is the state in which cell i + 1 enters the first layer.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// One state a cell.
    pub cells: Vec<State>,
}

impl Input {
    /// The cells of a prompt (70b): `position`, `parse` = 1, and `eop` = EOP on the last, each only where the program maps the
    /// role; and what the cells give themselves, which counts where both set a register. Values that the vocabulary does not
    /// hold, and registers that do not exist, are left out.
    pub fn new(registers: &Registers, vocabulary: &Vocabulary, cells: &[Cell<'_>]) -> Self {
        let Roles { position, parse, eop, .. } = registers.roles;
        let state = |(index, given): (usize, &Cell<'_>)| {
            let number = index + 1;
            let last = number == cells.len();
            let mut state = vec![None; registers.len()];
            let by_role = [
                (position, vocabulary.positions().get(number).copied()),
                (parse, vocabulary.get(Vocabulary::PARSE)),
                (eop, vocabulary.get(Vocabulary::EOP).filter(|_| last)),
            ];
            let by_role = by_role.into_iter().filter_map(|(role, value)| Some((role?.0 as usize, value)));
            let given = given.iter().map(|&(register, text)| (register, vocabulary.get(text)));
            for (register, value) in by_role.chain(given) {
                if let Some(slot) = state.get_mut(register) {
                    *slot = value.or(*slot);
                }
            }
            state
        };
        Self { cells: cells.iter().enumerate().map(state).collect() }
    }
}

/// What a person may choose about a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The bound on the continuation's length; by default the prompt's length, at least 16.
    pub max_new: Option<usize>,
    /// The symbol that ends a continuation; by default `.`.
    pub stop: Option<String>,
    /// The bound on the passes of one repeat block; by default [`Options::MAX_PASSES`].
    pub max_passes: Option<usize>,
    /// Whether every generated cell makes all cells run again, instead of itself only.
    pub recompute: bool,
}

impl Options {
    /// The default bound on the passes of one repeat block.
    pub const MAX_PASSES: usize = 10_000;
    /// The most symbols that a prompt and its continuation may have together.
    pub const MAX_CELLS: usize = 1_000_000;
    /// The bound on the pairs of cells that a run compares: ten seconds on the QKVM, up to some minutes on the PSM and in the
    /// full arithmetic. No block takes more passes.
    pub const MAX_WORK: u64 = u32::MAX as u64;
    /// The bound on the values that a run keeps: some gigabytes.
    pub const MAX_KEPT: u64 = 1 << 28;

    /// What a program's directives choose: `//@ stop` and `//@ max-new`.
    pub fn of(program: &Program) -> Self {
        Self { max_new: program.max_new, stop: program.stop.clone(), ..Self::default() }
    }
}

/// A run, ready for any of the machines: they all read these three and nothing else besides their program.
#[derive(Clone, Debug)]
pub struct Task {
    /// The values of the run.
    pub vocabulary: Vocabulary,
    /// The prompt.
    pub input: Input,
    /// When to stop.
    pub limits: Limits,
}

impl Task {
    /// The run of a plain prompt, whose cells hold one symbol each. `constants` are the values of the program's constants.
    ///
    /// # Errors
    ///
    /// An empty prompt, or one that with its continuation has more than [`Options::MAX_CELLS`] cells.
    pub fn new(
        registers: &Registers,
        constants: &[&str],
        symbols: &[&str],
        options: &Options,
    ) -> Result<Self, InputError> {
        Self::structured(registers, constants, &registers.cells(symbols), options)
    }

    /// The run of a structured prompt, whose cells may set any register but the position, as the universal Turing machine of
    /// section 8.2 needs it (82). The values that cells give join the vocabulary.
    ///
    /// # Errors
    ///
    /// A prompt that is empty, sets the position, or with its continuation has more than [`Options::MAX_CELLS`] cells.
    pub fn structured(
        registers: &Registers,
        constants: &[&str],
        cells: &[Cell<'_>],
        options: &Options,
    ) -> Result<Self, InputError> {
        check(registers, cells)?;
        let max_new = options.max_new.unwrap_or(cells.len().max(16));
        let length = cells.len().saturating_add(max_new);
        if length > Options::MAX_CELLS {
            return Err(InputError::TooLong { cells: length });
        }
        let mut vocabulary = Vocabulary::new(constants, &[], length);
        for (_, text) in cells.iter().flatten() {
            vocabulary.add(text);
        }
        Ok(Self::ready(registers, vocabulary, cells, max_new, options))
    }

    /// The run of a prompt within a vocabulary that is given. By default, the continuation is no longer than the positions
    /// reach.
    ///
    /// # Errors
    ///
    /// A prompt that is empty, sets the position, or holds a value that the vocabulary lacks; positions that end before the
    /// continuation may.
    pub fn within(
        registers: &Registers,
        vocabulary: &Vocabulary,
        cells: &[Cell<'_>],
        options: &Options,
    ) -> Result<Self, InputError> {
        check(registers, cells)?;
        let mut values = cells.iter().flatten().map(|&(_, text)| text);
        if let Some(value) = values.find(|value| vocabulary.get(value).is_none()) {
            return Err(InputError::UnknownValue { value: value.to_owned() });
        }
        let last = vocabulary.positions().len().saturating_sub(1);
        let room = last.saturating_sub(cells.len() + 1);
        let max_new = options.max_new.unwrap_or(cells.len().max(16).min(room.max(1)));
        if max_new > room {
            return Err(InputError::NoPosition { needed: Vocabulary::last_position(cells.len(), max_new), last });
        }
        Ok(Self::ready(registers, vocabulary.clone(), cells, max_new, options))
    }

    fn ready(
        registers: &Registers,
        vocabulary: Vocabulary,
        cells: &[Cell<'_>],
        max_new: usize,
        options: &Options,
    ) -> Self {
        let limits = Limits {
            max_new,
            stop: vocabulary.get(options.stop.as_deref().unwrap_or(".")),
            max_passes: options.max_passes.unwrap_or(Options::MAX_PASSES),
            max_work: Options::MAX_WORK,
            max_kept: Options::MAX_KEPT,
            recompute: options.recompute,
            cancelled: None,
        };
        let input = Input::new(registers, &vocabulary, cells);
        Self { vocabulary, input, limits }
    }
}

fn check(registers: &Registers, cells: &[Cell<'_>]) -> Result<(), InputError> {
    if cells.is_empty() {
        return Err(InputError::EmptyPrompt);
    }
    let position = registers.roles.position.map(|register| register.0 as usize);
    let sets_position = |cell: &Cell<'_>| cell.iter().any(|&(register, _)| Some(register) == position);
    cells.iter().position(sets_position).map_or(Ok(()), |index| Err(InputError::SetsPosition { cell: index + 1 }))
}

/// Why a prompt cannot run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputError {
    /// There is no symbol.
    EmptyPrompt,
    /// Prompt and continuation would have more cells than [`Options::MAX_CELLS`].
    TooLong {
        /// The prompt's length plus max-new.
        cells: usize,
    },
    /// A cell of a structured prompt sets the register with the role `position`.
    SetsPosition {
        /// The cell, from 1.
        cell: usize,
    },
    /// The vocabulary that is given lacks a value of the prompt.
    UnknownValue {
        /// The value.
        value: String,
    },
    /// The positions of the vocabulary that is given end too early.
    NoPosition {
        /// The last position that the run may need.
        needed: usize,
        /// The last one that there is.
        last: usize,
    },
}

impl fmt::Display for InputError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EmptyPrompt => out.write_str("the prompt is empty: a run needs at least one symbol to start from"),
            Self::SetsPosition { cell } => write!(
                out,
                "cell {cell} of the prompt sets the position, which says which cell it is: leave that register out"
            ),
            Self::TooLong { cells } => write!(
                out,
                "prompt and continuation may need {cells} cells, more than {}: give a shorter prompt or a smaller max-new",
                Options::MAX_CELLS
            ),
            Self::UnknownValue { value } => write!(
                out,
                "the weights know no `{value}`: write them again by `psl compile --emit weights --vocabulary FILE`, with a \
                 FILE that lists it"
            ),
            Self::NoPosition { needed, last } => write!(
                out,
                "prompt and continuation may need positions up to {needed}, and the weights know those up to {last}: write \
                 them again by `psl compile --emit weights --positions {needed}`, or give a smaller max-new"
            ),
        }
    }
}

impl std::error::Error for InputError {}
