//! Outcomes of mutants.

use psl_program::Continuation;
use psl_syntax::{Program, program::TestCase};

/// The outcome of a mutant.
#[derive(Clone, Debug, PartialEq)]
pub enum Fate {
    /// The changed text does not compile.
    Invalid,
    /// An example fails: a test or law of the program, or a line of data.
    Killed {
        /// The first one that fails.
        by: Killer,
        /// Whether the run never ends, or takes many times the work.
        endless: bool,
    },
    /// Equal for every prompt, as the text shows.
    Equal,
    /// Equal for all prompts of at most this many symbols, and for others that were tried.
    EqualUpTo {
        /// The number of symbols.
        symbols: usize,
        /// Whether prompts with numbers are left out, because a symbol may be compared with positions.
        without_numbers: bool,
    },
    /// Something else for a prompt that no example has.
    ToldApart(Box<ToldApart>),
    /// No example fails, and the program has only structured prompts, so that no others were tried.
    Unknown,
}

/// An example that a mutant fails, by its 0-based index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Killer {
    /// A test or law of the program.
    Test(usize),
    /// A line of data.
    Data(usize),
}

impl Killer {
    /// The example in words: ``the test `swap` ``, `test 2`, or `line 4 of the data`.
    pub fn in_words(self, program: &Program) -> String {
        match self {
            Self::Test(index) => {
                let test = program.tests.get(index);
                let kind = test.map_or("test", TestCase::kind);
                match test.and_then(|test| test.name.as_ref()) {
                    Some(name) => format!("the {kind} `{name}`"),
                    None => format!("{kind} {}", index + 1),
                }
            }
            Self::Data(index) => format!("line {} of the data", index + 1),
        }
    }
}

/// A shortest prompt that tells a mutant apart: no single symbol can be left out.
#[derive(Clone, Debug, PartialEq)]
pub struct ToldApart {
    /// The symbols, separated by spaces.
    pub prompt: String,
    /// The program's continuation, or the message of its failing run.
    pub expected: Result<Continuation, String>,
    /// That of the mutant.
    pub got: Result<Continuation, String>,
    /// Whether the program ends this continuation by itself and without null.
    pub is_whole: bool,
    /// The number of prompts like those of the examples for which the mutant does something else.
    pub differs_on: usize,
    /// The number of such prompts that were compared.
    pub compared_on: usize,
}
