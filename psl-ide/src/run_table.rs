//! A run as a table: what each layer changed, cell by cell.

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
    iter,
    rc::Rc,
    sync::atomic::Ordering,
};

use psl_runtime::{MachineKind, Task, Update, ValueId, Vocabulary};

use crate::{
    cell_table::cell_table,
    file::File,
    progress::Progress,
    run::{MAX_TRACE, RunRefusal, RunRequest, WAY_TO_SHORTEN, choose, task},
    run_history::RunHistory,
    runner::{Continuation, RunFailure, Runner},
};

/// The table of a run for an editor has as many cells in all layers at most, changed or not.
const MOST_UPDATES: usize = 4_000_000;
/// Longer values are shortened to as many characters.
const SHORT: usize = 40;

/// What the registers hold: entry i is that of the i-th register kept.
type Row = Rc<[Option<ValueId>]>;

/// The table of a run in the making.
pub struct RunTable<'r> {
    runner: &'r Runner,
    vocabulary: Vocabulary,
    /// The registers that are kept: the watched ones, else all.
    kept: Vec<usize>,
    /// Of them those that are shown.
    shown: HashSet<usize>,
    /// The symbols of the prompt's cells.
    symbols: Vec<String>,
    cells: Vec<Cell>,
    blocks: Vec<Block>,
    by_place: HashMap<(usize, Vec<usize>), usize>,
    /// The block of the first layer.
    first: Option<usize>,
    /// The block of the last update, and its step.
    last: Option<(usize, usize)>,
}

/// A cell on its way through the layers.
struct Cell {
    /// What it begins each step with.
    start: Row,
    now: Row,
    step: usize,
}

/// A layer in one pass.
struct Block {
    layer: usize,
    pass: Vec<usize>,
    /// What cells hold behind it; nothing for one that has settled in an earlier pass.
    cells: Vec<Option<Row>>,
    changed: bool,
    /// The block that is run next.
    next: Option<usize>,
}

impl<'r> RunTable<'r> {
    /// The table of a task's run, of which nothing is known yet.
    pub fn new(runner: &'r Runner, task: &Task) -> Self {
        let registers = &runner.executable().registers;
        let short = |name: &String| registers.by_short(name);
        let watched: Vec<usize> = runner.executable().qkvl.watch_list.iter().filter_map(short).collect();
        let input = &task.input.cells;
        let heads = [registers.roles.symbol, registers.roles.position].map(|role| role.map(|id| id.0 as usize));
        let (kept, shown) = if watched.is_empty() {
            let given = |register: &usize| input.iter().any(|cell| cell.get(*register).is_some_and(Option::is_some));
            let kept: Vec<usize> = (0..registers.long.len()).collect();
            // Symbols and positions stand above each block; they are a row where a layer changes one.
            let given = kept.iter().copied().filter(|it| !heads.contains(&Some(*it))).filter(given).collect();
            (kept, given)
        } else {
            (watched.clone(), watched.into_iter().collect())
        };
        let symbol = |cell: &Vec<Option<ValueId>>| {
            let value = heads[0].and_then(|symbol| cell.get(symbol).copied().flatten());
            task.vocabulary.show(value).to_owned()
        };
        let symbols = input.iter().map(symbol).collect();
        let cell = |state: &Vec<Option<ValueId>>| {
            let start = row(state, &kept);
            Cell { now: Rc::clone(&start), start, step: 0 }
        };
        let cells = input.iter().map(cell).collect();
        Self {
            runner,
            vocabulary: task.vocabulary.clone(),
            shown,
            symbols,
            cells,
            kept,
            blocks: Vec::new(),
            by_place: HashMap::new(),
            first: None,
            last: None,
        }
    }

