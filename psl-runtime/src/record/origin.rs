//! The origin of a value, and its way from there.

use psl_syntax::{
    Program,
    program::{Cell, Condition, Operand, RegisterId, Roles},
};

use super::{
    conditions::Reader,
    history::last_write,
    recorded_run::RecordedRun,
    row::{RowId, Time},
};
use crate::{cell_id::CellId, vocabulary::ValueId};

/// A register of a cell at a time, with its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// The register.
    pub register: RegisterId,
    /// The cell.
    pub cell: CellId,
    /// The time.
    pub time: Time,
    /// The value at that time.
    pub value: Option<ValueId>,
    /// The row that wrote the value, or before which it was changed. `None` if the cell started with it, or after the
    /// last row.
    pub row: Option<RowId>,
    /// The source of the value.
    pub kind: LinkKind,
}

/// The source of a link's value: the register of the next link, or the origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkKind {
    /// An assignment from the register of the next link.
    Assigned,
    /// An assignment from the register of the next link, through a function.
    Moved,
    /// The start of a generated cell, which copies the cell before it: the next link.
    Copied,
    /// An assignment of a constant.
    Constant,
    /// The prompt.
    Prompt,
    /// The machine, which sets position, parse and eop.
    Machine,
    /// Nothing: the value is null.
    Null,
    /// A change in the middle of the run.
    Changed,
}

/// Returns the chain of writes and copies that gave a register of a cell its value at a time, back to its origin. Empty
/// if the cell or the register is unknown.
pub fn origin(program: &Program, run: &RecordedRun, register: RegisterId, cell: CellId, time: Time) -> Vec<Link> {
    let mut links = Vec::new();
    let known = run.start(cell).get(register.index()).is_some();
    let mut next = known.then_some((register, cell, time));
    while let Some((register, cell, time)) = next {
        let last_row = || last_write(run, register, cell, time).map(|write| write.row);
        let (row, (kind, from)) = if let Some(changed) = run.changed_at(register, cell, time) {
            (Some(changed.row()).filter(|row| run.rows().find(*row).is_some()), (LinkKind::Changed, None))
        } else if let Some(row) = last_row() {
            (Some(row), written(program, run, register, cell, row))
        } else {
            (None, started(program, run, register, cell))
        };
        links.push(Link { register, cell, time, value: run.value(register, cell, time), row, kind });
        next = from;
    }
    links
}

/// A register, its cell and a time.
pub type TimedRegister = (RegisterId, CellId, Time);

/// Returns the registers that the conditions of a row's production read in a cell that attended to another one. They
/// are the reason that it wrote a constant.
pub fn tested(program: &Program, run: &RecordedRun, row: RowId, cell: CellId) -> Vec<TimedRegister> {
    let Some((reader, attends)) = Reader::new(program, run, row, cell).zip(run.attends(row, cell)) else {
        return Vec::new();
    };
    let mut tested = Vec::new();
    for read in reader.production.conditions.iter().flat_map(Condition::registers) {
        let source = if read.cell == Cell::Source { attends } else { cell };
        let timed = run.read_time(row, cell, source).map(|time| (read.register, source, time));
        tested.extend(timed.filter(|timed| !tested.contains(timed)));
    }
    tested
}

/// Returns the kind of a row's write of a register, and the register that it copied.
fn written(
    program: &Program,
    run: &RecordedRun,
    register: RegisterId,
    cell: CellId,
    row: RowId,
) -> (LinkKind, Option<TimedRegister>) {
    let from = || {
        let reader = Reader::new(program, run, row, cell)?;
        let assignments = &reader.production.assignments;
        let assignment = assignments.iter().find(|assignment| assignment.target == register)?;
        let Operand::Register(read, function) = assignment.source else { return None };
        let source = match read.cell {
            Cell::Source => run.update(row, cell)?.attends?,
            Cell::Updated => cell,
        };
        let kind = if function.is_some() { LinkKind::Moved } else { LinkKind::Assigned };
        Some((kind, (read.register, source, run.read_time(row, cell, source)?)))
    };
    from().map_or((LinkKind::Constant, None), |(kind, read)| (kind, Some(read)))
}

/// Returns the link of the value that a cell started with. A generated cell copies the cell before it.
fn started(
    program: &Program,
    run: &RecordedRun,
    register: RegisterId,
    cell: CellId,
) -> (LinkKind, Option<TimedRegister>) {
    let Roles { position, parse, eop, .. } = program.roles;
    let has = |role: Option<RegisterId>| role == Some(register);
    if let Some(before) = run.copied(cell).filter(|_| !has(position)) {
        return (LinkKind::Copied, Some((register, before, run.end())));
    }
    let kind = match run.value(register, cell, Time::START).and_then(|value| run.vocabulary().text(value)) {
        None => LinkKind::Null,
        Some(_) if has(position) => LinkKind::Machine,
        Some(_) if (has(parse) || has(eop)) && !run.given_roles.contains(&(cell, register)) => LinkKind::Machine,
        Some(_) => LinkKind::Prompt,
    };
    (kind, None)
}
