//! Interventions: values that a user sets in the middle of a run.

use psl_runtime::{CellId, Change, ChangeTime, Task, ValueId, record::BlocksOfLayers};
use psl_syntax::{nearest, program::ProductionId};
use thiserror::Error;

use crate::{
    counting::count,
    runner::Runner,
    table_selection::{NoSelection, register},
};

/// The value of a register of a cell right after a layer, whether the layer fires there or not. From then on, every
/// read of the cell sees it, until a layer writes the register again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Intervention {
    /// The layer, or `None` for the start of the cell.
    pub layer: Option<ProductionId>,
    /// The passes of the repeat blocks around the layer, outermost first, each from 1. `None` for every pass that runs.
    pub pass: Option<Vec<usize>>,
    /// The number of the cell, from 1, of the prompt or generated.
    pub cell: usize,
    /// The long or short name of the register.
    pub register: String,
    /// The value, or `None` for null. Any word is a value, also one that the program and the prompt lack.
    pub value: Option<String>,
}

/// Null as users write it.
const NULL: &str = "∅";

impl Runner {
    /// The changes of a task that are these interventions. Their values join the vocabulary of the task.
    ///
    /// # Errors
    ///
    /// Fails for a place that no run of the task can have, for the register of the positions, and for a value of
    /// several words.
    pub fn changes(&self, interventions: &[Intervention], task: &mut Task) -> Result<Vec<Change>, NotAPlace> {
        let blocks = BlocksOfLayers::new(self.executable());
        // The last symbol of a continuation has no cell.
        let cells = task.input.cells.len() + task.limits.max_new.saturating_sub(1);
        let mut change = |it: &Intervention| {
            let id = CellId::of_number(it.cell).filter(|id| id.index() < cells);
            let cell = id.ok_or(NotAPlace::Cell { cell: it.cell, cells })?;
            let depth = it.layer.map_or(0, |layer| blocks.around(layer).len());
            if it.pass.as_ref().is_some_and(|pass| pass.len() != depth || pass.contains(&0)) {
                let place = it.layer.map_or_else(|| "the start of a cell".to_owned(), |it| self.place_in_words(it));
                return Err(NotAPlace::Pass { place, blocks: depth });
            }
            let register = register(self, &it.register)?;
            if self.executable().registers.roles.position == Some(register) {
                return Err(NotAPlace::Position(it.register.clone()));
            }
            let value = it.value.as_deref().map_or(Ok(None), |value| value_in(task, value))?;
            let at = it.layer.map_or(ChangeTime::Start, ChangeTime::After);
            Ok(Change { at, pass: it.pass.clone(), cell, register, value })
        };
        interventions.iter().map(&mut change).collect()
    }
}

/// Notes about the values of interventions that neither the program nor the prompt has, before they join the task.
pub fn notes_about_values(interventions: &[Intervention], task: &Task) -> Vec<String> {
    let mut values: Vec<&str> = interventions.iter().filter_map(|it| it.value.as_deref()).map(str::trim).collect();
    values.retain(|value| !matches!(*value, "" | NULL) && task.vocabulary.get(value).is_none());
    values.sort_unstable();
    values.dedup();
    let note = |value: &str| {
        let near = nearest(value, task.vocabulary.iter()).map(|near| format!("; did you mean `{near}`?"));
        let near = near.unwrap_or_default();
        format!("neither the program nor the prompt has `{value}`: a condition can match it only with itself{near}")
    };
    values.into_iter().map(note).collect()
}

/// The value of a text in a task, whose vocabulary it joins. `∅` and an empty text are null.
///
/// # Errors
///
/// Fails for several words.
pub fn value_in(task: &mut Task, text: &str) -> Result<Option<ValueId>, SeveralWords> {
    let text = text.trim();
    if text.split_whitespace().count() > 1 {
        return Err(SeveralWords(text.to_owned()));
    }
    Ok((!matches!(text, "" | NULL)).then(|| task.add_value(text)))
}

/// A text that is not one value.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` has several words: a value is one")]
pub struct SeveralWords(pub String);

/// A place where no run can be changed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NotAPlace {
    /// No run has so many cells.
    #[error("cell {cell} is out of range: the run has at most {}", count(*.cells, "cell"))]
    Cell {
        /// The number of the cell.
        cell: usize,
        /// The number of cells of the longest run.
        cells: usize,
    },
    /// The passes are not those of a layer.
    #[error("{place} has {}: give the pass of each, from 1, or none for every pass", match .blocks {
        0 => "no repeat block around it".to_owned(),
        blocks => format!("{} around it", count(*blocks, "repeat block")),
    })]
    Pass {
        /// The layer in words.
        place: String,
        /// The number of blocks around it.
        blocks: usize,
    },
    /// The program lacks the register.
    #[error(transparent)]
    Register(#[from] NoSelection),
    /// The register has the positions.
    #[error("`{0}` cannot be set: it holds the positions, which tell cells apart")]
    Position(String),
    /// The value is not one.
    #[error(transparent)]
    Value(#[from] SeveralWords),
}
