//! Properties of every QKVL file and every weights file, shared by the fuzz targets and an ordinary test.
#![allow(dead_code, reason = "each fuzz target checks one of them")]

use std::{io::Cursor, sync::LazyLock};

use psl_runtime::{
    Executable, MachineKind, Options, Run, Task, Vocabulary, compile, qkvl,
    weights::file::{Layout, Model, read, write},
};

/// A file is read or refused. If it is read, it may decompile to PSL, and all machines that can run it agree.
pub fn qkvl(text: &str) {
    qkvl_runs(text);
}

/// Checks a QKVL file. Returns the number of machines on which it ran to its end, 0 if it is refused.
pub fn qkvl_runs(text: &str) -> usize {
    let Ok(program) = qkvl::Program::from_json(text) else { return 0 };
    assert_eq!(qkvl::Program::from_json(&program.to_json()).as_ref(), Ok(&program));
    agree(&Executable::of_qkvl(program), &["A", "B", "1", "A"])
}

/// A file is read or refused. If it is read, it is written and read again unchanged, and all machines that can run it
/// agree.
pub fn weights(bytes: &[u8]) {
    weights_runs(bytes);
}

/// Checks a weights file. Returns the number of machines on which it ran to its end, 0 if it is refused.
pub fn weights_runs(bytes: &[u8]) -> usize {
    let Ok(model) = read(&mut Cursor::new(bytes)) else { return 0 };
    let written = file(&model, Layout::Sparse);
    let again = read(&mut Cursor::new(&written)).expect("a file that we wrote");
    assert!(file(&again, Layout::Sparse) == written);
    let symbols: Vec<String> = again.vocabulary.iter().take(3).map(str::to_owned).collect();
    agree(&Executable::of_weights(again), &symbols.iter().map(String::as_str).collect::<Vec<_>>())
}

/// The file of a small program with some entries and bytes changed. The first byte selects the program, and each 4
/// further bytes are one change.
pub fn changed(data: &[u8]) -> Vec<u8> {
    const ENTRIES: [f32; 8] = [0.0, 1.0, -1.0, 2.0, 0.5, f32::NAN, f32::INFINITY, 1e30];
    let Some((&first, changes)) = data.split_first() else { return Vec::new() };
    let mut file = FILES[usize::from(first) % FILES.len()].clone();
    let start = 8 + u64::from_le_bytes(file[..8].try_into().expect("8 bytes")) as usize;
    for change in changes.chunks_exact(4) {
        let place = usize::from(u16::from_le_bytes([change[0], change[1]]));
        if change[2] % 4 == 0 {
            let place = place % file.len();
            file[place] = change[3];
        } else {
            let place = start + 4 * (place % ((file.len() - start) / 4));
            file[place..place + 4].copy_from_slice(&ENTRIES[usize::from(change[3]) % ENTRIES.len()].to_le_bytes());
        }
    }
    file
}

/// The weights of small programs, sparse, and those of the first one dense too.
static FILES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let programs = [
        include_str!("../golden/programs/both_cells.psl"),
        include_str!("../golden/programs/nested_repeat.psl"),
        include_str!("../golden/programs/two_constraints.psl"),
        include_str!("../golden/programs/until_condition.psl"),
    ];
    let models = programs.map(|text| {
        let compiled = compile(&psl_syntax::check(text).analysis.program);
        let vocabulary = Vocabulary::with_positions(&compiled.constants(), &["A", "B"], 7);
        Model::new(&compiled, vocabulary)
    });
    let sparse = models.iter().map(|model| file(model, Layout::Sparse));
    models.first().map(|model| file(model, Layout::Dense)).into_iter().chain(sparse).collect()
});

fn file(model: &Model, layout: Layout) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(model, layout, &mut bytes).expect("a vector grows");
    bytes
}

/// Runs a program on every machine that can run it. Returns the number of machines that ran to the end.
fn agree(executable: &Executable, symbols: &[&str]) -> usize {
    let options = Options { max_new: Some(3), max_passes: Some(20), ..Options::default() };
    let Ok(mut task) = executable.task(symbols, &options) else { return 0 };
    task.limits.max_work = 1_000_000;
    task.limits.max_kept = 10_000_000;
    let machines = MachineKind::ALL.into_iter().filter(|&machine| executable.why_not_on(machine).is_none());
    let runs: Vec<(MachineKind, Run)> =
        machines.filter_map(|machine| Some((machine, run(executable, machine, &task)?))).collect();
    for pair in runs.windows(2) {
        assert_eq!(pair[0].1, pair[1].1, "{:?} and {:?}", pair[0].0, pair[1].0);
    }
    runs.len()
}

fn run(executable: &Executable, machine: MachineKind, task: &Task) -> Option<Run> {
    executable.run(machine, task, None).ok()
}
