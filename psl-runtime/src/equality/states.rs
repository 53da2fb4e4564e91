//! The states of a program's run, which those of a checkpoint are compared with.

use std::{collections::BTreeMap, sync::Arc};

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::{input::State, trace::Update};

/// The states of the cells after each layer that the program ran.
#[derive(Default)]
pub struct States {
    /// By the layer and the cell, then by the pass in each repeat block around the layer.
    by_place: BTreeMap<(usize, usize), BTreeMap<Vec<usize>, Expected>>,
    /// The registers that a generated cell has set, by the cell.
    set: FxHashMap<usize, FxHashSet<usize>>,
}

/// The registers of a cell after a layer.
pub struct Expected {
    /// The values.
    pub state: Arc<State>,
    /// The registers that may have any value: a generated cell has not set them, and reads nothing of those of the cell before.
    pub any: SmallVec<[usize; 2]>,
    /// Whether the checkpoint has this layer with this cell.
    pub is_compared: bool,
}

/// A place that the program ran and the checkpoint did not.
pub struct Missing {
    /// The layer, 1-based.
    pub layer: usize,
    /// The pass in each repeat block around it, 1-based.
    pub pass: Vec<usize>,
    /// The cell, 1-based.
    pub cell: usize,
}

impl States {
    /// Adds the state of a cell after a layer. Cells after those of the prompt do not take the registers `dropped` from the cell before.
    pub fn add(&mut self, update: &Update, prompt: usize, dropped: &[usize]) {
        let mut any = SmallVec::new();
        if update.cell > prompt && !dropped.is_empty() {
            let set = self.set.entry(update.cell).or_default();
            set.extend(update.set.iter().map(|(register, _)| *register));
            any.extend(dropped.iter().copied().filter(|register| !set.contains(register)));
        }
        let expected = Expected { state: Arc::clone(&update.state), any, is_compared: false };
        self.by_place.entry((update.layer, update.cell)).or_default().insert(update.pass.clone(), expected);
    }

    /// The state of a cell after a layer, or `None` if the program did not run it. In passes after the last one that the program ran, a
    /// cell is as in that pass.
    pub fn get(&mut self, layer: usize, pass: &[usize], cell: usize) -> Option<&mut Expected> {
        let passes = self.by_place.get_mut(&(layer, cell))?;
        let mut run = Vec::with_capacity(pass.len());
        for &wanted in pass {
            // The last pass up to the wanted one of those within the passes chosen so far.
            let mut most = run.clone();
            most.push(wanted);
            most.resize(pass.len().max(most.len()), usize::MAX);
            let (nearest, _) = passes.range(..=most).next_back()?;
            run.push(*nearest.get(run.len())?);
        }
        passes.get_mut(&run)
    }

    /// The first place that was not compared.
    pub fn missing(&self) -> Option<Missing> {
        self.by_place.iter().find_map(|(&(layer, cell), passes)| {
            let (pass, _) = passes.iter().find(|(_, expected)| !expected.is_compared)?;
            Some(Missing { layer, pass: pass.clone(), cell })
        })
    }
}
