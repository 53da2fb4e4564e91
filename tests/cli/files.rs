//! Reading and writing files and pipes.

use std::{
    fs,
    io::Write,
    os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink},
    path::Path,
    process::{Command, Output, Stdio},
};

use serde_json::Value;
use tempfile::TempDir;

use crate::{
    binary::{DECLARATIONS, code, err, folder, out, psl_in},
    command::names,
};

/// A program that is valid but not formatted.
const UNFORMATTED: &str = "registers: {symbol:'s',position:'p'}\nconstants:{A,B}\nwhere symbol[N]==A: symbol[N]=B\n//@ test \"A\" => \"B\"\n//@ stop \"B\"\n";
const FORMATTED: &str = "registers: {symbol: 's', position: 'p'}\nconstants: {A, B}\nwhere symbol[N] == A:\n    symbol[N] = B\n//@ test \"A\" => \"B\"\n//@ stop \"B\"\n";

/// Runs a line of shell code in which `psl` is the built binary.
fn sh(folder: &Path, line: &str) -> Output {
    let binary = env!("CARGO_BIN_EXE_psl");
    let script = format!("psl() {{ '{binary}' \"$@\"; }}\n{line}");
    Command::new("bash").args(["-c", &script]).current_dir(folder).stdin(Stdio::null()).output().expect("bash runs")
}

fn read(folder: &TempDir, name: &str) -> String {
    fs::read_to_string(folder.path().join(name)).expect("the file")
}

#[test]
fn formatting_keeps_owner_and_mode() {
    let folder = folder(&[("a.psl", UNFORMATTED)]);
    let file = folder.path().join("a.psl");
    // Only root can change the owner.
    let owner = if chown(&file, Some(1234), Some(4321)).is_ok() {
        (1234, 4321)
    } else {
        fs::metadata(&file).map(|file| (file.uid(), file.gid())).expect("the file")
    };
    fs::set_permissions(&file, fs::Permissions::from_mode(0o604)).expect("permissions");
    assert_eq!(code(&psl_in(folder.path(), &["fmt"], b"")), 0);
    let now = fs::metadata(&file).expect("the file");
    assert_eq!(((now.uid(), now.gid()), now.mode() & 0o7777), (owner, 0o604));
    assert_eq!(read(&folder, "a.psl"), FORMATTED);
}

#[test]
fn what_was_meant_is_a_line_to_type() {
    let folder = folder(&[("first.psl", FORMATTED)]);
    let check = |arguments: &[&str], line: &str| {
        let output = psl_in(folder.path(), arguments, b"");
        assert_eq!(code(&output), 2, "{arguments:?}");
        assert!(err(&output).ends_with(&format!("{line}\n")), "{}", err(&output));
    };
    check(&["run", "first.psl", "--prompt", "a", "b"], "Did you mean this?\n  psl run first.psl --prompt 'a b'");
    check(&["run", "first.psl", "a b"], "Did you mean this?\n  psl run first.psl --prompt 'a b'");
    check(&["format"], "Did you mean this?\n  psl fmt");
    check(&["run", "first"], "psl: cannot read first: No such file or directory (os error 2); did you mean first.psl?");
}

#[test]
fn a_file_with_several_hard_links_is_not_written() {
    let folder = folder(&[("a.psl", UNFORMATTED), ("c.psl", UNFORMATTED)]);
    fs::hard_link(folder.path().join("a.psl"), folder.path().join("b.txt")).expect("a link");
    let output = psl_in(folder.path(), &["fmt"], b"");
    let message = "psl: cannot write a.psl: it has 2 hard links, and replacing it would separate them: write to a copy
1 file: 1 formatted, 0 left unchanged, 0 broken\n";
    assert_eq!((code(&output), err(&output).as_str()), (2, message));
    assert_eq!((read(&folder, "a.psl"), read(&folder, "b.txt")), (UNFORMATTED.to_owned(), UNFORMATTED.to_owned()));
    assert_eq!(read(&folder, "c.psl"), FORMATTED, "the other files are formatted");
    let output = psl_in(folder.path(), &["compile", "c.psl", "-o", "a.psl"], b"");
    assert_eq!((code(&output), read(&folder, "a.psl").as_str()), (2, UNFORMATTED));
}

