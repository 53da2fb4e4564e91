//! What a program compiles to, as text.

use psl_runtime::weights;

use crate::file::File;

/// What to compile to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Emit {
    /// The query, key and value maps, as JSON.
    Qkvl,
    /// A summary of the weights: they are tensors and have no text.
    Weights,
    /// The program itself, formatted.
    Psl,
}

impl Emit {
    /// All forms, by name.
    pub const ALL: [(&'static str, Self); 3] = [("qkvl", Self::Qkvl), ("weights", Self::Weights), ("psl", Self::Psl)];
}

/// The text of a compiled program.
///
/// # Errors
///
/// The program does not compile, or no vocabulary fits its weights, in words.
pub fn compile(file: &File, emit: Emit) -> Result<String, String> {
    let runner = file.runner()?;
    match emit {
        Emit::Qkvl => Ok(runner.executable().qkvl.to_text()),
        Emit::Weights => {
            let task = runner.example_task().map_err(|failure| failure.message)?;
            Ok(weights::summary(&runner.executable().qkvl, &task.vocabulary))
        }
        // What compiles can be formatted.
        Emit::Psl => Ok(file.format().map_or_else(|_| file.text().to_owned(), |formatted| formatted.text)),
    }
}
