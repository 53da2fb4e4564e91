//! All updates of a run with all states, for brute force.

use psl_runtime::{Registers, Run, RunError, State, Task, Trace, Update};

pub struct FullTrace {
    pub run: Result<Run, RunError>,
    pub prompt_cells: usize,
    /// The state in which each cell starts.
    pub starts: Vec<State>,
    /// The updates in the order of computation, without those of a layer that only some cells of the prompt ran.
    pub updates: Vec<Update>,
    /// The indices of the updates of each cell.
    of_cells: Vec<Vec<usize>>,
}

impl FullTrace {
    pub fn new(task: &Task, registers: &Registers, run: Result<Run, RunError>, trace: Trace) -> Self {
        let mut updates = trace.updates;
        let mut starts = task.input.cells.clone();
        let prompt_cells = starts.len();
        let of_last = |update: &&Update| updates.last().is_some_and(|last| key(last) == key(update));
        let ran = updates.iter().rev().take_while(of_last).count();
        if updates.last().is_some_and(|last| last.step == 0) && ran < prompt_cells {
            updates.truncate(updates.len() - ran);
        }
        let steps = updates.last().map_or(0, |update| update.step);
        for step in 1..=steps {
            let before = prompt_cells + step - 1;
            let last = updates.iter().rfind(|update| update.cell == before);
            let mut state = last.expect("the cell before").state.as_ref().clone();
            if let Some(position) = registers.roles.position {
                state[position.0 as usize] = task.vocabulary.positions().get(before + 1).copied();
            }
            starts.push(state);
        }
        let mut of_cells = vec![Vec::new(); starts.len()];
        for (index, update) in updates.iter().enumerate() {
            of_cells[update.cell - 1].push(index);
        }
        Self { run, prompt_cells, starts, updates, of_cells }
    }

    /// The updates of a cell in order.
    pub fn of_cell(&self, cell: usize) -> impl DoubleEndedIterator<Item = &Update> {
        self.of_cells[cell - 1].iter().map(|&index| &self.updates[index])
    }

    /// The number of updates of a cell that precede its state as `reader` reads it, or `None` if it does not exist yet.
    pub fn read(&self, reader: &Update, cell: usize) -> Option<usize> {
        if cell > reader.cell.max(self.prompt_cells) {
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
    pub fn state(&self, cell: usize, updates: usize) -> &State {
        updates.checked_sub(1).map_or(&self.starts[cell - 1], |last| &self.updates[self.of_cells[cell - 1][last]].state)
    }
}

/// The step, layer and passes of an update.
pub fn key(update: &Update) -> (usize, usize, &[usize]) {
    (update.step, update.layer, &update.pass)
}
