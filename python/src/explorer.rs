//! The explorer's page of a recorded run.

use std::{path::Path, sync::atomic::AtomicBool};

use psl_explorer::{FirstPrompt, PageData, SetValue, explorer_page as page};
use psl_program::File;
use psl_runtime::Options;
use pyo3::prelude::*;

use super::{errors, handle::Program, options::Recipe, pool::interruptible, run::Run};

/// The page that scripts/explorer builds. Empty if the module was built before it.
const BUILT: &str = include_str!(concat!(env!("OUT_DIR"), "/page.html"));
const NOT_BUILT: &str =
    "this module was built without the explorer: run `scripts/explorer` in a clone, then `pip install ./python` again";

/// Returns the page of `psl explore`, which opens on a recorded run.
///
/// Raises `psl.Error` if the run has no record, or if the module was built without the page.
#[pyfunction]
pub fn explorer_page(py: Python<'_>, run: &Run) -> PyResult<String> {
    let record = run.record(py)?;
    let (program, recipe) = (record.program.clone(), record.recipe.clone());
    let made = interruptible(py, &AtomicBool::new(false), move || made(&program, &recipe))?;
    made.map_err(|message| errors::error(py, &message))
}

/// The page of a program, opened on a run.
///
/// # Errors
///
/// The cause, in words.
fn made(program: &Program, recipe: &Recipe) -> Result<String, String> {
    let file = program.file.as_ref();
    let text = with_options(file, &recipe.options);
    // Without its folders: the page may go to other people.
    let name = Path::new(&program.name).file_name().and_then(|name| name.to_str()).unwrap_or(&program.name);
    let mut data = PageData { first: FirstPrompt::of(file, &recipe.prompt), ..PageData::new(name, file, &[]) };
    data.ablated = recipe.options.ablated.iter().map(|layer| layer.number()).collect();
    data.set = recipe.set.iter().map(SetValue::from).collect();
    data.program.text = &text;
    page(BUILT, &data.to_json()?).ok_or_else(|| NOT_BUILT.to_owned())
}

/// The text, with a directive for each option that differs from the program's own. The last directive of a kind
/// applies.
fn with_options(file: &File, options: &Options) -> String {
    let (mut text, own) = (file.text().to_owned(), file.compiled().options(&Options::default()));
    let changed = |given, own| if given == own { None } else { given };
    let max_new = changed(options.max_new.map(|most| most.to_string()), own.max_new.map(|most| most.to_string()));
    let stop = changed(options.stop.clone(), own.stop).map(|stop| {
        let quote = if stop.contains('"') { '\'' } else { '"' };
        format!("{quote}{stop}{quote}")
    });
    let given = [("max-new", max_new), ("stop", stop)].into_iter().filter_map(|(name, given)| Some((name, given?)));
    let directives: Vec<String> = given.map(|(name, given)| format!("//@ {name} {given}\n")).collect();
    if !directives.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text + &directives.concat()
}
