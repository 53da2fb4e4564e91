//! Programs of any format, ready to run.

use std::{io::Write, path::Path};

use psl_host::Configs;
use psl_program::{RunFailure, Runner, count};
use psl_runtime::Executable;
use psl_syntax::{Diagnostic, Program};

use super::{file_format::FileFormat, heads::Heads, program_file::ProgramFile};
use crate::{
    failure::Failure,
    output::{
        color::Color,
        stdio::{say, stderr_to_the_end},
        terminal,
    },
    render::MAX_DIAGNOSTICS,
};

/// A program ready to run, with its file.
pub struct Runnable {
    /// The file, without text if it is not PSL.
    pub source: ProgramFile,
    /// The runner of a program in QKVL or weights, or of a scheduled program.
    other: Option<Runner>,
}

impl Runnable {
    /// The program ready to run.
    pub fn runner(&self) -> &Runner {
        self.other.as_ref().unwrap_or_else(|| self.source.program.compiled())
    }

    /// The program, to be scheduled: see [`Runner::unscheduled`]. A program in PSL is not compiled for it.
    pub fn unscheduled(&self) -> Result<&Program, RunFailure> {
        self.other.as_ref().map_or_else(|| Ok(&self.source.program.checked().analysis.program), Runner::unscheduled)
    }

    /// Whether productions are at their places in the text.
    pub fn is_located(&self) -> bool {
        self.other.as_ref().is_none_or(Runner::is_located)
    }

    /// The program with the heads that the options ask for.
    pub fn with_heads(self, heads: &Heads) -> Result<Self, Failure> {
        let scheduled = heads.scheduled(&self.source.name, self.runner())?;
        Ok(Self { other: scheduled.or(self.other), ..self })
    }
}

/// Reads and compiles a program in PSL, or reports its errors on standard error and returns `None`.
pub fn load(path: &Path, color: Color) -> Result<Option<Runnable>, Failure> {
    Ok(compiled(ProgramFile::read(path, &mut Configs::default())?, color))
}

/// Reads and compiles a program in PSL, QKVL or weights, or reports its errors on standard error and returns `None`.
pub fn load_any(path: &Path, color: Color) -> Result<Option<Runnable>, Failure> {
    let Some(format) = FileFormat::read(path)? else { return Ok(None) };
    let Some(executable) = executable(format) else { return load(path, color) };
    let source = ProgramFile::without_text(path)?;
    let runner = Runner::of(executable).with_stop(source.program.config().stop.clone());
    Ok(Some(Runnable { source, other: Some(runner) }))
}

/// The program of a file in QKVL or weights; `None` if the file is PSL.
pub fn executable(format: FileFormat) -> Option<Executable> {
    match format {
        FileFormat::Psl => None,
        FileFormat::Qkvl(program) => Some(Executable::of_qkvl(*program)),
        FileFormat::Weights(model) => Some(Executable::of_weights(*model)),
    }
}

/// Compiles a program, or reports its errors on standard error and returns `None`.
pub fn compiled(source: ProgramFile, color: Color) -> Option<Runnable> {
    if let Err(errors) = errors(&source) {
        report(&source, &errors, color);
        return None;
    }
    Some(Runnable { source, other: None })
}

/// Checks that a program compiles.
///
/// # Errors
///
/// The diagnostics that are errors.
pub fn errors(source: &ProgramFile) -> Result<(), Vec<Diagnostic>> {
    let errors = source.program.errors();
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// Prints the errors of a program on standard error.
pub fn report(source: &ProgramFile, errors: &[Diagnostic], color: Color) {
    let terminal = terminal::stderr(color);
    let printed = errors.get(..MAX_DIAGNOSTICS).unwrap_or(errors);
    // If standard error cannot be written, the failure cannot be reported either.
    let mut text = Vec::new();
    psl_render::human(&mut text, &source.name, &source.program, printed, terminal)
        .and_then(|()| stderr_to_the_end().write_all(&text))
        .ok();
    if printed.len() < errors.len() {
        say(format_args!("{} more: run `psl check` to see all", count(errors.len() - printed.len(), "error")));
    }
}
