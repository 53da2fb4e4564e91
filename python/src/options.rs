//! Prompts and the options of runs, as `psl run` has them.

use std::{collections::BTreeSet, sync::Arc};

use psl_program::{
    Continuation, Intervention, Progress, Prompt, RunFailure, Runner, StructuredPrompt, notes_about_values,
};
use psl_runtime::{Embedding, MachineKind, Options, Task, record::RecordedRun};
use psl_syntax::program::ProductionId;
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::{PyList, PyString, PyTuple},
};

use super::{
    handle::Program,
    names::LayerName,
    numbers::{Number, wrong_type},
    weights::symbols,
};

/// The ablation of each layer in turn.
pub const EACH: &str = "each";

/// The work that is done before threads are worth their start, in comparisons: less than a millisecond.
const SHORT: u64 = 100_000;

/// Layers to ablate: `"P3a,20-27"`, a number, or several numbers and labels.
#[derive(Clone)]
pub enum Layers {
    Text(String),
    Several(Vec<LayerName>),
}

impl Number for Layers {
    fn of(name: &str, given: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(text) = given.cast::<PyString>() {
            return Ok(Self::Text(text.to_str()?.to_owned()));
        }
        if given.hasattr("__index__")? {
            return Ok(Self::Several(vec![LayerName::of(name, given)?]));
        }
        let expected = "a str such as \"P3a,20-27\", a number, or several numbers and labels";
        let layers = given.try_iter().map_err(|_| wrong_type(name, expected, given))?;
        layers.map(|layer| LayerName::of(name, &layer?)).collect::<PyResult<_>>().map(Self::Several)
    }
}

/// The form in which a program runs.
#[derive(Clone, Copy)]
enum Machine {
    One(MachineKind),
    Embedded(Embedding),
    All,
    Recorded(MachineKind),
    /// The PSM, with changed registers.
    Changed,
}

/// The options as Python passes them.
#[derive(Clone, Default)]
#[expect(clippy::struct_excessive_bools, reason = "they are the options of a command")]
pub struct RunArguments {
    pub machine: Option<String>,
    pub max_new: Option<usize>,
    pub stop: Option<String>,
    pub max_passes: Option<usize>,
    pub recompute: bool,
    pub row: bool,
    pub ablate: Option<Layers>,
    pub embedding: Option<String>,
    pub seed: u64,
    pub verify: bool,
    pub record: bool,
    pub set: Vec<Intervention>,
}

/// The options of runs of a program.
pub struct RunOptions {
    options: Options,
    machine: Machine,
    set: Vec<Intervention>,
}

/// The result of a run.
pub struct Completed {
    pub continuation: Continuation,
    /// The interventions that the run did not reach.
    pub unreached: Vec<Intervention>,
    /// Notes about the values of the interventions.
    pub notes: Vec<String>,
    pub record: Option<(Box<RecordedRun>, Box<Recipe>)>,
}

impl Completed {
    const fn plain(continuation: Continuation) -> Self {
        Self { continuation, unreached: Vec::new(), notes: Vec::new(), record: None }
    }
}

/// The prompt of a recorded run, and the machine, the options and the interventions that it ran with.
#[derive(Clone, PartialEq)]
pub struct Recipe {
    pub prompt: Prompt,
    pub machine: MachineKind,
    pub options: Options,
    pub set: Vec<Intervention>,
}

impl RunOptions {
    /// Checks the options for a program.
    ///
    /// # Errors
    ///
    /// A `ValueError` for an unknown name, a layer that the program lacks, or options that exclude each other.
    pub fn new(program: &Program, given: RunArguments) -> PyResult<Self> {
        let machine = machine(&given).map_err(PyValueError::new_err)?;
        let RunArguments { max_new, stop, max_passes, recompute, row, ablate, set, .. } = given;
        let ablated = layers_to_ablate(program, ablate)?;
        let given = Options { max_new, stop, max_passes, recompute, ablated, answer: None };
        let options = program.runner().expecting(row, program.runner().options(&given));
        let options = options.map_err(|failure| PyValueError::new_err(failure.message))?;
        Ok(Self { options, machine, set })
    }

    /// The run of a prompt with these options.
    ///
    /// # Errors
    ///
    /// The reason why the run cannot start.
    pub fn task(&self, runner: &Runner, prompt: &Prompt) -> Result<Task, RunFailure> {
        runner.prompt_task(prompt, &self.options)
    }

    /// Completes a prompt if that takes less than a millisecond. `None` if it takes longer or fails.
    pub fn complete_short(&self, runner: &Runner, prompt: &Prompt) -> Option<Completed> {
        let Machine::One(machine) = self.machine else { return None };
        // The weights of the full arithmetic take longer to make.
        if machine == MachineKind::FullDat {
            return None;
        }
        let mut task = runner.prompt_task(prompt, &self.options).ok()?;
        task.limits.max_work = SHORT;
        runner.complete(&task, machine, None).ok().map(Completed::plain)
    }