#[test]
fn temporary_files_of_killed_runs_are_removed_but_not_those_of_running_ones() {
    let folder = folder(&[("a.psl", FORMATTED), ("b.psl", UNFORMATTED), ("trace.jsonl", "good")]);
    // After its answer, the trace is open and it waits for more prompts.
    let mut other = Command::new(env!("CARGO_BIN_EXE_psl"))
        .args(["run", "a.psl", "--trace", "trace.jsonl"])
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("psl starts");
    let mut prompts = other.stdin.take().expect("a pipe");
    prompts.write_all(b"A\n").expect("it reads");
    let mut answer = [0; 2];
    std::io::Read::read_exact(other.stdout.as_mut().expect("a pipe"), &mut answer).expect("it answers");
    let unfinished = || names(folder.path()).into_iter().filter(|name| name.starts_with(".psl-unfinished-")).count();

    assert_eq!(unfinished(), 1);
    assert_eq!(code(&psl_in(folder.path(), &["fmt"], b"")), 0);
    assert_eq!((read(&folder, "b.psl").as_str(), unfinished()), (FORMATTED, 1), "the file of the other run stays");

    other.kill().expect("it can be killed");
    other.wait().expect("it ends");
    assert_eq!((read(&folder, "trace.jsonl").as_str(), unfinished()), ("good", 1));
    fs::write(folder.path().join("b.psl"), UNFORMATTED).expect("a file");
    fs::write(folder.path().join(".psl-notes.tmp"), "not ours").expect("a file");
    assert_eq!(code(&psl_in(folder.path(), &["fmt"], b"")), 0);
    assert_eq!(names(folder.path()), [".psl-notes.tmp", "a.psl", "b.psl", "trace.jsonl"]);
}

#[test]
fn an_output_is_complete_or_unchanged() {
    let folder = folder(&[("a.psl", FORMATTED), ("pargen.psl", psl_pargen()), ("broken.psl", "where")]);
    let good = |name: &str| fs::write(folder.path().join(name), "good").expect("a file");
    for (line, expected) in [
        // Each of these writes more than one block.
        ("ulimit -f 1; psl compile pargen.psl -o out", 2),
        ("ulimit -f 1; psl compile pargen.psl --emit weights --sparse -o out", 2),
        ("ulimit -f 1; psl tgt --split test -o out", 2),
        ("ulimit -f 1; psl run --prompt 'Q a A a . Q b A' --trace out", 2),
        ("psl compile broken.psl -o out", 1),
        ("psl compile none.psl -o out", 2),
        ("psl run none.psl --prompt A --trace out", 2),
        ("(echo A; head -c 17000000 /dev/zero) | psl run a.psl --trace out", 2),
    ] {
        good("out");
        let output = sh(folder.path(), line);
        assert_eq!(code(&output), expected, "{line}: {}", err(&output));
        assert!(!err(&output).is_empty(), "{line}");
        assert_eq!(read(&folder, "out"), "good", "{line}");
    }
    assert_eq!(names(folder.path()), ["a.psl", "broken.psl", "out", "pargen.psl"], "no temporary file is left");
    let limited = sh(folder.path(), "ulimit -f 1; psl tgt --split test -o out");
    assert_eq!(err(&limited), "psl: cannot write out: File too large (os error 27)\n");

    for line in [
        "psl compile a.psl -o out",
        "psl compile a.psl --emit weights -o out",
        "psl tgt --split test -o out",
        "psl run a.psl --prompt A --trace out",
    ] {
        good("out");
        fs::set_permissions(folder.path().join("out"), fs::Permissions::from_mode(0o620)).expect("permissions");
        let output = sh(folder.path(), line);
        assert_eq!(code(&output), 0, "{line}: {}", err(&output));
        let written = fs::read(folder.path().join("out")).expect("the file");
        assert!(written.len() > 100, "{line}");
        assert_eq!(fs::metadata(folder.path().join("out")).expect("the file").mode() & 0o7777, 0o620);
    }
    assert_eq!(sh(folder.path(), "psl tgt --split test").stdout.len(), {
        sh(folder.path(), "psl tgt --split test -o out");
        read(&folder, "out").len()
    });
    sh(folder.path(), "umask 027; psl tgt --split test -o new");
    assert_eq!(fs::metadata(folder.path().join("new")).expect("the file").mode() & 0o7777, 0o640);
}

