//! `--watch` of `psl check` and `psl test`, with files that are written, replaced, created and removed.

#![cfg(unix)]
#![allow(clippy::expect_used, clippy::panic, reason = "a test may fail by panic")]

mod binary;

use std::{
    fs,
    io::{self, BufRead, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
    sync::mpsc::{Receiver, channel},
    thread::spawn,
    time::Duration,
};

use binary::{DECLARATIONS, folder};

/// Longer than any run takes: what has not come by then does not come.
const DEADLINE: Duration = Duration::from_mins(1);

/// A command that watches, and the lines that it writes.
struct Watching {
    child: Child,
    lines: Receiver<String>,
}

impl Watching {
    fn start(folder: &Path, args: &[&str]) -> Self {
        let (output, errors) = io::pipe().expect("a pipe");
        let child = Command::new(env!("CARGO_BIN_EXE_psl"))
            .args(args)
            .current_dir(folder)
            .stdin(Stdio::null())
            // Both in one pipe keep their order.
            .stdout(errors.try_clone().expect("a pipe"))
            .stderr(errors)
            .spawn()
            .expect("psl starts");
        let (sender, lines) = channel();
        // The end of the test closes the channel.
        spawn(move || BufReader::new(output).lines().map_while(Result::ok).all(|line| sender.send(line).is_ok()));
        let watching = Self { child, lines };
        watching.wait_for("watching for changes; Ctrl-C ends");
        watching
    }

    /// Waits for a line that contains this text.
    fn wait_for(&self, expected: &str) {
        let mut seen = Vec::new();
        while !seen.last().is_some_and(|line: &String| line.contains(expected)) {
            let line = self.lines.recv_timeout(DEADLINE);
            seen.push(line.unwrap_or_else(|_| panic!("no {expected:?} in {seen:#?}")));
        }
    }

    /// Waits for a summary and the end of that run.
    fn wait_for_run(&self, summary: &str) {
        self.wait_for(summary);
        self.wait_for("watching for changes; Ctrl-C ends");
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

/// Writes a file as many editors do: a new one takes its place.
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
fn a_file_is_watched_with_its_prompts_and_its_configuration() {
    let test = "//@ max-new 1\n//@ test json \"prompt.json\" => \"A\"\n";
    let folder = folder(&[
        ("programs/a.psl", &format!("{test}{}", program("symbol"))),
        ("programs/prompt.json", r#"[{"symbol": "A"}]"#),
        ("psl.toml", "stop = '!'\n"),
    ]);
    let watching = Watching::start(folder.path(), &["check", "--watch", "programs/a.psl"]);
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
    watching.wait_for("watching for changes; Ctrl-C ends");
    assert_eq!(watching.interrupt(), Some(1));
}
