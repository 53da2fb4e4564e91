//! The table of a run that an editor requests.

use std::ops::ControlFlow;

use psl_program::{File, MAX_TRACE, Progress, RunHistory, RunRefusal, RunRequest, TableSelection, chosen_task};
use psl_runtime::{MachineKind, RunFailure, Update, record::Recorder};

use super::{grid::plain, run_table::RunTable};

/// The limit for a table in an editor: its cells in all layers, changed or unchanged.
const MOST_UPDATES: usize = 4_000_000;

/// The table of a requested run.
///
/// # Errors
///
/// Fails like [`psl_program::run`], and if the table exceeds the limit for editors.
pub fn table(
    file: &File,
    history: &RunHistory,
    request: &RunRequest,
    progress: &Progress,
) -> Result<String, RunRefusal> {
    bounded_table(file, history, request, progress, (MOST_UPDATES, MAX_TRACE))
}

fn bounded_table(
    file: &File,
    history: &RunHistory,
    request: &RunRequest,
    progress: &Progress,
    (most_updates, most): (usize, usize),
) -> Result<String, RunRefusal> {
    let runner = file.runner()?;
    let task = chosen_task(file, history, request, progress)?;
    progress.expect(task.limits.max_new, "symbols at most");
    let mut recorder = Recorder::new(runner.executable(), &task, usize::MAX);
    let mut updates = 0;
    let mut observer = |update: &Update| {
        updates += 1;
        progress.reach(update.step);
        if updates > most_updates { ControlFlow::Break(()) } else { recorder.read(update) }
    };
    let result = runner.complete(&task, request.machine.unwrap_or(MachineKind::Dat), Some(&mut observer));
    let too_large = || {
        let message = format!(
            "the table is larger than an editor is sent, {most_updates} cells in all layers and {} MB of text; \
             `psl run --table` prints tables of any size; {}",
            most / 1_000_000,
            RunFailure::WAY_TO_SHORTEN
        );
        Err(RunRefusal::TooLarge(message))
    };
    if updates > most_updates {
        return too_large();
    }
    let run = recorder.finish(&[], Ok(result?));
    let selection = TableSelection::default();
    let Ok(table) = RunTable::new(runner, &run, &selection) else {
        unreachable!("a selection of everything has no cell that the run lacks")
    };
    let text = table.text(file.text(), None, &plain);
    if text.len() > most { too_large() } else { Ok(text) }
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, reason = "a test may fail by panic")]
mod tests {
    use psl_program::Prompt;

    use super::*;
    use crate::fixture::file;

    /// A program without watched registers, with and without labels.
    const PROGRAM: &str = "//@ stop \"C\"\nregisters: {symbol: 's', position: 'p', eop: 'z', mark: 'm'}\n\
                           constants: {A, B, C, EOP}\n// what comes next\nwhere symbol[N] == A:\n    mark[N] = B\n\
                           repeat:\n    where symbol[N] == B and mark[N] == B:\n        symbol[N] = C\n    \
                           where symbol[N] == A and\n        eop[N] == EOP:\n        symbol[N] = B\nuntil NO_CHANGE\n";

    fn asked(prompt: &str) -> RunRequest {
        RunRequest { prompt: Some(Prompt::Plain(prompt.to_owned())), ..RunRequest::default() }
    }

    #[test]
    fn a_block_a_layer_that_changed_something() {
        let file = file(PROGRAM);
        let text = |machine| {
            let request = RunRequest { machine: Some(machine), ..asked("x A") };
            table(&file, &RunHistory::default(), &request, &Progress::default()).expect("a table")
        };
        let expected = "layer 1 · what comes next · line 5\n\
                        cell    1  2\nstart   x  A\nsymbol  x  A\neop     ∅  EOP\nmark    ∅ *B\n\n\
                        layer 3, pass 1 · where symbol[N] == A and · line 10\n\
                        cell    1  2\nstart   x  A\nsymbol  x *B\neop     ∅  EOP\nmark    ∅  B\n\n\
                        layer 2, pass 2 · where symbol[N] == B and mark[N] == B: · line 8\n\
                        cell    1  2\nstart   x  A\nsymbol  x *C\neop     ∅  EOP\nmark    ∅  B\n\n\
                        ⇒ C\n";
        for machine in MachineKind::ALL {
            assert_eq!(text(machine), expected, "{}", machine.name());
        }
    }

    #[test]
    fn a_table_has_a_limit() {
        let file = file(PROGRAM);
        let bounded = |bounds| {
            let progress = Progress::default();
            let table = bounded_table(&file, &RunHistory::default(), &asked("x A"), &progress, bounds);
            assert!(!progress.is_cancelled(), "only the user cancels");
            table
        };
        let length = bounded((MOST_UPDATES, MAX_TRACE)).expect("a table").len();
        assert!(bounded((MOST_UPDATES, length)).is_ok());
        for bounds in [(MOST_UPDATES, length - 1), (5, MAX_TRACE)] {
            let refusal = bounded(bounds).expect_err("it is too large");
            let RunRefusal::TooLarge(why) = refusal else { panic!("the request is right") };
            assert!(why.contains("`psl run --table` prints tables of any size"), "{why}");
        }
    }
}
