//! The groups of variables at a moment: registers, conditions, watched registers and the continuation so far.

use psl_runtime::{
    CellId, ConditionResult, Right, ValueId,
    record::{RecordedRun, RowId, Time, why},
};
use psl_syntax::{Program, program::RegisterId};

use super::{
    debugged_run::Debugger,
    step_place::StepPlace,
    timeline::{Moment, Timeline},
};

/// A group of variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    pub name: String,
    pub variables: Vec<Variable>,
}

/// A name with a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// The name of a register, or the text of a condition.
    pub name: String,
    /// The value as text. Null is `∅`.
    pub value: String,
    /// The register and the cell, whose value at the moment it is. Otherwise `None`.
    pub register: Option<(RegisterId, CellId)>,
    /// Whether the layer changes it.
    pub changed: bool,
    /// The values in all cells for a watched register, otherwise empty.
    pub cells: Vec<Self>,
}

impl Variable {
    /// Creates a variable that is not a register of a cell.
    fn plain(name: String, value: String) -> Self {
        Self { name, value, register: None, changed: false, cells: Vec::new() }
    }
}

/// A watched register in all cells so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WatchedRegister {
    /// The long name.
    pub name: String,
    /// One for each cell. `register` is set and `name` is the number of the cell.
    pub cells: Vec<Variable>,
}

/// Returns the scopes at the current moment. At a layer: the registers of the cell before and after it, the registers
/// of the cell that it attends to, and the conditions. Then the watched registers and the continuation so far.
pub fn scopes(debugger: &Debugger) -> Vec<Scope> {
    let view = View::of(debugger);
    let cell = debugger.moment().cell;
    let mut scopes = vec![Scope { name: format!("cell {cell}"), variables: view.registers(cell) }];
    if let Some(row) = debugger.timeline().row(debugger.moment()) {
        scopes.push(Scope { name: format!("cell {cell} after the layer"), variables: view.registers_after(cell) });
        scopes.extend(view.attention(row, cell));
    }
    let watched = watched_registers(debugger).into_iter().map(of_all_cells).collect();
    scopes.push(Scope { name: "watched registers".to_owned(), variables: watched });
    let of = debugger.what_if().map_or(String::new(), |what_if| format!(" of the {what_if}"));
    scopes.push(Scope { name: format!("continuation{of}"), variables: view.continuation() });
    scopes
}

/// The maximum number of cells in the value of a watched register.
const MOST_CELLS: usize = 100;

fn of_all_cells(WatchedRegister { name, cells }: WatchedRegister) -> Variable {
    let values: Vec<&str> = cells.iter().take(MOST_CELLS).map(|cell| cell.value.as_str()).collect();
    let more = if cells.len() > MOST_CELLS { " …" } else { "" };
    let value = format!("{}{more}", values.join(" "));
    Variable { cells, ..Variable::plain(name, value) }
}

/// Returns the watched registers of all cells so far, before the layer.
pub fn watched_registers(debugger: &Debugger) -> Vec<WatchedRegister> {
    let view = View::of(debugger);
    let moment = debugger.moment();
    let count = debugger.run().cells_of_step(moment.step).end.index().min(debugger.run().cells());
    let watched = |&register: &RegisterId| {
        let cell = |cell: CellId| Variable { name: cell.to_string(), ..view.register(register, cell) };
        WatchedRegister { name: view.name(register), cells: CellId::first(count).map(cell).collect() }
    };
    debugger.file().program().watch.iter().map(watched).collect()
}

/// The run at the current moment.
struct View<'d> {
    debugger: &'d Debugger,
    run: &'d RecordedRun,
    program: &'d Program,
    timeline: Timeline<'d>,
    moment: Moment,
}

impl<'d> View<'d> {
    fn of(debugger: &'d Debugger) -> Self {
        Self {
            debugger,
            run: debugger.run(),
            program: debugger.file().program(),
            timeline: debugger.timeline(),
            moment: debugger.moment(),
        }
    }

    fn name(&self, register: RegisterId) -> String {
        self.program.registers[register].name.clone()
    }

