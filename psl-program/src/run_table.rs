//! A run as a table: the registers after each layer, cell by cell.

use std::{
    collections::{HashMap, HashSet},
    iter,
    rc::Rc,
};

use psl_runtime::{Continuation, State, Task, Update, ValueId, Vocabulary};
use psl_syntax::Span;
use unicode_width::UnicodeWidthStr;

use crate::{
    grid::{Grid, GridRow, Paint, Part, START, fitting},
    line_index::LineIndex,
    runner::Runner,
    table_selection::{NoSelection, TableSelection},
};

/// The values of a cell's registers. Entry i belongs to the i-th register kept.
type Values = Rc<[Option<ValueId>]>;

/// The table of a run that is under way.
pub struct RunTable<'r> {
    runner: &'r Runner,
    /// The labels of the productions.
    labels: Vec<Option<String>>,
    selection: TableSelection,
    vocabulary: Vocabulary,
    /// The registers that the table can show: the chosen or watched ones, otherwise all.
    kept: Vec<usize>,
    /// Those of them that every block shows, or `None` for those that are given or change.
    rows: Option<HashSet<usize>>,
    /// The registers that the prompt sets, apart from symbol and position, which are above each block.
    given: HashSet<usize>,
    /// The symbols of the prompt's cells.
    symbols: Vec<String>,
    cells: Vec<Cell>,
    blocks: Vec<LayerBlock>,
    by_row: HashMap<(usize, Vec<usize>), usize>,
    /// The block of the first layer.
    first: Option<usize>,
    /// The block of the last update, and its step.
    last: Option<(usize, usize)>,
}

/// A cell on its way through the layers.
struct Cell {
    /// The values at the start of each step.
    start: Values,
    now: Values,
    step: usize,
}

/// A layer in one pass.
struct LayerBlock {
    layer: usize,
    pass: Vec<usize>,
    /// `None` for a cell that settled in an earlier pass.
    cells: Vec<Option<Passage>>,
    /// The block that runs next.
    next: Option<usize>,
}

/// A cell passing through a layer.
#[derive(Clone)]
struct Passage {
    step: usize,
    before: Values,
    after: Values,
    attends: Option<usize>,
}

/// A block as it is shown.
struct View<'t> {
    layer: usize,
    /// The first and the last pass in which a value changed.
    passes: (&'t [usize], &'t [usize]),
    /// The chosen cells, with their numbers.
    cells: Vec<(usize, Option<&'t Passage>)>,
    /// Entry i holds which of the kept registers changed in the i-th of the cells.
    changed: Vec<Vec<bool>>,
    /// Whether the block shows only the registers that changed.
    brief: bool,
}

impl View<'_> {
    fn is_changed(&self) -> bool {
        self.changed.iter().flatten().any(|changed| *changed)
    }

    fn changes(&self, register: usize) -> bool {
        self.changed.iter().any(|cell| cell.get(register).is_some_and(|changed| *changed))
    }
}

impl<'r> RunTable<'r> {
    /// The table of a task's run before it starts.
    pub fn new(runner: &'r Runner, task: &Task, selection: TableSelection) -> Self {
        let registers = &runner.executable().registers;
        let short = |name: &String| registers.by_short(name);
        let chosen = selection.indices(runner);
        let watched = runner.executable().qkvl().watch_list.iter().filter_map(short).collect();
        let always = if chosen.is_empty() { watched } else { chosen };
        let input = &task.input.cells;
        let heads = [registers.roles.symbol, registers.roles.position].map(|role| role.map(|id| id.0 as usize));
        let is_given = |register: &usize| {
            !heads.contains(&Some(*register)) && input.iter().any(|it| it.get(*register).is_some_and(Option::is_some))
        };
        let given = (0..registers.long.len()).filter(is_given).collect();
        let symbol = |cell: &State| {
            let value = heads[0].and_then(|symbol| cell.get(symbol).copied().flatten());
            task.vocabulary.show(value).to_owned()
        };
        let symbols = input.iter().map(symbol).collect();
        let rows = (!always.is_empty()).then(|| always.iter().copied().collect());
        let kept: Vec<usize> = if always.is_empty() { (0..registers.long.len()).collect() } else { always };
        let cell = |state: &State| {
            let start = row(state, &kept);
            Cell { now: Rc::clone(&start), start, step: 0 }
        };
        let cells = input.iter().map(cell).collect();
        Self {
            runner,
            labels: runner.executable().labels(),
            selection,
            vocabulary: task.vocabulary.clone(),
            rows,
            given,
            symbols,
            cells,
            kept,
            blocks: Vec::new(),
            by_row: HashMap::new(),
            first: None,
            last: None,
        }
    }