fn psl_pargen() -> &'static str {
    include_str!("../../examples/pargen.psl")
}

#[test]
fn links_are_followed_and_devices_and_pipes_are_written_directly() {
    let folder = folder(&[("a.psl", FORMATTED), ("sub/out", "good")]);
    let link = |to: &str, name: &str| symlink(to, folder.path().join(name)).expect("a link");
    link("sub/out", "link");
    link("link", "further");
    link("sub/new", "dangling");
    link("circle", "circle");
    let qkvl = out(&psl_in(folder.path(), &["compile", "a.psl"], b""));
    let compile = |to: &str| sh(folder.path(), &format!("psl compile a.psl -o {to}"));
    for (name, file) in [("further", "sub/out"), ("dangling", "sub/new")] {
        assert_eq!(code(&compile(name)), 0);
        assert_eq!(read(&folder, file), qkvl);
        assert!(fs::symlink_metadata(folder.path().join(name)).expect("the link").is_symlink());
    }
    assert_eq!(code(&compile("circle")), 2);
    for to in ["/dev/stdout", "/dev/fd/1", "-"] {
        assert_eq!(out(&compile(to)), qkvl, "{to}");
        sh(folder.path(), &format!("{{ echo one; psl compile a.psl -o {to}; echo two; }} > both"));
        assert_eq!(read(&folder, "both"), format!("one\n{qkvl}two\n"), "{to}");
    }
    sh(folder.path(), "echo 'where x[N]==A: x[N]=A' > c.psl; psl fmt c.psl >> c.psl");
    assert_eq!(read(&folder, "c.psl"), "where x[N] == A:\n    x[N] = A\n", "a file formatted in place is not printed");
    assert_eq!(code(&compile("/dev/null")), 0);
    assert!(fs::metadata("/dev/null").is_ok_and(|file| !file.is_file()));
    let piped = sh(folder.path(), "mkfifo pipe; cat pipe > copy & psl compile a.psl -o pipe; wait");
    assert_eq!((code(&piped), read(&folder, "copy")), (0, qkvl));
    let full = compile("/dev/full");
    let message = "psl: cannot write /dev/full: No space left on device (os error 28)\n";
    assert_eq!((code(&full), err(&full).as_str()), (2, message));
    assert_eq!(code(&compile("sub")), 2, "a folder is not a file");
}

