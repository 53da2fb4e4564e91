//! The class `Run`.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::{Arc, atomic::AtomicBool},
};

use psl_program::{Continuation, Intervention, Prompt, UnknownRegister};
use psl_runtime::{
    CellId, Options,
    record::{RecordedRun, Row, RowId, Time},
};
use psl_syntax::{nearest, program::RegisterId};
use pyo3::{
    exceptions::{PyIndexError, PyValueError},
    prelude::*,
    sync::PyOnceLock,
    types::{PyDict, PyTuple},
};

use super::{
    array::{Numbers, array},
    data, errors,
    handle::Program,
    interventions::{Place, place},
    names::LayerName,
    numbers::{self, Passes},
    options::{Completed, Recipe},
    pool::interruptible,
    questions,
    recorded::{Columns, attends, changes, ran, states},
};

/// Maximum size of the states, in bytes.
const MAX_STATES: usize = 4 << 30;

/// The continuation of a prompt, and the record of its run if there is one.
///
/// Runs are equal if their continuations are equal and they have equal records, or none. A pickled record is the prompt
/// and the options: to load it runs the program again.
#[pyclass(frozen, module = "psl")]
pub struct Run {
    continuation: Continuation,
    unreached: Vec<Intervention>,
    notes: Vec<String>,
    record: Option<Record>,
}

/// A recorded run, with the arrays that were asked for.
pub struct Record {
    pub run: Arc<RecordedRun>,
    pub program: Program,
    pub recipe: Box<Recipe>,
    registers: PyOnceLock<Py<PyTuple>>,
    values: PyOnceLock<Py<PyTuple>>,
    states: PyOnceLock<Py<PyAny>>,
    ran: PyOnceLock<Py<PyAny>>,
    attends: PyOnceLock<Py<PyAny>>,
    changes: PyOnceLock<Py<PyAny>>,
}

impl Run {
    /// A run without a record.
    pub const fn plain(continuation: Continuation) -> Self {
        Self { continuation, unreached: Vec::new(), notes: Vec::new(), record: None }
    }

    /// The run of a program.
    pub fn new(program: &Program, completed: Completed) -> Self {
        let Completed { continuation, unreached, notes, record } = completed;
        let record = record.map(|(run, recipe)| Record {
            run: Arc::from(run),
            program: program.clone(),
            recipe,
            registers: PyOnceLock::new(),
            values: PyOnceLock::new(),
            states: PyOnceLock::new(),
            ran: PyOnceLock::new(),
            attends: PyOnceLock::new(),
            changes: PyOnceLock::new(),
        });
        Self { continuation, unreached, notes, record }
    }

    /// Whether these are the symbols of the continuation.
    pub fn has_tokens(&self, tokens: &[String]) -> bool {
        self.continuation.symbols == tokens
    }

    /// Returns the record.
    ///
    /// # Errors
    ///
    /// A `psl.Error` if the run has none.
    pub fn record(&self, py: Python<'_>) -> PyResult<&Record> {
        let missing = || errors::error(py, "the run has no record: pass `record=True` to `Program.run`");
        self.record.as_ref().ok_or_else(missing)
    }
}

impl Record {
    fn registers(&self) -> &[String] {
        &self.program.file.compiled().executable().registers.long
    }

    /// The row of a layer in a pass.
    fn row(&self, layer: LayerName, passes: Passes) -> PyResult<RowId> {
        let (layer, pass) = (self.program.layer_named(layer)?, passes.numbers());
        self.run.find(&Row { layer, pass: pass.clone() }).ok_or_else(|| {
            let last = self.run.rows().iter().rfind(|row| row.layer == layer).map(|row| &row.pass);
            let why = last.map_or_else(|| "it did not run".to_owned(), |last| format!("its last pass is {last:?}"));
            PyIndexError::new_err(format!("layer {layer} has no pass {pass:?}: {why}"))
        })
    }

