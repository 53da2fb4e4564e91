//! Changes of registers in the middle of a run.

use std::ops::Range;

use psl_syntax::program::{ProductionId, RegisterId};

use crate::{cell_id::CellId, vocabulary::ValueId};

/// A change of one register of one cell in the middle of a run. From then on, every read of the cell sees it, until a
/// layer writes the register again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The side of the layer.
    pub at: ChangeTime,
    /// The passes of the repeat blocks around the layer, outermost first, as in [`Update`](crate::Update). `None`
    /// changes the register in every pass that runs.
    pub pass: Option<Vec<usize>>,
    /// The cell.
    pub cell: CellId,
    /// The register.
    pub register: RegisterId,
    /// The new value, or `None` for null.
    pub value: Option<ValueId>,
}

/// The time of a change. A change before or after any head of a layer is made before or after the layer, whether it
/// fires in the cell or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeTime {
    /// The start of the cell.
    Start,
    /// Right before a layer, or a head of it. A change before the first layer of a pass is made before the pass.
    Before(ProductionId),
    /// Right after a layer, or a head of it, in place of what it wrote.
    After(ProductionId),
}

impl Change {
    /// Whether the change is at this time in these passes.
    pub(crate) fn is_at(&self, time: ChangeTime, pass: &[usize]) -> bool {
        self.at == time && self.pass.as_ref().is_none_or(|own| own == pass)
    }

    /// Whether the change is before this layer in these passes, and in the first pass of each block inside them.
    pub(crate) fn starts_pass(&self, first_layer: ProductionId, pass: &[usize]) -> bool {
        let starts = |inside: &[usize]| inside.iter().all(|&pass| pass == 1);
        self.at == ChangeTime::Before(first_layer)
            && self.pass.as_ref().is_none_or(|own| own.strip_prefix(pass).is_some_and(starts))
    }

    /// The first pass of a block that starts after the change, if the change is in one pass of the block. `pass` are
    /// the passes of the blocks around it, `heads` its heads, and `first_layer` those of its first layer.
    pub(crate) fn first_pass_after(
        &self,
        pass: &[usize],
        heads: &Range<ProductionId>,
        first_layer: &Range<ProductionId>,
    ) -> Option<usize> {
        let (own, inside) = self.pass.as_ref()?.strip_prefix(pass)?.split_first()?;
        let (layer, starts_pass) = match self.at {
            ChangeTime::Start => return None,
            ChangeTime::Before(layer) => (layer, first_layer.contains(&layer) && inside.iter().all(|&pass| pass == 1)),
            ChangeTime::After(layer) => (layer, false),
        };
        let after = if starts_pass { *own } else { own + 1 };
        heads.contains(&layer).then_some(after)
    }
}