    /// Takes a cell passing through a layer, in the order of the run.
    pub fn note(&mut self, update: &Update) {
        let block = self.block(update);
        self.last = Some((block, update.step));
        let Some(index) = update.cell.checked_sub(1) else { return };
        let after = row(&update.state, &self.kept);
        if self.symbols.len() + update.step > self.cells.len() {
            let start = self.generated();
            self.cells.push(Cell { now: Rc::clone(&start), start, step: update.step });
        }
        let (Some(cell), Some(block)) = (self.cells.get_mut(index), self.blocks.get_mut(block)) else { return };
        if cell.step != update.step {
            cell.step = update.step;
            cell.now = Rc::clone(&cell.start);
        }
        if after != cell.now {
            block.changed = true;
            let changed =
                self.kept.iter().zip(after.iter().zip(cell.now.iter())).filter(|(_, (now, then))| now != then);
            self.shown.extend(changed.map(|(register, _)| *register));
            cell.now = after;
        }
        block.cells.resize(block.cells.len().max(update.cell), None);
        if let Some(held) = block.cells.get_mut(index) {
            *held = Some(Rc::clone(&cell.now));
        }
    }

    /// What the next generated cell begins with: what the one before it ended with, at its own position.
    fn generated(&self) -> Row {
        let position = self.runner.executable().registers.roles.position.map(|position| position.0 as usize);
        let own = self.vocabulary.positions().get(self.cells.len() + 1).copied();
        let before = self.cells.last().into_iter().flat_map(|cell| cell.now.iter());
        let held = |(register, held): (&usize, &Option<ValueId>)| if Some(*register) == position { own } else { *held };
        self.kept.iter().zip(before).map(held).collect()
    }

    /// The block of an update. A new one comes behind that of the update before, in the same step.
    fn block(&mut self, update: &Update) -> usize {
        let place = (update.layer, update.pass.clone());
        if let Some(block) = self.by_place.get(&place) {
            return *block;
        }
        let new = self.blocks.len();
        let before = self.last.filter(|(_, step)| *step == update.step).map(|(block, _)| block);
        let link = match before.and_then(|before| self.blocks.get_mut(before)) {
            Some(before) => &mut before.next,
            None => &mut self.first,
        };
        let next = link.replace(new);
        let (layer, pass) = place.clone();
        self.blocks.push(Block { layer, pass, cells: Vec::new(), changed: false, next });
        self.by_place.insert(place, new);
        new
    }

    /// The table, with what the run gave at its end. `source` is the program's text, where it has one.
    pub fn text(&self, source: &str, got: &Continuation) -> String {
        let symbols: Vec<&str> = self.symbols.iter().chain(&got.symbols).map(String::as_str).collect();
        let first = self.first.and_then(|first| self.blocks.get(first));
        let blocks = iter::successors(first, |block| self.blocks.get(block.next?)).filter(|block| block.changed);
        let shown = blocks
            .map(|block| format!("{}\n{}\n\n", self.heading(block, source), self.registers_by_cells(block, &symbols)));
        shown.chain([format!("⇒ {}\n", got.shown())]).collect()
    }

    fn registers_by_cells(&self, block: &Block, symbols: &[&str]) -> String {
        let names = &self.runner.executable().registers.long;
        let kept = self.kept.iter().enumerate().filter(|(_, register)| self.shown.contains(register));
        let rows = kept.map(|(at, register)| {
            let held = |cell: &Option<Row>| match cell {
                Some(row) => shortened(self.vocabulary.show(row.get(at).copied().flatten())),
                None => Cow::Borrowed(""),
            };
            (names.get(*register).map_or("?", String::as_str), block.cells.iter().map(held).collect::<Vec<_>>())
        });
        let rows: Vec<_> = rows.collect();
        let rows: Vec<_> =
            rows.iter().map(|(name, values)| (*name, values.iter().map(AsRef::as_ref).collect())).collect();
        let symbols: Vec<_> = symbols.iter().take(block.cells.len()).map(|symbol| shortened(symbol)).collect();
        let symbols: Vec<&str> = symbols.iter().map(AsRef::as_ref).collect();
        cell_table(&symbols, &rows)
    }

