//! The part of a run that a table shows.

use psl_runtime::CellId;
use psl_syntax::{nearest, program::RegisterId};
use thiserror::Error;

use crate::{
    counting::count,
    ranges::{NoLayer, Ranges},
    runner::Runner,
};

/// The layers, cells and registers of a table.
#[derive(Clone, Debug, Default)]
pub struct TableSelection {
    /// The layers, all by default. Chosen layers in repeat blocks are shown pass by pass.
    pub layers: Option<Ranges>,
    /// The cells, all by default.
    pub cells: Option<Ranges>,
    /// Long or short names. By default the watched registers, otherwise those that are given or change.
    pub registers: Vec<String>,
}

impl TableSelection {
    /// Checks that a program has these layers and registers.
    ///
    /// # Errors
    ///
    /// Names the first that it lacks.
    pub fn check(&self, runner: &Runner) -> Result<(), NoSelection> {
        if let Some(layers) = &self.layers {
            layers.layers(runner.layers())?;
        }
        self.registers.iter().try_for_each(|name| register(runner, name).map(|_| ()))
    }

    /// Whether nothing is chosen.
    pub fn is_whole(&self) -> bool {
        self.layers.is_none() && self.cells.is_none() && self.registers.is_empty()
    }

    /// Whether a cell is chosen.
    pub fn has_cell(&self, cell: CellId) -> bool {
        self.cells.as_ref().is_none_or(|cells| cells.contain(cell.number()))
    }

    /// The chosen registers, without those that the program lacks.
    pub fn chosen_registers(&self, runner: &Runner) -> Vec<RegisterId> {
        self.registers.iter().filter_map(|name| register(runner, name).ok()).collect()
    }

    /// Checks that a run has these cells. A range may end after the last one.
    ///
    /// # Errors
    ///
    /// Names the first that it lacks.
    pub fn check_cells(&self, count: usize) -> Result<(), NoSelection> {
        match self.cells.as_ref().and_then(|cells| cells.begin_after(count)) {
            Some(cell) => Err(NoSelection::Cell { cell, cells: count }),
            None => Ok(()),
        }
    }
}

/// A part of a run that cannot be shown.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoSelection {
    /// The program lacks a layer.
    #[error(transparent)]
    Layer(#[from] NoLayer),
    /// The run lacks a cell.
    #[error("cell {cell} is out of range: the run has {}", count(*.cells, "cell"))]
    Cell {
        /// The cell, 1-based.
        cell: usize,
        /// The number of cells.
        cells: usize,
    },
    /// The program lacks a register.
    #[error("unknown register `{name}`{}", .near.as_ref().map_or_else(String::new, |near| format!("; did you mean `{near}`?")))]
    Register {
        /// The name as given.
        name: String,
        /// The most similar name.
        near: Option<String>,
    },
}

pub(crate) fn register(runner: &Runner, name: &str) -> Result<RegisterId, NoSelection> {
    let registers = &runner.executable().registers;
    if let Some(register) = registers.by_long(name).or_else(|| registers.by_short(name)) {
        return Ok(register);
    }
    let names = registers.long.iter().chain(&registers.short).map(String::as_str);
    Err(NoSelection::Register { name: name.to_owned(), near: nearest(name, names).map(str::to_owned) })
}
