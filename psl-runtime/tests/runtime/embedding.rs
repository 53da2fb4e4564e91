//! The embeddings (69): every register of every cell after every layer has the same value as in the local one.

use psl_runtime::{
    Embedding, Executable, FullDat, MachineKind, Options, Run, RunError, Task, Trace, to_the_end, weights,
};

use crate::common::{self, files, json, output, pargen, program, stem, task, text, traced};

fn embeddings(seed: u64) -> [Embedding; 2] {
    [Embedding::SemiLocal { seed }, Embedding::Distributed { seed }]
}

fn embedded(executable: &Executable, embedding: Embedding, task: &Task) -> (Result<Run, RunError>, Trace) {
    let mut trace = Trace::default();
    let run =
        executable.run_embedded(embedding, task, Some(&mut to_the_end(|update| trace.updates.push(update.clone()))));
    (run, trace)
}

/// Runs the task in both dense embeddings and compares the runs with the local one.
pub fn check(executable: &Executable, task: &Task, seed: u64, what: &str) {
    let (expected, expected_trace) = traced(executable, MachineKind::FullDat, task);
    for embedding in embeddings(seed) {
        let (found, trace) = embedded(executable, embedding, task);
        if let Some((index, expected, found)) = expected_trace.first_difference(&trace) {
            panic!(
                "{what}, {embedding:?}, update {index}: expected {expected:#?} as in the local embedding, found {found:#?}"
            );
        }
        assert_eq!(found, expected, "{what}, {embedding:?}");
    }
}

#[test]
fn the_golden_programs_in_every_embedding() {
    let names = files("golden/states", ".json");
    assert_eq!(names.len(), 16);
    for path in names {
        let golden = json(&format!("golden/states/{}.json", stem(&path)));
        let executable = Executable::new(program(&text(&format!("golden/{}", golden["program"].as_str().unwrap()))));
        let runs = golden["runs"].as_array().unwrap();
        assert!(!runs.is_empty(), "{} has no run", stem(&path));
        for (seed, run) in (0..).zip(runs) {
            let max_new = run["max_new"].as_u64().map(|it| it as usize);
            let prompt = run["prompt"].as_str().unwrap();
            let task = task(&executable, prompt, &Options { max_new, ..Options::default() });
            check(&executable, &task, seed, &format!("{}: {prompt}", stem(&path)));
        }
    }
}

const SWAP: &str = "Q B V D E A D E V B . Q F G H V K L A";

#[test]
fn pargen_in_every_embedding() {
    let pargen = pargen();
    let task = task(&pargen, SWAP, &Options::default());
    check(&pargen, &task, 1, "swap");
    let (run, _) = embedded(&pargen, Embedding::Distributed { seed: 2 }, &task);
    assert_eq!(output(&run.unwrap(), &task), "K L V F G H .");
}

#[test]
fn random_programs_in_every_embedding() {
    for seed in 0..common::cases(100) {
        let (executable, task) = common::random_task(seed);
        check(&executable, &task, seed, &format!("seed {seed}"));
    }
}

#[test]
fn the_seed_determines_the_basis() {
    let executable = Executable::new(program(&text("golden/programs/repeat_block.psl")));
    let task = task(&executable, "A B", &Options { max_new: Some(0), ..Options::default() });
    let weights = weights(executable.qkvl(), &task.vocabulary);
    let of =
        |seed| format!("{:?}", FullDat::embedded(&weights, Embedding::Distributed { seed }, &task.limits).unwrap());
    assert_eq!(of(7), of(7));
    assert_ne!(of(7), of(8));
}

#[test]
fn dense_vectors_have_a_maximum_length() {
    let executable = Executable::new(program(&text("golden/programs/repeat_block.psl")));
    let long = task(&executable, "A", &Options { max_new: Some(FullDat::MAX_DENSE), ..Options::default() });
    let (result, _) = embedded(&executable, Embedding::SemiLocal { seed: 0 }, &long);
    let message = result.unwrap_err().message(&executable.registers, &long.vocabulary);
    assert!(message.contains("the limit is 1024") && message.contains("local embedding"), "{message}");
    assert!(embedded(&executable, Embedding::Local, &long).0.is_ok());
}

#[test]
fn a_prompt_whose_vectors_exceed_the_limit_is_refused_before_they_are_made() {
    let executable = pargen();
    let symbols = vec!["A"; 20_000];
    let task = executable.task(&symbols, &Options { max_new: Some(0), ..Options::default() }).unwrap();
    let error = executable.run(MachineKind::FullDat, &task, None).unwrap_err();
    assert!(matches!(error, RunError::TooMuchKept { .. }), "{error:?}");
}
