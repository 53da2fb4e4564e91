//! Hostile configurations, names and contents of files, and signals while a file is written.

use std::{
    fs,
    io::{Read, Write},
    path::Path,
    process::{Child, Command, Stdio},
    thread::sleep,
    time::Duration,
};

use serde_json::{Value, json};

use crate::{
    binary::{self, DECLARATIONS, code, err, folder, out, psl_in},
    command::names,
    server::client::Client,
};

/// A program that is valid, but not formatted, with a test that fails.
const PROGRAM: &str = "registers: {symbol:'s',position:'p'}\nconstants:{A,B}\n//@ max-new 1\n//@ test \"A\" => \"A\"\nwhere symbol[N]==A: symbol[N]=B\n";

/// Names that would write a workflow command, clear a screen or reverse a line.
const NAMES: [&str; 3] = ["a\n::error file=x::y.psl", "b\u{1b}[2J.psl", "c\u{202e}lsp.psl"];

fn nested(depth: usize) -> String {
    format!("{}a{}", "{".repeat(depth), "}".repeat(depth))
}

fn excluding(pattern: &str) -> String {
    format!("[paths]\nexclude = ['{pattern}']\n")
}

/// Checks the first line on standard error of `psl check` and `psl fmt --check` in a folder with a program and this
/// file.
fn check_refused(file: &str, text: &str, expected: &str) {
    let folder = folder(&[("a.psl", PROGRAM), (file, text)]);
    let path = folder.path().canonicalize().expect("a folder").join(file).display().to_string();
    for command in [["check"].as_slice(), &["fmt", "--check"]] {
        let output = psl_in(folder.path(), command, b"");
        assert_eq!(code(&output), 2, "{}", err(&output));
        let first = err(&output).lines().next().expect("a line").replace(&path, "FILE");
        assert_eq!(first, expected);
    }
}

#[test]
fn patterns_that_would_overflow_the_stack_are_refused() {
    let (deep, wide) = (nested(50_000), nested(100));
    check_refused("psl.toml", &excluding(&deep), "psl: FILE:2:12: the pattern is longer than 1,000 bytes");
    check_refused("psl.toml", &excluding(&wide), "psl: FILE:2:12: the pattern has more than 50 `{`");
    for file in [".gitignore", ".ignore", ".git/info/exclude"] {
        let lines = format!("# {deep}\n{deep}\n");
        check_refused(file, &lines, "psl: cannot read FILE: line 2: the pattern is longer than 1,000 bytes");
    }
    let below = folder(&[("a.psl", PROGRAM), ("sub/.gitignore", &wide), ("sub/b.psl", PROGRAM)]);
    let output = psl_in(below.path(), &["check", "--format", "short"], b"");
    assert!(err(&output).contains("sub/.gitignore: line 1: the pattern has more than 50 `{`"), "{}", err(&output));
    assert_eq!(code(&output), 2);
}

#[test]
fn an_ignore_file_of_usual_size_applies() {
    let text = format!("{}{}\n# {}\n\nb.psl\n", "x\n".repeat(9_998), nested(50), nested(60));
    let folder = folder(&[("a.psl", PROGRAM), ("b.psl", PROGRAM), (".gitignore", &text)]);
    let output = psl_in(folder.path(), &["fmt", "--check"], b"");
    assert_eq!((out(&output).as_str(), code(&output)), ("a.psl\n", 1), "{}", err(&output));
    check_refused(".gitignore", &"x\n".repeat(10_001), "psl: cannot read FILE: it has more than 10,000 patterns");
}

#[test]
fn a_configuration_of_any_size_is_refused_in_few_lines() {
    let keys = (0..40_000).map(|key| format!("k{key} = 'of'\n")).collect::<Vec<_>>().concat();
    let many = folder(&[("a.psl", PROGRAM), ("psl.toml", &format!("[severity]\n{keys}"))]);
    let output = psl_in(many.path(), &["check"], b"");
    let lines: Vec<String> = err(&output).lines().map(str::to_owned).collect();
    assert_eq!((code(&output), lines.len()), (2, 102));
    assert!(lines[100].ends_with("psl.toml:102:1: 39900 more errors in this file"), "{}", lines[100]);

    let patterns = format!("[paths]\nexclude = [{}]\n", "'a/', ".repeat(100_000));
    check_refused(
        "psl.toml",
        &patterns,
        "psl: FILE:2:11: `exclude` has more than 1,000 patterns or 64 KiB: name folders instead of files",
    );
    let large = format!("[paths]\nexclude = [{}]\n", "'a/', ".repeat(500_000));
    check_refused("psl.toml", &large, "psl: cannot read FILE: it is larger than 1048576 bytes");
    check_refused(
        "psl.toml",
        &excluding(&"[a-z]*".repeat(10_000)),
        "psl: FILE:2:12: the pattern is longer than 1,000 bytes",
    );
}

