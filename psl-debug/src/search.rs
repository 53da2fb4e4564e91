//! The next stop of a run, forward or backward.
//!
//! Invariant: the stops on the way back are those on the way forward.

use std::{
    iter,
    sync::atomic::{AtomicBool, Ordering},
};

use psl_runtime::{CellId, Tester, record::RecordedRun};
use psl_syntax::Program;

use super::{
    breakpoint::Breakpoint,
    cell_view::CellView,
    condition::DebugCondition,
    stops::{self, Stops},
    timeline::Moment,
};

/// The maximum number of logged lines of one search.
const MOST_LINES: usize = 10_000;

/// A direction of movement through the moments of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To later moments.
    Forward,
    /// To earlier moments.
    Backward,
}

/// The input of a search for a stop.
pub struct StopSearch<'a> {
    pub program: &'a Program,
    pub run: &'a RecordedRun,
    /// The expected continuation, if a test is debugged.
    pub gold: Option<&'a str>,
    /// The first moment at which two machines disagree.
    pub disagreement: Option<Moment>,
    pub breakpoints: &'a [Breakpoint],
    /// The cell at which a layer stops if its breakpoint has no condition.
    pub focus: CellId,
    /// Ends the search early when set.
    pub cancelled: &'a AtomicBool,
}

/// The result of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Search {
    /// The stop, or `None` if the run has no further one.
    pub stop: Option<Hit>,
    /// The logged lines up to the stop, or to the end, in the order of the search: at most 10,000, then a line that
    /// says so.
    pub logs: Vec<String>,
    /// Whether the search was cancelled. Then there is no stop.
    pub cancelled: bool,
}

/// A stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    pub moment: Moment,
    /// The breakpoints that stop there, in their order.
    pub ids: Vec<usize>,
}

/// The moments of a search: those after the first one, or all of the run, up to the last one.
#[derive(Clone, Copy)]
struct Way {
    from: Option<Moment>,
    to: Option<Moment>,
    direction: Direction,
}

impl Way {
    fn has_begun(&self, moment: Moment) -> bool {
        self.from.is_none_or(|from| match self.direction {
            Direction::Forward => moment > from,
            Direction::Backward => moment < from,
        })
    }

    fn has_ended(&self, moment: Moment) -> bool {
        self.to.is_some_and(|to| match self.direction {
            Direction::Forward => moment > to,
            Direction::Backward => moment < to,
        })
    }
}

