//! The moments that `goto` names.

use psl_program::Progress;
use psl_runtime::{CellId, record::Row};

use super::{
    command::{PartialMoment, Target},
    error::CommandError,
};
use crate::{debugged_run::Debugger, timeline::Moment};

/// The moment of a target. Records more of the run until it has the target.
///
/// # Errors
///
/// Fails if the run does not reach the target.
pub fn moment(debugger: &mut Debugger, target: &Target, progress: &Progress) -> Result<Moment, CommandError> {
    match target {
        Target::Start => Ok(debugger.timeline().start()),
        Target::End => {
            while debugger.grow(progress) {}
            Ok(debugger.timeline().end())
        }
        Target::Moment(moment) => loop {
            match found(debugger, moment) {
                Err(_) if debugger.grow(progress) => {}
                found => return found,
            }
        },
    }
}

fn found(debugger: &Debugger, target: &PartialMoment) -> Result<Moment, CommandError> {
    let (run, moment) = (debugger.run(), debugger.moment());
    let named = target.cell.map(|number| CellId::of_number(number).ok_or(number));
    let of_cell = || named.map(|named| named.map_or(0, |cell| run.step_of(cell)));
    let step = target.step.or_else(of_cell).unwrap_or(moment.step);
    let steps = run.steps();
    if step >= steps {
        return Err(CommandError::UnknownStep { step, last: steps.saturating_sub(1) });
    }
    let cells = run.cells_of_step(step);
    let cell = match named {
        Some(Ok(cell)) if cells.contains(&cell) => cell,
        Some(named) => {
            let (first, last) = (cells.start, run.last_cell_of_step(step));
            let cell = named.map_or_else(|number| number, CellId::number);
            return Err(CommandError::CellOfAnotherStep { step, first, last, cell });
        }
        None if cells.contains(&moment.cell) => moment.cell,
        None => cells.start,
    };
    let (of_place, here) = (target.layer.is_none() && target.pass.is_empty(), current_row(debugger));
    if of_place && step == moment.step && target.step.is_none() {
        return Ok(Moment { cell, ..moment });
    }
    // A cell of another step, or other passes: at the same layer. A step alone: at its first layer.
    let (layer, pass) = match here {
        Some(row) if of_place && target.step.is_none() => (Some(row.layer.number()), row.pass.as_slice()),
        Some(row) if target.layer.is_none() && !of_place => (Some(row.layer.number()), target.pass.as_slice()),
        _ => (target.layer, target.pass.as_slice()),
    };
    let wanted = |row: &Row| layer.is_none_or(|layer| row.layer.number() == layer) && row.pass.starts_with(pass);
    let mut rows = run.rows_of_step(step).iter();
    let row = rows.find(|&&row| wanted(&run.rows()[row]));
    row.and_then(|&row| debugger.timeline().at_row(row, cell)).ok_or_else(|| CommandError::NotRun {
        step,
        layer,
        pass: pass.to_vec(),
    })
}

/// The row of the current moment.
fn current_row(debugger: &Debugger) -> Option<&Row> {
    debugger.timeline().row(debugger.moment()).map(|row| &debugger.run().rows()[row])
}
