//! The programs in `examples/`, on the data in `tests/tasks` and on longer random prompts.

use std::{collections::BTreeMap, fs};

use crate::{
    binary::{SPLITS, code, err, out, psl, psl_with, repository},
    example_tasks,
};

/// The machines that run all data.
pub const MACHINES: [&str; 3] = ["psm", "qkvm", "dat"];

/// The number of lines of each data set that the machine of matrix arithmetic runs.
const FULL_DAT: usize = 5;

/// Checks that an example completes all lines of `prompt<TAB>gold`.
fn check(example: &str, machine: &str, data: &str) {
    let file = format!("examples/{example}.psl");
    let output = psl_with(&["eval", &file, "-", "--machine", machine], data.as_bytes());
    assert_eq!(code(&output), 0, "{example} on {machine}: {}{}", out(&output), err(&output));
    let count = data.lines().count();
    assert!(out(&output).starts_with(&format!("{count} of {count} ")), "{example} on {machine}: {}", out(&output));
}

/// Checks that an example completes random prompts, given with their continuations.
fn check_random(example: &str, lines: impl Iterator<Item = (String, String)>) {
    let data: Vec<String> = lines.map(|(prompt, gold)| format!("{prompt}\t{gold}\n")).collect();
    check(example, "dat", &data.concat());
}

/// The data of each example, read from `tests/tasks/NAME.tsv`. A few data sets belong to two examples.
fn data() -> Vec<(String, String)> {
    let folder = repository().join("tests/tasks");
    let files = fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut data = Vec::new();
    for file in files.filter(|file| file.extension().is_some_and(|extension| extension == "tsv")) {
        let name = file.file_stem().and_then(|name| name.to_str()).expect("UTF-8").to_owned();
        let text = fs::read_to_string(&file).expect("data");
        if name == "parity" {
            data.push(("parity_log".to_owned(), text.clone()));
        }
        data.push((name, text));
    }
    data.sort();
    assert!(data.len() >= 13, "{} data sets", data.len());
    data
}

#[test]
fn examples_complete_their_data() {
    for (example, text) in data() {
        for machine in MACHINES {
            check(&example, machine, &text);
        }
    }
}

#[test]
fn examples_complete_the_start_of_their_data_by_matrix_arithmetic() {
    for (example, text) in data() {
        let start: Vec<&str> = text.lines().take(FULL_DAT).collect();
        check(&example, "full-dat", &(start.join("\n") + "\n"));
    }
}

#[test]
fn scan_completes_every_command() {
    let commands: BTreeMap<String, String> = example_tasks::scan::lines().collect();
    assert_eq!(commands.len(), 20_910);
    let given = fs::read_to_string(repository().join("tests/tasks/scan.tsv")).expect("data");
    for line in given.lines() {
        let (prompt, gold) = line.split_once('\t').expect("a prompt and its gold");
        assert_eq!(commands.get(prompt).map(String::as_str), Some(gold), "{prompt}");
    }
    let lines: Vec<String> = commands.iter().map(|(prompt, gold)| format!("{prompt}\t{gold}\n")).collect();
    for machine in MACHINES {
        check("scan", machine, &lines.concat());
    }
}

#[test]
fn addition_completes_longer_prompts() {
    check_random("addition", example_tasks::addition::lines());
}

#[test]
fn dyck1_completes_longer_prompts() {
    check_random("dyck1", example_tasks::brackets::lines(&[["(", ")"]]));
}

#[test]
fn dyck2_completes_longer_prompts() {
    check_random("dyck2", example_tasks::brackets::lines(&[["(", ")"], ["{", "}"]]));
}

#[test]
fn parity_completes_longer_prompts() {
    check_random("parity", example_tasks::parity::lines());
}

#[test]
fn parity_log_completes_longer_prompts() {
    check_random("parity_log", example_tasks::parity::lines());
}

/// The ranges of all cells double in each pass, and a last pass changes nothing.
#[test]
fn parity_log_needs_logarithmically_many_passes() {
    for (cells, expected) in [(1, 1), (2, 2), (3, 3), (4, 3), (5, 4), (8, 4), (9, 5), (43, 7), (64, 7), (65, 8)] {
        let prompt = vec!["1"; cells].join(" ");
        let output = psl(&["run", "examples/parity_log.psl", "--prompt", &prompt, "--trace", "-"]);
        let trace = out(&output);
        let lines = trace.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"));
        let passes = lines.filter(|line| line["step"] == 0).filter_map(|line| line["pass"][0].as_u64()).max();
        assert_eq!(passes, Some(expected), "{cells} cells");
    }
}

#[test]
fn double_histogram_completes_longer_prompts() {
    check_random("double_histogram", example_tasks::double_histogram::lines());
}

#[test]
fn histogram_completes_longer_prompts() {
    check_random("histogram", example_tasks::histogram::lines());
}

#[test]
fn most_frequent_completes_longer_prompts() {
    check_random("most_frequent", example_tasks::most_frequent::lines());
}

#[test]
fn reverse_completes_longer_prompts() {
    check_random("reverse", example_tasks::reverse::lines());
}

#[test]
fn sort_completes_longer_prompts() {
    check_random("sort", example_tasks::sort::lines());
}

#[test]
fn subleq_runs_random_programs() {
    check_random("subleq", example_tasks::subleq::lines());
}

#[test]
fn nested_evaluation_completes_longer_prompts() {
    check_random("nested_evaluation", example_tasks::nested_evaluation::lines());
}

#[test]
fn pargen_kshot_completes_all_splits_with_any_number_of_examples() {
    for split in SPLITS {
        for shots in ["1", "2", "3", "5", "10"] {
            let generated = psl(&["tgt", "--split", split, "--shots", shots, "--count", "10", "--seed", "1"]);
            assert_eq!(code(&generated), 0, "{split}, {shots} shots: {}", err(&generated));
            check("pargen_kshot", "dat", &out(&generated));
        }
    }
}

#[test]
fn turing_completes_longer_prompts() {
    check_random("turing", example_tasks::turing::lines());
}
