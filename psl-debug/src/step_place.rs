//! Places in a run where a debugger can stop.

use psl_runtime::record::Row;

/// A place in a forward step. Passes are those of the enclosing repeat blocks, outermost first, each 1-based.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum StepPlace {
    /// A repeat block before its first pass.
    Block {
        /// The number of the block in the order in which blocks open.
        block: usize,
        /// The passes of the blocks around it.
        pass: Vec<usize>,
    },
    /// A layer, before it updates a cell.
    Layer(Row),
    /// The end of a pass, where the machine decides whether the block ends.
    Until {
        /// The number of the block in the order in which blocks open.
        block: usize,
        /// The passes of the blocks around it, then its own.
        pass: Vec<usize>,
    },
    /// After the last layer: the step has generated its symbol.
    Symbol,
    /// After the run, which completed or failed.
    End,
}

impl StepPlace {
    /// The number of repeat blocks around it. The end of a pass is inside of its block.
    pub fn depth(&self) -> usize {
        match self {
            Self::Block { pass, .. } | Self::Until { pass, .. } | Self::Layer(Row { pass, .. }) => pass.len(),
            Self::Symbol | Self::End => 0,
        }
    }
}
