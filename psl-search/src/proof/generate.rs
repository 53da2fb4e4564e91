//! Continuations, symbol by symbol.

use psl_runtime::{Executable, MachineKind, RunError, Task};

/// Runs a task on the DAT. `accept` gets the text of each symbol, and ends the run by returning false. Returns the work
/// of the run, in comparisons, or 0 if only the full arithmetic runs the weights.
pub fn generate(
    executable: &Executable,
    task: &Task,
    mut accept: impl FnMut(Option<&str>) -> bool,
) -> Result<u64, RunError> {
    let text = |value: Option<_>| value.and_then(|value| task.vocabulary.text(value));
    if let Some(end) = executable.generate(task, |value| accept(text(value))) {
        return end;
    }
    let run = executable.run(MachineKind::FullDat, task, None)?;
    run.output.iter().all(|value| accept(text(*value)));
    Ok(0)
}
