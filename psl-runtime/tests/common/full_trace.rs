//! All updates of a run with all states, for brute force.

use psl_runtime::{CellId, Registers, Run, RunError, State, Task, Trace, Update};
use psl_syntax::{index::IndexVec, program::ProductionId};

pub struct FullTrace {
    pub run: Result<Run, RunError>,
    pub prompt_cells: usize,
    /// The state in which each cell starts.
    pub starts: IndexVec<CellId, State>,
    /// The updates in the order of computation, without those of a layer that only some cells of the prompt ran.
    pub updates: Vec<Update>,
    /// The indices of the updates of each cell.
    of_cells: IndexVec<CellId, Vec<usize>>,
}

impl FullTrace {
    pub fn new(task: &Task, registers: &Registers, run: Result<Run, RunError>, trace: Trace) -> Self {
        let mut updates = trace.updates;
        let mut starts = IndexVec::from(task.input.cells.clone());
        let prompt_cells = starts.len();
        let of_last = |update: &&Update| updates.last().is_some_and(|last| key(last) == key(update));
        let ran = updates.iter().rev().take_while(of_last).count();
        if updates.last().is_some_and(|last| last.step == 0) && ran < prompt_cells {
            updates.truncate(updates.len() - ran);
        }
        let steps = updates.last().map_or(0, |update| update.step);
        for step in 1..=steps {
            let before = prompt_cells + step - 1;
            let last = updates.iter().rfind(|update| update.cell.number() == before);
            let mut state = last.expect("the cell before").state.as_ref().clone();
            if let Some(position) = registers.roles.position {
                state[position.0 as usize] = task.vocabulary.positions().get(before + 1).copied();
            }
            starts.push(state);
        }
        let mut of_cells = IndexVec::from(vec![Vec::new(); starts.len()]);
        for (index, update) in updates.iter().enumerate() {
            of_cells[update.cell].push(index);
        }
        Self { run, prompt_cells, starts, updates, of_cells }
    }

    /// The updates of a cell in order.
    pub fn of_cell(&self, cell: CellId) -> impl DoubleEndedIterator<Item = &Update> {
        self.of_cells[cell].iter().map(|&index| &self.updates[index])
    }

    /// The number of updates of a cell that precede its state as `reader` reads it, or `None` if it does not exist yet.
    pub fn read(&self, reader: &Update, cell: CellId) -> Option<usize> {
        if cell.number() > reader.cell.number().max(self.prompt_cells) {
            return None;
        }
        let mut last: Vec<(usize, &Update)> =
            self.of_cell(cell).enumerate().filter(|(_, update)| update.layer == reader.layer).collect();
        for (depth, most) in reader.pass.iter().enumerate() {
            let allowed = last.iter().map(|(_, update)| update.pass[depth]).filter(|pass| pass <= most);
            let pass = allowed.max().expect("a pass");
            last.retain(|(_, update)| update.pass[depth] == pass);
        }
        let [(before, _)] = last[..] else { panic!("{reader:?} of cell {cell}: {last:?}") };
        Some(before)
    }

    /// The state of a cell after some of its updates.
    pub fn state(&self, cell: CellId, updates: usize) -> &State {
        updates.checked_sub(1).map_or(&self.starts[cell], |last| &self.updates[self.of_cells[cell][last]].state)
    }
}

/// The step, layer and passes of an update.
pub fn key(update: &Update) -> (usize, ProductionId, &[usize]) {
    (update.step, update.layer, &update.pass)
}
