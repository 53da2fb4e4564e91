//! Requests. Rows, times and registers are 0-based; cells and layers are 1-based.

use std::{
    collections::{BTreeSet, HashMap},
    num::NonZeroUsize,
};

use psl_program::{Intervention, NotAPrompt, Prompt, StructuredPrompt, TestName};
use psl_syntax::program::ProductionId;
use serde::{Deserialize, Serialize};

/// A request. Slot 0 has the run that is shown, and slot 1 the run compared with it.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(tag = "op", rename_all = "camelCase"))]
#[serde(try_from = "Fields")]
#[cfg_attr(not(feature = "debugger"), allow(dead_code, reason = "the requests of the debugger are refused"))]
pub enum Request {
    /// Replaces the program and drops its runs.
    Open {
        text: String,
        /// The stop symbol, if the program does not name one.
        #[cfg_attr(test, ts(optional))]
        stop: Option<String>,
        /// The prompt files of its tests: their contents by name.
        #[cfg_attr(test, ts(as = "Option<_>", optional))]
        prompts: HashMap<String, String>,
    },
    /// Runs a prompt.
    Run {
        slot: usize,
        prompt: PagePrompt,
        #[cfg_attr(test, ts(as = "crate::protocol_names::Machine"))]
        machine: String,
        /// Layers that write nothing in this run.
        #[cfg_attr(test, ts(as = "Option<_>", optional))]
        ablated: BTreeSet<usize>,
        /// Values that this run has in place of its own.
        #[cfg_attr(test, ts(as = "Option<_>", optional))]
        set: Vec<SetValue>,
        /// The tile that comes with the answer.
        #[cfg_attr(test, ts(optional))]
        tile: Option<WholeTile>,
    },
    /// The values of some registers in a part of the grid.
    Tile { slot: usize, rows: (usize, usize), cells: (usize, usize), registers: Vec<usize> },
    /// One update, with all that it read and wrote.
    Update { slot: usize, row: usize, cell: usize },
    /// The conditions for one cell n.
    Why { slot: usize, row: usize, cell: usize, source: usize },
    /// The writes of a register.
    History { slot: usize, register: usize, cell: usize },
    /// The chain of a value back to its origin.
    Origin { slot: usize, register: usize, cell: usize, time: usize },
    /// The first difference between the two runs.
    Difference,
    /// The effects of patches: of values of the second run in the first one, without its set values.
    Patch {
        /// The register. Without it, the one with the most patches within the limit.
        #[cfg_attr(test, ts(optional))]
        register: Option<usize>,
        /// The cells of the prompts that correspond, such as `1-3:1-3,4:6`.
        #[cfg_attr(test, ts(optional))]
        align: Option<String>,
    },
    /// The blocks of a layer's weights.
    Tensors { slot: usize, layer: usize },
    /// The numbers of a block.
    Block { slot: usize, layer: usize, attribute: Attribute, index: usize },
    /// The attention of a layer.
    Attention { slot: usize, row: usize },
    /// The residual stream.
    Residual { slot: usize, time: usize, cells: (usize, usize), embedding: EmbeddingName },
    /// The parse.
    Parse {
        slot: usize,
        time: usize,
        /// The cell whose symbol the tables explain. Without it, they have one example of each kind.
        #[cfg_attr(test, ts(optional))]
        cell: Option<usize>,
    },
    /// The program's schedule.
    Schedule {
        /// The maximum number of heads in a layer.
        #[cfg_attr(test, ts(as = "Option<usize>", optional))]
        limit: Option<NonZeroUsize>,
    },
    /// The codes of a layer of the schedule.
    Codes {
        slot: usize,
        #[cfg_attr(test, ts(as = "Option<usize>", optional))]
        limit: Option<NonZeroUsize>,
        layer: usize,
        /// The passes of the enclosing repeat blocks, outermost first.
        pass: Vec<usize>,
    },
    /// A command of the debugger.
    Debug {
        slot: usize,
        /// The command. Without it, the answer has the place.
        #[cfg_attr(test, ts(optional))]
        command: Option<String>,
        /// The row, or null for the start of the cell, and the cell that the page shows, unless the debugger has named
        /// them.
        #[cfg_attr(test, ts(optional))]
        at: Option<(Option<usize>, usize)>,
        /// The expressions whose values come with the answer.
        #[cfg_attr(test, ts(as = "Option<_>", optional))]
        watch: Vec<String>,
        /// The tile that comes with another run.
        #[cfg_attr(test, ts(optional))]
        tile: Option<WholeTile>,
    },
    /// The completions of a command that is typed so far.
    Complete { slot: usize, text: String },
}

