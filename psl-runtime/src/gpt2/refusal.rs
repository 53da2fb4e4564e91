//! Why a program is not built as a GPT-2.

use std::fmt;

use super::ends::LAST;

/// The widest head: common kernels of attention stop at 256, and most are fastest up to 128.
pub const MAX_HEAD: usize = 128;
/// The most parameters that are built.
pub const MAX_PARAMETERS: usize = 1_000_000_000;

/// The most cells of a run: tables have an entry for each pair of positions.
pub const MAX_CELLS: usize = 4096;
/// The most blocks.
pub const MAX_BLOCKS: usize = 2000;

/// The reason why a program cannot be built, with the layer that it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The layer, 1-based.
    pub layer: Option<usize>,
    /// The reason.
    pub why: Why,
}

/// A reason why a program cannot be built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// A layer in a repeat block looks ahead.
    LooksAhead,
    /// A repeat block ends by conditions.
    Until,
    /// A layer has several heads.
    Heads,
    /// The conditions of a layer need more dimensions than a head has.
    Wide {
        /// The number of dimensions.
        dimensions: usize,
    },
    /// The runs have too many cells.
    Long {
        /// The number of cells.
        cells: usize,
    },
    /// There are too many blocks.
    Deep {
        /// The number of blocks.
        blocks: usize,
    },
    /// There are too many parameters.
    Large {
        /// The number of parameters.
        parameters: usize,
        /// The most that the request allows.
        most: usize,
    },
    /// There are no symbols for prompts.
    NoSymbols,
    /// A symbol cannot be told from a token of the model.
    Symbol {
        /// The symbol.
        text: String,
    },
    /// The parameters cannot be written.
    Unwritable {
        /// The reason.
        reason: String,
    },
    /// Two tokens have the same text.
    SameText {
        /// The text.
        text: String,
    },
}

impl Refusal {
    /// A way out, as an imperative.
    pub const fn help(&self) -> &'static str {
        match &self.why {
            Why::LooksAhead => {
                "move the production out of the block, or let it read `n` up to `N` only: with `causal_attn: true`, or by a condition that `psl check` proves"
            }
            Why::Until => "end the block by `until NO_CHANGE`",
            Why::Heads => "compile the program without --heads",
            Why::Wide { .. } => "choose a smaller --max-prompt or --max-new, or fewer symbols",
            Why::Long { .. } => "choose a smaller --max-prompt or --max-new",
            Why::Deep { .. } => "choose fewer --passes",
            Why::Large { most, .. } if *most < MAX_PARAMETERS => "choose --max-prompt, --max-new or --passes",
            Why::Large { .. } | Why::Unwritable { .. } => "choose smaller --max-prompt, --max-new or --passes",
            Why::NoSymbols => "name the symbols of prompts with --vocabulary FILE, or write tests",
            Why::Symbol { .. } | Why::SameText { .. } => "write it in another way",
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.why {
            Why::LooksAhead => out.write_str(
                "a repeat block contains a production that can read a cell on its right, which a transformer that generates from left to right has not read yet",
            ),
            Why::Until => {
                out.write_str("a repeat block ends by conditions, which can depend on every cell of the prompt at once")
            }
            Why::Heads => out.write_str("a layer has several heads, and each block of a checkpoint is made from one production"),
            Why::Wide { dimensions } => write!(
                out,
                "the conditions of a production need {dimensions} dimensions, and a head has at most {MAX_HEAD}"
            ),
            Why::Long { cells } => write!(
                out,
                "a prompt and its continuation would have up to {cells} symbols, and a checkpoint has at most {MAX_CELLS}"
            ),
            Why::Deep { blocks } => {
                write!(out, "the checkpoint would have at least {blocks} blocks, and at most {MAX_BLOCKS} are written")
            }
            Why::Large { parameters, most } => {
                let millions = |number: &usize| *number as f64 / 1e6;
                write!(out, "the checkpoint would have {:.0} million parameters, ", millions(parameters))?;
                if *most < MAX_PARAMETERS {
                    write!(out, "and more than {:.0} million are written only for chosen bounds", millions(most))
                } else {
                    write!(out, "and at most {:.0} million are written", millions(most))
                }
            }
            Why::NoSymbols => out.write_str("no prompt is known that the checkpoint could read"),
            Why::Symbol { text } => write!(out, "the symbol `{text}` contains `{LAST}`, the mark of a prompt's end"),
            Why::Unwritable { reason } => write!(out, "the parameters cannot be written: {reason}"),
            Why::SameText { text } => write!(out, "two tokens of the checkpoint have the text `{}`", text.trim()),
        }
    }
}

impl std::error::Error for Refusal {}