    /// The time after a layer in a pass, by default in its last one for the cell. The start for layer 0.
    fn time(&self, layer: LayerName, passes: Option<Passes>, cell: CellId) -> PyResult<Time> {
        if matches!(layer, LayerName::Number(0)) {
            return Ok(Time::START);
        }
        if let Some(passes) = passes {
            return self.row(layer, passes).map(Time::after);
        }
        let id = self.program.layer_named(layer)?;
        let missing = || PyIndexError::new_err(format!("cell {cell} did not run layer {id}"));
        self.run.last_row(id, cell, self.run.end()).map(Time::after).ok_or_else(missing)
    }

    /// The register with a long or short name.
    fn register(&self, name: &str) -> PyResult<RegisterId> {
        let registers = &self.program.file.compiled().executable().registers;
        let unknown = || {
            let near = nearest(name, registers.long.iter().map(String::as_str)).map(str::to_owned);
            let unknown = UnknownRegister { name: name.to_owned(), near, all: registers.long.clone() };
            PyValueError::new_err(unknown.to_string())
        };
        registers.by_long(name).or_else(|| registers.by_short(name)).ok_or_else(unknown)
    }

    fn value(&self, register: RegisterId, cell: CellId, time: Time) -> Option<&str> {
        self.run.value(register, cell, time).and_then(|value| self.run.vocabulary().text(value))
    }

    /// The registers of a cell at a time, by their long names.
    fn state<'py>(&self, py: Python<'py>, cell: CellId, time: Time) -> PyResult<Bound<'py, PyDict>> {
        let state = PyDict::new(py);
        for (index, name) in self.registers().iter().enumerate() {
            state.set_item(name, self.value(RegisterId::new(index), cell, time))?;
        }
        Ok(state)
    }

    /// The cell with a number.
    fn cell(&self, number: usize) -> PyResult<CellId> {
        let cells = self.run.cells();
        let missing = || PyIndexError::new_err(format!("cell {number} is out of range: the run has {cells} cells"));
        CellId::of_number(number).filter(|cell| cell.index() < cells).ok_or_else(missing)
    }
}

/// A prompt as text, and whether that is its symbols.
fn text_of(prompt: &Prompt) -> (String, bool) {
    match prompt {
        Prompt::Plain(text) => (text.clone(), true),
        Prompt::Structured(cells) => (cells.to_json().to_string(), false),
        // No function of the package makes one.
        Prompt::File(_) | Prompt::Test(_) => (String::new(), true),
    }
}

#[pymethods]
impl Run {
    /// The continuation, symbols separated by spaces.
    #[getter]
    fn text(&self) -> String {
        self.continuation.text()
    }

    /// The symbols of the continuation. Null is `∅`.
    #[getter]
    fn tokens(&self) -> &[String] {
        &self.continuation.symbols
    }

