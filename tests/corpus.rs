//! The corpus of diagnostics: at least three programs for each code, with every diagnostic marked in the text. The
//! folder of each code is a test: `cargo test -p psl-cli --test corpus CODE` runs it alone.
//!
//! Each diagnostic has a comment below the line on which it starts, with carets under its span:
//!
//! ```text
//! where symbl[N] == A:
//!      #^^^^^ error unknown-register: unknown register `symbl`
//! ```
//!
//! A span at the start of a line is marked `#<^^`. A span of several lines is marked up to the end of the first one.
//! With `UPDATE=1`, the tests rewrite the marks. Read them before a commit.

#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail by panic")]

mod cases;

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
    sync::atomic::AtomicBool,
};

use cases::golden;
use libtest_mimic::{Arguments, Failed, Trial};
use psl_host::{Configs, read_prompt};
use psl_lsp::run_tests;
use psl_program::{File, diagnostics};
use psl_syntax::{Code, LineIndex};
use serde_json::Value;

fn main() -> ExitCode {
    let mut trials: Vec<Trial> =
        Code::ALL.iter().map(|&code| Trial::test(code.as_str(), move || programs_have_their_marks(code))).collect();
    trials.push(Trial::test("psl check reports the same", psl_check_reports_the_same));
    trials.push(Trial::test("the golden programs", the_golden_programs));
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// A diagnostic as marked. Lines and columns are 1-based. Columns are characters.
#[derive(Debug, PartialEq, Eq)]
struct Found {
    start: (usize, usize),
    end: (usize, usize),
    severity: String,
    code: String,
    message: String,
    help: Option<String>,
}

/// A program of the corpus.
struct CorpusProgram {
    path: PathBuf,
    text: String,
}

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests")
}

fn folder(code: Code) -> PathBuf {
    tests().join("diagnostics").join(code.as_str())
}

/// The programs of a code. There are at least three.
fn programs(code: Code) -> Vec<CorpusProgram> {
    let entries = fs::read_dir(folder(code)).unwrap_or_else(|_| panic!("{} is missing", folder(code).display()));
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    // The folder may also contain a psl.toml.
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "psl"));
    paths.sort();
    assert!(paths.len() >= 3, "{code:?} has {} programs", paths.len());
    let program = |path: PathBuf| CorpusProgram { text: fs::read_to_string(&path).expect("a text"), path };
    paths.into_iter().map(program).collect()
}