#[test]
fn a_path_that_fails_does_not_stop_the_others() {
    let folder = folder(&[
        ("a.psl", UNFORMATTED),
        ("wrong/psl.toml", "stop = 1"),
        ("wrong/sub/b.psl", UNFORMATTED),
        ("wrong/sub/c.psl", UNFORMATTED),
        ("z.psl", UNFORMATTED),
    ]);
    let run = |args: &[&str]| psl_in(folder.path(), args, b"");
    let wrong = format!(
        "psl: {}:1:8: `stop` must be one symbol, such as `stop = \".\"`\n",
        folder.path().canonicalize().expect("a folder").join("wrong/psl.toml").display()
    );
    let none = "psl: cannot read none.psl: No such file or directory (os error 2)\n";

    let output = run(&["check", ".", "none.psl"]);
    assert_eq!((code(&output), err(&output)), (2, format!("{wrong}{none}checked 2 files: 0 errors, 0 warnings\n")));
    let output = run(&["check", "--format", "sarif", "none.psl", "a.psl", "--deny", "warnings"]);
    let log: Value = serde_json::from_str(&out(&output)).expect("a complete log");
    assert_eq!((code(&output), &log["runs"][0]["invocations"][0]["executionSuccessful"]), (2, &Value::from(false)));
    let output = run(&["test", ".", "none.psl"]);
    let passed = "ok a.psl:4:1: test 1\nok z.psl:4:1: test 1\n2 passed, 0 failed\n";
    assert_eq!((code(&output), out(&output).as_str(), err(&output)), (2, passed, format!("{wrong}{none}")));
    let output = run(&["fmt", "none.psl", "wrong/sub/b.psl", "a.psl"]);
    let formatted = "1 file: 1 formatted, 0 left unchanged, 0 broken\n";
    assert_eq!((code(&output), err(&output)), (2, format!("{none}{wrong}{formatted}")));
    assert_eq!((read(&folder, "a.psl").as_str(), read(&folder, "wrong/sub/b.psl").as_str()), (FORMATTED, UNFORMATTED));
}

#[test]
fn large_files_are_refused_before_they_are_read() {
    let folder = folder(&[
        ("psl.toml", "max-file-size = 200"),
        ("a.psl", FORMATTED),
        ("large.psl", &format!("{FORMATTED}#{}\n", "x".repeat(200))),
        ("large.json", &" ".repeat(201)),
        ("large.txt", &"A ".repeat(101)),
        ("data.tsv", &"A\tB\n".repeat(100)),
    ]);
    let large = |command: &str, name: &str, expected: &str| {
        let output = sh(folder.path(), command);
        let why = "it is larger than 200 bytes; raise `max-file-size` in `psl.toml`";
        let message = format!("psl: cannot read {name}: {why}\n{expected}");
        assert_eq!((code(&output), err(&output)), (2, message), "{command}");
    };
    large("psl check", "large.psl", "checked 1 file: 0 errors, 0 warnings\n");
    large("psl fmt large.psl", "large.psl", "0 files: 0 formatted, 0 left unchanged, 0 broken\n");
    large("psl test large.psl", "large.psl", "");
    large("psl run large.psl --prompt A", "large.psl", "");
    large("psl compile large.json", "large.json", "");
    large("psl run large.json --prompt A", "large.json", "");
    large("psl run a.psl --prompt-json large.json", "large.json", "");
    large("psl compile a.psl --emit weights --vocabulary large.txt -o out", "large.txt", "");
    large("psl check - < /dev/zero", "<stdin>", "checked 0 files: 0 errors, 0 warnings\n");
    large("yes | psl run - --prompt A", "<stdin>", "");
    large("ln -s /dev/zero zero.psl; psl check zero.psl", "zero.psl", "checked 0 files: 0 errors, 0 warnings\n");
    large(
        "mkfifo endless.psl; yes > endless.psl & psl fmt endless.psl",
        "endless.psl",
        "0 files: 0 formatted, 0 left unchanged, 0 broken\n",
    );
    assert_eq!(code(&sh(folder.path(), "psl eval a.psl data.tsv")), 0, "the limit does not apply to data");
    assert_eq!(code(&sh(folder.path(), "rm psl.toml; psl check large.psl")), 0);
    let output = sh(folder.path(), "ln -s /dev/zero psl.toml; psl check a.psl");
    assert!(err(&output).contains("psl.toml: it is a device, not a file\n"), "{}", err(&output));
    assert_eq!(code(&output), 2);
    let output = sh(folder.path(), "rm psl.toml; truncate -s 1M psl.toml; echo >> psl.toml; psl check a.psl");
    assert!(err(&output).contains("psl.toml: it is larger than 1048576 bytes\n"), "{}", err(&output));
    assert_eq!(code(&output), 2);
}

