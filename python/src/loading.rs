//! Programs from files, and programs and runs from another process.

use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use psl_host::{Configs, read_regular, with_short_lines};
use psl_program::{Config, Continuation, Prompt, StructuredPrompt};
use psl_runtime::Stopped;
use pyo3::{exceptions::PyValueError, prelude::*};

use super::{
    errors,
    handle::Program,
    interventions::{Place, at_place},
    loaded::{self, Form},
    names::LayerName,
    options::{Layers, RunArguments, RunOptions},
    run::Run,
};

/// Loads a program from a file, with the `psl.toml` of its folder and the prompts that its tests name.
///
/// QKVL, in `.json`, and weights, in `.safetensors`, run as they are. The text of the program is then the PSL that they
/// decompile to. The directory of a checkpoint, as `save_hf` writes it, has the QKVL of its program, which runs on the
/// machines of the package.
///
/// Raises `OSError` if it is neither a regular file nor a checkpoint, or cannot be read, `psl.ProgramError` if the
/// program has errors or is not UTF-8, and `psl.Error` if the `psl.toml`, QKVL or weights have errors.
#[pyfunction]
pub fn load(py: Python<'_>, path: PathBuf) -> PyResult<Program> {
    let name = path.display().to_string();
    let config = config_of(py, &path)?;
    if let Some(form) = loaded::form(py, &path, &name, &config)? {
        return Program::of_form(py, form, config, Some(path), name);
    }
    let bytes = py.detach(|| read_regular(&path, config.max_file_size()).and_then(with_short_lines));
    let bytes = bytes.map_err(|error| errors::os_error(&name, &error))?;
    Program::compiled(py, bytes, config, Some(path), name)
}

/// The program of another process. `form` is what it was loaded from, and otherwise it has a text.
#[pyfunction]
#[pyo3(signature = (text, path, name, form = None))]
pub fn restore(
    py: Python<'_>,
    text: String,
    path: Option<PathBuf>,
    name: String,
    form: Option<(Vec<u8>, bool, Option<String>)>,
) -> PyResult<Program> {
    let config = path.as_deref().map(|path| config_of(py, path)).transpose()?.unwrap_or_default();
    let Some((bytes, is_qkvl, stop)) = form else {
        return Program::compiled(py, text.into_bytes(), config, path, name);
    };
    let form =
        if is_qkvl { Form::qkvl(py, &bytes, &name, stop) } else { Form::weights(py, io::Cursor::new(bytes), &name) };
    Program::of_form(py, form?, config, path, name)
}

/// A recorded run of another process: the program; the prompt, whether it is plain, and the machine; the options.
type Recorded = (
    Py<Program>,
    (String, bool, String),
    (Option<usize>, Option<String>, Option<usize>, Vec<usize>, Vec<(Place, Option<String>)>),
);

/// The run of another process.
#[pyfunction]
#[pyo3(signature = (tokens, stopped, recorded = None))]
pub fn restore_run(py: Python<'_>, tokens: Vec<String>, stopped: &str, recorded: Option<Recorded>) -> PyResult<Run> {
    let stopped = Stopped::ALL.into_iter().find(|it| it.as_str() == stopped);
    let stopped = stopped.ok_or_else(|| PyValueError::new_err("the state of a run is invalid"))?;
    let Some((program, (prompt, is_plain, machine), (max_new, stop, max_passes, ablated, set))) = recorded else {
        return Ok(Run::plain(Continuation { symbols: tokens, stopped }));
    };
    let prompt = if is_plain {
        Prompt::Plain(prompt)
    } else {
        let cells = StructuredPrompt::parse(&prompt);
        Prompt::Structured(cells.map_err(|error| PyValueError::new_err(error.to_string()))?)
    };
    let given = RunArguments {
        machine: Some(machine),
        max_new,
        stop,
        max_passes,
        ablate: Some(Layers::Several(ablated.into_iter().map(LayerName::Number).collect())),
        record: true,
        row: stopped == Stopped::PromptPass,
        set: set.into_iter().map(|(place, value)| at_place(place, value)).collect(),
        ..RunArguments::default()
    };
    let program = program.get();
    program.complete(py, prompt, RunOptions::new(program, given)?)
}

/// The `psl.toml` for a file.
fn config_of(py: Python<'_>, path: &Path) -> PyResult<Arc<Config>> {
    let found = Configs::default().of(path).map_err(|problem| errors::error(py, &problem.to_string()))?;
    Ok(Arc::clone(&found.config))
}