    /// Adds an update. Updates must come in the order of the run.
    pub fn note(&mut self, update: &Update) {
        let block = self.block(update);
        self.last = Some((block, update.step));
        let Some(index) = update.cell.checked_sub(1) else { return };
        if self.symbols.len() + update.step > self.cells.len() {
            let start = self.generated();
            self.cells.push(Cell { now: Rc::clone(&start), start, step: update.step });
        }
        let (Some(cell), Some(block)) = (self.cells.get_mut(index), self.blocks.get_mut(block)) else { return };
        if cell.step != update.step {
            cell.step = update.step;
            cell.now = Rc::clone(&cell.start);
        }
        let before = Rc::clone(&cell.now);
        // The state is that after all heads of the layer.
        let after = if update.set.is_empty() {
            Rc::clone(&before)
        } else if self.runner.layers() < self.labels.len() {
            set(&before, &update.set, &self.kept)
        } else {
            row(&update.state, &self.kept)
        };
        if after != before {
            cell.now = after;
        }
        if self.selection.layers.as_ref().is_none_or(|layers| layers.contain(self.runner.layer_of(update.layer))) {
            block.cells.resize(block.cells.len().max(update.cell), None);
            if let Some(held) = block.cells.get_mut(index) {
                let after = Rc::clone(&cell.now);
                *held = Some(Passage { step: update.step, before, after, attends: update.attends });
            }
        }
    }

    /// The start of the next generated cell: a copy of the last one, with its own position.
    fn generated(&self) -> Values {
        let position = self.runner.executable().registers.roles.position.map(|position| position.0 as usize);
        let own = self.vocabulary.positions().get(self.cells.len() + 1).copied();
        let before = self.cells.last().into_iter().flat_map(|cell| cell.now.iter());
        let held = |(register, held): (&usize, &Option<ValueId>)| if Some(*register) == position { own } else { *held };
        self.kept.iter().zip(before).map(held).collect()
    }

    /// The block of an update. A new one comes after that of the preceding update in the same step.
    fn block(&mut self, update: &Update) -> usize {
        let row = (update.layer, update.pass.clone());
        if let Some(block) = self.by_row.get(&row) {
            return *block;
        }
        let new = self.blocks.len();
        let before = self.last.filter(|(_, step)| *step == update.step).map(|(block, _)| block);
        let link = match before.and_then(|before| self.blocks.get_mut(before)) {
            Some(before) => &mut before.next,
            None => &mut self.first,
        };
        let next = link.replace(new);
        let (layer, pass) = row.clone();
        self.blocks.push(LayerBlock { layer, pass, cells: Vec::new(), next });
        self.by_row.insert(row, new);
        new
    }

