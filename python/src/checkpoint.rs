//! The checkpoint of a program: a GPT-2 as a directory.

use std::{
    io,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

use psl_host::{cannot_write, check_checkpoint_folder, endings::leave_signals, write_checkpoint};
use psl_program::{CheckpointFailure, CheckpointOptions, File, VocabularyNeeds, checkpoint, with_card};
use psl_render::model_card;
use psl_runtime::gpt2::Precision;
use pyo3::{exceptions::PyValueError, prelude::*};

use super::{errors, handle::Program, pool::interruptible};

/// The checkpoint that a caller asks for.
pub struct Wanted<'a> {
    /// The directory, which is made if it does not exist.
    pub directory: PathBuf,
    pub title: String,
    /// The symbols beside those of the tests.
    pub vocabulary: Vec<String>,
    pub max_prompt: Option<usize>,
    pub max_new: Option<usize>,
    pub passes: Option<usize>,
    pub dtype: &'a str,
    /// Whether files that are not from a checkpoint are replaced.
    pub force: bool,
}

impl Wanted<'_> {
    /// Writes the checkpoint to its directory.
    ///
    /// # Errors
    ///
    /// A `ValueError` for bad arguments, a `psl.Error` for a program without an equal checkpoint, or an `OSError`.
    pub fn save(self, py: Python<'_>, program: &Program) -> PyResult<()> {
        let precision: Precision = self.dtype.parse().map_err(|_| {
            let names = Precision::ALL.map(Precision::name).join("`, `");
            PyValueError::new_err(format!("unknown dtype `{}`; expected one of `{names}`", self.dtype))
        })?;
        for (name, number) in [("max_prompt", self.max_prompt), ("max_new", self.max_new), ("passes", self.passes)] {
            if number == Some(0) {
                return Err(PyValueError::new_err(format!("`{name}` is at least 1")));
            }
        }
        check(&self.directory, self.force)?;
        let mut needs =
            VocabularyNeeds::of_tests(program.runner()).map_err(|why| errors::error(py, &why.to_string()))?;
        needs.values.extend(self.vocabulary);
        let Self { directory, max_prompt, max_new, passes, title, force, .. } = self;
        let options = CheckpointOptions { max_prompt, max_new, passes, stop: None, precision };
        let of = program.clone();
        let files = interruptible(py, &AtomicBool::new(false), move || {
            checkpoint(of.runner(), &needs, &options).map(|built| {
                let card = model_card(&title, of.runner().executable(), &built);
                with_card(built.files, card)
            })
        })?;
        let files = files.map_err(|failure| refusal(py, &program.file, &failure))?;
        check(&directory, force)?;
        // Ctrl-C is Python's.
        leave_signals();
        let written = py.detach(|| write_checkpoint(&directory, &files));
        written.map_err(|error| refused(&directory, &error).into())
    }
}

/// Refuses a directory with files that would be lost.
fn check(directory: &Path, force: bool) -> PyResult<()> {
    let checked = if force { Ok(()) } else { check_checkpoint_folder(directory) };
    checked.map_err(|error| refused(directory, &error).into())
}

fn refused(directory: &Path, error: &io::Error) -> io::Error {
    let way = "choose another directory, or replace it with `force=True`";
    io::Error::new(error.kind(), cannot_write(&directory.display().to_string(), error, way))
}

fn refusal(py: Python<'_>, file: &File, failure: &CheckpointFailure) -> PyErr {
    let help = failure.help().map(|help| format!("; {help}")).unwrap_or_default();
    let line = match failure {
        CheckpointFailure::Refused { span: Some(span), .. } => Some(file.line_index().point(span.start).line),
        _ => None,
    };
    errors::error_at(py, &format!("{failure}{help}"), line)
}
