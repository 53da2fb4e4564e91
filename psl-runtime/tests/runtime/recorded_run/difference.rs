//! The first difference of two runs.

use std::ops::{Range, RangeInclusive};

use psl_runtime::{
    CellId, Executable, MachineKind, State, Task, Update, ValueId,
    record::{DifferenceKind, RecordedRun, Row, RowId, first_difference},
};
use psl_syntax::program::RegisterId;

use super::{enough, record, seeds, traced};
use crate::common::{
    self,
    full_trace::{FullTrace, key},
    random::Random,
};

struct Run {
    task: Task,
    trace: FullTrace,
    recorded: RecordedRun,
}

impl Run {
    fn new(executable: &Executable, task: Task) -> Self {
        let (trace, task) = traced(executable, task, MachineKind::Dat);
        let recorded = record(executable, &task, MachineKind::Dat);
        Self { task, trace, recorded }
    }

    fn text(&self, value: ValueId) -> &str {
        self.task.vocabulary.text(value).expect("a value")
    }

    fn start(&self, cell: CellId) -> Vec<Option<&str>> {
        let start: &State = &self.trace.starts[cell];
        start.iter().map(|value| value.map(|value| self.text(value))).collect()
    }

    fn set(&self, update: &Update) -> Vec<(RegisterId, &str)> {
        update.set.iter().map(|&(register, value)| (register, self.text(value))).collect()
    }

    /// The updates that both runs can have.
    fn updates(&self, cells: &RangeInclusive<usize>, steps: usize) -> Vec<&Update> {
        let compared = |update: &&Update| cells.contains(&update.cell.number()) && update.step <= steps;
        self.trace.updates.iter().filter(compared).collect()
    }

    fn row(&self, update: &Update) -> Option<RowId> {
        let is_of = |row: &Row| row.layer == update.layer && row.pass == update.pass;
        self.recorded.rows().iter().position(is_of).map(RowId::new)
    }
}

/// Two runs of a random program, mostly on prompts of the same length.
fn pair(seed: u64) -> [Run; 2] {
    let mut random = Random::new(seed);
    let executable = Executable::new(random.program());
    let (cells, options) = common::random_prompt(&mut random, &executable.registers);
    let mut others = cells.clone();
    match random.below(8) {
        0 => others = common::random_prompt(&mut random, &executable.registers).0,
        1 => {}
        _ => {
            let changed = random.below(others.len() as u64) as usize;
            others[changed].push((RegisterId(random.choose(&[0, 4, 5])), random.choose(&["A", "B", "X", "C", "D"])));
        }
    }
    [cells, others].map(|cells| {
        let task = executable.structured_task(&cells, &options).expect("a task");
        Run::new(&executable, task)
    })
}

#[test]
fn the_first_difference_is_that_of_the_traces() {
    let mut kinds = [0; 4];
    let Range { start, end } = seeds();
    for seed in start..end + 3 * (end - start) {
        let runs = pair(seed);
        let [left, right] = &runs;
        let found = first_difference(&left.recorded, &right.recorded);
        let lengths = [left, right].map(|run| run.trace.prompt_cells);
        let short = lengths[0].min(lengths[1]);
        let start = CellId::first(short).find(|&cell| left.start(cell) != right.start(cell));
        let start = start.or((lengths[0] != lengths[1]).then_some(CellId::new(short)));
        assert_eq!(found.start, start, "seed {seed}");

        let (cells, steps) = if lengths[0] == lengths[1] { (1..=usize::MAX, usize::MAX) } else { (1..=short, 0) };
        let [ours, theirs] = [left, right].map(|run| run.updates(&cells, steps));
        let alike = |index: usize| match (ours.get(index), theirs.get(index)) {
            (Some(ours), Some(theirs)) => {
                let places = (key(ours), ours.cell) == (key(theirs), theirs.cell);
                places && ours.attends == theirs.attends && left.set(ours) == right.set(theirs)
            }
            _ => false,
        };
        let Some(index) = (0..ours.len().max(theirs.len())).find(|&index| !alike(index)) else {
            assert_eq!(found.update, None, "seed {seed}");
            kinds[0] += 1;
            continue;
        };
        let update = found.update.unwrap_or_else(|| panic!("seed {seed}: no difference"));
        let (ours, theirs) = (ours.get(index).copied(), theirs.get(index).copied());
        let here = |run: &Run, own: Option<&Update>, row: Option<RowId>| {
            row.is_some() && own.is_some_and(|own| own.cell == update.cell && run.row(own) == row)
        };
        let here = [here(left, ours, update.rows[0]), here(right, theirs, update.rows[1])];
        match (update.kind, ours, theirs) {
            (DifferenceKind::Attends, Some(ours), Some(theirs)) => {
                assert!(here == [true; 2] && ours.attends != theirs.attends, "seed {seed}: {update:?}");
            }
            (DifferenceKind::Writes, Some(ours), Some(theirs)) => {
                assert!(here == [true; 2] && ours.attends == theirs.attends, "seed {seed}: {update:?}");
                assert_ne!(left.set(ours), right.set(theirs), "seed {seed}: {update:?}");
            }
            (DifferenceKind::Missing, ..) => {
                let [of_left, of_right] = here;
                assert!(of_left != of_right, "seed {seed}: {update:?}");
                let (other, own) = if of_left { (right, ours) } else { (left, theirs) };
                let own = own.expect("an update");
                let same = |it: &Update| (key(it), it.cell) == (key(own), own.cell);
                assert!(!other.trace.updates.iter().any(same), "seed {seed}: {update:?}");
                assert_eq!(update.rows.iter().flatten().count(), 1, "seed {seed}: {update:?}");
            }
            _ => panic!("seed {seed}: {update:?}"),
        }
        kinds[1 + update.kind as usize] += 1;
    }
    for (count, what) in
        kinds.into_iter().zip(["pairs that agree", "updates missing", "other attention", "other values"])
    {
        enough(count, 5, what);
    }
}