    /// The table, and the continuation after it unless the run failed. `source` is the program's text, empty if it has none. Lines
    /// are at most `width` columns wide, if possible.
    ///
    /// # Errors
    ///
    /// The run lacks a chosen cell.
    pub fn text(
        &self,
        source: &str,
        got: Option<&Continuation>,
        width: Option<usize>,
        paint: Paint,
    ) -> Result<String, NoSelection> {
        self.selection.check_cells(self.cells.len())?;
        let generated = got.map_or(&[][..], |got| &got.symbols);
        let symbols: Vec<&str> = self.symbols.iter().chain(generated).map(String::as_str).collect();
        let views = self.views();
        let mut rows = self.rows.clone();
        let shown = rows.get_or_insert_with(|| self.given.clone());
        if self.rows.is_none() {
            let changed = |(at, _): &(usize, &usize)| views.iter().any(|view| view.changes(*at));
            shown.extend(self.kept.iter().enumerate().filter(changed).map(|(_, register)| *register));
        }
        let mut text = String::new();
        let lines = LineIndex::new(source);
        let productions = self.runner.executable().program.productions();
        for view in &views {
            let span = view.layer.checked_sub(1).and_then(|index| Some(productions.get(index)?.head));
            let line = span.and_then(|span| first_line(span, source, &lines));
            text += &paint(Part::Title, &self.title(view, line, width));
            text.push('\n');
            text += &self.grid(view, shown, &symbols, width, paint);
            text += "\n\n";
        }
        if views.is_empty() {
            let none = if self.selection.is_whole() {
                "no layer changed a register of the table"
            } else {
                "no change in these layers, cells and registers"
            };
            text += &paint(Part::Frame, none);
            text += "\n\n";
        }
        let end = got.map(|got| paint(Part::Value, &format!("⇒ {}", got.shown())) + "\n");
        Ok(text + &end.unwrap_or_default())
    }

