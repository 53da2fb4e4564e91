//! The moments at which breakpoints can stop, in order, before conditions and hit counts apply.

use std::ops::RangeInclusive;

use psl_runtime::{
    CellId, ValueId,
    record::{RecordedRun, RowId, history},
};
use psl_syntax::program::{ProductionId, RegisterId};

use super::{
    breakpoint::{BreakOn, Values},
    cell_view::CellView,
    exception::Exception,
    timeline::{Moment, Timeline},
    wrong_symbols::wrong_symbols,
};

/// The moments, from either end.
pub(super) type Stops<'s> = Box<dyn DoubleEndedIterator<Item = CellView<'s>> + 's>;

/// The moments of a layer in some steps, in ascending order: every cell that counts, or the focus cell alone. The first
/// cell that counts stands for a focus cell that does not, or is not in the step.
fn of_layer(
    run: &RecordedRun,
    layer: ProductionId,
    everywhere: bool,
    steps: RangeInclusive<usize>,
    focus: Option<CellId>,
) -> Stops<'_> {
    let rows = move |step: usize| {
        let has = move |row: &&RowId| run.rows()[**row].layer == layer;
        run.rows_of_step(step).iter().filter(has).map(move |&row| (step, row))
    };
    let cells = move |(step, row): (usize, RowId)| {
        let cells = run.cells_of_step(step);
        let counts = move |cell: CellId| everywhere || run.attends(row, cell).is_some();
        let alone = focus.map(|focus| {
            let has_focus = cells.contains(&focus) && counts(focus);
            if has_focus { Some(focus) } else { CellId::each(cells.clone()).find(|cell| counts(*cell)) }
        });
        let cells = match alone {
            Some(Some(cell)) => cell..cell.next(),
            Some(None) => cells.start..cells.start,
            None => cells,
        };
        let first = Timeline::new(run).at_row(row, cells.start);
        first.into_iter().flat_map(move |first| {
            CellId::each(cells.clone())
                .filter(move |cell| counts(*cell))
                .map(move |cell| CellView::at_layer(run, Moment { cell, ..first }, row))
        })
    };
    Box::new(steps.flat_map(rows).flat_map(cells))
}

/// The layers that write a register of a cell or of all cells, or that change it.
pub(super) fn of_data<'s>(
    run: &'s RecordedRun,
    register: RegisterId,
    cell: Option<CellId>,
    write: bool,
    values: Option<&Values>,
) -> Stops<'s> {
    let id = |text: &str| run.vocabulary().get(text);
    let counts = |value: ValueId| match values {
        None => true,
        Some(Values::Only(text)) => id(text) == Some(value),
        Some(Values::Except(text)) => id(text) != Some(value),
    };
    let of_cell = |cell: CellId| {
        let mut writes = history(run, register, cell);
        writes.retain(|it| (write || it.is_change()) && counts(it.value));
        writes.into_iter().filter_map(move |write| at(run, write.row, cell))
    };
    let cells = cell.map_or(CellId::new(0)..CellId::new(run.cells()), |cell| cell..cell.next());
    let mut stops: Vec<CellView<'s>> = CellId::each(cells).flat_map(of_cell).collect();
    if cell.is_none() {
        stops.sort_unstable_by_key(|stop| stop.moment);
    }
    Box::new(stops.into_iter())
}

/// The moments at which a run is at fault.
pub(super) fn of_exception<'s>(
    run: &'s RecordedRun,
    gold: Option<&str>,
    disagreement: Option<Moment>,
    exception: Exception,
) -> Stops<'s> {
    let timeline = Timeline::new(run);
    match exception {
        Exception::EndlessBlock => {
            let is_endless = run.outcome().as_ref().is_err_and(|failure| failure.block().is_some());
            Box::new(is_endless.then(|| CellView::at(run, timeline.end())).into_iter())
        }
        Exception::WrongSymbol => {
            let wrong = gold.map(|gold| wrong_symbols(run, gold)).unwrap_or_default();
            Box::new(wrong.into_iter().map(|wrong| CellView::at(run, wrong.moment)))
        }
        Exception::LooksAhead => {
            // A generated cell is the last one.
            let rows = run.rows_of_step(0).iter();
            let cells = move |&row: &RowId| {
                let ahead = move |&cell: &CellId| run.attends(row, cell).is_some_and(|source| source > cell);
                CellId::each(run.cells_of_step(0)).filter(ahead).filter_map(move |cell| at(run, row, cell))
            };
            Box::new(rows.flat_map(cells))
        }
        Exception::MachinesDisagree => Box::new(disagreement.map(|moment| CellView::at(run, moment)).into_iter()),
    }
}

/// The moments of a breakpoint in some steps. Those of data and exceptions are few, and not limited to the steps.
pub(super) fn of<'s>(
    run: &'s RecordedRun,
    gold: Option<&str>,
    disagreement: Option<Moment>,
    on: &BreakOn,
    steps: RangeInclusive<usize>,
    focus: Option<CellId>,
) -> Stops<'s> {
    match on {
        BreakOn::Layer { layer, everywhere } => of_layer(run, *layer, *everywhere, steps, focus),
        BreakOn::Data { register, cell, write, values } => of_data(run, *register, *cell, *write, values.as_ref()),
        BreakOn::Exception(exception) => of_exception(run, gold, disagreement, *exception),
    }
}

fn at(run: &RecordedRun, row: RowId, cell: CellId) -> Option<CellView<'_>> {
    Some(CellView::at_layer(run, Timeline::new(run).at_row(row, cell)?, row))
}
