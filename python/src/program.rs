//! The class `Program`.

use std::{
    collections::BTreeSet,
    hash::{DefaultHasher, Hash, Hasher},
    io,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use psl_host::{read_at_most, read_prompt, with_short_lines};
use psl_program::{Config, File, Progress, Prompt, Runner, TestName, matching_tests, prepare_diagnostics};
use psl_runtime::Options;
use psl_syntax::{
    diagnostic::Edit,
    program::{ProductionId, TestCase},
};
use psl_tasks::Subject;
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::{PyBytes, PyDict, PyList, PyString, PyTuple},
};
use rayon::prelude::*;

use super::{
    checkpoint::Wanted,
    data, errors,
    handle::Program,
    interventions::interventions,
    loaded::{self, Form},
    names::{self, LayerName},
    numbers,
    options::{EACH, Layers, RunArguments, RunOptions, ablations, machine_named, prompt},
    pool::{interruptible, pool},
    run::Run,
    scheduling::Heads,
    tasks::{self, Lines, ToScore, score},
    tested::Tested,
    texts::{diagnosed, formatted},
    weights::{self, Asked},
};

/// The prompts that a thread gets at a time.
const BATCH: usize = 256;

impl Program {
    pub fn compiled(
        py: Python<'_>,
        text: Vec<u8>,
        config: Arc<Config>,
        path: Option<PathBuf>,
        name: String,
    ) -> PyResult<Self> {
        let folder = path.as_deref().and_then(Path::parent).map(Path::to_owned);
        let file = interruptible(py, &AtomicBool::new(false), move || {
            let file = File::from_bytes(text, config).with_prompts(|prompt| read_prompt(folder.as_deref(), prompt));
            file.runner().is_ok().then(|| file.compiled());
            file
        })?;
        let errors = file.errors();
        if !errors.is_empty() {
            return Err(errors::program_error(py, &name, &file, &errors));
        }
        Ok(Self { file: Arc::new(file), name, path, loaded: None })
    }

    /// The program of a text that was made here.
    pub fn of_text(py: Python<'_>, text: String, name: &str) -> PyResult<Self> {
        Self::compiled(py, text.into_bytes(), Arc::default(), None, name.to_owned())
    }

    /// The program of a file in QKVL or weights, or of a checkpoint.
    pub fn of_form(
        py: Python<'_>,
        form: Form,
        config: Arc<Config>,
        path: Option<PathBuf>,
        name: String,
    ) -> PyResult<Self> {
        let Form { executable, stop } = form;
        let text = loaded::text(py, &executable, &name)?;
        let runner = Runner::of(executable).with_stop(stop.or_else(|| config.stop.clone()));
        let program = Self::compiled(py, text.into_bytes(), config, path, name)?;
        Ok(Self { loaded: Some(Arc::new(runner)), ..program })
    }

    fn form(&self, py: Python<'_>) -> PyResult<Option<Restored>> {
        let Some(runner) = &self.loaded else { return Ok(None) };
        let (executable, stop) = (runner.executable(), runner.options(&Options::default()).stop);
        let bytes = match executable.model() {
            Some(model) => weights::bytes(py, Arc::new(model.clone()), true)?,
            None => executable.qkvl().to_text().into_bytes(),
        };
        Ok(Some((bytes, executable.model().is_none(), stop)))
    }

    /// Completes a prompt, unless Ctrl-C interrupts.
    pub fn complete(&self, py: Python<'_>, prompt: Prompt, options: RunOptions) -> PyResult<Run> {
        if let Some(completed) = py.detach(|| options.complete_short(self.runner(), &prompt)) {
            return Ok(Run::new(self, completed));
        }
        let (this, progress) = (self.clone(), Progress::default());
        let cancelled = Arc::clone(&progress.cancelled);
        let completed = interruptible(py, &cancelled, move || options.complete(this.runner(), &prompt, &progress))?;
        let completed = completed.map_err(|failure| errors::run_error(py, &self.file, &failure))?;
        Ok(Run::new(self, completed))
    }
}

/// The form that a loaded program is restored from: QKVL or weights, whether it is QKVL, and its stop symbol.
type Restored = (Vec<u8>, bool, Option<String>);