    /// A register of a cell at the moment.
    fn register(&self, register: RegisterId, cell: CellId) -> Variable {
        let time = self.timeline.time_of(self.moment, cell);
        let (value, after) = (self.run.value(register, cell, time), self.after(register, cell));
        Variable {
            name: self.name(register),
            value: self.run.vocabulary().show(value).to_owned(),
            register: Some((register, cell)),
            changed: after.is_some_and(|after| after != value),
            cells: Vec::new(),
        }
    }

    /// The value of a register after the layer. The outer `None`: no layer updates the cell next.
    #[expect(clippy::option_option, reason = "a cell that is updated may have null")]
    fn after(&self, register: RegisterId, cell: CellId) -> Option<Option<ValueId>> {
        let row = self.timeline.row(self.moment)?;
        // A cell of an earlier step ran the row before, and stays as it is.
        let is_updated = self.run.cells_of_step(self.moment.step).contains(&cell);
        is_updated.then(|| self.run.value(register, cell, Time::after(row)))
    }

    fn registers(&self, cell: CellId) -> Vec<Variable> {
        self.program.register_ids().map(|register| self.register(register, cell)).collect()
    }

    fn registers_after(&self, cell: CellId) -> Vec<Variable> {
        let registers = self.program.register_ids().zip(self.registers(cell));
        let after = registers.map(|(register, variable)| {
            let value = self.after(register, cell).flatten();
            Variable { value: self.run.vocabulary().show(value).to_owned(), register: None, ..variable }
        });
        after.collect()
    }

    /// The registers of the cell that a cell attends to, and the conditions of both.
    fn attention(&self, row: RowId, cell: CellId) -> Vec<Scope> {
        let attends = self.run.update(row, cell).and_then(|update| update.attends);
        let Some(source) = attends.or_else(|| self.nearest(row, cell)) else { return Vec::new() };
        let conditions = if attends.is_some() {
            format!("conditions: cell {cell} attends to cell {source}")
        } else {
            format!("conditions: no cell matches; cell {source} comes closest")
        };
        let registers = attends.filter(|&source| source != cell).map(|source| Scope {
            name: format!("cell {source}, which cell {cell} attends to"),
            variables: self.registers(source),
        });
        let tested = why(self.program, self.run, row, cell, source).map_or(Vec::new(), |why| why.conditions);
        let variables = tested.iter().map(|result| self.condition(result)).collect();
        registers.into_iter().chain([Scope { name: conditions, variables }]).collect()
    }

    /// The leftmost visible cell of those that meet the most conditions.
    fn nearest(&self, row: RowId, cell: CellId) -> Option<CellId> {
        let met = |source| {
            let why = why(self.program, self.run, row, cell, source).filter(|why| why.visible)?;
            Some((why.conditions.iter().filter(|result| result.holds).count(), source))
        };
        CellId::first(self.run.cells_up_to(cell))
            .rev()
            .filter_map(met)
            .max_by_key(|(count, _)| *count)
            .map(|(_, source)| source)
    }

    fn condition(&self, result: &ConditionResult) -> Variable {
        let show = |value| self.run.vocabulary().show(value);
        let right = match &result.right {
            Right::Value(value) => show(*value).to_owned(),
            Right::Moved { from, to } => format!("{} from {}", show(*to), show(*from)),
            Right::List(values) => {
                let values: Vec<&str> = values.iter().map(|&value| show(Some(value))).collect();
                format!("[{}]", values.join(", "))
            }
        };
        let verdict = if result.holds { "holds" } else { "fails" };
        let condition = result.span.of(self.debugger.file().text()).to_owned();
        Variable::plain(condition, format!("{verdict}: {} and {right}", show(result.left)))
    }

    /// The symbols generated so far.
    fn continuation(&self) -> Vec<Variable> {
        let is_generated = usize::from(self.debugger.place() == StepPlace::Symbol);
        let symbols = self.debugger.symbols().into_iter().take(self.moment.step + is_generated).zip(1..);
        let variable = |(value, number): (String, usize)| Variable::plain(format!("symbol {number}"), value);
        symbols.map(variable).collect()
    }
}
