//! Runs of all machines, which must agree.

use std::{io::Cursor, sync::Arc};

use psl_runtime::{
    Cell, Executable, MachineKind, Options, Run, RunError, Task, VerifyError, qkvl,
    trace::TraceNames,
    weights::file::{Layout, Model, read, write},
};

use super::random::Random;

/// Runs a task on all machines, with and without an observer. Returns their common result.
pub fn agree(executable: &Executable, task: &Task, place: &str) -> Result<Run, RunError> {
    for machine in MachineKind::ALL {
        assert_eq!(executable.why_not_on(machine), None, "{place}\n{}", executable.qkvl().to_json());
    }
    let answer = match executable.verify(task) {
        Ok(verified) => Ok(verified.run),
        Err(VerifyError::Run(error)) => Err(error),
        Err(VerifyError::Diverged(divergence)) => {
            let (labels, heads) = (executable.labels(), executable.heads());
            let names = TraceNames {
                registers: &executable.registers,
                vocabulary: &task.vocabulary,
                labels: &labels,
                heads: &heads,
            };
            panic!("{place}: {}\n{divergence:#?}\n{}", divergence.message(&names), executable.qkvl().to_json());
        }
    };
    for machine in MachineKind::ALL {
        let found = executable.run(machine, task, None);
        assert!(found == answer, "{place}, {} unobserved: {found:?}, not {answer:?}", machine.name());
    }
    answer
}

/// A result as text, because vocabularies may list the same values in different orders.
pub fn describe(answer: &Result<Run, RunError>, executable: &Executable, task: &Task) -> String {
    let shown = |values: &[Option<_>]| values.iter().map(|&it| task.vocabulary.show(it)).collect::<Vec<_>>().join(" ");
    match answer {
        Ok(run) => format!(
            "{} {:?}\n{}",
            shown(&run.output),
            run.stopped,
            run.states.iter().map(|state| shown(state)).collect::<Vec<_>>().join("\n")
        ),
        Err(error) => error.message(&executable.registers, &task.vocabulary),
    }
}

/// The program as weights for the values of a task, written to a file and read back.
pub fn by_weights(program: &qkvl::Program, task: &Task, layout: Layout) -> Executable {
    let mut file = Vec::new();
    write(&Model::new(program, task.vocabulary.clone()), layout, &mut file).unwrap();
    Executable::of_weights(read(&mut Cursor::new(file)).unwrap())
}

/// A task that the caller can cancel, as in normal use.
pub fn cancellable(executable: &Executable, cells: &[Cell<'_>], options: &Options) -> Task {
    let mut task = executable.structured_task(cells, options).unwrap();
    task.limits.cancelled = vec![Arc::default()];
    task
}

/// The layout of a weights file, or `None` in most cases.
pub fn random_layout(random: &mut Random) -> Option<Layout> {
    match random.below(16) {
        0 => Some(Layout::Dense),
        1..4 => Some(Layout::Sparse),
        _ => None,
    }
}