impl StopSearch<'_> {
    /// The first stop after a moment, or the last one before it. Without a moment, the first or the last one of the
    /// run.
    pub fn next_stop(&self, from: Option<Moment>, direction: Direction) -> Search {
        let tester = Tester::new(self.program, self.run.vocabulary());
        let mut way = Way { from, to: None, direction };
        let mut stop: Option<Hit> = None;
        for breakpoint in self.breakpoints.iter().filter(|breakpoint| breakpoint.log.is_none()) {
            let Some(moment) = self.hits(breakpoint, &tester, way).next().map(|cell_view| cell_view.moment) else {
                continue;
            };
            match &mut stop {
                Some(hit) if hit.moment == moment => hit.ids.push(breakpoint.id),
                _ => stop = Some(Hit { moment, ids: vec![breakpoint.id] }),
            }
            way.to = Some(moment);
        }
        let logs = self.logs(&tester, way);
        if self.is_cancelled() {
            return Search { cancelled: true, ..Search::default() };
        }
        Search { stop, logs, cancelled: false }
    }

    fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// The lines of the breakpoints that log.
    fn logs(&self, tester: &Tester<'_>, way: Way) -> Vec<String> {
        let mut hits = Vec::new();
        for breakpoint in self.breakpoints {
            if let Some(message) = &breakpoint.log {
                let of_breakpoint = self.hits(breakpoint, tester, way).take(MOST_LINES + 1);
                hits.extend(of_breakpoint.map(|cell_view| (cell_view, message)));
            }
        }
        hits.sort_by(|(left, _), (right, _)| match way.direction {
            Direction::Forward => left.moment.cmp(&right.moment),
            Direction::Backward => right.moment.cmp(&left.moment),
        });
        let is_cut = hits.len() > MOST_LINES;
        let shown = hits.iter().take(MOST_LINES).map(|(cell_view, message)| message.line(self.run, tester, cell_view));
        shown.chain(is_cut.then(|| format!("… more than {MOST_LINES} lines"))).collect()
    }

    /// The hits of a breakpoint on the way, in its direction.
    fn hits<'s>(&'s self, breakpoint: &'s Breakpoint, tester: &'s Tester<'s>, way: Way) -> Views<'s> {
        let test = move |views| tested(views, breakpoint.condition.as_ref(), tester);
        let has_begun = move |cell_view: &CellView<'_>| way.has_begun(cell_view.moment);
        let goes_on = move |cell_view: &CellView<'_>| !self.is_cancelled() && !way.has_ended(cell_view.moment);
        let Some(count) = breakpoint.hits else {
            let ordered = in_order(self.stops(breakpoint, way), way.direction);
            return test(Box::new(ordered.take_while(goes_on).filter(has_begun)));
        };
        // Hits are counted from the start of the run in both directions.
        let is_backward = way.direction == Direction::Backward;
        let is_passed =
            move |cell_view: &CellView<'_>| !self.is_cancelled() && way.has_begun(cell_view.moment) == is_backward;
        let stops = self.stops(breakpoint, Way { direction: Direction::Backward, ..way });
        let passed = test(Box::new(stops.take_while(is_passed))).count();
        let numbers: Box<dyn Iterator<Item = usize>> = match way.direction {
            Direction::Forward => Box::new(passed + 1..),
            Direction::Backward => Box::new((1..=passed).rev()),
        };
        let ordered = in_order(self.stops(breakpoint, way), way.direction);
        let hits = test(Box::new(ordered.take_while(goes_on).filter(has_begun)));
        Box::new(iter::zip(hits, numbers).filter(move |(_, hit)| count.counts(*hit)).map(|(cell_view, _)| cell_view))
    }

    /// The moments of a breakpoint in the steps of the way, in ascending order.
    fn stops(&self, breakpoint: &Breakpoint, way: Way) -> Stops<'_> {
        let focus = breakpoint.condition.is_none().then_some(self.focus);
        let steps = match (way.direction, way.from) {
            (_, None) => 0..=self.run.steps(),
            (Direction::Forward, Some(from)) => from.step..=self.run.steps(),
            (Direction::Backward, Some(from)) => 0..=from.step,
        };
        stops::of(self.run, self.gold, self.disagreement, &breakpoint.on, steps, focus)
    }
}

/// Moments in the order of a search.
type Views<'s> = Box<dyn Iterator<Item = CellView<'s>> + 's>;

/// The number of moments that are tested together first. Each further batch has twice as many, up to [`MOST_TESTED`].
const FIRST_TESTED: usize = 256;
/// The maximum number of moments that are tested together.
const MOST_TESTED: usize = 16_384;

/// The moments that meet a condition. A layer has all cells of a pass before the next pass, but the record of one cell
/// is close together in memory. So a batch is tested cell by cell.
fn tested<'s>(mut views: Views<'s>, condition: Option<&'s DebugCondition>, tester: &'s Tester<'s>) -> Views<'s> {
    let Some(condition) = condition else { return views };
    let mut size = FIRST_TESTED;
    let batches = iter::from_fn(move || {
        let mut batch: Vec<(CellView<'s>, bool)> =
            views.by_ref().take(size).map(|cell_view| (cell_view, false)).collect();
        size = MOST_TESTED.min(size * 2);
        let mut by_cell: Vec<&mut (CellView<'s>, bool)> = batch.iter_mut().collect();
        by_cell.sort_by_key(|(cell_view, _)| cell_view.moment.cell);
        for (cell_view, holds) in by_cell {
            *holds = condition.holds_at(tester, cell_view);
        }
        (!batch.is_empty()).then_some(batch)
    });
    Box::new(batches.flatten().filter(|(_, holds)| *holds).map(|(cell_view, _)| cell_view))
}

fn in_order(stops: Stops<'_>, direction: Direction) -> Views<'_> {
    match direction {
        Direction::Forward => stops,
        Direction::Backward => Box::new(stops.rev()),
    }
}