    /// The blocks in the order of the run: one a layer, where it last changes something, or one a pass if layers are chosen.
    fn views(&self) -> Vec<View<'_>> {
        let first = self.first.and_then(|first| self.blocks.get(first));
        let blocks = iter::successors(first, |block| self.blocks.get(block.next?));
        let blocks: Vec<(&LayerBlock, bool)> = blocks.map(|block| (block, self.changes(block))).collect();
        let mut layers: HashMap<usize, Vec<(&LayerBlock, bool)>> = HashMap::new();
        for (block, changed) in &blocks {
            layers.entry(block.layer).or_default().push((block, *changed));
        }
        let Some(chosen) = &self.selection.layers else { return self.folded(&blocks, layers) };
        let mut views = Vec::new();
        for (block, changed) in blocks {
            if changed {
                let brief = !block.pass.is_empty() && self.selection.registers.is_empty();
                views.push(View { brief, ..self.view(&[block]) });
                // A block without a change is shown only if no pass of its layer has one.
                layers.remove(&block.layer);
                continue;
            }
            let passes = layers.get(&block.layer).filter(|_| chosen.name(self.runner.layer_of(block.layer)));
            if passes.is_some_and(|passes| passes.iter().all(|(_, changed)| !changed))
                && let Some(passes) = layers.remove(&block.layer)
            {
                let passes: Vec<&LayerBlock> = passes.into_iter().map(|(block, _)| block).collect();
                views.push(self.view(&passes));
            }
        }
        views
    }

    /// One block a layer that changes something. It has the values after the last change and the row of that change, so that
    /// values never go back in time from one block to the next.
    fn folded<'t>(
        &self,
        blocks: &[(&'t LayerBlock, bool)],
        mut layers: HashMap<usize, Vec<(&'t LayerBlock, bool)>>,
    ) -> Vec<View<'t>> {
        let mut views = Vec::new();
        for (last, _) in blocks.iter().rev().filter(|(_, changed)| *changed) {
            let Some(passes) = layers.remove(&last.layer) else { continue };
            let first = passes.iter().find(|(_, changed)| *changed).map_or(&last.pass, |(first, _)| &first.pass);
            let end = passes.iter().rposition(|(_, changed)| *changed).map_or(0, |at| at + 1);
            let passes: Vec<&LayerBlock> = passes.into_iter().take(end).map(|(block, _)| block).collect();
            views.push(View { passes: (first, &last.pass), ..self.view(&passes) });
        }
        views.reverse();
        views
    }

    fn changes(&self, block: &LayerBlock) -> bool {
        self.view(&[block]).is_changed()
    }

    /// The values of each cell after the last of some passes of a layer, and what changed in any of them.
    fn view<'t>(&self, passes: &[&'t LayerBlock]) -> View<'t> {
        let (first, last) = (passes.first(), passes.last());
        let numbers = 1..=passes.iter().map(|block| block.cells.len()).max().unwrap_or(0);
        let chosen = |number: &usize| self.selection.cells.as_ref().is_none_or(|cells| cells.contain(*number));
        let mut view = View {
            layer: last.map_or(0, |block| block.layer),
            passes: (first.map_or(&[], |it| &it.pass), last.map_or(&[], |it| &it.pass)),
            cells: Vec::new(),
            changed: Vec::new(),
            brief: false,
        };
        for number in numbers.filter(chosen) {
            // A run that computes cells again may take fewer passes the last time.
            let step = self.cells.get(number - 1).map(|cell| cell.step);
            let passages = passes.iter().filter_map(|block| block.cells.get(number - 1)?.as_ref());
            let passages: Vec<&Passage> = passages.filter(|passage| Some(passage.step) == step).collect();
            let differs = |at: usize| passages.iter().any(|it| it.before.get(at) != it.after.get(at));
            view.changed.push((0..self.kept.len()).map(differs).collect());
            view.cells.push((number, passages.last().copied()));
        }
        view
    }

    fn grid(
        &self,
        view: &View,
        shown: &HashSet<usize>,
        symbols: &[&str],
        width: Option<usize>,
        paint: Paint,
    ) -> String {
        let names = &self.runner.executable().registers.long;
        let numbers = view.cells.iter().map(|(number, _)| number.to_string());
        let symbol = |(number, _): &(usize, _)| symbols.get(number - 1).copied().unwrap_or_default();
        let kept = self.kept.iter().enumerate().filter(|(_, register)| shown.contains(register));
        let kept: Vec<(usize, &usize)> = kept.filter(|(at, _)| !view.brief || view.changes(*at)).collect();
        let mut rows = vec![
            GridRow::new("cell", Part::Number, numbers),
            GridRow::new(START, Part::Symbol, view.cells.iter().map(symbol)),
        ];
        for (at, register) in kept {
            let value = |((_, passage), changed): (&(usize, Option<&Passage>), &Vec<bool>)| {
                let held = passage.map(|it| self.vocabulary.show(it.after.get(at).copied().flatten()));
                let part = if changed.get(at) == Some(&true) { Part::Changed } else { Part::Value };
                // A value that is the empty string is not the absence of a cell.
                (part, held.map_or("", |held| if held.is_empty() { "\"\"" } else { held }).to_owned())
            };
            let name = names.get(*register).map_or("?", String::as_str);
            rows.push(GridRow::of_parts(name, view.cells.iter().zip(&view.changed).map(value)));
        }
        let attends = |(number, passage): &(usize, Option<&Passage>)| {
            passage.and_then(|passage| passage.attends).map(|attends| (*number, attends))
        };
        let attends: Vec<_> = view.cells.iter().map(attends).collect();
        if attends.iter().flatten().any(|(cell, attends)| cell != attends) {
            let number = |it: &Option<(usize, usize)>| it.map_or_else(String::new, |(_, attends)| attends.to_string());
            rows.push(GridRow::new("n", Part::Number, attends.iter().map(number)));
        }
        let prompt = view.cells.iter().filter(|(number, _)| *number <= self.symbols.len()).count();
        let grid = Grid::new(rows, prompt).wide();
        let chunks = grid.chunks(width);
        let parts = chunks.iter().map(|chunk| {
            let changed = view.changed.get(chunk.clone()).unwrap_or_default();
            if chunks.len() == 1 || !view.is_changed() || changed.iter().flatten().any(|changed| *changed) {
                return grid.lines(chunk.clone(), paint);
            }
            let cells = view.cells.get(chunk.clone()).unwrap_or_default();
            let (first, last) = (cells.first().map_or(0, |it| it.0), cells.last().map_or(0, |it| it.0));
            let cells = if first == last { format!("cell {first}") } else { format!("cells {first}-{last}") };
            paint(Part::Frame, &format!("{cells}: unchanged"))
        });
        parts.collect::<Vec<_>>().join("\n")
    }

    /// The number of a layer, its passes, its label or first line, and its line number. The label is cut to fit the width.
    fn title(&self, view: &View, line: Option<(&str, usize)>, width: Option<usize>) -> String {
        let label = view.layer.checked_sub(1).and_then(|index| self.labels.get(index)?.as_deref());
        let label = label.map(|label| label.trim_start_matches(['#', '/']).trim());
        let name = label.filter(|label| !label.is_empty()).or_else(|| line.map(|(head, _)| head));
        let layer = format!("{}{}", self.runner.place_in_words(view.layer), passes(view));
        let line = line.map_or_else(String::new, |(_, number)| format!(" · line {number}"));
        let unchanged = if view.is_changed() { "" } else { " · unchanged" };
        let name = name.map_or_else(String::new, |name| {
            let left = width.map_or(usize::MAX, |width| {
                width.saturating_sub(layer.width() + " · ".width() + line.width() + unchanged.width())
            });
            format!(" · {}", fitting(name, left))
        });
        format!("{layer}{name}{line}{unchanged}")
    }
}

