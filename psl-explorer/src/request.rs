//! Requests. Rows, times and registers are 0-based; cells and layers are 1-based.

use std::collections::{BTreeSet, HashMap};

use psl_program::{NotAPrompt, Prompt, StructuredPrompt, TestName};
use serde::{Deserialize, Serialize};

/// A request. A `slot` is the place of one of two runs.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "op", rename_all = "camelCase")]
pub enum Request {
    /// Replaces the program and drops its runs.
    Open {
        /// The text.
        text: String,
        /// The stop symbol of a program that does not name one.
        #[cfg_attr(test, ts(optional))]
        stop: Option<String>,
        /// The contents of the files with its tests' prompts.
        #[serde(default)]
        #[cfg_attr(test, ts(as = "Option<_>", optional))]
        prompts: HashMap<String, String>,
    },
    /// Runs a prompt.
    Run {
        slot: usize,
        prompt: PagePrompt,
        #[cfg_attr(test, ts(as = "crate::protocol_names::Machine"))]
        machine: String,
        /// The layers that write nothing.
        #[serde(default)]
        #[cfg_attr(test, ts(as = "Option<_>", optional))]
        ablated: BTreeSet<usize>,
    },
    /// Registers of some cells after some rows.
    Tile { slot: usize, rows: (usize, usize), cells: (usize, usize), registers: Vec<usize> },
    /// One update, with all that it read and wrote.
    Update { slot: usize, row: usize, cell: usize },
    /// The conditions for one cell n.
    Why { slot: usize, row: usize, cell: usize, source: usize },
    /// The writes of a register.
    History { slot: usize, register: usize, cell: usize },
    /// The way of a value from its origin.
    Origin { slot: usize, register: usize, cell: usize, time: usize },
    /// The first difference between the two runs.
    Difference,
    /// The blocks of a layer's weights.
    Tensors { slot: usize, layer: usize },
    /// The numbers of a block.
    Block { slot: usize, layer: usize, attribute: Attribute, index: usize },
    /// The attention of a layer.
    Attention { slot: usize, row: usize },
    /// The vectors of cells.
    Residual { slot: usize, time: usize, cells: (usize, usize), embedding: EmbeddingName },
    /// The parse. With a cell, how it generates its symbol.
    Parse {
        slot: usize,
        time: usize,
        /// The cell whose tables are wanted.
        #[cfg_attr(test, ts(optional))]
        cell: Option<usize>,
    },
}

/// A prompt as the page names it, in requests and in its data.
#[derive(Clone, Deserialize, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(untagged)]
pub enum PagePrompt {
    /// Symbols separated by spaces.
    Plain(String),
    /// The prompt of a test.
    Test {
        /// The 0-based index.
        test: usize,
    },
    /// A structured prompt.
    Cells {
        /// A JSON list of cells.
        cells: String,
    },
}

impl PagePrompt {
    /// Parses its cells.
    ///
    /// # Errors
    ///
    /// Fails if the cells are not a structured prompt.
    pub fn parse(self) -> Result<Prompt, NotAPrompt> {
        Ok(match self {
            Self::Plain(symbols) => Prompt::Plain(symbols),
            Self::Test { test } => Prompt::Test(TestName::Index(test)),
            Self::Cells { cells } => Prompt::Structured(StructuredPrompt::parse(&cells)?),
        })
    }
}

/// A part of a layer's weights.
#[derive(Clone, Copy, Deserialize, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Attribute {
    /// The query.
    Q,
    /// The key.
    K,
    /// The value.
    V,
}

/// An embedding.
#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum EmbeddingName {
    /// One-hot vectors.
    Local,
    /// Dense vectors.
    Distributed,
}
