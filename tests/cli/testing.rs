//! Tests of programs, as `psl test` and the server run them.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::{Value, json};

use crate::{
    binary::{DECLARATIONS, code, err, out, psl, psl_in, psl_with},
    server::client::{Client, full},
};

/// Generates the `answer` of the prompt's cells.
const ECHO: &str = "registers: {symbol: 's', position: 'p', answer: 'r', output: 'x'}\nconstants: {'.'}\n\
                    system: {symbol: symbol, position: position, output: output}\n\
                    where answer[N] == answer[N]:\n    output[N] = answer[N]\n";

/// A folder with files, removed when it is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let folder = Self(std::env::temp_dir().join(format!("psl-testing-{name}-{}", std::process::id())));
        for (file, text) in files {
            folder.write(file, text);
        }
        folder
    }

    fn write(&self, file: &str, text: &str) {
        let path = self.0.join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    fn uri(&self, file: &str) -> String {
        let path = self.0.join(file).display().to_string();
        format!("file://{}", path.replace(' ', "%20").replace('{', "%7B").replace('}', "%7D"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Leftovers are among temporary files.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The objects that `psl test --format json` prints, and its exit code.
fn tested(folder: &Path, args: &[&str], input: &str) -> (Vec<Value>, i32) {
    let output = psl_in(folder, &[&["test", "--format", "json"], args].concat(), input.as_bytes());
    let objects = out(&output).lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
    (objects, code(&output))
}

/// Checks what `psl test` prints about a program on standard input.
fn check(program: &str, args: &[&str], expected: &str) {
    let output = psl_with(&[&["test", "-"], args].concat(), program.as_bytes());
    assert_eq!(out(&output), expected, "{}", err(&output));
    assert_eq!(code(&output), i32::from(expected.contains("FAILED")));
}

#[test]
fn a_structured_prompt_is_read_from_its_file() {
    let program =
        format!("//@ test \"A\" => \"∅\"\n//@ max-new 1\n//@ test dot json \"cells/dot.json\" => \".\"\n{ECHO}");
    let cells = r#"[{"symbol": "A"}, {"symbol": "A", "answer": "."}]"#;
    let folder = Folder::new("read", &[("sub/echo.psl", &program), ("sub/cells/dot.json", cells)]);
    // The path starts from the program's folder, for standard input from the working folder.
    for (place, args, input) in [("", ["sub"], ""), ("sub", ["echo.psl"], ""), ("sub", ["-"], program.as_str())] {
        let (found, code) = tested(&folder.0.join(place), &args, input);
        let shown: Vec<_> = found.iter().map(|test| (&test["line"], &test["name"], &test["passed"])).collect();
        assert_eq!(shown, [(&json!(1), &json!(null), &json!(true)), (&json!(3), &json!("dot"), &json!(true))]);
        assert_eq!(found[1]["prompt"], serde_json::from_str::<Value>(cells).expect("JSON"));
        assert_eq!(code, 0);
    }
    // The cells of the prompt decide which layers fire and which values a vocabulary needs.
    let check = psl_in(&folder.0, &["check", "--format", "json", "sub"], b"");
    assert!(!out(&check).contains("did not fire"), "{}", out(&check));
    let weights = folder.0.join("echo.safetensors");
    let path = weights.to_str().expect("UTF-8");
    assert_eq!(code(&psl_in(&folder.0, &["compile", "--emit", "weights", "-o", path, "sub/echo.psl"], b"")), 0);
    folder.write("answer.json", cells);
    let run = psl_in(&folder.0, &["run", path, "--prompt-json", "answer.json"], b"");
    assert_eq!((out(&run).as_str(), err(&run).as_str()), (".\n", ""));
}

#[test]
fn a_file_without_a_structured_prompt_fails_its_test() {
    let reasons = [
        ("gone.json", "the prompt in gone.json: cannot read it: "),
        ("folder", "the prompt in folder: it is not a regular file"),
        ("-", "the prompt in -: cannot read it: "),
        ("symbols.json", "the prompt in symbols.json: invalid type: string \"A B\", expected a list of cells"),
        ("latin1.json", "the prompt in latin1.json: it is not UTF-8"),
        ("misspelled.json", "cell 1: unknown register `anser`; did you mean `answer`?"),
    ];
    let lines: Vec<_> = reasons.iter().map(|(file, _)| format!("//@ test json \"{file}\" => \".\"\n")).collect();
    let program = format!("{}{ECHO}", lines.concat());
    let folder = Folder::new("unread", &[("echo.psl", &program), ("folder/a.psl", &program)]);
    folder.write("symbols.json", "\"A B\"");
    fs::write(folder.0.join("latin1.json"), b"[\"\xe9\"]").expect("a file");
    folder.write("misspelled.json", r#"[{"symbol": "A", "anser": "."}]"#);
    let (found, code) = tested(&folder.0, &["echo.psl"], "");
    assert_eq!((found.len(), code), (reasons.len(), 1));
    for (test, (file, reason)) in found.iter().zip(reasons) {
        let explanation = test["explanation"].as_str().expect("a reason");
        assert!(explanation.starts_with(reason), "{file}: {explanation}");
        assert_eq!((&test["passed"], &test["got"]), (&json!(false), &json!(null)));
    }
    let check = psl_in(&folder.0, &["check", "--format", "json", "echo.psl"], b"");
    assert_eq!(out(&check).matches("\"failing-test\"").count(), reasons.len());
    let compile = psl_in(&folder.0, &["compile", "--emit", "weights", "-o", "a.safetensors", "echo.psl"], b"");
    assert!(err(&compile).contains("the prompt in gone.json"), "{}", err(&compile));
    assert_eq!(code, 1);
}

/// Changes the file of a test's prompt, which the client watches by this pattern.
fn check_watched(file: &str, pattern: &str) {
    let program = format!("//@ max-new 1\n//@ test json \"../{file}\" => \"A\"\n{ECHO}");
    let cells = |answer: &str| format!(r#"[{{"symbol": "x", "answer": "{answer}"}}]"#);
    let folder = Folder::new(file, &[("sub/echo.psl", &program), (file, &cells("A"))]);
    let uri = folder.uri("sub/echo.psl");
    let mut client = Client::greeted(&full(&["utf-16"]));
    client.open(&uri, &program);
    client.wait(|message| {
        message["method"] == "client/registerCapability" && message.to_string().contains(&format!("\"{pattern}\""))
    });
    let failing = |diagnostics: &[Value]| diagnostics.iter().filter(|found| found["code"] == "failing-test").count();
    // First the diagnostics of the text, then also those of its tests.
    let published = |client: &mut Client| {
        client.published(&uri, 1);
        failing(&client.published(&uri, 1))
    };
    assert_eq!(published(&mut client), 0);
    for (answer, expected) in [("B", 1), ("A", 0)] {
        folder.write(file, &cells(answer));
        let change = json!({"uri": folder.uri(file), "type": 2});
        client.notify("workspace/didChangeWatchedFiles", &json!({"changes": [change]}));
        assert_eq!(published(&mut client), expected);
        let run = json!({"command": "psl.run", "arguments": [{"uri": uri, "test": 0}]});
        let result = client.request("workspace/executeCommand", &run).expect("a result");
        assert_eq!((&result["continuation"], &result["passed"]), (&json!(answer), &json!(expected == 0)));
        let lenses = client.request("textDocument/codeLens", &json!({"textDocument": {"uri": uri}})).expect("lenses");
        let shown = format!("{} {answer}", if expected == 0 { "✓" } else { "✗" });
        assert!(lenses.as_array().expect("a list").iter().any(|lens| lens["command"]["title"] == shown), "{lenses}");
    }
    client.finish();
}

#[test]
fn a_changed_prompt_runs_its_test_again() {
    check_watched("cells.json", "**/*.json");
    check_watched("cells of {x}.txt", "**/cells of ?x?.txt");
}

#[test]
fn a_constant_may_hold_a_blank() {
    let program = |gold: &str, blank: &str| {
        format!(
            "//@ test \"A\" => \"{gold}\"\n//@ stop \"{blank}\"\nregisters: {{symbol: 's', position: 'p'}}\n\
             constants: {{A, AB: \"{blank}\"}}\nwhere symbol[N] == A:\n    symbol[N] = AB\n"
        )
    };
    check(&program("a b", "a b"), &[], "ok <stdin>:1:1: test 1\n1 passed, 0 failed\n");
    check(&program(" a\tb ", "a  b"), &[], "ok <stdin>:1:1: test 1\n1 passed, 0 failed\n");
    check(
        &program("a c", "a b"),
        &[],
        "FAILED <stdin>:1:1: test 1: symbol 1 is the stop symbol `a b`, not `a c`\n  prompt    A\n  expected  a c\n  \
         got       a b\n              ^\n  why       layer 1 (line 5) wrote it in cell 1\n0 passed, 1 failed\n",
    );
    check(
        &program("a", "a b"),
        &[],
        "FAILED <stdin>:1:1: test 1: symbol 1 is the stop symbol `a b`, not `a`\n  prompt    A\n  expected  a\n  \
         got       a b\n              ^\n  why       layer 1 (line 5) wrote it in cell 1\n0 passed, 1 failed\n",
    );
    check(
        &program("a b c", "a b"),
        &[],
        "FAILED <stdin>:1:1: test 1: it ends with the stop symbol `a b` at symbol 1, and the expected continuation is longer\n  \
         prompt    A\n  expected  a b c\n  got       a b\n                ^\n0 passed, 1 failed\n",
    );
}

#[test]
fn data_is_scored_by_what_is_printed() {
    let program = "//@ stop \"a b\"\nregisters: {symbol: 's', position: 'p'}\nconstants: {A, AB: \"a b\"}\n\
                   where symbol[N] == A:\n    symbol[N] = AB\n";
    let folder = Folder::new("scored", &[("a.psl", program), ("a.tsv", "A\ta  b\nA\ta b c\n")]);
    let output = psl_in(&folder.0, &["eval", "a.psl", "a.tsv"], b"");
    assert!(
        out(&output).starts_with(
            "a.tsv:2: symbol 3, `c`, is missing\n  prompt    A\n  expected  a b c\n  got       a b\n                ^\n\
             4 of 5 tokens correct (80.00 %)\n1 of 2 correct (50.00 %), "
        ),
        "{}",
        out(&output)
    );
}

#[test]
fn the_layer_that_wrote_a_symbol_is_named_though_the_symbol_was_there() {
    let output = psl(&["test", "tests/defects/same_value_written.psl"]);
    assert!(
        out(&output).contains(": symbol 2 is `B`, not `C`\n")
            && out(&output).contains("  why       layer 1 (line 5) wrote it in cell 2\n"),
        "{}",
        out(&output)
    );
    assert_eq!(code(&output), 1);
}

#[test]
fn tests_are_chosen_by_name() {
    let program = format!(
        "//@ max-new 1\n//@ test one \"A\" => \"A\"\n//@ test \"B\" => \"A\"\n//@ test two \"A\" => \"A\"\n\
         {DECLARATIONS}where symbol[N] == A:\n    symbol[N] = A\n"
    );
    for option in ["--test", "--name"] {
        check(&program, &[option, "o"], "ok <stdin>:2:1: one\nok <stdin>:4:1: two\n2 passed, 0 failed\n");
    }
    check(
        &program,
        &["--test", "test 2"],
        "FAILED <stdin>:3:1: test 2: symbol 1 is `B`, not `A`\n  prompt    B\n  expected  A\n  got       B\n            \
         ^\n  why       no layer wrote `symbol` of cell 1, which had it in the prompt\n0 passed, 1 failed\n",
    );
    let exact = program.replace("two", "one_more");
    check(&exact, &["--test", "one"], "ok <stdin>:2:1: one\n1 passed, 0 failed\n");
}

#[test]
fn a_run_without_tests_fails_unless_that_is_allowed() {
    let program =
        format!("//@ max-new 1\n//@ test one \"A\" => \"A\"\n{DECLARATIONS}where symbol[N] == A:\n    symbol[N] = A\n");
    let check = |program: &str, options: &[&str], exit: i32, message: &str| {
        let none = psl_with(&[&["test"], options, &["-"]].concat(), program.as_bytes());
        assert_eq!((code(&none), out(&none).as_str(), err(&none).as_str()), (exit, "0 passed, 0 failed\n", message));
    };
    let suggestion = "; `--allow-none` accepts that\n";
    let unknown = "no test ran: `three` is not a test's name, nor a part of one";
    check(&program, &["--test", "three"], 1, &format!("error: {unknown}{suggestion}"));
    check(&program, &["--test", "three", "--allow-none"], 0, &format!("note: {unknown}\n"));
    let empty = program.replace("//@ test one \"A\" => \"A\"\n", "");
    let without = "no test ran: the programs have no `//@ test` lines";
    check(&empty, &[], 1, &format!("error: {without}{suggestion}"));
    check(&empty, &["--allow-none"], 0, &format!("note: {without}\n"));
}

/// The commands that follow these words at the start of a line, run as a shell runs them: exit codes and output.
fn run_printed(folder: &Path, text: &str, start: &str) -> Vec<(i32, String)> {
    let psl = Path::new(env!("CARGO_BIN_EXE_psl")).parent().expect("a folder").display();
    let path = format!("{psl}:{}", std::env::var("PATH").expect("PATH"));
    let commands = text.lines().filter_map(|line| line.strip_prefix(start));
    let run = |command: &str| {
        let mut shell = Command::new("bash");
        let output = shell.args(["-c", command]).current_dir(folder).env("PATH", &path).output().expect("bash runs");
        (code(&output), out(&output))
    };
    commands.map(run).collect()
}

#[test]
fn the_commands_that_a_failing_test_prints_run() {
    let program =
        format!("//@ max-new 1\n//@ test \"A\" => \"B\"\n{DECLARATIONS}where symbol[N] == A:\n    symbol[N] = A\n");
    let folder = Folder::new("printed", &[("it's a.psl", &program)]);
    let checked = psl_in(&folder.0, &["check", "it's a.psl"], b"");
    assert!(!(out(&checked) + &err(&checked)).contains("--trace"), "{checked:?}");
    let tested = run_printed(&folder.0, &err(&checked), "more about the failing tests: ");
    let [(1, tested)] = tested.as_slice() else { panic!("{checked:?}") };
    assert!(tested.contains("expected  B\n  got       A\n"), "{tested}");
    let tables = run_printed(&folder.0, tested, "  more      ");
    let [(0, table)] = tables.as_slice() else { panic!("{tested}") };
    assert!(table.contains("layer 1 · where symbol[N] == A:"), "{table}");
    let explained = run_printed(&folder.0, &err(&checked), "more about a code: ");
    assert!(matches!(explained.as_slice(), [(0, page)] if page.starts_with("# failing-test\n")), "{explained:?}");
}

#[test]
fn every_machine_runs_the_tests() {
    let program = format!(
        "//@ max-new 1\n//@ test one \"A\" => \"A\"\n//@ test \"B\" => \"A\"\n\
         {DECLARATIONS}where symbol[N] == A:\n    symbol[N] = A\n"
    );
    let all = "ok <stdin>:2:1: one\nFAILED <stdin>:3:1: test 2: symbol 1 is `B`, not `A`\n  prompt    B\n  \
               expected  A\n  got       B\n            ^\n  why       no layer wrote `symbol` of cell 1, which had it in \
               the prompt\n1 passed, 1 failed\n";
    for machine in ["psm", "qkvm", "dat", "full-dat", "all"] {
        check(&program, &["--machine", machine], all);
    }
    let wrong = psl_with(&["test", "--machine", "dta", "-"], program.as_bytes());
    assert_eq!(code(&wrong), 2);
    assert!(err(&wrong).contains("[possible values: psm, qkvm, dat, full-dat, all]"), "{}", err(&wrong));
    let (found, code) = tested(Path::new("."), &["--machine", "all", "-"], &program);
    let machines: Vec<_> = found.iter().map(|run| run["machine"].as_str().expect("a name")).collect();
    assert_eq!(machines, ["psm", "qkvm", "dat", "full-dat"].repeat(2));
    assert_eq!(code, 1);
}

#[test]
fn a_test_is_an_object() {
    let program = format!(
        "//@ max-new 1\n//@ test one \"A\" => \"A\"\n//@ test \"B\" => \"A\"\n{DECLARATIONS}\
         where symbol[N] == A:\n    symbol[N] = A\n"
    );
    let (mut found, code) = tested(Path::new("."), &["-"], &program);
    assert_eq!(code, 1);
    for test in &mut found {
        assert!(test["seconds"].take().as_f64().expect("a number") >= 0.0);
    }
    let why = "symbol 1 is `B`, not `A`: no layer wrote `symbol` of cell 1, which had it in the prompt";
    assert_eq!(
        found,
        [
            json!({
                "file": "<stdin>", "line": 2, "name": "one", "machine": "dat", "passed": true, "prompt": "A",
                "gold": "A", "got": "A", "first_wrong": null, "explanation": null, "seconds": null
            }),
            json!({
                "file": "<stdin>", "line": 3, "name": null, "machine": "dat", "passed": false, "prompt": "B",
                "gold": "A", "got": "B", "first_wrong": 1, "explanation": why, "seconds": null
            }),
        ]
    );
}

#[test]
fn a_program_that_does_not_compile_is_one_failure() {
    let program = format!(
        "//@ test \"A\" => \"A\"\n//@ test \"B\" => \"A\"\n{DECLARATIONS}where symbl[N] == A:\n    symbol[N] = A\n"
    );
    check(&program, &["--test", "other"], "FAILED <stdin>: the program does not compile\n0 passed, 1 failed\n");
    let (found, code) = tested(Path::new("."), &["-"], &program);
    assert_eq!((found.len(), code), (1, 1));
    assert_eq!((&found[0]["line"], &found[0]["passed"]), (&json!(5), &json!(false)));
    assert_eq!(found[0]["explanation"], "the program does not compile: unknown register `symbl`");
}

#[test]
fn a_program_with_holes_is_one_failure() {
    let program = format!("//@ test \"A\" => \"A\"\n{DECLARATIONS}where symbol[N] == ?:\n    symbol[N] = A\n");
    check(&program, &[], "FAILED <stdin>: the program has holes\n0 passed, 1 failed\n");
    let (found, code) = tested(Path::new("."), &["-"], &program);
    assert_eq!((found.len(), code), (1, 1));
    assert_eq!(found[0]["explanation"], "the program has holes: a constant or a register belongs in this hole");
    let program = program.replace("= A", "= C");
    check(&program, &[], "FAILED <stdin>: the program does not compile\n0 passed, 1 failed\n");
}

#[test]
fn a_path_that_cannot_be_read_fails_alone() {
    let program =
        format!("//@ max-new 1\n//@ test \"A\" => \"A\"\n{DECLARATIONS}where symbol[N] == A:\n    symbol[N] = A\n");
    let folder = Folder::new("unreadable", &[("a.psl", &program)]);
    let output = psl_in(&folder.0, &["test", "gone.psl", "a.psl"], b"");
    assert_eq!((code(&output), out(&output).as_str()), (2, "ok a.psl:2:1: test 1\n1 passed, 0 failed\n"));
    assert!(err(&output).starts_with("psl: cannot read gone.psl: "), "{}", err(&output));
}

#[test]
fn junit_has_a_suite_a_file_and_a_case_a_test() {
    let program = format!(
        "//@ max-new 1\n//@ test <one> \"A\" => \"A\"\n//@ test \"B\" => \"\u{7}&\"\n{DECLARATIONS}\
         where symbol[N] == A:\n    symbol[N] = A\n"
    );
    let folder = Folder::new("junit", &[("a.psl", &program), ("b.psl", "where")]);
    let output = psl_in(&folder.0, &["test", "--format", "junit", "--machine", "all"], b"");
    let report = quick_junit::Report::deserialize_from_str(&out(&output)).expect("JUnit's XML");
    let cases = |suite: &quick_junit::TestSuite| {
        let case = |case: &quick_junit::TestCase| match &case.status {
            quick_junit::TestCaseStatus::Success { .. } => format!("{} passed", case.name.as_str()),
            quick_junit::TestCaseStatus::NonSuccess { message, description, .. } => {
                let rows = description.as_deref().map_or_else(String::new, |rows| format!("\n{rows}"));
                format!("{} failed: {}{rows}", case.name.as_str(), message.as_deref().expect("a message"))
            }
            quick_junit::TestCaseStatus::Skipped { .. } => panic!("no test is skipped"),
        };
        suite.test_cases.iter().map(case).collect::<Vec<_>>()
    };
    let suites: Vec<_> =
        report.test_suites.iter().map(|suite| (suite.name.as_str().to_owned(), cases(suite))).collect();
    let why = "symbol 1 is `B`, not `?&`: no layer wrote `symbol` of cell 1, which had it in the prompt";
    let rows = "prompt    B\nexpected  ?&\ngot       B\n          ^\nwhy       no layer wrote `symbol` of cell 1, \
                which had it in the prompt\nmore      psl run a.psl --prompt B --table";
    assert_eq!(
        suites,
        [
            (
                "a.psl".to_owned(),
                vec!["<one> passed".to_owned(), format!("test 2 failed: expected `?&`, got `B`; {why}\n{rows}")]
            ),
            (
                "b.psl".to_owned(),
                vec![
                    "the program compiles failed: line 1: expected `(` or a register, found the end of the file"
                        .to_owned()
                ]
            ),
        ]
    );
    assert_eq!((code(&output), (report.tests, report.failures, report.errors)), (1, (3, 1, 1)));
}

#[test]
fn a_run_notes_cells_that_contradict_the_declared_input() {
    let cells = r#"[{"answer": "A", "symbol": "A"}, {"answer": ".", "parse": "2"}]"#;
    let program = |input: &str| {
        format!(
            "//@ test json \"cells.json\" => \".\"\n{input}{}",
            ECHO.replace("answer: 'r'", "answer: 'r', parse: 'a'")
        )
    };
    let ways_out = [
        ("", "cells set `answer`, `parse`, and cells lack `symbol`", "answer, parse, symbol"),
        ("//@ input symbol\n", "cells set `answer`, `parse`", "answer, parse"),
        ("//@ input answer, parse\n", "cells lack `symbol`", "symbol"),
        ("//@ input answer, symbol\n//@ input parse\n", "", ""),
    ];
    for (input, what, names) in ways_out {
        let program = program(input).replace("system: {", "system: {parse: parse, ");
        let folder = Folder::new("notes", &[("a.psl", &program), ("cells.json", cells)]);
        let note = |place: &str| {
            let help = format!("add `//@ input {names}` to the program so that `psl check` allows for it");
            if what.is_empty() { String::new() } else { format!("note: {place}: {what}; {help}\n") }
        };
        let run = psl_in(&folder.0, &["run", "a.psl", "--prompt-json", "cells.json"], b"");
        assert_eq!((out(&run), err(&run)), (".\n".to_owned(), note("cells.json")));
        let test = psl_in(&folder.0, &["test", "--machine", "all"], b"");
        assert_eq!((code(&test), err(&test)), (0, note("a.psl:1:1")));
        let mut client = Client::greeted(&full(&["utf-16"]));
        client.open(&folder.uri("a.psl"), &program);
        let run = json!({"command": "psl.run", "arguments": [{"uri": folder.uri("a.psl"), "test": 0}]});
        let result = client.request("workspace/executeCommand", &run).expect("a result");
        assert_eq!(result.get("note").is_some(), !what.is_empty(), "{result}");
        client.finish();
    }
}

/// A program whose test fails.
const FAILING: &str = "//@ test \"A\" => \"B\"\nregisters: {symbol: 's', position: 'p'}\nconstants: {A, B}\n\
                       where symbol[N] == A:\n    symbol[N] = A\n";
const FAILING_URI: &str = "untitled:failing";

/// The codes of the diagnostics that a client pulls.
fn pulled(client: &mut Client) -> Vec<String> {
    let report = client.request("textDocument/diagnostic", &json!({"textDocument": {"uri": FAILING_URI}}));
    let items = report.expect("a report")["items"].take();
    items.as_array().expect("a full report").iter().map(|it| it["code"].as_str().expect("a code").to_owned()).collect()
}

/// Starts a server again, as an editor does after a crash, for a client with these capabilities, which opens a file.
fn restarted(change: impl Fn(&mut Value)) -> Client {
    let mut capabilities = full(&["utf-16"]);
    change(&mut capabilities);
    drop(Client::greeted(&capabilities));
    let mut client = Client::greeted(&capabilities);
    client.open(FAILING_URI, FAILING);
    client
}

#[test]
fn after_a_restart_a_client_is_sent_failing_tests() {
    let mut client = restarted(|_| {});
    let shown = |found: &[Value]| found.iter().any(|it| it["code"] == "failing-test");
    assert!(!shown(&client.published(FAILING_URI, 1)), "tests run when nothing has changed for a while");
    assert!(shown(&client.published(FAILING_URI, 1)));
    client.finish();
}

#[test]
fn after_a_restart_a_client_that_pulls_diagnostics_is_asked_to_refresh() {
    let mut client = restarted(|_| {});
    // The client may ask before or after the tests have run.
    if !pulled(&mut client).contains(&"failing-test".to_owned()) {
        client.wait(|message| message["method"] == "workspace/diagnostic/refresh");
    }
    assert!(pulled(&mut client).contains(&"failing-test".to_owned()));
    client.finish();
}

#[test]
fn after_a_restart_a_client_without_refresh_pulls_failing_tests() {
    let mut client = restarted(|capabilities| capabilities["workspace"]["diagnostics"] = Value::Null);
    assert!(pulled(&mut client).contains(&"failing-test".to_owned()));
    client.finish();
}

#[test]
fn failing_tests_of_a_workspace_request_reach_the_document() {
    let folder = Folder::new("raced", &[("a.psl", FAILING)]);
    let uri = folder.uri("a.psl");
    let mut client = Client::in_folder(&folder.0);
    client.open(&uri, FAILING);
    let document = client.begin("textDocument/diagnostic", &json!({"textDocument": {"uri": uri}}));
    let workspace = client.begin("workspace/diagnostic", &json!({"previousResultIds": []}));
    let told =
        |report: &Value| report["items"].as_array().expect("a list").iter().any(|it| it["code"] == "failing-test");
    let before = told(&client.response(document).expect("a report"));
    let found = client.response(workspace).expect("a report");
    assert!(told(&found["items"][0]), "{found}");
    // The document may have been checked before its tests ran. Editors prefer its own diagnostics to those of the
    // workspace.
    if !before {
        client.wait(|message| message["method"] == "workspace/diagnostic/refresh");
    }
    client.finish();
}

#[test]
fn a_test_that_cannot_be_read_fails() {
    let rules = format!("{DECLARATIONS}where symbol[N] == A:\n    symbol[N] = A\n");
    let program = format!("//@ max-new 1\n//@ test \"A\" => \"A\"\n//@ test A => A\n//@ tset \"A\" => \"A\"\n{rules}");
    let folder = Folder::new("invalid", &[("a.psl", &program)]);
    let run = |args: &[&str]| psl_in(&folder.0, &[&["test"], args].concat(), b"");
    let text = run(&[]);
    let expected = "FAILED a.psl:3:1: invalid `test` directive\nFAILED a.psl:4:5: unknown directive `tset`\n\
                    ok a.psl:2:1: test 1\n1 passed, 2 failed\n";
    assert_eq!((code(&text), out(&text).as_str()), (1, expected));
    assert_eq!(err(&text), "error: 2 tests could not be read: `psl check` shows why\n");
    let json = out(&run(&["--format", "json"]));
    let lines: Vec<Value> = json.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let found: Vec<_> = lines.iter().map(|test| (test["line"].clone(), test["passed"].clone())).collect();
    assert_eq!(found, [(json!(3), json!(false)), (json!(4), json!(false)), (json!(2), json!(true))]);
    let junit = out(&run(&["--format", "junit"]));
    assert!(junit.contains("<testcase name=\"the test in line 3 can be read\""), "{junit}");
    assert!(junit.contains("<error message=\"line 3: invalid `test` directive\"/>"), "{junit}");
    // A name chooses among those that can be read.
    assert_eq!(code(&run(&["--test", "test 1"])), 0);
    // Without any other test, too.
    folder.write("a.psl", &format!("//@ test A\n{rules}"));
    assert_eq!(code(&run(&["--allow-none"])), 1);
}

#[test]
fn junit_has_no_character_that_xml_forbids() {
    let forbidden: String = (1..0x20).chain([0x7f, 0x85, 0xfffe, 0xffff]).filter_map(char::from_u32).collect();
    let kept = forbidden.replace(['\n', '\r'], "");
    let program = format!("//@ max-new 1\n//@ test a{} \"x {kept}\" => \"{kept}\"\n{ECHO}", "\u{ffff}");
    let folder = Folder::new("forbidden", &[("a\u{fffe}.psl", &program)]);
    let junit = out(&psl_in(&folder.0, &["test", "--format", "junit"], b""));
    let is_allowed =
        |char: char| matches!(char, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
    assert_eq!(junit.chars().find(|char| !is_allowed(*char)), None, "{junit:?}");
    assert!(junit.contains("a\u{fffd}.psl"), "{junit}");
}
