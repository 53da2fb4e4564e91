//! Programs of any form, ready to run.

use std::{
    io::{self, BufWriter, Write},
    path::Path,
};

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
    stdio::say,
    terminal::Terminal,
};

/// A program ready to run, and where it is from.
pub struct Loaded {
    /// Where it is from; without text where it is not PSL.
    pub source: InputFile,
    /// Compiled from something other than PSL.
    other: Option<Runner>,
}

impl Loaded {
    /// The program ready to run.
    pub fn runner(&self) -> &Runner {
        self.other.as_ref().unwrap_or_else(|| self.source.program.compiled())
    }
}

/// Reads and compiles a program in PSL; where it has errors, reports them on standard error and returns nothing.
pub fn load(path: &Path, color: Color) -> Result<Option<Loaded>, Failure> {
    Ok(compiled(InputFile::read(path, &mut Configs::default())?, color))
}

/// Reads and compiles a program in PSL, QKVL or weights; where it has errors, reports them on standard error and returns nothing.
pub fn load_any(path: &Path, color: Color) -> Result<Option<Loaded>, Failure> {
    let executable = match FileFormat::read(path)? {
        None => return Ok(None),
        Some(FileFormat::Psl) => return load(path, color),
        Some(FileFormat::Qkvl(program)) => Executable::of_qkvl(*program),
        Some(FileFormat::Weights(model)) => Executable::of_weights(*model),
    };
    let source = InputFile::without_text(path)?;
    let runner = Runner::of(executable).with_stop(source.program.config().stop.clone());
    Ok(Some(Loaded { source, other: Some(runner) }))
}

/// A program that compiles; one that does not is reported on standard error.
pub fn compiled(source: InputFile, color: Color) -> Option<Loaded> {
    if let Err(errors) = errors(&source) {
        report(&source, &errors, color);
        return None;
    }
    Some(Loaded { source, other: None })
}

/// Whether a program compiles.
///
/// # Errors
///
/// What keeps it from that.
pub fn errors(source: &InputFile) -> Result<(), Vec<Diagnostic>> {
    if source.program.first_error().is_none() {
        return Ok(());
    }
    Err(source.program.text_diagnostics().iter().filter(|found| found.is_error()).cloned().collect())
}

/// Reports on standard error what is wrong with a program.
pub fn report(source: &InputFile, errors: &[Diagnostic], color: Color) {
    let terminal = Terminal::stderr(color);
    let printed = errors.get(..MAX_DIAGNOSTICS).unwrap_or(errors);
    // Where standard error cannot be written, nobody is left to be told.
    let mut out = BufWriter::new(io::stderr().lock());
    render::human(&mut out, source, printed, terminal).and_then(|()| out.flush()).ok();
    drop(out);
    if printed.len() < errors.len() {
        say(format_args!("{} more; psl check prints them", count(errors.len() - printed.len(), "error")));
    }
}
