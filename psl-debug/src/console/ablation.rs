//! Runs without some layers, in words.

use std::collections::BTreeSet;

use psl_program::{Progress, RunFailure};
use psl_runtime::{CellId, record::Row};
use psl_syntax::program::ProductionId;

use super::{
    error::CommandError,
    here::{here, labeled},
    line::Line,
};
use crate::{debugged_run::Debugger, effect::Effect, fork::without};

/// The maximum number of cells in a line.
const MOST_CELLS: usize = 20;

/// The ablated layers, a line each.
pub fn list(debugger: &Debugger) -> Vec<Line> {
    if debugger.ablated().is_empty() {
        return vec![Line::remark("no layer is ablated")];
    }
    let line = |&layer: &ProductionId| {
        Line::plain(format!("ablated: {}", labeled(debugger, &Row { layer, pass: Vec::new() })))
    };
    debugger.ablated().iter().map(line).collect()
}

/// Ablates the layers that a text names, or none, and describes the effect.
///
/// # Errors
///
/// Fails for an unknown layer, or a cancelled run.
pub fn ablate(debugger: &mut Debugger, text: &str, progress: &Progress) -> Result<Vec<Line>, CommandError> {
    let chosen = if text == NONE { BTreeSet::new() } else { debugger.file().layer_names().layers(text)? };
    let before = without(debugger.ablated());
    let effect = debugger.ablate(chosen, progress)?;
    let words = format!("{}, {}", without(debugger.ablated()), words(&effect, &before));
    let place = effect.has_moved.then(|| Line::remark("the run no longer comes to the place where you were"));
    Ok([Line::plain(words)].into_iter().chain(place).chain(here(debugger)).collect())
}

/// The argument that ablates no layer.
const NONE: &str = "none";

/// The effect, such as `the continuation is b; with all layers it was a`.
fn words(Effect { before, after, cells, .. }: &Effect, without: &str) -> String {
    let message = |failure: &RunFailure| failure.message.clone();
    match (before.as_ref().map_err(message), after.as_ref().map_err(message)) {
        (Ok(before), Ok(after)) if before == after => format!("the continuation stays {after}; {}", ends(cells)),
        (Ok(before), Ok(after)) => format!("the continuation is {after}; {without} it was {before}"),
        (Ok(before), Err(error)) => format!("the run fails: {error}; {without} the continuation was {before}"),
        (Err(error), Ok(after)) => format!("the continuation is {after}; {without} the run failed: {error}"),
        (Err(before), Err(after)) if before == after => format!("the run still fails: {after}"),
        (Err(before), Err(after)) => format!("the run fails: {after}; {without} it failed: {before}"),
    }
}

/// The cells that end with other values.
fn ends(cells: &[CellId]) -> String {
    let list: Vec<String> = cells.iter().take(MOST_CELLS).map(CellId::to_string).collect();
    match cells {
        [] => "all cells end with the same values".to_owned(),
        [cell] => format!("cell {cell} ends with other values"),
        _ if cells.len() > MOST_CELLS => format!("{} cells end with other values: {}, …", cells.len(), list.join(", ")),
        _ => format!("cells {} end with other values", list.join(", ")),
    }
}