#[test]
fn a_line_of_data_has_a_maximum_length() {
    let folder = folder(&[("a.psl", FORMATTED), ("data.tsv", "A\tB\n")]);
    let run = |line: &str| {
        let output = sh(folder.path(), line);
        (code(&output), err(&output))
    };
    let long = |name: &str| (2, format!("psl: cannot read line 1 of {name}: the line is longer than 16777216 bytes\n"));
    assert_eq!(run("psl eval a.psl /dev/zero"), long("/dev/zero"));
    assert_eq!(out(&sh(folder.path(), "psl eval a.psl /dev/zero --format json")), "");
    assert_eq!(run("psl run a.psl < /dev/zero"), long("<stdin>"));
    assert_eq!(run("psl tgt --split test --check /dev/zero"), long("/dev/zero"));
    assert_eq!(run("psl trace diff data.tsv /dev/zero").0, 2);
    assert_eq!(run("psl trace diff /dev/zero data.tsv"), long("/dev/zero"));
}

#[test]
fn a_line_that_is_not_utf8_costs_only_itself() {
    let folder = folder(&[("a.psl", &format!("//@ max-new 1\n{FORMATTED}"))]);
    let check = |line: &str, expected: (i32, &str, &str)| {
        let output = sh(folder.path(), line);
        assert_eq!((code(&output), out(&output).as_str(), err(&output).as_str()), expected, "{line}");
    };
    let error = "error: a.psl: prompt 2: the line is not UTF-8\n";
    check("printf 'A\\n\\xe9 A\\nA\\n' | psl run a.psl", (1, "B\n\nB\n", error));
    check(
        "printf 'A\\n\\xe9 A\\n' | psl run a.psl --format json | tail -n 1; exit ${PIPESTATUS[1]}",
        (1, "{\"prompt\":\"\u{fffd} A\",\"error\":\"prompt 2: the line is not UTF-8\"}\n", error),
    );
    let scored = "printf 'A\\tB\\n\\nA\\t\\xe9\\nA\\tB\\n'";
    let output = sh(folder.path(), &format!("{scored} > data.tsv; psl eval a.psl data.tsv --format json"));
    let report: serde_json::Value = serde_json::from_str(&out(&output)).expect("JSON");
    assert_eq!((code(&output), &report["total"], &report["correct"]), (1, &3.into(), &2.into()), "{report:#}");
    let [failure] = report["failures"].as_array().expect("a list").as_slice() else { panic!("{report:#}") };
    assert_eq!((&failure["line"], &failure["prompt"]), (&3.into(), &"A\t\u{fffd}".into()));
    assert_eq!(failure["error"], "malformed line: the line is not UTF-8");
    // The format is that of the first line that can be read.
    check(
        "printf '\\xe9\\n{\"prompt\": \"A\", \"gold\": \"B\"}\\n' | psl eval a.psl - --format csv --show all | cut -d, -f 3,4",
        (0, "line,correct\n1,false\n2,true\n", ""),
    );
}

#[test]
fn a_file_given_twice_is_read_once() {
    let folder = folder(&[("sub/a.psl", FORMATTED), ("b.psl", FORMATTED)]);
    for (paths, files) in [
        ("b.psl b.psl", "1 file"),
        ("b.psl ./b.psl sub/../b.psl $PWD/b.psl", "1 file"),
        (". b.psl sub sub/a.psl", "2 files"),
        ("- -", "1 file"),
        ("b.psl sub", "2 files"),
    ] {
        let output = sh(folder.path(), &format!("psl check {paths} < b.psl"));
        assert_eq!((code(&output), err(&output)), (0, format!("checked {files}: 0 errors, 0 warnings\n")), "{paths}");
    }
}

