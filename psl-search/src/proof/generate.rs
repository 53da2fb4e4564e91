//! Continuations, symbol by symbol.

use psl_runtime::{Executable, MachineKind, RunError, Task};

/// Runs a task on the DAT. `accept` gets the text of each symbol, and ends the run by returning false.
pub fn generate(
    executable: &Executable,
    task: &Task,
    mut accept: impl FnMut(Option<&str>) -> bool,
) -> Result<(), RunError> {
    let text = |value: Option<_>| value.and_then(|value| task.vocabulary.text(value));
    if let Some(end) = executable.generate(task, |value| accept(text(value))) {
        return end.map(|_| ());
    }
    // Only the full arithmetic runs these weights.
    let run = executable.run(MachineKind::FullDat, task, None)?;
    run.output.iter().all(|value| accept(text(*value)));
    Ok(())
}
