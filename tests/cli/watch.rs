//! `--watch` of `psl check` and `psl test`, with files that are written, replaced, created and removed.

use std::{
    fs,
    io::{self, BufRead, BufReader, Write},
    path::Path,
    process::{Child, Command, Stdio},
    sync::mpsc::{Receiver, channel},
    thread::spawn,
    time::Duration,
};

use crate::binary::{DECLARATIONS, folder};

/// The maximum time to wait for output, longer than any run takes.
const DEADLINE: Duration = Duration::from_mins(1);

/// The last line of each run.
const WATCHING: &str = "watching for changes; Ctrl-C ends";

/// A command that watches, and the lines that it writes.
struct Watching {
    child: Child,
    lines: Receiver<String>,
}

impl Watching {
    /// Starts `psl`, and waits for the end of its first run.
    fn start(folder: &Path, args: &[&str]) -> Self {
        let watching = Self::of(Command::new(env!("CARGO_BIN_EXE_psl")).args(args), folder);
        watching.wait_for(WATCHING);
        watching
    }

    fn of(command: &mut Command, folder: &Path) -> Self {
        let (output, errors) = io::pipe().expect("a pipe");
        let child = command
            .current_dir(folder)
            .stdin(Stdio::piped())
            // Both in one pipe keep their order.
            .stdout(errors.try_clone().expect("a pipe"))
            .stderr(errors)
            .spawn()
            .expect("it starts");
        let (sender, lines) = channel();
        spawn(move || BufReader::new(output).lines().map_while(Result::ok).all(|line| sender.send(line).is_ok()));
        Self { child, lines }
    }

    /// Waits for a line that contains this text, and returns the lines up to it.
    fn wait_for(&self, expected: &str) -> Vec<String> {
        let mut seen = Vec::new();
        while !seen.last().is_some_and(|line: &String| line.contains(expected)) {
            let line = self.lines.recv_timeout(DEADLINE);
            seen.push(line.unwrap_or_else(|_| panic!("no {expected:?} in {seen:#?}")));
        }
        seen
    }

    /// Waits for a summary and the end of that run.
    fn wait_for_run(&self, summary: &str) {
        self.wait_for(summary);
        self.wait_for(WATCHING);
    }