#[test]
fn a_closed_output_does_not_change_the_exit_code() {
    let warned = format!("{DECLARATIONS}//@ test \"A\" => \"B\"\nwhere symbol[N] == A:\n    symbol[N] = A\n");
    let folder = folder(&[
        ("a.psl", FORMATTED),
        ("broken.psl", &"where\n".repeat(5_000)),
        ("failing.psl", &warned),
        ("unformatted.psl", UNFORMATTED),
        ("data.tsv", "A\tA\n"),
        ("trace.jsonl", ""),
    ]);
    sh(folder.path(), "psl run a.psl --prompt A --trace other.jsonl");
    for (command, expected) in [
        ("check a.psl", 0),
        ("check broken.psl", 1),
        ("check --format short broken.psl", 1),
        ("check --format json broken.psl none.psl", 2),
        ("check --format sarif broken.psl", 1),
        ("check --format github broken.psl", 1),
        ("check --fix broken.psl", 1),
        ("check --fix -", 1),
        ("fmt --check unformatted.psl", 1),
        ("fmt --diff unformatted.psl", 1),
        ("test a.psl", 0),
        ("test failing.psl", 1),
        ("eval a.psl data.tsv", 1),
        ("eval --format json a.psl data.tsv", 1),
        ("eval --format csv a.psl data.tsv", 1),
        ("eval --format csv --show all a.psl data.tsv", 1),
        ("patch a.psl --prompt A --with B", 0),
        ("patch a.psl --prompt A --with B --min", 0),
        ("patch a.psl --prompt A --with B --format csv", 0),
        ("patch a.psl --prompt A --with B --format svg", 0),
        ("trace diff other.jsonl trace.jsonl", 1),
        ("tgt --split test --check data.tsv", 1),
        ("tgt --split test --count 100000000", 0),
        ("run --prompt a", 0),
        ("run --prompt a --max-passes 0", 1),
        ("run --prompt a --max-passes 0 --trace -", 1),
        ("run a.psl --prompt A --format json", 0),
        ("run a.psl --prompt A --trace -", 0),
        ("compile a.psl", 0),
        ("compile a.psl --emit weights", 0),
        ("explain", 0),
        ("explain n", 0),
        ("demo", 0),
        ("completions bash", 0),
        ("--help", 0),
        ("--version", 0),
    ] {
        let (ended, stderr) = run_with_closed_output(folder.path(), command, Stdio::piped());
        assert_eq!(ended, expected, "{command}: {stderr}");
        assert!(!stderr.contains("panic") && !stderr.contains("Broken pipe"), "{command}: {stderr}");
        // As in `psl 2>&1 | head`.
        let (ended, _) = run_with_closed_output(folder.path(), command, closed_pipe());
        assert_eq!(ended, expected, "{command}, with standard error");
    }
    run_with_closed_output(folder.path(), "run a.psl --prompt A --trace trace.jsonl", closed_pipe());
    assert_eq!(read(&folder, "trace.jsonl"), read(&folder, "other.jsonl"), "the trace is complete");
    run_with_closed_output(folder.path(), "fmt unformatted.psl", closed_pipe());
    assert_eq!(read(&folder, "unformatted.psl"), FORMATTED);
}

/// The writing end of a pipe whose reading end is closed.
fn closed_pipe() -> Stdio {
    let (_, writer) = std::io::pipe().expect("a pipe");
    writer.into()
}

/// The exit code and the standard error of a command whose standard output is closed.
fn run_with_closed_output(folder: &Path, command: &str, stderr: Stdio) -> (i32, String) {
    let child = Command::new(env!("CARGO_BIN_EXE_psl"))
        .args(command.split(' '))
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(closed_pipe())
        .stderr(stderr)
        .spawn();
    let output = child.and_then(std::process::Child::wait_with_output).expect("psl runs");
    (code(&output), err(&output))
}