    /// The number of a layer, its pass, and its label or the line with which it begins.
    fn heading(&self, Block { layer, pass, .. }: &Block, source: &str) -> String {
        let executable = self.runner.executable();
        let index = layer.checked_sub(1);
        let label = index.and_then(|index| executable.labels().get(index).cloned().flatten());
        let label = label.map(|label| label.trim_start_matches(['#', '/']).trim().to_owned());
        let begins = || {
            let head = executable.program.productions().get(index?)?.head;
            let head = source.get(head.start as usize..head.end as usize)?;
            head.lines().next().map(str::to_owned)
        };
        let pass: Vec<String> = pass.iter().map(usize::to_string).collect();
        let pass = if pass.is_empty() { String::new() } else { format!(", pass {}", pass.join(".")) };
        match label.filter(|label| !label.is_empty()).or_else(begins).filter(|name| !name.is_empty()) {
            Some(name) => format!("layer {layer}{pass}: {name}"),
            None => format!("layer {layer}{pass}"),
        }
    }
}

fn row(state: &[Option<ValueId>], kept: &[usize]) -> Row {
    kept.iter().map(|register| state.get(*register).copied().flatten()).collect()
}

fn shortened(value: &str) -> Cow<'_, str> {
    match value.char_indices().nth(SHORT) {
        Some((end, _)) => Cow::Owned(format!("{}…", value.get(..end).unwrap_or_default())),
        None => Cow::Borrowed(value),
    }
}

/// The run that is asked for as a table.
///
/// # Errors
///
/// As [`crate::run`], where the prompt cannot be run, and where the table is larger than an editor is sent.
pub fn table(
    file: &File,
    history: &RunHistory,
    request: &RunRequest,
    progress: &Progress,
) -> Result<String, RunRefusal> {
    bounded_table(file, history, request, progress, (MOST_UPDATES, MAX_TRACE))
}

fn bounded_table(
    file: &File,
    history: &RunHistory,
    request: &RunRequest,
    progress: &Progress,
    (most_updates, most): (usize, usize),
) -> Result<String, RunRefusal> {
    let runner = file.runner()?;
    let (prompt, _) = choose(file, history, request)?;
    let in_words = |failure: RunFailure| failure.message;
    let task = task(runner, &prompt, progress).map_err(in_words)?;
    progress.expect(task.limits.max_new, "symbols at most");
    let mut table = RunTable::new(runner, &task);
    let (mut updates, mut too_many) = (0, false);
    let machine = request.machine.unwrap_or(MachineKind::Dat);
    let result = runner.complete(
        &task,
        machine,
        Some(&mut |update| {
            progress.reach(update.step);
            if updates == most_updates {
                too_many = true;
                // Nobody wants the rest of the run.
                progress.cancelled.store(true, Ordering::Relaxed);
            } else {
                updates += 1;
                table.note(update);
            }
        }),
    );
    let too_large = || {
        let message = format!(
            "the table is larger than an editor is sent, {most_updates} cells in all layers and {} MB of text; \
             `psl run --table` prints tables of any size; {WAY_TO_SHORTEN}",
            most / 1_000_000
        );
        Err(RunRefusal::Failed(message))
    };
    if too_many {
        return too_large();
    }
    let text = table.text(file.text(), &result.map_err(in_words)?);
    if text.len() > most { too_large() } else { Ok(text) }
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, reason = "a test may fail by panic")]
mod tests {
    use super::*;
    use crate::fixture::file;

    /// Nothing is watched, and layers without a label begin with their first line.
    const PROGRAM: &str = "//@ stop \"C\"\nregisters: {symbol: 's', position: 'p', eop: 'z', mark: 'm'}\n\
                           constants: {A, B, C, EOP}\n// what comes next\nwhere symbol[N] == A:\n    mark[N] = B\n\
                           repeat:\n    where symbol[N] == B and mark[N] == B:\n        symbol[N] = C\n    \
                           where symbol[N] == A and\n        eop[N] == EOP:\n        symbol[N] = B\nuntil NO_CHANGE\n";

