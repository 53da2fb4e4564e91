//! The loading of programs of any format, ready to run.

use std::{io::Write, path::Path};

use psl_host::Configs;
use psl_program::count;
use psl_runtime::Executable;
use psl_syntax::Diagnostic;

use super::{file_format::FileFormat, program_file::ProgramFile};
use crate::{
    failure::Failure,
    output::{
        color::Color,
        stdio::{print_to_stderr, stderr_to_the_end},
        terminal,
    },
    render::MAX_DIAGNOSTICS,
};

/// Reads a program in PSL that compiles. Otherwise, reports its errors on standard error.
pub fn load(path: &Path, color: Color) -> Result<ProgramFile, Failure> {
    compiled(ProgramFile::read(path, &mut Configs::default())?, color)
}

/// Reads a program in PSL, QKVL or weights that compiles. Otherwise, reports its errors on standard error.
pub fn load_any(path: &Path, color: Color) -> Result<ProgramFile, Failure> {
    match executable(FileFormat::read(path)?) {
        Some(executable) => ProgramFile::without_text(path, executable),
        None => load(path, color),
    }
}

/// The program of a file in QKVL or weights; `None` if the file is PSL.
pub fn executable(format: FileFormat) -> Option<Executable> {
    match format {
        FileFormat::Psl => None,
        FileFormat::Qkvl(program) => Some(Executable::of_qkvl(*program)),
        FileFormat::Weights(model) => Some(Executable::of_weights(*model)),
    }
}

/// Returns a program that compiles. Otherwise, reports its errors on standard error.
pub fn compiled(source: ProgramFile, color: Color) -> Result<ProgramFile, Failure> {
    if let Err(errors) = errors(&source) {
        report(&source, &errors, color);
        return Err(Failure::Errors);
    }
    Ok(source)
}

/// Checks that a program compiles.
///
/// # Errors
///
/// The diagnostics that are errors.
pub fn errors(source: &ProgramFile) -> Result<(), Vec<Diagnostic>> {
    let errors = source.file.errors();
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// Prints the errors of a program on standard error.
pub fn report(source: &ProgramFile, errors: &[Diagnostic], color: Color) {
    let terminal = terminal::stderr(color);
    let printed = errors.get(..MAX_DIAGNOSTICS).unwrap_or(errors);
    // If standard error cannot be written, the failure cannot be reported either.
    let mut text = Vec::new();
    psl_render::human(&mut text, &source.name, &source.file, printed, terminal)
        .and_then(|()| stderr_to_the_end().write_all(&text))
        .ok();
    if printed.len() < errors.len() {
        print_to_stderr(format_args!(
            "{} more: run `psl check` to see all",
            count(errors.len() - printed.len(), "error")
        ));
    }
}
