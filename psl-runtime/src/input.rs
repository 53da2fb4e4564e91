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

/// A prompt as cells: entry i is the state in which cell i + 1 enters the first layer.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// One state a cell. A structured prompt sets further registers here.
    pub cells: Vec<State>,
}

impl Input {
    /// The cells of a plain prompt (70b): `symbol`, `position`, `parse` = 1, and `eop` = EOP on the last, each only where the
    /// program maps the role.
    pub fn new(registers: &Registers, vocabulary: &Vocabulary, symbols: &[&str]) -> Self {
        let Roles { symbol, position, parse, eop, .. } = registers.roles;
        let cell = |(index, text): (usize, &&str)| {
            let number = index + 1;
            let last = number == symbols.len();
            let mut state = vec![None; registers.len()];
            let values = [
                (symbol, vocabulary.get(text)),
                (position, vocabulary.positions().get(number).copied()),
                (parse, vocabulary.get(Vocabulary::PARSE)),
                (eop, vocabulary.get(Vocabulary::EOP).filter(|_| last)),
            ];
            for (role, value) in values {
                if let Some(slot) = role.and_then(|register| state.get_mut(register.0 as usize)) {
                    *slot = value.or(*slot);
                }
            }
            state
        };
        Self { cells: symbols.iter().enumerate().map(cell).collect() }
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
    /// The bound on the pairs of cells that a run compares: some ten to a hundred seconds.
    pub const MAX_WORK: u64 = 10_000_000_000;
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
    /// The run of a plain prompt. `constants` are the values of the program's constants.
    pub fn new(
        registers: &Registers,
        constants: &[&str],
        symbols: &[&str],
        options: &Options,
    ) -> Result<Self, InputError> {
        if symbols.is_empty() {
            return Err(InputError::EmptyPrompt);
        }
        let max_new = options.max_new.unwrap_or(symbols.len().max(16));
        let cells = symbols.len().saturating_add(max_new);
        if cells > Options::MAX_CELLS {
            return Err(InputError::TooLong { cells });
        }
        let vocabulary = Vocabulary::new(constants, symbols, max_new);
        let limits = Limits {
            max_new,
            stop: vocabulary.get(options.stop.as_deref().unwrap_or(".")),
            max_passes: options.max_passes.unwrap_or(Options::MAX_PASSES),
            max_work: Options::MAX_WORK,
            max_kept: Options::MAX_KEPT,
            recompute: options.recompute,
            cancelled: None,
        };
        let input = Input::new(registers, &vocabulary, symbols);
        Ok(Self { vocabulary, input, limits })
    }
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
}

impl fmt::Display for InputError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EmptyPrompt => out.write_str("the prompt is empty: a run needs at least one symbol to start from"),
            Self::TooLong { cells } => write!(
                out,
                "prompt and continuation may need {cells} cells, more than {}: give a shorter prompt or a smaller max-new",
                Options::MAX_CELLS
            ),
        }
    }
}

impl std::error::Error for InputError {}
