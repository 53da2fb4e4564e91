//! A debugged run: its record, and the current moment.

use std::{collections::BTreeSet, mem, sync::Arc};

use psl_program::{File, Progress, Prompt, RunFailure, Runner};
use psl_runtime::{CellId, Change, MachineKind, Task, record::RecordedRun};
use psl_syntax::program::{ProductionId, TestCase};

use super::{
    disagreement::disagreement,
    error::DebugError,
    step_place::StepPlace,
    timeline::{Moment, Timeline},
};

/// A request to debug a run.
#[derive(Clone, Debug)]
pub struct Launch {
    pub prompt: Prompt,
    /// The prompt of a law that runs instead, with its expected continuation.
    pub case: Option<TestCase>,
    /// The machine that runs it.
    pub machine: MachineKind,
    /// The maximum number of passes of one repeat block, or `None` for the default.
    pub max_passes: Option<usize>,
    /// Whether a second machine runs it too.
    pub verify: bool,
    /// The layers that write nothing.
    pub ablated: BTreeSet<ProductionId>,
}

/// A way to move from one moment to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Movement {
    /// To the next layer. From a repeat block, over all its passes.
    Next,
    /// To the next cell of the layer, or into the first pass of a repeat block.
    In,
    /// To the end of the pass, then of the block, then of the forward step.
    Out,
    /// To the layer before.
    Back,
    /// To the cell before: the reverse of [`Movement::In`].
    BackIn,
}

/// The result of a movement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moved {
    /// The debugger is at another moment.
    Yes,
    /// The debugger was at the start of the run already.
    Start,
    /// The debugger was at the end of the run already.
    End,
    /// The client cancelled the recording of later moments. The debugger has not moved.
    Paused,
}

/// The limit of the first record, in recorded values: a program that runs for long starts without delay.
const FIRST: usize = 1_000_000;

/// A run that is being debugged. Its record is extended when a movement reaches its end.
pub struct Debugger {
    pub(super) file: Arc<File>,
    launch: Launch,
    pub(super) task: Task,
    gold: Option<String>,
    /// The changed registers.
    pub(super) changes: Vec<Change>,
    run: RecordedRun,
    second: Option<Second>,
    /// The limit of the record, in recorded values.
    most: usize,
    moment: Moment,
    /// The cell of the prompt that was last in focus.
    prompt_cell: CellId,
}

/// The run on a second machine, at the same moment.
struct Second {
    debugger: Box<Debugger>,
    /// The first moment at which the machines disagree.
    disagreement: Option<Moment>,
}

impl Debugger {
    /// Records a run. The current moment is its start.
    ///
    /// # Errors
    ///
    /// Fails if the program does not compile, the test or the prompt is missing, or the prompt does not suit the
    /// program.
    pub fn new(file: Arc<File>, launch: &Launch, progress: &Progress) -> Result<Self, RunFailure> {
        Self::recorded_within(file, launch, progress, FIRST)
    }

    /// Records a whole run, up to the limit. The current moment is its start.
    ///
    /// # Errors
    ///
    /// Fails like [`Debugger::new`].
    pub fn with_whole_record(file: Arc<File>, launch: &Launch, progress: &Progress) -> Result<Self, RunFailure> {
        Self::recorded_within(file, launch, progress, RecordedRun::MOST)
    }

    /// Records a run. `most` is the first limit of the record, in recorded values.
    fn recorded_within(file: Arc<File>, launch: &Launch, progress: &Progress, most: usize) -> Result<Self, RunFailure> {
        let runner = file.runner().map_err(RunFailure::from)?;
        let (mut task, gold) = task(&file, runner, launch)?;
        task.limits.ablated.clone_from(&launch.ablated);
        let run = runner.record_within(most, task.clone(), launch.machine, &[], progress);
        let moment = Timeline::new(&run).start();
        let mut debugger = Self {
            file: Arc::clone(&file),
            launch: launch.clone(),
            task,
            gold,
            changes: Vec::new(),
            run,
            second: None,
            most,
            moment,
            prompt_cell: moment.cell,
        };
        while debugger.is_beyond_record(moment) && debugger.grow(progress) {}
        if launch.verify {
            let machine = if launch.machine == MachineKind::Psm { MachineKind::Dat } else { MachineKind::Psm };
            let second = Launch { machine, verify: false, ..launch.clone() };
            let second = Box::new(Self::recorded_within(file, &second, progress, most)?);
            // A cancelled run can end anywhere.
            let has_ended = !progress.is_cancelled();
            let disagreement = disagreement(&debugger.run, &second.run).filter(|_| has_ended);
            debugger.second = Some(Second { debugger: second, disagreement });
        }
        Ok(debugger)
    }

