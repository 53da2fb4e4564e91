//! Patches: single values of the second run in the first one.

use psl_program::{PatchOptions, PatchPlace, Patching, Progress};
use psl_runtime::{MachineKind, Task};
use psl_syntax::program::RegisterId;
use serde::Serialize;

use super::run::RunRow;
use crate::{no_answer::NoAnswer, view::View};

/// The maximum number of patches in an answer.
const MOST: usize = 5_000;

/// The patches of a register.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Patches {
    /// For each register, the number of places at which the second run has another value.
    places: Vec<usize>,
    register: usize,
    /// The rows of the prompt in the first run, without set values.
    rows: Vec<RunRow>,
    effects: Vec<PatchEffect>,
}

/// The effect of a value of the second run, put into the first one.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct PatchEffect {
    /// The index in `rows`.
    row: usize,
    cell: usize,
    before: Option<String>,
    value: Option<String>,
    /// The continuation of the patched run.
    continuation: Vec<String>,
    /// The number of symbols that differ from those of the first run. Null if the patched run fails.
    changes: Option<usize>,
    /// Whether the continuation is that of the second run, and not that of the first one.
    restores: bool,
    /// The reason why the patched run fails.
    error: Option<String>,
}

/// Patches the first run, whose task is given, at each place of a register, by default of the one with the most
/// places within the limit.
pub fn patches(
    first: View<'_>,
    task: &Task,
    second: View<'_>,
    register: Option<usize>,
    align: Option<&str>,
) -> Result<Patches, NoAnswer> {
    let progress = Progress::default();
    let run = first.runner.record(task.clone(), MachineKind::Psm, &progress);
    let alignment = align.map(str::parse).transpose()?;
    let options = PatchOptions { alignment, ..PatchOptions::default() };
    let patching = Patching::new(first.runner, task.clone(), &run, second.run, &options)?;
    let of = |register| move |place: &&PatchPlace| place.register == register;
    let count = |register| patching.differing().iter().filter(of(register)).count();
    let places: Vec<usize> = first.program().register_ids().map(count).collect();
    let within = places.iter().copied().enumerate().filter(|(_, count)| *count <= MOST);
    let most = within.max_by_key(|&(register, count)| (count, std::cmp::Reverse(register)));
    let register = register.or(most.map(|(register, _)| register)).unwrap_or_default();
    let count = places.get(register).copied().unwrap_or_default();
    if count > MOST {
        return Err(NoAnswer::TooManyPatches { count, limit: MOST });
    }
    let effect = |place: &PatchPlace| {
        let patched = patching.patched([place], &progress.cancelled);
        let (base, donor) = (place.base.clone(), place.donor.clone());
        let row = patching.rows().iter().position(|row| *row == place.row).unwrap_or_default();
        let (cell, error) = (place.cell.number(), patched.as_ref().err().map(|failure| failure.message.clone()));
        let patched = patched.ok();
        PatchEffect {
            row,
            cell,
            before: base,
            value: donor,
            changes: patched.as_ref().map(|patched| patched.changes),
            restores: patched.as_ref().is_some_and(|patched| patched.restores),
            continuation: patched.map(|patched| patched.continuation.symbols).unwrap_or_default(),
            error,
        }
    };
    let effects = patching.differing().iter().filter(of(RegisterId::new(register))).map(effect).collect();
    Ok(Patches { places, register, rows: patching.rows().iter().map(RunRow::of).collect(), effects })
}
