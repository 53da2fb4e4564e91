//! Changes of registers in the middle of a run.

use std::ops::Range;

use psl_syntax::program::{ProductionId, RegisterId};

use crate::{cell_id::CellId, vocabulary::ValueId};

/// A change of one register of one cell, right before a layer in certain passes. A change before any head of a layer is
/// made before the layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The forward step that computes the cell: 0 for the prompt, k for the k-th generated cell.
    pub step: usize,
    /// The layer, or a head of it. All cells that read the cell at this layer see the change.
    pub layer: ProductionId,
    /// The passes of the enclosing repeat blocks, outermost first, as in [`Update`](crate::Update).
    pub pass: Vec<usize>,
    /// The cell.
    pub cell: CellId,
    /// The register.
    pub register: RegisterId,
    /// The new value, or `None` for null.
    pub value: Option<ValueId>,
}

impl Change {
    /// Whether the change is right before this layer in these passes, and in the first pass of each block inside them.
    pub(crate) fn is_before(&self, step: usize, layer: ProductionId, pass: &[usize]) -> bool {
        let inside = self.pass.strip_prefix(pass);
        (self.step, self.layer) == (step, layer) && inside.is_some_and(|inside| inside.iter().all(|&pass| pass == 1))
    }

    /// The first pass of a block that starts after the change, if the change is in the block. `pass` are the passes of
    /// the blocks around it, `heads` its heads, and `first_layer` those of its first layer. A change before the first
    /// layer of a pass is made before the pass.
    pub(crate) fn first_pass_after(
        &self,
        step: usize,
        pass: &[usize],
        heads: &Range<ProductionId>,
        first_layer: &Range<ProductionId>,
    ) -> Option<usize> {
        let (own, inside) = self.pass.strip_prefix(pass)?.split_first()?;
        let starts_pass = first_layer.contains(&self.layer) && inside.iter().all(|&pass| pass == 1);
        let after = if starts_pass { *own } else { own + 1 };
        (self.step == step && heads.contains(&self.layer)).then_some(after)
    }
}