    /// The reason why the continuation ended: `stop-symbol` or `max-new`, or `prompt-pass` for a row.
    #[getter]
    fn stop(&self) -> &'static str {
        self.continuation.stopped.as_str()
    }

    /// The places of `Program.run(set=…)` that the run did not reach, and that did nothing: tuples of the layer, or 0
    /// for the start; the passes, or `None` for every pass; the cell, and the register.
    #[getter]
    fn unreached(&self) -> Vec<Place> {
        self.unreached.iter().map(place).collect()
    }

    /// Notes about the values of `Program.run(set=…)`: those that neither the program nor the prompt has.
    #[getter]
    fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The program.
    ///
    /// Raises `psl.Error` if the run has no record.
    #[getter]
    fn program(&self, py: Python<'_>) -> PyResult<Program> {
        Ok(self.record(py)?.program.clone())
    }

    /// The prompt: its symbols separated by spaces, or the cells of a structured prompt as the text of JSON.
    ///
    /// Raises `psl.Error` if the run has no record.
    #[getter]
    fn prompt(&self, py: Python<'_>) -> PyResult<String> {
        Ok(text_of(&self.record(py)?.recipe.prompt).0)
    }

    /// The registers of each cell after the last layer, of the prompt and generated: a dictionary of long names and
    /// values for each. Null is `None`.
    ///
    /// Raises `psl.Error` if the run has no record.
    #[getter]
    fn cells<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let record = self.record(py)?;
        CellId::first(record.run.cells()).map(|cell| record.state(py, cell, record.run.end())).collect()
    }

    /// The registers of a cell after a layer, as an entry of `cells`. Layer 0 is the start.
    ///
    /// `layer` is a number or a label, and `cell` is 1-based. `pass_` is that of `index`, by default the last one that
    /// the cell ran.
    ///
    /// Raises `IndexError` if the run lacks the cell or the cell did not run the layer in this pass, `ValueError` for
    /// an unknown label, and `psl.Error` if the run has no record.
    #[pyo3(signature = (layer, cell, pass_ = None))]
    fn state<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = numbers::layer)] layer: LayerName,
        #[pyo3(from_py_with = numbers::cell)] cell: usize,
        #[pyo3(from_py_with = numbers::pass_)] pass_: Option<Passes>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let record = self.record(py)?;
        let cell = record.cell(cell)?;
        record.state(py, cell, record.time(layer, pass_, cell)?)
    }

    /// The value of a register in a cell after the last layer: `run["region", 9]`. Null is `None`.
    ///
    /// Raises `ValueError` for an unknown register, `IndexError` for an unknown cell, and `psl.Error` if the run has no
    /// record.
    #[expect(clippy::needless_pass_by_value, reason = "an argument from Python is owned")]
    fn __getitem__(&self, py: Python<'_>, place: (String, usize)) -> PyResult<Option<String>> {
        let record = self.record(py)?;
        let (register, cell) = (record.register(&place.0)?, record.cell(place.1)?);
        Ok(record.value(register, cell, record.run.end()).map(str::to_owned))
    }

    /// The record of a layer in all of its passes: see `psl.LayerRun`. The layer is a number or a label.
    ///
    /// Raises `IndexError` or `ValueError` for an unknown layer, and `psl.Error` if the run has no record.
    fn layer<'py>(
        slf: &Bound<'py, Self>,
        #[pyo3(from_py_with = numbers::layer)] layer: LayerName,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, record) = (slf.py(), slf.get().record(slf.py())?);
        let layer = record.program.layer_named(layer)?;
        let rows: Vec<usize> = record.run.rows_of_layer(layer).map(|row| Time::after(row).rows()).collect();
        let passes = record.run.rows_of_layer(layer).map(|row| PyTuple::new(py, &record.run.rows()[row].pass));
        let passes = passes.collect::<PyResult<Vec<_>>>()?;
        data::object(py, "LayerRun", (slf, layer.number(), record.program.label(layer), rows, passes))
    }

    /// The long names of the registers, in the order of the last axis of `states`.
    ///
    /// Raises `psl.Error` if the run has no record.
    #[getter]
    fn registers<'py>(&self, py: Python<'py>) -> PyResult<&Bound<'py, PyTuple>> {
        let record = self.record(py)?;
        let made = record.registers.get_or_try_init(py, || Ok(PyTuple::new(py, record.registers())?.unbind()));
        made.map(|registers| registers.bind(py))
    }

    /// The values of the run. `states` has their indices.
    ///
    /// Raises `psl.Error` if the run has no record.
    #[getter]
    fn values<'py>(&self, py: Python<'py>) -> PyResult<&Bound<'py, PyTuple>> {
        let record = self.record(py)?;
        let values = || record.run.vocabulary().iter().collect::<Vec<_>>();
        let made = record.values.get_or_try_init(py, || Ok(PyTuple::new(py, values())?.unbind()));
        made.map(|values| values.bind(py))
    }

    /// The layer and the passes of each row of `states` after the first: entry i is that of row i + 1.
    ///
    /// Raises `psl.Error` if the run has no record.
    #[getter]
    fn rows(&self, py: Python<'_>) -> PyResult<Vec<(usize, Vec<usize>)>> {
        Ok(self.record(py)?.run.rows().iter().map(|row| (row.layer.number(), row.pass.clone())).collect())
    }

    /// The registers of each cell after each layer: a read-only array of int32 of shape [rows + 1, cells, registers].
    ///
    /// An entry is an index into `values`, or -1 for null. Row 0 is the start, and each further row is a layer in one
    /// pass of its repeat blocks. A generated cell starts as the cell before it ended. `index` returns the indices of a
    /// layer and a cell.
    ///
    /// Raises `psl.Error` if the run has no record, or if the array would take more than 4 GiB.
    #[getter]
    fn states<'py>(&self, py: Python<'py>) -> PyResult<&Bound<'py, PyAny>> {
        let record = self.record(py)?;
        let made = record.states.get_or_try_init(py, || {
            let (run, registers) = (Arc::clone(&record.run), record.registers().len());
            let shape = vec![run.rows().len() + 1, run.cells(), registers];
            let size = shape.iter().fold(size_of::<i32>(), |size, length| size.saturating_mul(*length));
            if size > MAX_STATES {
                let message = format!(
                    "the states {shape:?} take {} MB, and the limit is {} MB: use `changes`, or a shorter prompt",
                    size / 1_000_000,
                    MAX_STATES / 1_000_000
                );
                return Err(errors::error(py, &message));
            }
            let made = interruptible(py, &AtomicBool::new(false), move || states(&run, registers))??;
            array(py, Numbers::Int32(made), shape)
        });
        made.map(|states| states.bind(py))
    }

    /// Whether each cell ran each row of `states`: a read-only array of bool of shape [rows + 1, cells].
    ///
    /// A cell rests in passes of a repeat block that only other cells need. All cells run row 0, the start.
    ///
    /// Raises `psl.Error` if the run has no record.
    #[getter]
    fn ran<'py>(&self, py: Python<'py>) -> PyResult<&Bound<'py, PyAny>> {
        let record = self.record(py)?;
        let made = record.ran.get_or_try_init(py, || {
            let (run, shape) = (Arc::clone(&record.run), vec![record.run.rows().len() + 1, record.run.cells()]);
            let made = interruptible(py, &AtomicBool::new(false), move || ran(&run))??;
            array(py, Numbers::Bool(made), shape)
        });
        made.map(|ran| ran.bind(py))
    }

    /// The cell that each cell attended to in each row of `states`: a read-only array of int32 of shape [rows + 1,
    /// cells].
    ///
    /// An entry is the index of the cell, or -1 where the layer did not fire, and at the start.
    ///
    /// Raises `psl.Error` if the run has no record.
    #[getter]
    fn attends<'py>(&self, py: Python<'py>) -> PyResult<&Bound<'py, PyAny>> {
        let record = self.record(py)?;
        let made = record.attends.get_or_try_init(py, || {
            let (run, shape) = (Arc::clone(&record.run), vec![record.run.rows().len() + 1, record.run.cells()]);
            let made = interruptible(py, &AtomicBool::new(false), move || attends(&run))??;
            array(py, Numbers::Int32(made), shape)
        });
        made.map(|attends| attends.bind(py))
    }

    /// The changes of the run as columns: see `psl.Changes`.
    ///
    /// Raises `psl.Error` if the run has no record.
    #[getter]
    fn changes<'py>(&self, py: Python<'py>) -> PyResult<&Bound<'py, PyAny>> {
        let record = self.record(py)?;
        let made = record.changes.get_or_try_init(py, || {
            let (run, registers) = (Arc::clone(&record.run), record.registers().len());
            let Columns { row, layer, pass, cell, register, before, after, depth } =
                interruptible(py, &AtomicBool::new(false), move || changes(&run, registers))??;
            let count = row.len();
            let column = |numbers| array(py, Numbers::Int32(numbers), vec![count]);
            let pass = array(py, Numbers::Int32(pass), vec![count, depth])?;
            let (row, layer, cell, register) = (column(row)?, column(layer)?, column(cell)?, column(register)?);
            let fields = (row, layer, pass, cell, register, column(before)?, column(after)?);
            data::object(py, "Changes", fields).map(Bound::unbind)
        });
        made.map(|changes| changes.bind(py))
    }

    /// The indices of a layer and a cell, both 1-based, in `states` and `ran`, after the layer. A layer has its label
    /// as a name, too.
    ///
    /// `pass_` has the passes of the repeat blocks around the layer, outermost first, each 1-based: `()` outside of
    /// blocks, a number for one block. Layer 0 is the start.
    ///
    /// Raises `IndexError` if the run lacks the cell or the layer in this pass, and `psl.Error` if it has no record.
    #[pyo3(signature = (layer, pass_ = Passes::Nested(Vec::new()), cell = 1), text_signature = "($self, layer, pass_=(), cell=1)")]
    fn index(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = numbers::layer)] layer: LayerName,
        #[pyo3(from_py_with = numbers::pass_)] pass_: Passes,
        #[pyo3(from_py_with = numbers::cell)] cell: usize,
    ) -> PyResult<(usize, usize)> {
        let record = self.record(py)?;
        let cell = record.cell(cell)?;
        Ok((record.time(layer, Some(pass_), cell)?.rows(), cell.index()))
    }

    /// Explains what a layer did in a cell: the cells that met its conditions, the one that the cell attends to, and
    /// each condition for that cell, or for the cell `source`. Without either, it is for the cell itself.
    ///
    /// `layer`, `pass_` and `cell` are those of `index`, and `source` is 1-based.
    ///
    /// Raises `IndexError` if the cell did not run the layer in this pass, and `psl.Error` if the run has no record.
    #[pyo3(signature = (layer, pass_ = Passes::Nested(Vec::new()), cell = 1, source = None))]
    #[pyo3(text_signature = "($self, layer, pass_=(), cell=1, source=None)")]
    fn why<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = numbers::layer)] layer: LayerName,
        #[pyo3(from_py_with = numbers::pass_)] pass_: Passes,
        #[pyo3(from_py_with = numbers::cell)] cell: usize,
        #[pyo3(from_py_with = numbers::source)] source: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let record = self.record(py)?;
        let (row, cell) = (record.row(layer, pass_)?, record.cell(cell)?);
        let source = source.map(|source| record.cell(source)).transpose()?;
        let missing = || {
            let layer = record.run.rows()[row].layer;
            PyIndexError::new_err(format!("cell {cell} rests in this pass of layer {layer}"))
        };
        questions::why(py, &record.program.file, &record.run, row, cell, source)?.ok_or_else(missing)
    }

    /// Explains why a layer did not attend to the cell `source`, or says that it did: `WhyNot.reason`.
    ///
    /// `layer`, `pass_` and `cell` are those of `index`, and `source` is 1-based.
    ///
    /// Raises `IndexError` if the cell did not run the layer in this pass, and `psl.Error` if the run has no record.
    #[pyo3(signature = (layer, pass_ = Passes::Nested(Vec::new()), cell = 1, *, source))]
    #[pyo3(text_signature = "($self, layer, pass_=(), cell=1, *, source)")]
    fn why_not<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = numbers::layer)] layer: LayerName,
        #[pyo3(from_py_with = numbers::pass_)] pass_: Passes,
        #[pyo3(from_py_with = numbers::cell)] cell: usize,
        #[pyo3(from_py_with = numbers::source)] source: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.why(py, layer, pass_, cell, Some(source))?.call_method0("why_not")
    }

    /// Compares this run with another one of the same layers and registers, as `psl trace diff` does. Returns the first
    /// difference, or `None`.
    ///
    /// Raises `ValueError` for a run of other layers or registers, and `psl.Error` if one has no record.
    fn trace_diff<'py>(&self, py: Python<'py>, other: &Bound<'py, Self>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let (left, right) = (self.record(py)?, other.get().record(py)?);
        let layers = |record: &Record| record.program.file.compiled().executable().labels().len();
        if left.registers() != right.registers() || layers(left) != layers(right) {
            let message = "the programs of the runs differ in their registers or in the number of their layers";
            return Err(PyValueError::new_err(message));
        }
        questions::difference(py, &left.run, &right.run)
    }

    /// Returns `changes` as a `pandas.DataFrame` with a row for each change: its `row` of `states`, `layer`, `pass`,
    /// `cell`, `register`, and the values `before` and `after`, with null as a missing value.
    ///
    /// Raises `ModuleNotFoundError` if pandas is not installed, and `psl.Error` if the run has no record.
    fn to_pandas<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("psl.tables")?.call_method1("to_pandas", (slf,))
    }

    /// Returns `states` and `ran` as an `xarray.Dataset` with the dimensions `row`, `cell` and `register`, and the
    /// layer and the passes of each row.
    ///
    /// Raises `ModuleNotFoundError` if xarray is not installed, and `psl.Error` if the run has no record.
    fn to_xarray<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("psl.tables")?.call_method1("to_xarray", (slf,))
    }

    /// Traces the value of a register of a cell back to its origin. The first link is the value itself.
    ///
    /// `register` is a long name, `cell` is 1-based, and `row` is a row of `states`, by default the last one.
    ///
    /// Raises `ValueError` for an unknown register, `IndexError` for an unknown cell or row, and `psl.Error` if the run
    /// has no record.
    #[pyo3(signature = (register, cell, row = None))]
    fn where_from<'py>(
        &self,
        py: Python<'py>,
        register: &str,
        #[pyo3(from_py_with = numbers::cell)] cell: usize,
        #[pyo3(from_py_with = numbers::row)] row: Option<usize>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let record = self.record(py)?;
        let (cell, rows) = (record.cell(cell)?, record.run.rows().len());
        let row = row.unwrap_or(rows);
        if row > rows {
            return Err(PyIndexError::new_err(format!("row {row} is out of range: the last row is {rows}")));
        }
        let index = record.register(register)?;
        questions::where_from(py, &record.program.file, &record.run, index, cell, Time::new(row))
    }

    /// Returns the continuation and the changes as Jupyter shows them.
    fn _repr_html_<'py>(run: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        run.py().import("psl.html")?.call_method1("run", (run,))
    }

    /// Copies it for another process. A recorded run is recorded again there.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let restore = py.import("psl._psl")?.getattr("restore_run")?;
        let recorded = self.record.as_ref().map(|Record { program, recipe, .. }| {
            let Recipe { prompt, machine, options, set } = recipe.as_ref();
            let (text, is_plain) = text_of(prompt);
            let set: Vec<(Place, Option<String>)> = set.iter().map(|it| (place(it), it.value.clone())).collect();
            let Options { max_new, stop, max_passes, ablated, .. } = options;
            let ablated: Vec<usize> = ablated.iter().map(|layer| layer.number()).collect();
            (program.clone(), (text, is_plain, machine.name()), (*max_new, stop.clone(), *max_passes, ablated, set))
        });
        let stopped = self.continuation.stopped.as_str();
        Ok((restore, (self.continuation.symbols.clone(), stopped, recorded).into_pyobject(py)?))
    }

    /// Returns the same run, which cannot change.
    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    /// Returns the same run, which cannot change.
    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            let other = other.get();
            let has_equal_record = match (&self.record, &other.record) {
                (None, None) => true,
                // Equal prompts and options give equal records.
                (Some(one), Some(other)) => one.recipe == other.recipe && one.program.equals(&other.program),
                _ => false,
            };
            self.continuation == other.continuation && has_equal_record
        })
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.continuation.symbols.hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self) -> String {
        let recorded = if self.record.is_some() { ", recorded" } else { "" };
        format!("<psl.Run {:?}, {}{recorded}>", self.continuation.text(), self.continuation.stopped.as_str())
    }
}

/// The layers and passes of recorded runs of one program, in program order.
///
/// Raises `psl.Error` if a run has no record.
#[pyfunction]
pub fn merged_rows(py: Python<'_>, runs: &Bound<'_, PyAny>) -> PyResult<Vec<(usize, Vec<usize>)>> {
    let runs = runs.try_iter()?.map(|run| Ok(run?.cast_into::<Run>()?)).collect::<PyResult<Vec<_>>>()?;
    let records = runs.iter().map(|run| run.get().record(py)).collect::<PyResult<Vec<_>>>()?;
    let mut rows: Vec<&Row> = records.iter().flat_map(|record| record.run.rows()).collect();
    if let Some(first) = records.first() {
        rows.sort_by(|left, right| first.run.order(left, right));
    }
    rows.dedup();
    Ok(rows.into_iter().map(|row| (row.layer.number(), row.pass.clone())).collect())
}