    /// The machine that runs it: the PSM for a changed run.
    pub fn machine(&self) -> MachineKind {
        if self.is_changed() { MachineKind::Psm } else { self.launch.machine }
    }

    /// Goes to the start of the run as it was launched, without changed registers. Does nothing if the client cancels
    /// it.
    pub fn restart(&mut self, progress: &Progress) {
        if self.is_changed() || *self.ablated() != self.launch.ablated {
            let unchanged = Self::new(Arc::clone(&self.file), &self.launch, progress);
            let Some(unchanged) = unchanged.ok().filter(|_| !progress.is_cancelled()) else { return };
            *self = unchanged;
        }
        self.go_to(self.timeline().start());
    }

    /// The run on a second machine, at the same moment.
    pub fn second(&self) -> Option<&Self> {
        self.second.as_ref().map(|second| &*second.debugger)
    }

    /// The first moment at which the machines disagree.
    pub fn disagreement(&self) -> Option<Moment> {
        self.second.as_ref()?.disagreement
    }

    /// The program.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// The task of the run, without changed registers.
    pub fn task(&self) -> &Task {
        &self.task
    }

    pub fn run(&self) -> &RecordedRun {
        &self.run
    }

    /// The moments of the run.
    pub fn timeline(&self) -> Timeline<'_> {
        Timeline::new(&self.run)
    }

    /// The expected continuation, if a test is debugged.
    pub fn gold(&self) -> Option<&str> {
        self.gold.as_deref()
    }

    /// The current moment.
    pub fn moment(&self) -> Moment {
        self.moment
    }

    /// The place of the current moment.
    pub fn place(&self) -> StepPlace {
        self.timeline().place(self.moment)
    }

    /// The symbols that the recorded part of the run generates, or its row. Null is `∅`.
    pub fn symbols(&self) -> Vec<String> {
        let timeline = self.timeline();
        let symbol = |step: usize| {
            let value = self.run.value(self.run.output()?, self.run.cell_of_symbol(step), self.run.end());
            Some(self.run.vocabulary().show(value).to_owned())
        };
        (0..).take_while(|&step| timeline.at_symbol(step).is_some()).map_while(symbol).collect()
    }

    /// Makes a movement. At the end of a cut record, records more of the run first.
    pub fn move_by(&mut self, movement: Movement, progress: &Progress) -> Moved {
        loop {
            let Some(target) = self.target(movement) else {
                return if matches!(movement, Movement::Back | Movement::BackIn) { Moved::Start } else { Moved::End };
            };
            if !self.is_beyond_record(target) {
                self.go_to(target);
                return Moved::Yes;
            }
            if !self.grow(progress) {
                return Moved::Paused;
            }
        }
    }

    /// Moves to a moment of the run.
    pub fn go_to(&mut self, moment: Moment) {
        self.moment = moment;
        if moment.step == 0 {
            self.prompt_cell = moment.cell;
        }
        if let Some(second) = &mut self.second {
            second.debugger.go_to(moment);
        }
    }

    /// Moves the focus to another cell at the same place.
    ///
    /// # Errors
    ///
    /// Fails if the current forward step does not compute the cell.
    pub fn set_cell(&mut self, cell: CellId) -> Result<(), DebugError> {
        self.check_cell(cell)?;
        self.go_to(Moment { cell, ..self.moment });
        Ok(())
    }

    /// The cell with a number.
    ///
    /// # Errors
    ///
    /// Fails if the run has no such cell.
    pub fn cell(&self, number: usize) -> Result<CellId, DebugError> {
        let last = self.run.cells();
        let cell = CellId::of_number(number).filter(|cell| cell.index() < last);
        cell.ok_or(DebugError::UnknownCell { cell: number, last })
    }

    /// Fails if the current forward step does not compute the cell.
    pub(super) fn check_cell(&self, cell: CellId) -> Result<(), DebugError> {
        self.cell(cell.number())?;
        if !self.run.cells_of_step(self.moment.step).contains(&cell) {
            return Err(DebugError::CellOfAnotherStep { cell, step: self.run.step_of(cell) });
        }
        Ok(())
    }

    /// Records more of a run whose record is cut. All moments of the record stay valid. Returns false if the record is
    /// complete or has its maximum size, or if `progress` is cancelled.
    pub fn grow(&mut self, progress: &Progress) -> bool {
        if !self.can_grow() {
            return false;
        }
        let Ok(runner) = self.file.runner() else { return false };
        let second = self.second.as_mut().map(|second| &mut second.debugger).filter(|second| second.can_grow());
        if second.is_some_and(|second| !second.grow(progress)) {
            return false;
        }
        let most = self.most.saturating_mul(2).min(RecordedRun::MOST);
        let run = runner.record_within(most, self.task.clone(), self.machine(), &self.changes, progress);
        // A cancelled record may be shorter than the old one.
        if !run.is_cut() && progress.is_cancelled() {
            return false;
        }
        (self.run, self.most) = (run, most);
        if let Some(second) = &mut self.second {
            second.disagreement = disagreement(&self.run, &second.debugger.run);
        }
        true
    }

    /// Runs again with further changes, on the PSM. The current moment stays the same.
    pub(super) fn run_changed(
        &mut self,
        further: impl IntoIterator<Item = Change>,
        progress: &Progress,
    ) -> Result<(), DebugError> {
        let changes: Vec<Change> = self.changes.iter().cloned().chain(further).collect();
        let runner = self.file.runner()?;
        let run = runner.record_within(self.most, self.task.clone(), MachineKind::Psm, &changes, progress);
        if !run.is_cut() && progress.is_cancelled() {
            return Err(DebugError::Cancelled);
        }
        (self.run, self.changes, self.second) = (run, changes, None);
        while self.is_beyond_record(self.moment) && self.grow(progress) {}
        Ok(())
    }

    /// Runs again with other ablated layers, on the same machines and with the same changes. Returns the earlier run.
    /// Both are recorded up to their ends or the limit.
    pub(super) fn run_ablated(
        &mut self,
        layers: BTreeSet<ProductionId>,
        progress: &Progress,
    ) -> Result<RecordedRun, DebugError> {
        while self.grow(progress) {}
        let mut task = self.task.clone();
        task.limits.ablated = layers;
        let runner = self.file.runner()?;
        let run_on = |machine| runner.record_within(RecordedRun::MOST, task.clone(), machine, &self.changes, progress);
        let (run, of_second) = (run_on(self.machine()), self.second().map(|second| run_on(second.machine())));
        if progress.is_cancelled() {
            return Err(DebugError::Cancelled);
        }
        if let Some((second, of_second)) = self.second.as_mut().zip(of_second) {
            second.disagreement = disagreement(&run, &of_second);
            second.debugger.task = task.clone();
            (second.debugger.run, second.debugger.most) = (of_second, RecordedRun::MOST);
        }
        (self.task, self.most) = (task, RecordedRun::MOST);
        Ok(mem::replace(&mut self.run, run))
    }

    pub(super) fn can_grow(&self) -> bool {
        self.run.is_cut() && self.most < RecordedRun::MOST
    }

    /// Whether a moment is the end of a cut record, where the run may have another place.
    fn is_beyond_record(&self, moment: Moment) -> bool {
        self.can_grow() && self.timeline().place(moment) == StepPlace::End
    }

    fn target(&self, movement: Movement) -> Option<Moment> {
        let (timeline, moment) = (self.timeline(), self.moment);
        match movement {
            Movement::Next => timeline.next(moment),
            Movement::In => timeline.next_cell(moment),
            Movement::Out => timeline.out(moment),
            Movement::Back => timeline.back(moment).map(|target| match (target.step, moment.step) {
                (0, 1..) => Moment { cell: self.prompt_cell, ..target },
                _ => target,
            }),
            Movement::BackIn => timeline.back_cell(moment),
        }
    }
}