#[pymethods]
impl Program {
    #[new]
    #[pyo3(signature = (text, name = "<text>"))]
    fn new(py: Python<'_>, text: &str, name: &str) -> PyResult<Self> {
        let config = Arc::new(Config::default());
        let bytes = read_at_most(text.as_bytes(), config.max_file_size()).and_then(with_short_lines);
        let bytes = bytes.map_err(|error: io::Error| PyValueError::new_err(format!("{name}: {error}")))?;
        Self::compiled(py, bytes, config, None, name.to_owned())
    }

    /// The text.
    #[getter]
    fn text(&self) -> &str {
        self.file.text()
    }

    /// The path or the name for messages.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// The layers, by number or label: `program.layers["P3a"]`, `program.layers[30]`.
    #[getter]
    fn layers<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        names::layers(slf)
    }

    /// The registers, in the order of their declaration.
    #[getter]
    fn registers<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        names::registers(py, self)
    }

    /// The values of the constants by their names, in the order of their declaration.
    #[getter]
    fn constants<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        names::constants(py, self)
    }

    /// Returns the data flow between layers within a cell's run: a tuple `(writer, reader, {"register": name})` for
    /// each register that a layer may read from another, an earlier one or one of the same repeat block.
    ///
    /// `networkx.MultiDiGraph(program.graph())` takes it.
    fn graph<'py>(&self, py: Python<'py>) -> PyResult<Vec<(usize, usize, Bound<'py, PyDict>)>> {
        names::graph(py, self)
    }

    /// Returns all diagnostics, as `psl check` does. Runs the tests.
    fn check<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        // While Python is attached: a process forked during the first use would wait forever for its end.
        prepare_diagnostics(&self.file);
        let found = diagnosed(py, Arc::clone(&self.file))?;
        data::diagnostics(py, &self.name, &self.file, &found)
    }

    /// Returns the text as `psl fmt` formats it.
    fn format(&self, py: Python<'_>) -> PyResult<String> {
        formatted(py, &self.name, &self.file)
    }

    /// Runs the tests, as `psl test` does: those of this name, or else those whose names contain it; all by default.
    ///
    /// Raises `ValueError` if no test has the name, or the machine is unknown.
    #[pyo3(signature = (name = None, machine = None))]
    fn test<'py>(&self, py: Python<'py>, name: Option<&str>, machine: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
        let machine = machine_named(machine).map_err(PyValueError::new_err)?;
        let program = &self.runner().executable().program;
        let chosen = name.map_or_else(|| (0..program.tests.len()).collect(), |name| matching_tests(program, name));
        if let Some(name) = name.filter(|_| chosen.is_empty()) {
            let unknown = TestName::Name(name.to_owned()).find(program).err();
            return Err(PyValueError::new_err(unknown.map(|unknown| unknown.to_string())));
        }
        let tests: Vec<TestCase> = chosen.into_iter().filter_map(|index| program.tests.get(index)).cloned().collect();
        let (this, cancelled, cases) = (self.clone(), Arc::new(AtomicBool::new(false)), tests.clone());
        let flag = Arc::clone(&cancelled);
        let tested = interruptible(py, &cancelled, move || {
            cases.par_iter().map(|test| Tested::new(this.runner(), test, machine, &flag)).collect::<Vec<_>>()
        })?;
        let line = |test: &TestCase| self.file.line_index().line(test.span.start) + 1;
        let results = tests.iter().zip(tested).map(|(test, tested)| tested.into_object(py, test, line(test)));
        let results = results.collect::<PyResult<Vec<_>>>()?;
        data::object(py, "TestResults", (results,))
    }

    /// Scores the program on lines of prompts and golds, as `psl eval` does, on all cores.
    ///
    /// `data` is the path of a file with a line `prompt<TAB>gold[<TAB>info]` for each prompt, or of a file `.jsonl`
    /// with an object with `prompt`, `gold` and `info` on each line, or an iterable of `psl.Line` or of tuples. `limit`
    /// is the maximum number of lines. `machine`, `row`, `ablate`, `max_passes` and `heads` are those of `run`. With
    /// `ablate="each"`, the answer is a list: the evaluation without an ablation, then that without each layer in turn.
    ///
    /// Raises `ValueError` or `TypeError` for bad arguments and `OSError` for a file that cannot be read. A line that
    /// fails is not correct.
    #[pyo3(signature = (data, *, machine = None, row = false, ablate = None, max_passes = None, limit = None, heads = None))]
    #[expect(clippy::too_many_arguments, reason = "they are the options of a command")]
    fn eval<'py>(
        &self,
        py: Python<'py>,
        data: &Bound<'py, PyAny>,
        machine: Option<&str>,
        row: bool,
        #[pyo3(from_py_with = numbers::ablate)] ablate: Option<Layers>,
        #[pyo3(from_py_with = numbers::max_passes)] max_passes: Option<usize>,
        #[pyo3(from_py_with = numbers::limit)] limit: Option<usize>,
        #[pyo3(from_py_with = numbers::heads)] heads: Option<Heads>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let program = self.with_heads(py, heads.unwrap_or_default())?;
        let machine = machine_named(machine).map_err(PyValueError::new_err)?;
        let is_list = matches!(&ablate, Some(Layers::Text(text)) if text == EACH);
        let ablations = Arc::new(ablations(&program, ablate)?);
        let own = program.runner().expecting(row, program.runner().options(&Options::default()));
        let own = own.map_err(|failure| PyValueError::new_err(failure.message))?;
        let (mut lines, mut left) = (Lines::of(data)?, limit.unwrap_or(usize::MAX));
        let mut scored = vec![Vec::new(); ablations.len()];
        let cancelled = Arc::new(AtomicBool::new(false));
        let batch = BATCH * pool(py)?.current_num_threads();
        loop {
            let lines: Vec<_> = std::iter::from_fn(|| lines.next()).take(batch.min(left)).collect::<PyResult<_>>()?;
            if lines.is_empty() {
                break;
            }
            left -= lines.len();
            let (this, own) = (program.clone(), own.clone());
            let (ablations, flag) = (Arc::clone(&ablations), Arc::clone(&cancelled));
            let done = interruptible(py, &cancelled, move || {
                let with = |ablated: &BTreeSet<ProductionId>| {
                    let options = Options { max_passes, ablated: ablated.clone(), ..own.clone() };
                    let (runner, cancelled) = (this.runner(), Some(Arc::clone(&flag)));
                    let subject = Subject { runner, machine, options, cancelled };
                    let score = |(number, line): &(usize, ToScore)| {
                        (!flag.load(Ordering::Relaxed)).then(|| score(&subject, *number, line))
                    };
                    lines.par_iter().filter_map(score).collect::<Vec<_>>()
                };
                ablations.iter().map(with).collect::<Vec<_>>()
            })?;
            for (scored, done) in scored.iter_mut().zip(done) {
                for line in &done {
                    scored.push(tasks::scored(py, line)?);
                }
            }
        }
        let evaluations = scored.into_iter().zip(ablations.iter()).map(|(scored, ablated)| {
            data::object(py, "Evaluation", (scored, PyTuple::new(py, ablated.iter().map(|layer| layer.number()))?))
        });
        let evaluations = PyList::new(py, evaluations.collect::<PyResult<Vec<_>>>()?)?;
        if is_list { Ok(evaluations.into_any()) } else { evaluations.get_item(0) }
    }

    /// Returns the program compiled, as `psl compile` writes it: `qkvl`, JSON in a str, `psl`, formatted PSL in a str,
    /// or `weights`, the bytes of a safetensors file.
    ///
    /// `vocabulary` and `positions` are those of `weights`. `sparse` writes only the nonzero entries. `heads` is that
    /// of `run`.
    ///
    /// Raises `psl.Error` for weights that are larger than 1 GB and not sparse.
    #[pyo3(signature = (emit = "qkvl", *, vocabulary = None, positions = None, sparse = false, heads = None))]
    fn compile<'py>(
        &self,
        py: Python<'py>,
        emit: &str,
        vocabulary: Option<&Bound<'py, PyAny>>,
        #[pyo3(from_py_with = numbers::positions)] positions: Option<usize>,
        sparse: bool,
        #[pyo3(from_py_with = numbers::heads)] heads: Option<Heads>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if emit != "weights" && (vocabulary.is_some() || positions.is_some() || sparse) {
            let message = "`vocabulary`, `positions` and `sparse` only apply to weights: add `emit=\"weights\"`";
            return Err(PyValueError::new_err(message));
        }
        let program = self.with_heads(py, heads.unwrap_or_default())?;
        match emit {
            "qkvl" => Ok(program.runner().executable().qkvl().to_text().into_pyobject(py)?.into_any()),
            "psl" if matches!(heads, Some(Heads::Several(_))) => {
                Ok(loaded::text(py, program.runner().executable(), &program.name)?.into_pyobject(py)?.into_any())
            }
            "psl" => Ok(self.format(py)?.into_pyobject(py)?.into_any()),
            "weights" => {
                let model = Asked { vocabulary, positions }.model(py, &program)?;
                let bytes = weights::bytes(py, Arc::new(model), sparse)?;
                // `PyBytes::new` panics without memory.
                let copied = PyBytes::new_with(py, bytes.len(), |room| {
                    room.copy_from_slice(&bytes);
                    Ok(())
                });
                Ok(copied?.into_any())
            }
            other => Err(PyValueError::new_err(format!("unknown form `{other}`; expected `qkvl`, `weights` or `psl`"))),
        }
    }

    /// Returns the weights of the transformer, with the register and the value of each component.
    ///
    /// `vocabulary` has the symbols beside the program's constants, by default those of its tests, and `positions` is
    /// the largest position, by default enough for the longest test. The matrices are sparse, `psl.SparseMatrix`, or
    /// with `dense` arrays of float32 of shape [R d, R d], with R registers and a vocabulary of d values.
    ///
    /// Raises `psl.Error` for dense weights that are larger than 1 GB, before they take memory.
    #[pyo3(signature = (*, vocabulary = None, positions = None, dense = false))]
    fn weights<'py>(
        &self,
        py: Python<'py>,
        vocabulary: Option<&Bound<'py, PyAny>>,
        #[pyo3(from_py_with = numbers::positions)] positions: Option<usize>,
        dense: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let model = Asked { vocabulary, positions }.model(py, self)?;
        weights::tensors(py, &model, dense)
    }

    /// Writes the program as a GPT-2 that transformers and other engines load unchanged, as `psl compile --emit hf`
    /// does.
    ///
    /// `directory` is made if it does not exist. `vocabulary` has symbols of prompts beside those of the tests.
    /// `max_prompt` and `max_new` are the greatest lengths of prompts and continuations, in symbols, and `passes` those
    /// of each repeat block; each has a default from the tests. `dtype` is `float32`, `bfloat16` or `float16`. Without
    /// `force`, files in the directory that are not from a checkpoint of psl, or have changed since, are not replaced:
    /// the call raises `FileExistsError`. A call that fails leaves the directory as it was.
    ///
    /// Raises `psl.Error` if the program has no equal checkpoint, with the line that is the reason, or if the
    /// checkpoint differs on a prompt.
    #[pyo3(signature = (directory, *, vocabulary = None, max_prompt = None, max_new = None, passes = None, dtype = "float32", force = false))]
    #[expect(clippy::too_many_arguments, reason = "each is an option of its own in Python")]
    fn save_hf(
        &self,
        py: Python<'_>,
        directory: PathBuf,
        vocabulary: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = numbers::max_prompt)] max_prompt: Option<usize>,
        #[pyo3(from_py_with = numbers::max_new)] max_new: Option<usize>,
        #[pyo3(from_py_with = numbers::passes)] passes: Option<usize>,
        dtype: &str,
        force: bool,
    ) -> PyResult<()> {
        let title =
            Path::new(&self.name).file_stem().map_or_else(|| self.name.clone(), |stem| stem.display().to_string());
        let vocabulary = vocabulary.map(weights::symbols).transpose()?.unwrap_or_default();
        let wanted = Wanted { directory, title, vocabulary, max_prompt, max_new, passes, dtype, force };
        wanted.save(py, self)
    }

    /// Returns the query, key and value maps, as `psl compile` does, in the form that `json.loads` returns.
    fn qkvl<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("json")?.call_method1("loads", (self.runner().executable().qkvl().to_text(),))
    }

    /// Completes a prompt: symbols separated by spaces, a list of symbols, or a list of cells, such as
    /// `[{"symbol": "A"}]`.
    ///
    /// The options are those of `psl run`:
    ///
    /// - `record`: whether to record the run, for `Run.states`, `Run.ran` and `Run.changes`
    /// - `machine`: `dat`, the default, or `psm`, `qkvm` or `full-dat`
    /// - `max_new`: the maximum length of the continuation, in symbols; by default the program's, or the prompt's
    ///   length, at least 16
    /// - `stop`: the symbol that ends a continuation; by default the program's, or `.`
    /// - `max_passes`: the maximum number of passes of a repeat block, by default 10,000
    /// - `recompute`: whether to run all cells again for each generated one
    /// - `row`: whether to run the prompt alone, and to return the values of the register that `//@ answer` names, one
    ///   for each cell
    /// - `ablate`: layers that write nothing: `"P3a,20-27"`, a number, or several numbers and labels
    /// - `set`: values to set in the middle of the run: `{("P3a", 9, "region"): "XQ"}`
    /// - `embedding`: `local`, `semi-local` or `distributed`, on the machine full-dat, with the `seed` of its vectors
    /// - `verify`: whether to run all machines and compare every register of every cell after every layer
    /// - `heads`: whether productions share layers, as `schedule` shows; a number is the most heads of a layer
    ///
    /// A layer is a number, its label, or the start of its label up to a colon or a space.
    ///
    /// A key of `set` is `(layer, cell, register)`, or `(layer, pass, cell, register)` for one pass of the repeat
    /// blocks around the layer, as in `Run.index`. The register has the value right after the layer, whether that fires
    /// there or not, until a layer writes it again. Layer 0 is the start of the cell. Cells count through the prompt
    /// and the continuation. `None` is null, and any other str is a value. The run is one of the machine psm, and its
    /// `unreached` lists the places that it did not reach.
    ///
    /// Raises `psl.RunError` if the run cannot start or finish, and `ValueError` or `TypeError` for bad arguments.
    #[pyo3(signature = (prompt, *, record = false, machine = None, max_new = None, stop = None, max_passes = None,
        recompute = false, row = false, ablate = None, embedding = None, seed = 0, verify = false, set = None, heads = None))]
    #[expect(
        clippy::too_many_arguments,
        clippy::fn_params_excessive_bools,
        reason = "they are the options of a command"
    )]
    fn run(
        &self,
        py: Python<'_>,
        prompt: &Bound<'_, PyAny>,
        record: bool,
        machine: Option<String>,
        #[pyo3(from_py_with = numbers::max_new)] max_new: Option<usize>,
        stop: Option<String>,
        #[pyo3(from_py_with = numbers::max_passes)] max_passes: Option<usize>,
        recompute: bool,
        row: bool,
        #[pyo3(from_py_with = numbers::ablate)] ablate: Option<Layers>,
        embedding: Option<String>,
        #[pyo3(from_py_with = numbers::seed)] seed: u64,
        verify: bool,
        set: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = numbers::heads)] heads: Option<Heads>,
    ) -> PyResult<Run> {
        if matches!(heads, Some(Heads::Several(_))) && (record || set.is_some()) {
            let message = "`heads` runs without `record` and `set`, in which each production is a layer";
            return Err(PyValueError::new_err(message));
        }
        let set = interventions(self, set)?;
        let given = RunArguments {
            machine,
            max_new,
            stop,
            max_passes,
            recompute,
            row,
            ablate,
            embedding,
            seed,
            verify,
            record,
            set,
        };
        let program = self.with_heads(py, heads.unwrap_or_default())?;
        let options = RunOptions::new(&program, given)?;
        program.complete(py, self::prompt(prompt)?, options)
    }

    /// Completes prompts on all cores, with the options of `run`, and returns their runs in the same order as
    /// `psl.Runs`, a list. With `record`, it has arrays of all runs.
    ///
    /// Raises the exceptions of `run`. The message of a `psl.RunError` begins with the number of the prompt, 1-based.
    #[pyo3(signature = (prompts, *, record = false, machine = None, max_new = None, stop = None, max_passes = None,
        recompute = false, row = false, ablate = None, embedding = None, seed = 0, verify = false, heads = None))]
    #[expect(
        clippy::too_many_arguments,
        clippy::fn_params_excessive_bools,
        reason = "they are the options of a command"
    )]
    fn run_many<'py>(
        &self,
        py: Python<'py>,
        prompts: &Bound<'py, PyAny>,
        record: bool,
        machine: Option<String>,
        #[pyo3(from_py_with = numbers::max_new)] max_new: Option<usize>,
        stop: Option<String>,
        #[pyo3(from_py_with = numbers::max_passes)] max_passes: Option<usize>,
        recompute: bool,
        row: bool,
        #[pyo3(from_py_with = numbers::ablate)] ablate: Option<Layers>,
        embedding: Option<String>,
        #[pyo3(from_py_with = numbers::seed)] seed: u64,
        verify: bool,
        #[pyo3(from_py_with = numbers::heads)] heads: Option<Heads>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if matches!(heads, Some(Heads::Several(_))) && record {
            return Err(PyValueError::new_err("`heads` runs without `record`, in which each production is a layer"));
        }
        if prompts.is_instance_of::<PyString>() {
            return Err(PyTypeError::new_err("`run_many` takes several prompts: pass a list, or call `run`"));
        }
        let given = RunArguments {
            machine,
            max_new,
            stop,
            max_passes,
            recompute,
            row,
            ablate,
            embedding,
            seed,
            verify,
            record,
            ..RunArguments::default()
        };
        let program = self.with_heads(py, heads.unwrap_or_default())?;
        let options = Arc::new(RunOptions::new(&program, given)?);
        // A column of Arrow returns its own scalars.
        let prompts = prompts.call_method0("to_pylist").unwrap_or_else(|_| prompts.clone());
        let mut prompts = prompts.try_iter()?.map(|given| prompt(&given?));
        let (mut runs, progress) = (Vec::new(), Arc::new(Progress::default()));
        let batch = BATCH * pool(py)?.current_num_threads();
        loop {
            let prompts: Vec<Prompt> = prompts.by_ref().take(batch).collect::<PyResult<_>>()?;
            if prompts.is_empty() {
                return data::object(py, "Runs", (runs,));
            }
            let (this, options, flags) = (program.clone(), Arc::clone(&options), Arc::clone(&progress));
            let completed = interruptible(py, &progress.cancelled, move || {
                let complete =
                    |prompt: &Prompt| (!flags.is_cancelled()).then(|| options.complete(this.runner(), prompt, &flags));
                prompts.par_iter().filter_map(complete).collect::<Vec<_>>()
            })?;
            py.check_signals()?;
            for completed in completed {
                let completed = completed.map_err(|mut failure| {
                    failure.message = format!("prompt {}: {}", runs.len() + 1, failure.message);
                    errors::run_error(py, &self.file, &failure)
                })?;
                runs.push(Run::new(&program, completed));
            }
        }
    }

    /// Returns a program with another production in place of that of a layer, which is a number or a label.
    ///
    /// The text of the production starts in column 1. It may have several productions, or none.
    ///
    /// Raises `IndexError` or `ValueError` if the program lacks the layer, and `psl.ProgramError` if the new program
    /// has errors.
    fn edit(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = numbers::layer)] layer: LayerName,
        production: &str,
    ) -> PyResult<Self> {
        let old = &self.file.program().productions()[self.layer_named(layer)?];
        let indentation = self.file.line_index().point(old.span.start).column - 1;
        let text = production.trim_end().replace('\n', &format!("\n{}", " ".repeat(indentation)));
        let text = Edit::apply(&[Edit { span: old.span, text }], self.file.text());
        let text = text.unwrap_or_default().into_bytes();
        Self::compiled(py, text, Arc::new(self.file.config().clone()), self.path.clone(), self.name.clone())
    }

    /// Copies it for another process, with what it was loaded from.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let restore = py.import("psl._psl")?.getattr("restore")?;
        let form = self.form(py)?.map(|(bytes, is_qkvl, stop)| (PyBytes::new(py, &bytes), is_qkvl, stop));
        Ok((restore, (self.file.text(), &self.path, &self.name, form).into_pyobject(py)?))
    }

    /// Returns the same program, which cannot change.
    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    /// Returns the same program, which cannot change.
    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| self.equals(other.get()))
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.file.text().hash(&mut hasher);
        hasher.finish()
    }

    /// Returns the colored text and its diagnostics as Jupyter shows them.
    fn _repr_html_<'py>(program: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        program.py().import("psl.html")?.call_method1("program", (program,))
    }

    fn __repr__(&self) -> String {
        format!("<psl.Program {}>", self.name)
    }
}
