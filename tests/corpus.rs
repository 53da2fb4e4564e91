//! The corpus of diagnostics: at least three programs for each code, with every diagnostic marked in the text.
//!
//! Below each line stands a comment for each diagnostic that starts on it, its carets under the place:
//!
//! ```text
//! where symbl[N] == A:
//!      #^^^^^ error unknown-register: no register is called `symbl`
//! ```
//!
//! A place at the start of its line is marked `#<^^`. A place that goes on over the line's end is marked up to there.
//! With `UPDATE_MARKS=1` the test writes the marks anew; they are to be read before they are committed.

#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "a test may fail by panic")]

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use psl_syntax::Code;
use serde_json::Value;

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests")
}

/// What `psl check` finds in the files of a folder, by file.
fn check_folder(folder: &Path) -> BTreeMap<String, Vec<Value>> {
    let output = Command::new(env!("CARGO_BIN_EXE_psl"))
        .args(["check", "--format", "json", "."])
        .current_dir(folder)
        .output()
        .expect("psl runs");
    let code = output.status.code();
    assert!(matches!(code, Some(0 | 1)), "{}", String::from_utf8_lossy(&output.stderr));
    let mut found: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for line in String::from_utf8(output.stdout).expect("UTF-8").lines() {
        let diagnostic: Value = serde_json::from_str(line).expect("one JSON object a line");
        found.entry(diagnostic["file"].as_str().expect("a file").to_owned()).or_default().push(diagnostic);
    }
    found
}

fn is_mark(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("#^") || line.starts_with("#<")
}

fn unmarked(text: &str) -> String {
    text.split_inclusive('\n').filter(|line| !is_mark(line)).collect()
}

/// The text with these diagnostics marked in it.
fn marked(text: &str, found: &[Value]) -> String {
    let at = |diagnostic: &Value, end: &str, field: &str| diagnostic[end][field].as_u64().expect("a number") as usize;
    let mut marked = String::new();
    for (line, number) in text.split_inclusive('\n').zip(1..) {
        marked.push_str(line);
        for diagnostic in found.iter().filter(|found| at(found, "start", "line") == number) {
            let start = at(diagnostic, "start", "column");
            let end = if at(diagnostic, "end", "line") == number {
                at(diagnostic, "end", "column")
            } else {
                line.trim_end().chars().count() + 1
            };
            let carets = "^".repeat((end - start).max(1));
            let carets = match start.checked_sub(2) {
                Some(indent) => format!("{}#{carets}", " ".repeat(indent)),
                None => format!("#<{}", carets.get(2..).unwrap_or_default()),
            };
            let [severity, code, message] =
                ["severity", "code", "message"].map(|field| diagnostic[field].as_str().expect("a string"));
            writeln!(marked, "{carets} {severity} {code}: {message}").expect("a string takes it");
        }
    }
    marked
}

#[test]
fn every_code_has_three_programs_and_every_program_exactly_its_marks() {
    let corpus = tests().join("diagnostics");
    let copy = std::env::temp_dir().join(format!("psl-corpus-{}", std::process::id()));
    let mut wrong = Vec::new();
    for code in Code::ALL {
        let folder = corpus.join(code.as_str());
        let copy = copy.join(code.as_str());
        fs::create_dir_all(&copy).expect("a folder for the unmarked programs");
        let mut programs = BTreeMap::new();
        for entry in fs::read_dir(&folder).unwrap_or_else(|_| panic!("{} is missing", folder.display())) {
            let path = entry.expect("an entry").path();
            let name = path.file_name().and_then(|name| name.to_str()).expect("UTF-8").to_owned();
            let text = fs::read_to_string(&path).expect("a text");
            // Beside the programs may stand a psl.toml.
            if path.extension().is_some_and(|extension| extension == "psl") {
                fs::write(copy.join(&name), unmarked(&text)).expect("the unmarked program");
                programs.insert(name, text);
            } else {
                fs::write(copy.join(&name), text).expect("the settings");
            }
        }
        assert!(programs.len() >= 3, "{code:?} has {} programs", programs.len());
        let mut found = check_folder(&copy);
        for (name, text) in programs {
            let found = found.remove(&name).unwrap_or_default();
            assert!(found.iter().any(|found| found["code"] == code.as_str()), "{code:?}/{name} does not show its code");
            for found in &found {
                assert!(found["help"].is_string(), "{code:?}/{name}: no way out is shown of {found}");
            }
            let expected = marked(&unmarked(&text), &found);
            if expected != text {
                if std::env::var_os("UPDATE_MARKS").is_some() {
                    fs::write(folder.join(&name), &expected).expect("the marks");
                }
                wrong.push(format!("{}/{name} should be marked:\n{expected}", code.as_str()));
            }
        }
    }
    fs::remove_dir_all(&copy).expect("the copies go");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_golden_programs_get_the_diagnostics_that_were_reviewed() {
    let mut shown = String::new();
    for (file, found) in check_folder(&tests().join("golden/programs")) {
        writeln!(shown, "{file}").expect("a string takes it");
        for found in found {
            let [severity, code, message] =
                ["severity", "code", "message"].map(|field| found[field].as_str().expect("a string"));
            let start = &found["start"];
            writeln!(shown, "  {}:{} {severity} {code}: {message}", start["line"], start["column"])
                .expect("a string takes it");
        }
    }
    let snapshot = tests().join("diagnostics/golden-programs.txt");
    if std::env::var_os("UPDATE_MARKS").is_some() {
        fs::write(&snapshot, &shown).expect("the snapshot");
    }
    let reviewed = fs::read_to_string(&snapshot).expect("the snapshot");
    assert!(shown == reviewed, "the golden programs get:\n{shown}");
}
