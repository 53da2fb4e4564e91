//! Prompts and the options of runs, as `psl run` has them.

use std::{collections::BTreeSet, sync::Arc};

use psl_program::{Continuation, Progress, Prompt, Ranges, RunFailure, Runner, StructuredPrompt};
use psl_runtime::{Embedding, MachineKind, Options, record::RecordedRun};
use psl_syntax::program::ProductionId;
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::{PyList, PyString, PyTuple},
};

use super::{
    numbers::{Number, wrong_type},
    weights::symbols,
};

/// The ablation of each layer in turn.
pub const EACH: &str = "each";

/// The work that is done before threads are worth their start, in comparisons: less than a millisecond.
const SHORT: u64 = 100_000;

/// Layers to ablate: `"3,20-27"`, a number or several numbers.
pub enum Layers {
    Ranges(String),
    Numbers(Vec<usize>),
}

impl Number for Layers {
    fn of(name: &str, given: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(text) = given.cast::<PyString>() {
            return Ok(Self::Ranges(text.to_str()?.to_owned()));
        }
        if given.hasattr("__index__")? {
            return Ok(Self::Numbers(vec![usize::of(name, given)?]));
        }
        let expected = "a str such as \"3,20-27\", a number or several numbers";
        let numbers = given.try_iter().map_err(|_| wrong_type(name, expected, given))?;
        numbers.map(|number| usize::of(name, &number?)).collect::<PyResult<_>>().map(Self::Numbers)
    }
}

/// The form in which a program runs.
#[derive(Clone, Copy)]
enum Machine {
    One(MachineKind),
    Embedded(Embedding),
    All,
    Recorded(MachineKind),
}

/// The options as Python passes them.
#[derive(Default)]
pub struct RunArguments {
    pub machine: Option<String>,
    pub max_new: Option<usize>,
    pub stop: Option<String>,
    pub max_passes: Option<usize>,
    pub recompute: bool,
    pub ablate: Option<Layers>,
    pub embedding: Option<String>,
    pub seed: u64,
    pub verify: bool,
    pub record: bool,
}

/// The options of runs of a program.
pub struct RunOptions {
    options: Options,
    machine: Machine,
}

/// The result of a run.
pub enum Completed {
    Plain(Continuation),
    Recorded(Continuation, Box<RecordedRun>, Box<Recipe>),
}

/// The prompt of a recorded run, and the machine and the options that it ran with.
#[derive(Clone, PartialEq)]
pub struct Recipe {
    pub prompt: Prompt,
    pub machine: MachineKind,
    pub options: Options,
}

impl RunOptions {
    /// Checks the options for a program.
    ///
    /// # Errors
    ///
    /// A `ValueError` for an unknown name, a layer that the program lacks, or options that exclude each other.
    pub fn new(runner: &Runner, given: RunArguments) -> PyResult<Self> {
        let machine = machine(&given).map_err(PyValueError::new_err)?;
        let RunArguments { max_new, stop, max_passes, recompute, ablate, .. } = given;
        let ablated = layers_to_ablate(runner, ablate)?;
        Ok(Self { options: runner.options(&Options { max_new, stop, max_passes, recompute, ablated }), machine })
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
        runner.complete(&task, machine, None).ok().map(Completed::Plain)
    }

    /// Completes a prompt.
    ///
    /// # Errors
    ///
    /// The reason why the run cannot start or finish.
    pub fn complete(&self, runner: &Runner, prompt: &Prompt, progress: &Progress) -> Result<Completed, RunFailure> {
        let mut task = runner.prompt_task(prompt, &self.options)?;
        if let Machine::Recorded(machine) = self.machine {
            let run = runner.record(task, machine, progress);
            let continuation = run.outcome().clone()?;
            let recipe = Recipe { prompt: prompt.clone(), machine, options: self.options.clone() };
            return Ok(Completed::Recorded(continuation, Box::new(run), Box::new(recipe)));
        }
        task.limits.cancelled = vec![Arc::clone(&progress.cancelled)];
        let continuation = match self.machine {
            Machine::One(machine) | Machine::Recorded(machine) => runner.complete(&task, machine, None),
            Machine::Embedded(embedding) => runner.complete_embedded(&task, embedding, None),
            Machine::All => runner.verify(&task).map(|(continuation, _)| continuation),
        };
        continuation.map(Completed::Plain)
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
    ];
    if let Some((one, _, other, _)) = excluded.into_iter().find(|(_, one, _, other)| *one && *other) {
        return Err(format!("{one} and {other} exclude each other: leave one out"));
    }
    if given.verify {
        return Ok(Machine::All);
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
pub fn layers_to_ablate(runner: &Runner, chosen: Option<Layers>) -> PyResult<BTreeSet<ProductionId>> {
    let layers = runner.executable().labels().len();
    let ablated = chosen.map(|chosen| ablated(&chosen, layers)).transpose().map_err(PyValueError::new_err)?;
    Ok(ablated.unwrap_or_default())
}

fn ablated(chosen: &Layers, layers: usize) -> Result<BTreeSet<ProductionId>, String> {
    let text = match chosen {
        Layers::Numbers(numbers) if numbers.is_empty() => return Ok(BTreeSet::new()),
        Layers::Numbers(numbers) => numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(","),
        Layers::Ranges(text) => text.clone(),
    };
    let ranges: Ranges = text.parse().map_err(|error| format!("`ablate`: {error}"))?;
    ranges.productions(layers).map_err(|error| error.to_string())
}

/// The layers of each evaluation: for `"each"`, no layer, then every layer by itself.
///
/// # Errors
///
/// A `ValueError` for a layer that the program lacks.
pub fn ablations(runner: &Runner, chosen: Option<Layers>) -> PyResult<Vec<BTreeSet<ProductionId>>> {
    match chosen {
        Some(Layers::Ranges(text)) if text == EACH => {
            let each = ProductionId::first(runner.executable().labels().len()).map(|layer| BTreeSet::from([layer]));
            Ok(std::iter::once(BTreeSet::new()).chain(each).collect())
        }
        chosen => Ok(vec![layers_to_ablate(runner, chosen)?]),
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