/// The fields of all requests. Deserializing them takes a fraction of the code that a deserializer of each request
/// takes.
#[derive(Deserialize)]
struct Fields {
    op: String,
    slot: Option<usize>,
    text: Option<String>,
    stop: Option<String>,
    #[serde(default)]
    prompts: HashMap<String, String>,
    prompt: Option<PagePrompt>,
    machine: Option<String>,
    #[serde(default)]
    ablated: BTreeSet<usize>,
    #[serde(default)]
    set: Vec<SetValue>,
    tile: Option<WholeTile>,
    rows: Option<(usize, usize)>,
    cells: Option<(usize, usize)>,
    registers: Option<Vec<usize>>,
    row: Option<usize>,
    cell: Option<usize>,
    source: Option<usize>,
    register: Option<usize>,
    time: Option<usize>,
    layer: Option<usize>,
    attribute: Option<Attribute>,
    index: Option<usize>,
    embedding: Option<EmbeddingName>,
    limit: Option<NonZeroUsize>,
    pass: Option<Vec<usize>>,
    command: Option<String>,
    at: Option<(Option<usize>, usize)>,
    align: Option<String>,
    #[serde(default)]
    watch: Vec<String>,
}

/// A request with its fields. Those after the semicolon are optional.
macro_rules! request {
    ($fields:ident, $name:ident, $($needed:ident),* $(; $($optional:ident),*)?) => {
        Request::$name {
            $($needed: $fields.$needed.ok_or(concat!("missing field `", stringify!($needed), "`"))?,)*
            $($($optional: $fields.$optional,)*)?
        }
    };
}

impl TryFrom<Fields> for Request {
    type Error = &'static str;

    fn try_from(fields: Fields) -> Result<Self, Self::Error> {
        Ok(match fields.op.as_str() {
            "open" => request!(fields, Open, text; stop, prompts),
            "run" => request!(fields, Run, slot, prompt, machine; ablated, set, tile),
            "tile" => request!(fields, Tile, slot, rows, cells, registers),
            "update" => request!(fields, Update, slot, row, cell),
            "why" => request!(fields, Why, slot, row, cell, source),
            "history" => request!(fields, History, slot, register, cell),
            "origin" => request!(fields, Origin, slot, register, cell, time),
            "difference" => Self::Difference,
            "patch" => Self::Patch { register: fields.register, align: fields.align },
            "tensors" => request!(fields, Tensors, slot, layer),
            "block" => request!(fields, Block, slot, layer, attribute, index),
            "attention" => request!(fields, Attention, slot, row),
            "residual" => request!(fields, Residual, slot, time, cells, embedding),
            "parse" => request!(fields, Parse, slot, time; cell),
            "schedule" => Self::Schedule { limit: fields.limit },
            "codes" => request!(fields, Codes, slot, layer, pass; limit),
            "debug" => request!(fields, Debug, slot; command, at, watch, tile),
            "complete" => request!(fields, Complete, slot, text),
            _ => return Err("unknown operation"),
        })
    }
}

/// A tile of the whole grid, unless it has too many values.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct WholeTile {
    pub registers: Vec<usize>,
    /// The most values that it may have.
    pub most: usize,
}

/// A prompt: symbols separated by spaces, a test, or cells.
#[derive(Clone, Deserialize, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(untagged)]
pub enum PagePrompt {
    Plain(String),
    Test {
        /// The 0-based index.
        test: usize,
    },
    Cells {
        /// A JSON list of cells.
        cells: String,
    },
}

impl PagePrompt {
    /// Converts it, which parses its cells.
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

/// The value of a register of a cell right after a layer.
#[derive(Clone, Deserialize, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SetValue {
    /// The number of the layer, or 0 for the start of the cell.
    pub layer: usize,
    /// The passes of the repeat blocks around the layer, outermost first, or null for every pass.
    pub pass: Option<Vec<usize>>,
    pub cell: usize,
    /// The long or short name.
    pub register: String,
    /// The value, or null.
    pub value: Option<String>,
}

impl From<SetValue> for Intervention {
    fn from(SetValue { layer, pass, cell, register, value }: SetValue) -> Self {
        Self { layer: ProductionId::of_number(layer), pass, cell, register, value }
    }
}

impl From<&Intervention> for SetValue {
    fn from(Intervention { layer, pass, cell, register, value }: &Intervention) -> Self {
        let layer = layer.map_or(0, ProductionId::number);
        Self { layer, pass: pass.clone(), cell: *cell, register: register.clone(), value: value.clone() }
    }
}

/// The weights of the query, key or value.
#[derive(Clone, Copy, Deserialize, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Attribute {
    Q,
    K,
    V,
}

/// The embedding: `local` vectors are one-hot, `distributed` ones are dense.
#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum EmbeddingName {
    Local,
    Distributed,
}
