//! `cargo xtask`: the everyday commands of development.

mod faults;
mod quick;

use std::{
    env,
    ffi::OsString,
    path::Path,
    process::{Command, ExitCode},
};

/// A command: its name, its arguments as the list shows them, its effect, and how it runs.
struct Task {
    name: &'static str,
    arguments: &'static str,
    does: &'static str,
    run: fn(&[String]) -> bool,
}

const TASKS: &[Task] = &[
    Task { name: "lint", arguments: "", does: "checks the layout and the lints", run: |_| lint() },
    Task {
        name: "quick",
        arguments: "",
        does: "checks the layout, the lints, and the crates that the changed files reach",
        run: |_| lint() && quick::tests(),
    },
    Task {
        name: "deny",
        arguments: "",
        does: "checks the dependencies for licenses, vulnerabilities and duplicates; needs cargo-deny",
        run: |_| done(&mut cargo(&["deny", "check"])),
    },
    Task {
        name: "test",
        arguments: "[NAME]",
        does: "runs the Rust tests, or those whose names contain NAME",
        run: |rest| done(cargo(&["test", "--workspace"]).args(rest)),
    },
    Task {
        name: "update",
        arguments: "[NAME]",
        does: "rewrites the golden files of these tests",
        run: |rest| done(cargo(&["test", "--workspace"]).args(rest).env("UPDATE", "1")),
    },
    Task {
        name: "page",
        arguments: "",
        does: "builds the page of psl explore, and psl with it",
        run: |_| {
            done(script("scripts/explorer").env("PATH", node_path())) && done(&mut cargo(&["build", "--workspace"]))
        },
    },
    Task {
        name: "clients",
        arguments: "[FILE] [OPTIONS]",
        does: "runs tests with editors and browsers; FILE and OPTIONS are those of pytest",
        run: clients,
    },
    Task {
        name: "faults",
        arguments: "[NAME]",
        does: "plants the faults of tests/faults in a copy, and sees that their tests find them",
        run: faults::faults,
    },
    Task { name: "book", arguments: "", does: "builds the book as a site", run: |_| done(&mut script("scripts/book")) },
    Task {
        name: "package",
        arguments: "[OPTIONS]",
        does: "builds the files of a release; OPTIONS are those of scripts/package",
        run: |rest| done(script("scripts/package").args(rest).env("PATH", node_path())),
    },
    Task { name: "ci", arguments: "", does: "runs what CI runs", run: |_| done(&mut script(".ci/run")) },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let task = arguments.first().and_then(|name| TASKS.iter().find(|task| task.name == name));
    let (Some(task), Some(rest)) = (task, arguments.get(1..)) else {
        for Task { name, arguments, does, .. } in TASKS {
            println!("cargo xtask {:<26}{does}", format!("{name} {arguments}"));
        }
        return ExitCode::from(if arguments.is_empty() { 0 } else { 2 });
    };
    ExitCode::from(u8::from(!(task.run)(rest)))
}

fn lint() -> bool {
    done(&mut cargo(&["fmt", "--all", "--check"]))
        && done(&mut cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))
}

/// Runs pytest on the files of tests/clients, with the `psl` of the package or of the last build.
fn clients(rest: &[String]) -> bool {
    let python = root().join(".tools/venv/bin/python");
    if !python.exists() {
        eprintln!("These tests need what `bash tests/run` installs into .tools: run it once.");
        return false;
    }
    let files =
        rest.iter().map(|word| if word.starts_with("test_") { format!("tests/clients/{word}") } else { word.clone() });
    let all = if rest.iter().any(|word| word.starts_with("test_")) { None } else { Some("tests/clients".to_owned()) };
    done(Command::new(python).args(["-m", "pytest", "-q", "-p", "no:cacheprovider"]).args(files).args(all))
}

/// The `PATH` with the Node.js of the tests first.
fn node_path() -> OsString {
    let mut path = root().join(".tools/venv/bin").into_os_string();
    path.push(":");
    path.push(env::var_os("PATH").unwrap_or_default());
    path
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments);
    command
}

/// A script of the repository.
fn script(name: &str) -> Command {
    Command::new(root().join(name))
}

/// Runs a command in the root of the repository, and returns whether it succeeds.
fn done(command: &mut Command) -> bool {
    match command.current_dir(root()).status() {
        Ok(status) => status.success(),
        Err(error) => {
            eprintln!("{} does not start: {error}", command.get_program().display());
            false
        }
    }
}
