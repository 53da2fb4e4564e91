//! `--watch`: runs a command again when a file that it read changes.

use std::{
    io::{self, IsTerminal, Write},
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicI32, Ordering},
    },
};

use chrono::Local;
use psl_host::{
    Changes, WatchedFiles,
    endings::{INTERRUPTED, exit_on_interrupt},
};

use crate::{
    failure::Failure,
    input::{paths::is_stdin, program_file::ProgramFile},
    output::{color::is_dumb, stdio::print_to_stderr},
};

/// The line that is printed when the command waits for changes.
pub const WATCHING: &str = "watching for changes; Ctrl-C ends";

/// Runs a command, and again whenever a file changes that it read or that its paths lead to. The command reports the
/// programs that it reads. Ctrl-C ends the process with the last result's exit code.
///
/// # Errors
///
/// The files cannot be watched, or standard output cannot be written.
pub fn watch(
    command: &str,
    paths: &[PathBuf],
    mut run: impl FnMut(&mut dyn FnMut(&ProgramFile)) -> Result<bool, Failure>,
) -> Result<bool, Failure> {
    if paths.iter().any(|path| is_stdin(path)) {
        return Err(Failure::Message("`--watch` needs files: standard input cannot be read again".to_owned()));
    }
    let exit_code = Arc::new(AtomicI32::new(INTERRUPTED));
    exit_on_interrupt(Arc::clone(&exit_code));
    let mut changes = Changes::of(paths).map_err(Failure::of)?;
    loop {
        head(command)?;
        let mut files = WatchedFiles::default();
        let result = run(&mut |source| files.add(source.files()));
        let code = match result {
            Ok(fine) => i32::from(!fine),
            Err(failure @ Failure::Output(_)) => return Err(failure),
            Err(failure) => failure.report().into(),
        };
        exit_code.store(code, Ordering::Relaxed);
        changes.watch(&files).map_err(Failure::of)?;
        print_to_stderr(WATCHING);
        changes.wait(&files).map_err(Failure::of)?;
    }
}

/// Clears the screen and prints the time.
fn head(command: &str) -> io::Result<()> {
    let mut out = io::stdout();
    if out.is_terminal() && !is_dumb() {
        // Clears the screen and the scrollback, and moves the cursor to the top.
        write!(out, "\u{1b}[2J\u{1b}[3J\u{1b}[H")?;
        out.flush()?;
    }
    print_to_stderr(format_args!("── psl {command} · {}", Local::now().format("%H:%M:%S")));
    Ok(())
}