fn programs_have_their_marks(code: Code) -> Result<(), Failed> {
    let mut wrong = Vec::new();
    for CorpusProgram { path, text } in programs(code) {
        let name = path.display();
        let text = unmarked(&text);
        let found = found_here(&path, &text);
        if !found.iter().any(|found| found.code == code.as_str()) {
            wrong.push(format!("{name} does not get its code, but {found:?}"));
        }
        for found in found.iter().filter(|found| found.help.is_none()) {
            wrong.push(format!("{name}: no help for {found:?}"));
        }
        wrong.extend(golden::compare(&path, &marked(&text, &found)).err());
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}

/// The diagnostics of a text at the path of a file, including those of its tests.
fn found_here(path: &Path, text: &str) -> Vec<Found> {
    let config = Configs::default().of(path).expect("a configuration");
    let file = File::new(text, config.config.clone()).with_prompts(|prompt| read_prompt(path.parent(), prompt));
    let report = run_tests(&file, &AtomicBool::new(false));
    let lines = LineIndex::new(text);
    let place = |offset| {
        let point = lines.point(offset);
        (point.line, point.column)
    };
    let found = diagnostics(&file, report.as_ref()).into_iter().map(|found| Found {
        start: place(found.span.start),
        end: place(found.span.end),
        severity: found.severity.as_str().to_owned(),
        code: found.code.as_str().to_owned(),
        message: found.message,
        help: found.help,
    });
    found.collect()
}

/// The diagnostics of `psl check` for the files below a folder, by file.
fn found_by_check(folder: &Path) -> BTreeMap<String, Vec<Found>> {
    let output = Command::new(env!("CARGO_BIN_EXE_psl"))
        .args(["check", "--format", "json", "."])
        .current_dir(folder)
        .output()
        .expect("psl runs");
    let code = output.status.code();
    assert!(matches!(code, Some(0 | 1)), "{}", String::from_utf8_lossy(&output.stderr));
    let mut by_file: BTreeMap<String, Vec<Found>> = BTreeMap::new();
    for line in String::from_utf8(output.stdout).expect("UTF-8").lines() {
        let line: Value = serde_json::from_str(line).expect("one JSON object on each line");
        let place = |end: &str| {
            let [line, column] = ["line", "column"].map(|field| line[end][field].as_u64().expect("a number") as usize);
            (line, column)
        };
        let string = |field: &str| line[field].as_str().expect("a string").to_owned();
        let found = Found {
            start: place("start"),
            end: place("end"),
            severity: string("severity"),
            code: string("code"),
            message: string("message"),
            help: line["help"].as_str().map(str::to_owned),
        };
        by_file.entry(string("file").replace('\\', "/")).or_default().push(found);
    }
    by_file
}

fn psl_check_reports_the_same() -> Result<(), Failed> {
    let entries = fs::read_dir(tests().join("diagnostics")).expect("the corpus");
    let folders = entries.map(|entry| entry.expect("an entry").path()).filter(|path| path.is_dir()).count();
    assert_eq!(folders, Code::ALL.len(), "each folder is named after a code");
    let copy = std::env::temp_dir().join(format!("psl-corpus-{}", std::process::id()));
    let mut expected = BTreeMap::new();
    for &code in Code::ALL {
        let copy = copy.join(code.as_str());
        fs::create_dir_all(&copy).expect("a folder for the unmarked programs");
        if let Ok(settings) = fs::read(folder(code).join("psl.toml")) {
            fs::write(copy.join("psl.toml"), settings).expect("the settings");
        }
        for CorpusProgram { path, text } in programs(code) {
            let name = path.file_name().and_then(|name| name.to_str()).expect("UTF-8");
            let text = unmarked(&text);
            fs::write(copy.join(name), &text).expect("the unmarked program");
            expected.insert(format!("{}/{name}", code.as_str()), found_here(&path, &text));
        }
    }
    let mut found = found_by_check(&copy);
    fs::remove_dir_all(&copy).expect("the copies are removed");
    let mut wrong = Vec::new();
    for (name, expected) in expected {
        let found = found.remove(&name).unwrap_or_default();
        if found != expected {
            wrong.push(format!("{name}: psl check reports {found:#?}, expected {expected:#?}"));
        }
    }
    wrong.extend(
        found
            .keys()
            .map(|name| format!("psl check reports diagnostics in {name}, which is not a program of the corpus")),
    );
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}

/// The golden programs have exactly the reviewed diagnostics.
fn the_golden_programs() -> Result<(), Failed> {
    let mut shown = String::new();
    for (file, found) in found_by_check(&tests().join("golden/programs")) {
        writeln!(shown, "{file}").expect("writing to a string succeeds");
        for Found { start: (line, column), severity, code, message, .. } in found {
            writeln!(shown, "  {line}:{column} {severity} {code}: {message}").expect("writing to a string succeeds");
        }
    }
    Ok(golden::compare(&tests().join("diagnostics/golden-programs.txt"), &shown)?)
}

fn is_mark(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("#^") || line.starts_with("#<")
}

fn unmarked(text: &str) -> String {
    text.split_inclusive('\n').filter(|line| !is_mark(line)).collect()
}

/// The text with these diagnostics marked.
fn marked(text: &str, found: &[Found]) -> String {
    let mut marked = String::new();
    for (line, number) in text.split_inclusive('\n').zip(1..) {
        marked.push_str(line);
        for Found { start, end, severity, code, message, .. } in found.iter().filter(|found| found.start.0 == number) {
            let end = if end.0 == number { end.1 } else { line.trim_end().chars().count() + 1 };
            let carets = "^".repeat((end - start.1).max(1));
            let carets = match start.1.checked_sub(2) {
                Some(indent) => format!("{}#{carets}", " ".repeat(indent)),
                None => format!("#<{}", carets.get(2..).unwrap_or_default()),
            };
            writeln!(marked, "{carets} {severity} {code}: {message}").expect("writing to a string succeeds");
        }
    }
    marked
}