/// The first line of a production's head and its number, or `None` without text.
fn first_line<'s>(span: Span, source: &'s str, lines: &LineIndex) -> Option<(&'s str, usize)> {
    let head = source.get(span.range()).filter(|head| !head.is_empty())?;
    Some((head.lines().next().unwrap_or_default(), lines.line(span.start) + 1))
}

fn passes(view: &View) -> String {
    let number = |pass: &[usize]| pass.iter().map(usize::to_string).collect::<Vec<_>>().join(".");
    match view.passes {
        ([], _) => String::new(),
        (first, last) if first == last => format!(", pass {}", number(first)),
        (first, last) => format!(", passes {}-{}", number(first), number(last)),
    }
}

/// The values after a production sets registers.
fn set(before: &Values, set: &[(usize, ValueId)], kept: &[usize]) -> Values {
    let after = |(register, before): (&usize, &Option<ValueId>)| {
        set.iter().find(|(set, _)| set == register).map_or(*before, |(_, value)| Some(*value))
    };
    kept.iter().zip(before.iter()).map(after).collect()
}

fn row(state: &[Option<ValueId>], kept: &[usize]) -> Values {
    kept.iter().map(|register| state.get(*register).copied().flatten()).collect()
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, reason = "a test may fail by panic")]
mod tests {
    use psl_runtime::{MachineKind, to_the_end};

    use super::*;
    use crate::{fixture::file, grid::plain};

    #[test]
    fn blocks_have_the_order_of_the_run_and_the_values_that_it_left_in_each_cell() {
        let file = file(include_str!("../../examples/pargen.psl"));
        let runner = file.runner().expect("it compiles");
        let task = runner.task("Q B V D E A D E V B . Q F G H V K L A").expect("a prompt");
        let (mut table, mut updates) = (RunTable::new(runner, &task, TableSelection::default()), Vec::new());
        let observer = |update: &Update| {
            table.note(update);
            updates.push(update.clone());
        };
        runner.complete(&task, MachineKind::Dat, Some(&mut to_the_end(observer))).expect("a run");
        let first = table.first.and_then(|first| table.blocks.get(first));
        let blocks: Vec<&LayerBlock> = iter::successors(first, |block| table.blocks.get(block.next?)).collect();
        let place = |update: &Update| {
            blocks.iter().position(|block| (block.layer, &block.pass) == (update.layer, &update.pass)).expect("a block")
        };
        let generated = updates.iter().map(|update| update.step).max();
        assert!(generated.is_some_and(|step| step > 2) && blocks.iter().any(|block| block.pass == [3]), "a long run");
        for updates in updates.chunk_by(|one, next| one.step == next.step) {
            assert!(updates.is_sorted_by_key(place), "step {}", updates[0].step);
        }
        for update in &updates {
            let held = blocks[place(update)].cells[update.cell - 1].as_ref().map(|passage| &passage.after);
            assert_eq!(held, Some(&row(&update.state, &table.kept)), "{update:?}");
        }
        let changes = |block: &&&LayerBlock| {
            let of_block = updates.iter().filter(|update| (update.layer, &update.pass) == (block.layer, &block.pass));
            of_block.flat_map(|update| &update.set).any(|(register, _)| table.kept.contains(register))
        };
        let shown = blocks.iter().filter(|block| table.changes(block));
        assert!(shown.clone().count() > 20 && shown.clone().all(|block| changes(&block)));
    }