#[test]
fn a_full_output_is_an_error() {
    let folder = folder(&[
        ("a.psl", FORMATTED),
        ("broken.psl", "where"),
        ("unformatted.psl", UNFORMATTED),
        ("data.tsv", "A\tB\n"),
    ]);
    for command in [
        "check broken.psl",
        "check --format short broken.psl",
        "check --format json broken.psl",
        "check --format sarif broken.psl",
        "check --format github broken.psl",
        "fmt - < unformatted.psl",
        "fmt --check unformatted.psl",
        "test a.psl",
        "eval a.psl data.tsv",
        "tgt --split test",
        "run a.psl --prompt A",
        "run a.psl --prompt A --trace -",
        "run a.psl --prompt A --trace /dev/stdout",
        "compile a.psl",
        "compile a.psl --emit weights --sparse",
        "explain",
        "demo",
        "completions bash",
        "--help",
    ] {
        let output = sh(folder.path(), &format!("psl {command} > /dev/full"));
        let message = "psl: cannot write to standard output: No space left on device (os error 28)\n";
        assert_eq!((code(&output), err(&output).as_str()), (2, message), "{command}");
        let both = sh(folder.path(), &format!("psl {command} > /dev/full 2>&1"));
        assert_eq!(code(&both), 2, "{command}, with standard error");
    }
    let limited = sh(folder.path(), "ulimit -f 1; psl completions bash > script");
    assert_eq!(
        (code(&limited), err(&limited).as_str()),
        (2, "psl: cannot write to standard output: File too large (os error 27)\n")
    );
}

#[test]
fn a_byte_order_mark_is_not_part_of_a_text() {
    let program =
        format!("//@ max-new 1\n//@ stop \"B\"\n//@ test json \"a.json\" => \"B\"\n{}", FORMATTED.replace("//@", "//"));
    let turing = "start A B stop R\n";
    let files = [
        ("a.psl", program.as_str()),
        ("a.json", r#"[{"symbol": "A"}]"#),
        ("a.tsv", "A\tB\nA\tB\n"),
        ("a.jsonl", "{\"prompt\": \"A\", \"gold\": \"B\"}\n"),
        ("prompts", "A\nA\n"),
        ("commands", "goto end\n"),
        ("symbols", "C D\n"),
        ("table", turing),
        ("psl.toml", "stop = 'B'\n"),
        ("a.yaml", program.as_str()),
        ("examples.yaml", "examples: {a: {prompt: A, gold: B}}\n"),
        (".gitignore", "b.psl\n"),
        ("b.psl", "where"),
    ];
    let plain = folder(&files);
    let marked: Vec<_> = files.iter().map(|(name, text)| (*name, format!("\u{feff}{text}"))).collect();
    let marked = folder(&marked.iter().map(|(name, text)| (*name, text.as_str())).collect::<Vec<_>>());
    for line in [
        "psl check; psl test",
        "psl run a.psl < prompts",
        "psl run a.psl --prompt-json a.json",
        "psl run a.psl --prompt-json - < a.json",
        "psl eval a.psl a.tsv --format json | sed 's/\"seconds.*//'",
        "psl eval a.psl a.jsonl --format json | sed 's/\"seconds.*//'",
        "psl debug a.psl --prompt A --script commands",
        "psl compile a.psl --emit weights --vocabulary symbols --positions 9 -o w.safetensors && psl run w.safetensors -p 'C A'",
        "psl compile a.psl -o q.json && printf '\\xef\\xbb\\xbf' | cat - q.json > m.json && psl run m.json -p A",
        "psl run a.psl -p A --trace t.jsonl && printf '\\xef\\xbb\\xbf' | cat - t.jsonl > m.jsonl && psl trace diff t.jsonl m.jsonl",
        "psl turing table --tape A",
        "psl import a.yaml --examples examples.yaml",
        "psl tgt --split train --count 3 > t.tsv && printf '\\xef\\xbb\\xbf' | cat - t.tsv > m.tsv && psl tgt --split train --check m.tsv",
    ] {
        let [expected, got] = [&plain, &marked].map(|folder| sh(folder.path(), line));
        assert_eq!((out(&got), err(&got), code(&got)), (out(&expected), err(&expected), code(&expected)), "{line}");
        assert_eq!(code(&got), 0, "{line}: {}", err(&got));
    }
}
