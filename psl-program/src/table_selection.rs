//! The part of a run that a table shows.

use psl_syntax::nearest;

use crate::{ranges::Ranges, runner::Runner};

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
    pub fn check(&self, runner: &Runner) -> Result<(), String> {
        if let Some(layers) = &self.layers {
            layers.layers(runner.executable().labels().len())?;
        }
        self.registers.iter().try_for_each(|name| index(runner, name).map(|_| ()))
    }

    /// Whether nothing is chosen.
    pub(crate) fn is_whole(&self) -> bool {
        self.layers.is_none() && self.cells.is_none() && self.registers.is_empty()
    }

    /// The indices of the chosen registers, without those that the program lacks.
    pub(crate) fn indices(&self, runner: &Runner) -> Vec<usize> {
        self.registers.iter().filter_map(|name| index(runner, name).ok()).collect()
    }

    /// Checks that a run has these cells. A range may end after the last one.
    pub(crate) fn check_cells(&self, count: usize) -> Result<(), String> {
        match self.cells.as_ref().and_then(|cells| cells.begin_after(count)) {
            Some(cell) => Err(format!(
                "cell {cell} is out of range: the run has {count} cell{}",
                if count == 1 { "" } else { "s" }
            )),
            None => Ok(()),
        }
    }
}

fn index(runner: &Runner, name: &str) -> Result<usize, String> {
    let registers = &runner.executable().registers;
    if let Some(index) = registers.by_long(name).or_else(|| registers.by_short(name)) {
        return Ok(index);
    }
    let names = registers.long.iter().chain(&registers.short).map(String::as_str);
    let suggestion = nearest(name, names).map_or_else(String::new, |nearest| format!("; did you mean `{nearest}`?"));
    Err(format!("unknown register `{name}`{suggestion}"))
}