#[test]
fn the_server_reports_a_hostile_configuration_and_answers() {
    for (file, text) in [
        ("psl.toml", excluding(&nested(50_000))),
        (".gitignore", nested(50_000)),
        (".ignore", nested(50_000)),
        ("psl.toml", excluding(&"[a-z]*".repeat(10_000))),
    ] {
        let folder = folder(&[("a.psl", PROGRAM), (file, &text)]);
        let path = folder.path().canonicalize().expect("a folder");
        let uri = format!("file://{}/a.psl", path.display());
        let mut client = Client::in_folder(&path);
        client.open(&uri, PROGRAM);
        let at = json!({"textDocument": {"uri": uri}, "position": {"line": 4, "character": 8}});
        let hover = client.request("textDocument/hover", &at).expect("a hover");
        assert!(hover["contents"]["value"].as_str().is_some_and(|text| text.contains("symbol")), "{hover}");
        let report = client.request("workspace/diagnostic", &json!({"previousResultIds": []})).expect("a report");
        assert!(report["items"].as_array().is_some_and(|items| !items.is_empty()), "{report}");
        client.finish();
    }
}

/// A folder with programs of hostile names.
fn named() -> tempfile::TempDir {
    let files: Vec<_> = NAMES.iter().map(|name| (*name, PROGRAM)).collect();
    folder(&files)
}

/// Checks that an output has neither a line that a CI takes for a command nor a character that a terminal obeys.
fn check_harmless(what: &str, text: &str) {
    for line in text.lines() {
        assert!(what.contains("github") || !line.trim_start().starts_with("::"), "{what}: {line:?}");
    }
    let obeyed = |char: char| char != '\n' && char.is_control() || ('\u{202a}'..='\u{202e}').contains(&char);
    assert!(!text.contains(obeyed), "{what}: {text:?}");
}

#[test]
fn names_are_harmless_in_every_format() {
    let folder = named();
    let commands = [
        "check --format human",
        "check --format short",
        "check --format json",
        "check --format sarif",
        "check --format github",
        "test",
        "test --format json",
        "test --format junit",
        "test --machine all",
        "fmt --check",
        "fmt --diff",
    ];
    for command in commands {
        let args: Vec<&str> = command.split(' ').collect();
        let output = psl_in(folder.path(), &args, b"");
        assert!(!out(&output).is_empty(), "{command}");
        check_harmless(command, &out(&output));
        check_harmless(command, &err(&output));
    }
    for name in NAMES.map(|name| format!("{name}.none")) {
        for command in ["check", "run", "debug", "explore", "turing", "import"] {
            let output = psl_in(folder.path(), &[command, &name], b"");
            assert_eq!(code(&output), 2);
            check_harmless(command, &err(&output));
        }
        let output = psl_in(folder.path(), &["eval", NAMES[0], &name], b"");
        check_harmless("eval", &err(&output));
    }
}

#[test]
fn names_keep_their_meaning_in_json_and_as_workflow_commands() {
    let folder = named();
    let names = |args: &[&str]| -> Vec<String> {
        let output = out(&psl_in(folder.path(), args, b""));
        let objects = output.lines().map(|line| serde_json::from_str::<Value>(line).expect("an object"));
        let mut names: Vec<String> =
            objects.map(|object| object["file"].as_str().expect("a name").to_owned()).collect();
        names.sort();
        names.dedup();
        names
    };
    assert_eq!(names(&["check", "--format", "json"]), NAMES);
    assert_eq!(names(&["test", "--format", "json"]), NAMES);
    let commands = out(&psl_in(folder.path(), &["check", "--format", "github"], b""));
    assert!(commands.lines().all(|line| line.starts_with("::warning file=")), "{commands}");
    assert!(commands.contains("file=a%0A%3A%3Aerror file=x%3A%3Ay.psl,line="), "{commands}");
}

