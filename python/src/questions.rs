//! The questions of a recorded run: why, and where from.

use std::sync::{Arc, atomic::AtomicBool};

use psl_program::File;
use psl_runtime::{
    CellId, Right, ValueId,
    record::{
        Difference, DifferenceKind, LinkKind, RecordedRun, RowId, Time, UpdateDifference, Why, first_difference,
        matches, origin, why as explain,
    },
};
use psl_syntax::program::RegisterId;
use pyo3::prelude::*;

use super::{data::object, pool::interruptible};

/// Explains what a row did in a cell, with the conditions for a cell n. `None` if the cell rests.
pub fn why<'py>(
    py: Python<'py>,
    file: &Arc<File>,
    run: &Arc<RecordedRun>,
    row: RowId,
    cell: CellId,
    source: Option<CellId>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let (of_file, of) = (Arc::clone(file), Arc::clone(run));
    let explained = interruptible(py, &AtomicBool::new(false), move || {
        let program = &of_file.compiled().executable().program;
        let (update, matches) = of.update(row, cell).zip(matches(program, &of, row, cell))?;
        let source = source.or(update.attends).unwrap_or(cell);
        Some((update.attends, matches.cells, source, explain(program, &of, row, cell, source)?))
    })?;
    let Some((attends, matching, source, Why { visible, conditions, .. })) = explained else { return Ok(None) };
    let vocabulary = run.vocabulary();
    let text = |value: Option<ValueId>| value.and_then(|value| vocabulary.text(value));
    let conditions = conditions.iter().map(|condition| {
        let right = match &condition.right {
            Right::Value(value) | Right::Moved { to: value, .. } => text(*value).into_pyobject(py)?,
            Right::List(values) => {
                values.iter().map(|&value| text(Some(value))).collect::<Vec<_>>().into_pyobject(py)?
            }
        };
        object(py, "Condition", (condition.span.of(file.text()), text(condition.left), right, condition.holds))
    });
    let conditions = conditions.collect::<PyResult<Vec<_>>>()?;
    let matching: Vec<usize> = matching.into_iter().map(CellId::number).collect();
    let (cell, attends, source) = (cell.number(), attends.map(CellId::number), source.number());
    object(py, "Why", (cell, attends, matching, source, visible, conditions)).map(Some)
}

/// The first difference between two runs of programs with the same layers and registers, or `None`.
pub fn difference<'py>(
    py: Python<'py>,
    left: &Arc<RecordedRun>,
    right: &Arc<RecordedRun>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let (left, right) = (Arc::clone(left), Arc::clone(right));
    let Difference { start, update } =
        interruptible(py, &AtomicBool::new(false), move || first_difference(&left, &right))?;
    if let (None, None) = (start, &update) {
        return Ok(None);
    }
    let fields = update.map(|UpdateDifference { cell, rows: [first, second], kind }| {
        let kind = match kind {
            DifferenceKind::Missing => "missing",
            DifferenceKind::Attends => "attends",
            DifferenceKind::Writes => "writes",
        };
        let after = |row: Option<RowId>| row.map(|row| Time::after(row).rows());
        (cell.number(), after(first), after(second), kind)
    });
    let (cell, first, second, kind) =
        fields.map_or((None, None, None, None), |(cell, first, second, kind)| (Some(cell), first, second, Some(kind)));
    object(py, "Difference", (start.map(CellId::number), cell, first, second, kind)).map(Some)
}

/// Traces the value of a register of a cell at a row of the states back to its origin.
pub fn where_from<'py>(
    py: Python<'py>,
    file: &Arc<File>,
    run: &Arc<RecordedRun>,
    register: RegisterId,
    cell: CellId,
    time: Time,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let (of_file, of) = (Arc::clone(file), Arc::clone(run));
    let links = interruptible(py, &AtomicBool::new(false), move || {
        origin(&of_file.compiled().executable().program, &of, register, cell, time)
    })?;
    let registers = &file.compiled().executable().registers;
    let links = links.into_iter().map(|link| {
        let register = registers.long.get(link.register.index());
        let value = link.value.and_then(|value| run.vocabulary().text(value));
        let layer = link.row.map(|row| run.rows()[row].layer.number());
        let written = link.row.map(|row| Time::after(row).rows());
        let fields = (register, link.cell.number(), link.time.rows(), value, kind(link.kind), written, layer);
        object(py, "Link", fields)
    });
    links.collect()
}

fn kind(kind: LinkKind) -> &'static str {
    match kind {
        LinkKind::Assigned => "assigned",
        LinkKind::Moved => "moved",
        LinkKind::Copied => "copied",
        LinkKind::Constant => "constant",
        LinkKind::Prompt => "prompt",
        LinkKind::Machine => "machine",
        LinkKind::Null => "null",
        LinkKind::Changed => "changed",
    }
}