    /// The table of PARGEN's swap, or why the selection is refused.
    fn selected(layers: &str, cells: &str, registers: &[&str]) -> Result<String, NoSelection> {
        let file = file(include_str!("../../examples/pargen.psl"));
        let runner = file.runner().expect("it compiles");
        let ranges = |text: &str| (!text.is_empty()).then(|| text.parse().expect("ranges"));
        let registers = registers.iter().map(|name| (*name).to_owned()).collect();
        let selection = TableSelection { layers: ranges(layers), cells: ranges(cells), registers };
        selection.check(runner)?;
        let task = runner.task("Q B V D E A D E V B . Q F G H V K L A").expect("a prompt");
        let mut table = RunTable::new(runner, &task, selection);
        let got = runner
            .complete(&task, MachineKind::Dat, Some(&mut to_the_end(|update| table.note(update))))
            .expect("a run");
        table.text(file.text(), Some(&got), Some(80), &plain)
    }

    #[test]
    fn layers_cells_and_registers_are_selected() {
        let headings = |text: &str| -> Vec<String> {
            let headings = text.lines().filter(|line| line.starts_with("layer "));
            headings.map(|line| line.split(" · ").next().unwrap_or_default().to_owned()).collect()
        };
        // Passes are folded unless their layer is chosen.
        let all = selected("", "", &[]).expect("a table");
        assert!(headings(&all).contains(&"layer 12, passes 1-5".to_owned()), "{all}");
        let passes = selected("12", "", &[]).expect("a table");
        assert_eq!(headings(&passes), (1..=5).map(|pass| format!("layer 12, pass {pass}")).collect::<Vec<_>>());
        assert!(!passes.contains("\nfield"), "the layer changes regions only: {passes}");
        // A layer that changes nothing in the chosen cells has no block.
        assert_eq!(headings(&selected("12", "7-8", &[]).expect("a table")), ["layer 12, pass 1", "layer 12, pass 2"]);
        assert!(selected("12-13", "20-", &["region"]).expect("a table").starts_with("no change in these layers"));
        let unchanged = selected("12", "20", &["r"]).expect("a table");
        assert!(unchanged.contains(" · unchanged\ncell    20\nstart   K\nregion  CA\n"), "{unchanged}");
        let two = selected("10", "20,19", &["d", "field"]).expect("a table");
        assert!(two.contains("\ncell   19 │  20\nstart  A  │  K\n"), "{two}");
        let rows: Vec<&str> = two.lines().filter_map(|line| line.split(' ').next()).skip(3).take(2).collect();
        assert_eq!(rows, ["index", "field"], "in the order of the request");
    }

    #[test]
    fn a_selection_outside_the_program_or_the_run_is_refused() {
        let refusal =
            |layers, cells, registers: &[&str]| selected(layers, cells, registers).expect_err("a refusal").to_string();
        assert_eq!(refusal("99", "", &[]), "layer 99 is out of range: the program has 31 layers");
        assert_eq!(refusal("-50", "", &[]), "layer 50 is out of range: the program has 31 layers");
        assert_eq!(refusal("", "26-", &[]), "cell 26 is out of range: the run has 25 cells");
        assert_eq!(refusal("", "", &["rgion"]), "unknown register `rgion`; did you mean `region`?");
        assert!(selected("", "25-99", &[]).is_ok(), "the length of a run is unknown before it ends");
    }

    #[test]
    fn lines_fit_the_width() {
        let text = selected("", "", &[]).expect("a table");
        let widest = text.lines().max_by_key(|line| line.width()).expect("a line");
        assert!(widest.width() <= 80, "{widest}");
        assert!(text.contains("\ncells 21-25: unchanged\n"), "{text}");
    }
}