    /// Completes a prompt.
    ///
    /// # Errors
    ///
    /// The reason why the run cannot start or finish.
    pub fn complete(&self, runner: &Runner, prompt: &Prompt, progress: &Progress) -> Result<Completed, RunFailure> {
        let mut task = runner.prompt_task(prompt, &self.options)?;
        let notes = notes_about_values(&self.set, &task);
        let changes = runner.changes(&self.set, &mut task).map_err(|error| RunFailure::refused(error.to_string()))?;
        let unreached = |indices: &[usize]| indices.iter().filter_map(|index| self.set.get(*index)).cloned().collect();
        if let Machine::Recorded(machine) = self.machine {
            let run = runner.record_within(RecordedRun::MOST, task, machine, &changes, progress);
            let continuation = run.outcome().clone()?;
            let (options, set) = (self.options.clone(), self.set.clone());
            let recipe = Recipe { prompt: prompt.clone(), machine, options, set };
            let unreached = unreached(run.unreached());
            return Ok(Completed { continuation, unreached, notes, record: Some((Box::new(run), Box::new(recipe))) });
        }
        task.limits.cancelled = vec![Arc::clone(&progress.cancelled)];
        let continuation = match self.machine {
            Machine::One(machine) | Machine::Recorded(machine) => runner.complete(&task, machine, None),
            Machine::Embedded(embedding) => runner.complete_embedded(&task, embedding, None),
            Machine::All => runner.verify(&task).map(|(continuation, _)| continuation),
            Machine::Changed => {
                let (continuation, missed) = runner.complete_changed(&task, &changes, None)?;
                return Ok(Completed { unreached: unreached(&missed), notes, ..Completed::plain(continuation) });
            }
        };
        continuation.map(Completed::plain)
    }
}

/// The machine of a name.
///
/// # Errors
///
/// A message with the names.
pub fn machine_named(name: Option<&str>) -> Result<MachineKind, String> {
    name.map_or(Ok(MachineKind::Dat), |name| name.parse().map_err(|unknown| format!("{unknown}")))
}

fn machine(given: &RunArguments) -> Result<Machine, String> {
    let excluded = [
        ("`verify`", given.verify, "`machine`", given.machine.is_some()),
        ("`verify`", given.verify, "`embedding`", given.embedding.is_some()),
        ("`record`", given.record, "`verify`", given.verify),
        ("`record`", given.record, "`embedding`", given.embedding.is_some()),
        ("`record`", given.record, "`recompute`", given.recompute),
        ("`set`", !given.set.is_empty(), "`verify`", given.verify),
        ("`set`", !given.set.is_empty(), "`embedding`", given.embedding.is_some()),
    ];
    if let (false, Some(machine)) = (given.set.is_empty(), given.machine.as_ref().filter(|name| *name != "psm")) {
        return Err(format!("`set` needs the machine psm: leave out `machine=\"{machine}\"`"));
    }
    if let Some((one, _, other, _)) = excluded.into_iter().find(|(_, one, _, other)| *one && *other) {
        return Err(format!("{one} and {other} exclude each other: leave one out"));
    }
    if given.verify {
        return Ok(Machine::All);
    }
    if !given.set.is_empty() {
        return Ok(if given.record { Machine::Recorded(MachineKind::Psm) } else { Machine::Changed });
    }
    let Some(embedding) = &given.embedding else {
        let machine = machine_named(given.machine.as_deref())?;
        return Ok(if given.record { Machine::Recorded(machine) } else { Machine::One(machine) });
    };
    if let Some(other) = given.machine.as_ref().filter(|name| *name != MachineKind::FullDat.name()) {
        return Err(format!("`embedding` needs the machine full-dat: leave out `machine=\"{other}\"`"));
    }
    let seed = given.seed;
    match embedding.as_str() {
        "local" => Ok(Machine::Embedded(Embedding::Local)),
        "semi-local" => Ok(Machine::Embedded(Embedding::SemiLocal { seed })),
        "distributed" => Ok(Machine::Embedded(Embedding::Distributed { seed })),
        other => Err(format!("unknown embedding `{other}`; expected one of `local`, `semi-local`, `distributed`")),
    }
}

/// The layers of a program that an option names.
///
/// # Errors
///
/// A `ValueError` for a layer that the program lacks.
pub fn layers_to_ablate(program: &Program, chosen: Option<Layers>) -> PyResult<BTreeSet<ProductionId>> {
    let found = match chosen {
        None => Ok(BTreeSet::new()),
        Some(Layers::Text(names)) => program.layers_named(&names),
        Some(Layers::Several(layers)) => layers.into_iter().map(|layer| program.find_layer(layer)).collect(),
    };
    found.map_err(|error| PyValueError::new_err(format!("`ablate`: {error}")))
}

/// The layers of each evaluation: for `"each"`, no layer, then every layer by itself.
///
/// # Errors
///
/// A `ValueError` for a layer that the program lacks.
pub fn ablations(program: &Program, chosen: Option<Layers>) -> PyResult<Vec<BTreeSet<ProductionId>>> {
    match chosen {
        Some(Layers::Text(text)) if text == EACH => {
            let each = ProductionId::first(program.runner().productions()).map(|layer| BTreeSet::from([layer]));
            Ok(std::iter::once(BTreeSet::new()).chain(each).collect())
        }
        chosen => Ok(vec![layers_to_ablate(program, chosen)?]),
    }
}

/// A prompt: symbols in a text or a list, or a list of cells, each a dictionary of long names of registers and values.
///
/// # Errors
///
/// A `TypeError` for another type, or a `ValueError` for symbols or cells that have another form.
pub fn prompt(given: &Bound<'_, PyAny>) -> PyResult<Prompt> {
    if let Ok(text) = given.cast::<PyString>() {
        return Ok(Prompt::Plain(text.to_str()?.to_owned()));
    }
    if !given.is_instance_of::<PyList>() && !given.is_instance_of::<PyTuple>() {
        let found = given.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "a prompt is a str of symbols, a list of symbols, or a list of cells such as [{{\"symbol\": \"A\"}}]; found {found}"
        )));
    }
    let of_symbols = given.len()? > 0 && given.try_iter()?.all(|it| it.is_ok_and(|it| it.is_instance_of::<PyString>()));
    if of_symbols {
        return Ok(Prompt::Plain(symbols(given)?.join(" ")));
    }
    let text: String = given.py().import("json")?.call_method1("dumps", (given,))?.extract()?;
    let cells = StructuredPrompt::parse(&text).map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(Prompt::Structured(cells))
}