fn task(file: &File, runner: &Runner, launch: &Launch) -> Result<(Task, Option<String>), RunFailure> {
    let options = |max_passes| psl_runtime::Options { max_passes, ..psl_runtime::Options::default() };
    let options = runner.options(&options(launch.max_passes));
    let test = match &launch.case {
        Some(case) => Some(case),
        None => launch.prompt.test(file.program())?.map(|(_, test)| test),
    };
    let prompt = launch.case.as_ref().map_or_else(|| launch.prompt.clone(), |case| Prompt::from(&case.prompt));
    let options = runner.expecting(test.is_some_and(|test| test.row), options)?;
    Ok((runner.prompt_task(&prompt, &options)?, test.map(|test| test.gold.clone())))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use super::*;
    use crate::fixture::file;

    const PARGEN: &str = include_str!("../../examples/pargen.psl");
    const PROMPT: &str = "Q B V D E A D E V B . Q F G H V K L A";
    const MOVEMENTS: [Movement; 5] = [Movement::Next, Movement::In, Movement::Out, Movement::Back, Movement::BackIn];

    fn debugger(first: usize) -> Debugger {
        let prompt = Prompt::Plain(PROMPT.to_owned());
        let ablated = BTreeSet::new();
        let launch = Launch { prompt, case: None, machine: MachineKind::Psm, max_passes: None, verify: false, ablated };
        Debugger::recorded_within(Arc::new(file(PARGEN)), &launch, &Progress::default(), first).expect("a run")
    }

    /// Each movement with its result and the moment that it leads to.
    fn walk(
        debugger: &mut Debugger,
        movements: impl Iterator<Item = Movement>,
    ) -> Vec<(Movement, Moved, Moment, StepPlace)> {
        let progress = Progress::default();
        let walked = movements.map(|movement| {
            let moved = debugger.move_by(movement, &progress);
            (movement, moved, debugger.moment(), debugger.place())
        });
        walked.collect()
    }

    #[test]
    fn a_record_that_grows_has_the_same_moments() {
        // Movements of all kinds, more of them forward than back.
        let mixed =
            |count: usize| (0..count).filter_map(|index| MOVEMENTS.get((index * index + index / 7) % 11 % 5).copied());
        for movements in [mixed(300).collect(), vec![Movement::Next; 200], vec![Movement::Out; 40]] {
            let (mut short, mut long) = (debugger(1), debugger(RecordedRun::MOST));
            assert!(short.run.is_cut() && !long.run.is_cut());
            let [short_walk, long_walk] =
                [&mut short, &mut long].map(|debugger| walk(debugger, movements.iter().copied()));
            assert_eq!(short_walk, long_walk);
            assert!(short.moment() > short.timeline().start());
        }
    }

    #[test]
    fn a_record_that_grows_reaches_the_end() {
        let mut debugger = debugger(1);
        let end = walk(&mut debugger, std::iter::repeat_n(Movement::Out, 100));
        assert_eq!(end.last().map(|(_, moved, _, place)| (*moved, place)), Some((Moved::End, &StepPlace::End)));
        assert!(!debugger.run().is_cut() && debugger.run().outcome().is_ok());
        assert_eq!(debugger.symbols(), ["K", "L", "V", "F", "G", "H", "."]);
    }

    #[test]
    fn a_cancelled_movement_stays_where_it_is() {
        let mut debugger = debugger(1);
        let progress = Progress::default();
        while !debugger.is_beyond_record(debugger.timeline().next(debugger.moment()).expect("a layer")) {
            assert_eq!(debugger.move_by(Movement::Next, &progress), Moved::Yes);
        }
        let (moment, rows) = (debugger.moment(), debugger.run().rows().len());
        progress.cancelled.store(true, Ordering::Relaxed);
        assert_eq!(debugger.move_by(Movement::Next, &progress), Moved::Paused);
        assert_eq!((debugger.moment(), debugger.run().rows().len()), (moment, rows));
        assert!(progress.is_cancelled());
        assert_eq!(debugger.move_by(Movement::Next, &Progress::default()), Moved::Yes);
        assert!(debugger.moment() > moment && !debugger.is_beyond_record(debugger.moment()));
    }
}