#[test]
fn a_line_of_a_program_is_limited() {
    let text =
        |items: usize| format!("{DECLARATIONS}# {}\nwhere symbol[N] == A:\n    symbol[N] = A\n", "a".repeat(items));
    let folder = folder(&[
        ("psl.toml", "max-file-size = 100_000_000\n"),
        ("long.psl", &text(20_000_000)),
        ("short.psl", &text(10_000_000)),
        ("lines.psl", &text(3).replace("aaa\n", &"# aaaaaaa\r".repeat(2_000_000))),
    ]);
    for command in ["check", "run", "fmt", "test"] {
        let output = psl_in(folder.path(), &[command, "long.psl"], b"");
        let message = "psl: cannot read long.psl: line 3 is longer than 16777216 bytes: break it";
        assert_eq!((code(&output), err(&output).lines().next()), (2, Some(message)), "{command}");
    }
    for program in ["short.psl", "lines.psl"] {
        let output = psl_in(folder.path(), &["run", program, "--prompt", "A", "--max-new", "1"], b"");
        assert_eq!((code(&output), out(&output).as_str()), (0, "A\n"), "{}", err(&output));
    }
}

#[test]
fn large_dense_weights_are_written_only_on_demand() {
    let folder = folder(&[]);
    let compile = |args: &[&str]| {
        let pargen = binary::repository().join("examples/pargen.psl").display().to_string();
        let output = psl_in(folder.path(), &[&["compile", "--emit", "weights", &pargen], args].concat(), b"");
        assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 0, "nothing is written");
        assert_eq!(code(&output), 2);
        err(&output)
    };
    let ways = "add `--dense` to write all entries, `--sparse` to write only the nonzero entries, or choose smaller `--positions`";
    let refused = |file: &str| format!("psl: {file}: 6.3 GB (positions 77, vocabulary 158, 31 layers): {ways}\n");
    assert_eq!(compile(&["-o", "w.safetensors"]), refused("w.safetensors"));
    assert_eq!(compile(&[]), refused("<stdout>"));
    // `--yes` is its former name. No disk is large enough.
    for option in ["--dense", "--yes"] {
        let message = compile(&["--positions", "20000", option, "-o", "w.safetensors"]);
        assert!(message.contains("\npsl: cannot write w.safetensors: it needs "), "{message}");
        assert!(message.contains(" and the disk has "), "{message}");
    }
}

/// Starts `psl run --trace trace.jsonl`, which has written an unfinished file after its first answer.
fn tracing(folder: &Path, before: &str) -> (Child, String) {
    let command = format!("{before} '{}' run a.psl --trace trace.jsonl", env!("CARGO_BIN_EXE_psl"));
    let mut child = Command::new("bash")
        .args(["-c", &command])
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("psl starts");
    child.stdin.as_mut().expect("a pipe").write_all(b"A\n").expect("it reads");
    let mut answer = [0; 2];
    child.stdout.as_mut().expect("a pipe").read_exact(&mut answer).expect("it answers");
    let unfinished = names(folder).into_iter().find(|name| name.starts_with(".psl-unfinished-"));
    (child, unfinished.expect("an unfinished file"))
}

fn send(child: &Child, signal: &str) {
    let kill = format!("kill -{signal} {}", child.id());
    assert!(Command::new("bash").args(["-c", &kill]).status().expect("a shell").success());
}

#[test]
fn a_signal_removes_the_unfinished_file() {
    use std::os::unix::process::ExitStatusExt;
    for (signal, number) in [("INT", 2), ("TERM", 15), ("HUP", 1)] {
        let folder = folder(&[("a.psl", PROGRAM), ("trace.jsonl", "good")]);
        let (mut child, _) = tracing(folder.path(), "exec env --default-signal=INT,TERM,HUP");
        // The command would finish the file at the end of its input.
        let input = child.stdin.take();
        send(&child, signal);
        assert_eq!(child.wait().expect("it ends").signal(), Some(number), "it ends like any command");
        drop(input);
        assert_eq!(names(folder.path()), ["a.psl", "trace.jsonl"], "{signal}");
        assert_eq!(fs::read_to_string(folder.path().join("trace.jsonl")).expect("the file"), "good");
    }
}

#[test]
fn an_ignored_signal_stays_ignored() {
    let folder = folder(&[("a.psl", PROGRAM)]);
    let (mut child, _) = tracing(folder.path(), "trap '' HUP INT; exec");
    send(&child, "HUP");
    send(&child, "INT");
    // A signal that is not ignored would end it at once.
    sleep(Duration::from_millis(200));
    drop(child.stdin.take());
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
    assert_eq!(names(folder.path()), ["a.psl", "trace.jsonl"]);
}