    /// The exit code after Ctrl-C.
    fn interrupt(mut self) -> Option<i32> {
        let kill = format!("kill -INT {}", self.child.id());
        assert!(Command::new("sh").args(["-c", &kill]).status().expect("a shell").success());
        self.child.wait().expect("psl ends").code()
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

fn program(read: &str) -> String {
    format!("{DECLARATIONS}where {read}[N] == A:\n    symbol[N] = A\n")
}

/// Writes a file as many editors do: a new one replaces it.
fn replace(file: &Path, text: &str) {
    let new = file.with_extension("new");
    fs::write(&new, text).expect("a file");
    fs::rename(new, file).expect("it takes the place");
}

#[test]
fn every_change_in_a_folder_is_checked() {
    let folder = folder(&[("sub/a.psl", &program("symbol"))]);
    let file = folder.path().join("sub/a.psl");
    let watching = Watching::start(folder.path(), &["check", "--watch"]);
    fs::write(&file, program("symbl")).expect("the file");
    watching.wait_for_run("checked 1 file: 1 error, 0 warnings");
    replace(&file, &program("symbol"));
    watching.wait_for_run("checked 1 file: 0 errors, 0 warnings");
    fs::write(folder.path().join("b.psl"), "//@ tset\n".to_owned() + &program("symbol")).expect("a new file");
    watching.wait_for_run("checked 2 files: 0 errors, 1 warning");
    fs::write(folder.path().join("psl.toml"), "[severity]\nunknown-directive = 'error'\n").expect("a configuration");
    watching.wait_for_run("checked 2 files: 1 error, 0 warnings");
    fs::remove_file(folder.path().join("b.psl")).expect("the file goes");
    watching.wait_for_run("checked 1 file: 0 errors, 0 warnings");
    fs::write(folder.path().join("psl.toml"), "[").expect("a configuration");
    watching.wait_for("psl.toml:1:2: ");
    watching.wait_for_run("checked 0 files: 0 errors, 0 warnings");
    assert_eq!(watching.interrupt(), Some(2));
}

#[test]
fn a_folder_that_is_moved_takes_its_programs_with_it() {
    let folder = folder(&[("all/sub/a.psl", &program("symbol")), ("all/b.psl", &program("symbol"))]);
    let moved = |from: &str, to: &str| {
        fs::rename(folder.path().join(from), folder.path().join(to)).expect("the folder moves");
    };
    let checked = |watching: &Watching, files: &str| watching.wait_for_run(&format!("checked {files}: "));
    let watching = Watching::start(folder.path(), &["check", "--watch", "all"]);
    moved("all/sub", "all/renamed");
    checked(&watching, "2 files");
    fs::write(folder.path().join("all/renamed/a.psl"), program("symbl")).expect("the file");
    watching.wait_for_run("checked 2 files: 1 error");
    moved("all/renamed", "away");
    checked(&watching, "1 file");
    moved("away", "all/back");
    watching.wait_for_run("checked 2 files: 1 error");
    fs::remove_dir_all(folder.path().join("all/back")).expect("the folder goes");
    checked(&watching, "1 file");
    // The folder itself.
    moved("all", "other");
    watching.wait_for("psl: cannot read all: ");
    watching.wait_for(WATCHING);
    moved("other", "all");
    checked(&watching, "1 file");
    fs::write(folder.path().join("all/b.psl"), program("symbl")).expect("the file");
    watching.wait_for_run("checked 1 file: 1 error");
    assert_eq!(watching.interrupt(), Some(1));
}

#[test]
fn a_file_is_watched_while_its_folder_moves() {
    let folder = folder(&[("sub/a.psl", &program("symbol"))]);
    let watching = Watching::start(folder.path(), &["check", "--watch", "sub/a.psl"]);
    fs::rename(folder.path().join("sub"), folder.path().join("away")).expect("the folder moves");
    watching.wait_for("psl: cannot read sub/a.psl: ");
    watching.wait_for(WATCHING);
    fs::rename(folder.path().join("away"), folder.path().join("sub")).expect("the folder moves");
    watching.wait_for_run("checked 1 file: 0 errors");
    fs::write(folder.path().join("sub/a.psl"), program("symbl")).expect("the file");
    watching.wait_for_run("checked 1 file: 1 error");
}

#[test]
fn a_file_is_watched_with_its_prompts_and_its_configuration() {
    let test = "//@ max-new 1\n//@ test json \"prompt.json\" => \"A\"\n";
    let folder = folder(&[
        ("programs/a.psl", &format!("{test}{}", program("symbol"))),
        ("programs/prompt.json", r#"[{"symbol": "A"}]"#),
        ("psl.toml", "stop = "),
    ]);
    let watching = Watching::start(folder.path(), &["check", "--watch", "programs/a.psl"]);
    fs::write(folder.path().join("psl.toml"), "stop = '!'\n").expect("a configuration");
    watching.wait_for_run("checked 1 file: 0 errors, 0 warnings");
    fs::write(folder.path().join("programs/prompt.json"), r#"[{"symbol": "B"}]"#).expect("the prompt");
    watching.wait_for_run("checked 1 file: 0 errors, 1 warning");
    replace(&folder.path().join("psl.toml"), "[severity]\nfailing-test = 'error'\n");
    watching.wait_for_run("checked 1 file: 1 error, 0 warnings");
    assert_eq!(watching.interrupt(), Some(1));
}

#[test]
fn the_last_result_is_the_exit_code() {
    let folder = folder(&[("a.psl", &program("symbol"))]);
    let file = folder.path().join("a.psl");
    for (text, code) in [(program("symbl"), 1), (program("symbol"), 0)] {
        fs::write(&file, text).expect("the file");
        assert_eq!(Watching::start(folder.path(), &["check", "--watch", "a.psl"]).interrupt(), Some(code));
    }
    let watching = Watching::start(folder.path(), &["check", "--watch", "a.psl"]);
    fs::remove_file(&file).expect("the file goes");
    watching.wait_for_run("checked 0 files: 0 errors, 0 warnings");
    assert_eq!(watching.interrupt(), Some(2));
}

#[test]
fn tests_run_again() {
    let test = "//@ max-new 1\n//@ test \"B\" => \"A\"\n";
    let failing = format!("{test}{}", program("symbol"));
    let folder = folder(&[("a.psl", &failing)]);
    let watching = Watching::start(folder.path(), &["test", "--watch"]);
    let passing = failing.replace("constants: {A}", "constants: {A, B}").replace("== A", "== B");
    replace(&folder.path().join("a.psl"), &passing);
    watching.wait_for("1 passed");
    fs::write(folder.path().join("a.psl"), &failing).expect("the file");
    watching.wait_for("1 failed");
    watching.wait_for(WATCHING);
    assert_eq!(watching.interrupt(), Some(1));
}

#[test]
fn a_terminal_is_cleared_and_ctrl_c_ends_it() {
    let folder = folder(&[("a.psl", &program("symbl"))]);
    // With `exec`, as Ctrl-C would end a shell between them.
    let command = format!("exec {} check --watch a.psl", env!("CARGO_BIN_EXE_psl"));
    let mut watching = Watching::of(Command::new("script").args(["-qefc", &command, "/dev/null"]), folder.path());
    let clear = "\u{1b}[2J\u{1b}[3J\u{1b}[H── psl check · ";
    assert!(watching.wait_for(WATCHING).iter().any(|line| line.contains(clear)));
    fs::write(folder.path().join("a.psl"), program("symbol")).expect("the file");
    assert!(watching.wait_for(WATCHING).iter().any(|line| line.contains(clear)));
    let mut keyboard = watching.child.stdin.take().expect("a pipe");
    keyboard.write_all(b"\x03").expect("Ctrl-C");
    assert_eq!(watching.child.wait().expect("it ends").code(), Some(0));
}

/// Replaces a file by a named pipe.
fn replace_by_pipe(file: &Path) {
    fs::remove_file(file).expect("the file goes");
    assert!(Command::new("mkfifo").arg(file).status().expect("mkfifo runs").success());
}

#[test]
fn a_pipe_is_refused_until_a_file_takes_its_place() {
    for (command, summary) in [("check", "checked 1 file: 0 errors, 0 warnings"), ("test", "1 passed, 0 failed")] {
        let text = format!("//@ max-new 1\n//@ test \"A\" => \"A\"\n{}", program("symbol"));
        let folder = folder(&[("a.psl", &text)]);
        let file = folder.path().join("a.psl");
        replace_by_pipe(&file);
        let watching =
            Watching::of(Command::new(env!("CARGO_BIN_EXE_psl")).args([command, "--watch", "a.psl"]), folder.path());
        for _ in 0..2 {
            watching.wait_for_run("psl: cannot read a.psl: it is a named pipe, not a file");
            replace(&file, &text);
            watching.wait_for_run(summary);
            replace_by_pipe(&file);
        }
    }
}

#[test]
fn a_pipe_is_read_without_watch() {
    let folder = folder(&[("a.psl", &program("symbol"))]);
    let command = format!("exec '{}' check <(cat a.psl)", env!("CARGO_BIN_EXE_psl"));
    let watching = Watching::of(Command::new("bash").args(["-c", &command]), folder.path());
    watching.wait_for("checked 1 file: 0 errors, 0 warnings");
}

#[test]
fn a_dumb_terminal_gets_plain_text() {
    let folder = folder(&[("a.psl", &program("symbl"))]);
    let command = format!("exec {} check --watch a.psl", env!("CARGO_BIN_EXE_psl"));
    let mut script = Command::new("script");
    let watching = Watching::of(script.args(["-qefc", &command, "/dev/null"]).env("TERM", "dumb"), folder.path());
    let lines = watching.wait_for(WATCHING);
    assert!(lines.iter().any(|line| line.contains("error[unknown-register]")), "{lines:#?}");
    assert!(lines.iter().all(|line| !line.contains('\u{1b}')), "{lines:#?}");
}
