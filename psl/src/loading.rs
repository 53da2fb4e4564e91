//! Programs of any format, ready to run.

use std::{io::Write, path::Path};

use psl_ide::Runner;
use psl_lsp::disk::Configs;
use psl_runtime::Executable;
use psl_syntax::Diagnostic;

use crate::{
    color::Color,
    counting::count,
    failure::Failure,
    file_format::FileFormat,
    input_file::InputFile,
    render::{self, MAX_DIAGNOSTICS},
    stdio::{say, stderr_to_the_end},
    terminal::Terminal,
};

/// A program ready to run, with its origin.
pub struct Loaded {
    /// The file, without text if it is not PSL.
    pub source: InputFile,
    /// The runner of a program in QKVL or weights.
    other: Option<Runner>,
}

impl Loaded {
    /// The program ready to run.
    pub fn runner(&self) -> &Runner {
        self.other.as_ref().unwrap_or_else(|| self.source.program.compiled())
    }
}

/// Reads and compiles a program in PSL, or reports its errors on standard error and returns `None`.
pub fn load(path: &Path, color: Color) -> Result<Option<Loaded>, Failure> {
    Ok(compiled(InputFile::read(path, &mut Configs::default())?, color))
}

/// Reads and compiles a program in PSL, QKVL or weights, or reports its errors on standard error and returns `None`.
pub fn load_any(path: &Path, color: Color) -> Result<Option<Loaded>, Failure> {
    let Some(format) = FileFormat::read(path)? else { return Ok(None) };
    let Some(executable) = executable(format) else { return load(path, color) };
    let source = InputFile::without_text(path)?;
    let runner = Runner::of(executable).with_stop(source.program.config().stop.clone());
    Ok(Some(Loaded { source, other: Some(runner) }))
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
pub fn compiled(source: InputFile, color: Color) -> Option<Loaded> {
    if let Err(errors) = errors(&source) {
        report(&source, &errors, color);
        return None;
    }
    Some(Loaded { source, other: None })
}

/// Checks that a program compiles.
///
/// # Errors
///
/// The diagnostics that are errors.
pub fn errors(source: &InputFile) -> Result<(), Vec<Diagnostic>> {
    if source.program.first_error().is_none() {
        return Ok(());
    }
    Err(source.program.text_diagnostics().iter().filter(|found| found.is_error()).cloned().collect())
}

/// Prints the errors of a program on standard error.
pub fn report(source: &InputFile, errors: &[Diagnostic], color: Color) {
    let terminal = Terminal::stderr(color);
    let printed = errors.get(..MAX_DIAGNOSTICS).unwrap_or(errors);
    // If standard error cannot be written, the failure cannot be reported either.
    let mut text = Vec::new();
    render::human(&mut text, source, printed, terminal).and_then(|()| stderr_to_the_end().write_all(&text)).ok();
    if printed.len() < errors.len() {
        say(format_args!("{} more: run `psl check` to see all", count(errors.len() - printed.len(), "error")));
    }
}