    fn asked(prompt: &str) -> RunRequest {
        RunRequest { prompt: Some(prompt.to_owned()), ..RunRequest::default() }
    }

    #[test]
    fn a_block_a_layer_that_changed_something() {
        let file = file(PROGRAM);
        let text = |machine| {
            let request = RunRequest { machine: Some(machine), ..asked("x A") };
            table(&file, &RunHistory::default(), &request, &Progress::default()).expect("a table")
        };
        let expected = "layer 1: what comes next\n\
                        symbol  x  A\ncell    1  2\nsymbol  x  A\neop     ∅  EOP\nmark    ∅  B\n\n\
                        layer 3, pass 1: where symbol[N] == A and\n\
                        symbol  x  A\ncell    1  2\nsymbol  x  B\neop     ∅  EOP\nmark    ∅  B\n\n\
                        layer 2, pass 2: where symbol[N] == B and mark[N] == B:\n\
                        symbol  x  A\ncell    1  2\nsymbol  x  C\neop     ∅  EOP\nmark    ∅  B\n\n\
                        ⇒ C\n";
        for machine in MachineKind::ALL {
            assert_eq!(text(machine), expected, "{}", machine.name());
        }
    }

    #[test]
    fn blocks_stand_in_the_order_of_the_run_and_hold_what_it_left_in_each_cell() {
        let file = file(include_str!("../../tests/programs/pargen.psl"));
        let runner = file.runner().expect("it compiles");
        let task = runner.task("Q B V D E A D E V B . Q F G H V K L A").expect("a prompt");
        let (mut table, mut updates) = (RunTable::new(runner, &task), Vec::new());
        let mut observer = |update: &Update| {
            table.note(update);
            updates.push(update.clone());
        };
        runner.complete(&task, MachineKind::Dat, Some(&mut observer)).expect("a run");
        let first = table.first.and_then(|first| table.blocks.get(first));
        let blocks: Vec<&Block> = iter::successors(first, |block| table.blocks.get(block.next?)).collect();
        let place = |update: &Update| {
            blocks.iter().position(|block| (block.layer, &block.pass) == (update.layer, &update.pass)).expect("a block")
        };
        let generated = updates.iter().map(|update| update.step).max();
        assert!(generated.is_some_and(|step| step > 2) && blocks.iter().any(|block| block.pass == [3]), "a long run");
        for updates in updates.chunk_by(|one, next| one.step == next.step) {
            assert!(updates.is_sorted_by_key(place), "step {}", updates[0].step);
        }
        for update in &updates {
            let held = blocks[place(update)].cells[update.cell - 1].as_ref();
            assert_eq!(held, Some(&row(&update.state, &table.kept)), "{update:?}");
        }
        let changes = |block: &&&Block| {
            let of_block = updates.iter().filter(|update| (update.layer, &update.pass) == (block.layer, &block.pass));
            of_block.flat_map(|update| &update.set).any(|(register, _)| table.kept.contains(register))
        };
        let shown = blocks.iter().filter(|block| block.changed);
        assert!(shown.clone().count() > 20 && shown.clone().all(|block| changes(&block)));
    }

    #[test]
    fn a_table_has_a_bound() {
        let file = file(PROGRAM);
        let bounded = |bounds| {
            let progress = Progress::default();
            let table = bounded_table(&file, &RunHistory::default(), &asked("x A"), &progress, bounds);
            (table, progress.is_cancelled())
        };
        let (whole, _) = bounded((MOST_UPDATES, MAX_TRACE));
        let length = whole.expect("a table").len();
        assert!(bounded((MOST_UPDATES, length)).0.is_ok());
        for (bounds, gives_up) in [((MOST_UPDATES, length - 1), false), ((5, MAX_TRACE), true)] {
            let (refusal, cancelled) = bounded(bounds);
            let RunRefusal::Failed(why) = refusal.expect_err("it is too large") else { panic!("the request is right") };
            assert!(why.contains("`psl run --table` prints tables of any size"), "{why}");
            assert_eq!(cancelled, gives_up);
        }
    }
}
