//! A run as a table: the registers after each layer, cell by cell.

use std::collections::{BTreeMap, BTreeSet};

use psl_program::{NoSelection, Runner, TableSelection};
use psl_runtime::{
    CellId, State, ValueId,
    record::{CellWrite, RecordedRun, RowId, Time, Write, history},
};
use psl_syntax::{
    LineIndex, Span,
    index::IndexVec,
    program::{ProductionId, RegisterId},
};
use unicode_width::UnicodeWidthStr;

use super::grid::{Grid, GridRow, Paint, Part, START, fitting};

/// A table of a recorded run.
pub struct RunTable<'r> {
    runner: &'r Runner,
    run: &'r RecordedRun,
    selection: &'r TableSelection,
    /// The symbols of all cells.
    symbols: IndexVec<CellId, &'r str>,
    /// The registers that the table can show, in its order: the chosen or watched ones, otherwise all.
    kept: Vec<RegisterId>,
    /// Whether every block shows all of them, or those that are given or change.
    always: bool,
    /// By row: what it changed of the chosen cells and the registers kept.
    changes: BTreeMap<RowId, Vec<CellWrite>>,
}

/// A layer in some of its passes.
struct Block {
    layer: ProductionId,
    /// The rows that change something, or all rows of the layer if none does. There is at least one.
    rows: Vec<RowId>,
    is_changed: bool,
    /// The row from which on a cell may have taken its last pass.
    first: RowId,
}

impl Block {
    fn last(&self) -> RowId {
        self.rows.last().copied().unwrap_or(self.first)
    }
}

impl<'r> RunTable<'r> {
    /// The table of a run.
    ///
    /// # Errors
    ///
    /// The run lacks a chosen cell.
    pub fn new(runner: &'r Runner, run: &'r RecordedRun, selection: &'r TableSelection) -> Result<Self, NoSelection> {
        selection.check_cells(run.cells())?;
        let registers = &runner.executable().registers;
        let watched = || runner.executable().qkvl().watch_list.iter().filter_map(|short| registers.by_short(short));
        let chosen = selection.chosen_registers(runner);
        let always = if chosen.is_empty() { watched().collect() } else { chosen };
        let shows_all = !always.is_empty();
        let kept = if shows_all { always } else { registers.ids().collect() };
        let mut changes = BTreeMap::<RowId, Vec<CellWrite>>::new();
        for cell in CellId::first(run.cells()).filter(|cell| selection.has_cell(*cell)) {
            for &register in &kept {
                for write in history(run, register, cell).into_iter().filter(Write::is_change) {
                    let change = CellWrite { cell, register, value: write.value };
                    changes.entry(write.row).or_default().push(change);
                }
            }
        }
        let symbol = registers.roles.symbol;
        let given = |cell| run.vocabulary().show(symbol.and_then(|symbol| run.value(symbol, cell, Time::START)));
        let generated = run.outcome().as_ref().map_or(&[][..], |got| &got.symbols);
        let symbols: Vec<_> =
            CellId::first(run.prompt_cells()).map(given).chain(generated.iter().map(String::as_str)).collect();
        Ok(Self { runner, run, selection, symbols: symbols.into(), kept, always: shows_all, changes })
    }

    /// The table as text, and the continuation after it unless the run failed. `source` is the program's text, empty if
    /// it has none. Lines are at most `width` columns wide, if possible.
    pub fn text(&self, source: &str, width: Option<usize>, paint: Paint) -> String {
        let blocks = self.blocks();
        let shown = self.shown(&blocks);
        let lines = LineIndex::new(source);
        let productions = self.runner.executable().program.productions();
        let labels = self.runner.executable().labels();
        let mut changes = self.changes.iter().peekable();
        let mut states: IndexVec<CellId, State> =
            CellId::first(self.run.cells()).map(|cell| self.run.start(cell).into()).collect();
        let mut text = String::new();
        for block in &blocks {
            while let Some((_, changes)) = changes.next_if(|(row, _)| block.is_changed && **row <= block.last()) {
                for CellWrite { cell, register, value } in changes {
                    if let Some(slot) = states[*cell].get_mut(register.index()) {
                        *slot = Some(*value);
                    }
                }
            }
            let line = productions.find(block.layer).and_then(|production| first_line(production.head, source, &lines));
            text += &paint(
                Part::Title,
                &self.title(block, labels.get(block.layer.index()).and_then(Option::as_deref), line, width),
            );
            text.push('\n');
            let value = |register: RegisterId, cell: CellId, row| {
                // A search for the value would go through all layers that write the register. Most cells took part in
                // the last row.
                if block.is_changed && row == block.last() {
                    return states[cell].get(register.index()).copied().flatten();
                }
                self.run.value(register, cell, Time::after(row))
            };
            text += &self.grid(block, &shown, value, width, paint);
            text += "\n\n";
        }
        if blocks.is_empty() {
            let none = if self.selection.is_whole() {
                "no layer changed a register of the table"
            } else {
                "no change in these layers, cells and registers"
            };
            text += &paint(Part::Frame, none);
            text += "\n\n";
        }
        let end = self.run.outcome().as_ref().map(|got| paint(Part::Value, &format!("⇒ {}", got.shown())) + "\n");
        text + &end.unwrap_or_default()
    }

    /// The registers of the table: all that are kept, or those that the prompt sets, apart from symbol and position,
    /// which are above each block, and those that change.
    fn shown(&self, blocks: &[Block]) -> Vec<RegisterId> {
        let changes = blocks.iter().flat_map(|block| self.changes_of(block));
        let registers: BTreeSet<RegisterId> = changes.map(|change| change.register).collect();
        let roles = self.runner.executable().registers.roles;
        let heads = [roles.symbol, roles.position];
        let is_given = |register: RegisterId| {
            let given = |cell| self.run.value(register, cell, Time::START).is_some();
            !heads.contains(&Some(register)) && CellId::first(self.run.prompt_cells()).any(given)
        };
        let is_shown = |&register: &RegisterId| self.always || is_given(register) || registers.contains(&register);
        self.kept.iter().copied().filter(is_shown).collect()
    }

    /// The blocks in the order of the run: one a layer, or one a pass if layers are chosen. A layer has the values
    /// after its last change and the row of that change, so that values never go back in time from one block to the
    /// next.
    fn blocks(&self) -> Vec<Block> {
        let mut changing = BTreeMap::<ProductionId, Vec<RowId>>::new();
        for &row in self.changes.keys() {
            changing.entry(self.run.rows()[row].layer).or_default().push(row);
        }
        let mut blocks: Vec<Block> = match &self.selection.layers {
            None => {
                let folded = |(layer, rows)| Block { layer, rows, is_changed: true, first: RowId::new(0) };
                changing.into_iter().map(folded).collect()
            }
            Some(chosen) => {
                let layers = ProductionId::first(self.runner.executable().labels().len());
                // A layer without a change has one block for all passes, if it is named.
                let unchanged = |&layer: &ProductionId| {
                    !changing.contains_key(&layer) && chosen.name(self.runner.layer_of(layer).number())
                };
                let unchanged = layers.filter(unchanged).filter_map(|layer| self.unchanged(layer));
                let pass = |(&layer, rows): (&ProductionId, &Vec<RowId>)| {
                    let of_row = |&row: &RowId| Block { layer, rows: vec![row], is_changed: true, first: row };
                    rows.iter().map(of_row).collect::<Vec<_>>()
                };
                let changed =
                    changing.iter().filter(|(layer, _)| chosen.contain(self.runner.layer_of(**layer).number()));
                changed.flat_map(pass).chain(unchanged).collect()
            }
        };
        blocks.sort_by_key(|block| if block.is_changed { block.last() } else { block.first });
        blocks
    }

    /// The block of a layer that changes nothing. `None` if it did not run.
    fn unchanged(&self, layer: ProductionId) -> Option<Block> {
        let rows: Vec<RowId> = self.run.rows_of_layer(layer).collect();
        Some(Block { layer, first: *rows.first()?, rows, is_changed: false })
    }

    /// The chosen cells up to the last one that took part in a block, each with its last row there.
    fn cells(&self, block: &Block) -> Vec<(CellId, Option<RowId>)> {
        let last =
            |cell| self.run.last_row(block.layer, cell, Time::after(block.last())).filter(|row| *row >= block.first);
        let mut cells: Vec<_> = CellId::first(self.run.cells()).map(|cell| (cell, last(cell))).collect();
        let took_part = cells.iter().rposition(|(_, row)| row.is_some()).map_or(0, |last| last + 1);
        cells.truncate(took_part);
        cells.retain(|(cell, _)| self.selection.has_cell(*cell));
        cells
    }

    fn changes_of(&self, block: &Block) -> impl Iterator<Item = &CellWrite> {
        block.rows.iter().filter_map(|row| self.changes.get(row)).flatten()
    }

    fn pass(&self, row: RowId) -> &[usize] {
        &self.run.rows()[row].pass
    }

    /// The registers of a block. `value` returns that of a register of a cell after a row.
    fn grid(
        &self,
        block: &Block,
        shown: &[RegisterId],
        value: impl Fn(RegisterId, CellId, RowId) -> Option<ValueId>,
        width: Option<usize>,
        paint: Paint,
    ) -> String {
        let cells = self.cells(block);
        let changed: BTreeSet<(CellId, RegisterId)> = self.changes_of(block).map(|it| (it.cell, it.register)).collect();
        let is_changed = |register| changed.iter().any(|(_, changed)| *changed == register);
        // A pass that is chosen shows what it changes.
        let is_pass = self.selection.layers.is_some() && !self.pass(block.last()).is_empty();
        let is_brief = is_pass && block.is_changed && self.selection.registers.is_empty();
        let names = &self.runner.executable().registers;
        let numbers = cells.iter().map(|(cell, _)| cell.to_string());
        let symbol = |(cell, _): &(CellId, _)| self.symbols.find(*cell).copied().unwrap_or_default();
        let mut rows = vec![
            GridRow::new("cell", Part::Number, numbers),
            GridRow::new(START, Part::Symbol, cells.iter().map(symbol)),
        ];
        for &register in shown.iter().filter(|register| !is_brief || is_changed(**register)) {
            let shown = |&(cell, row): &(CellId, Option<RowId>)| {
                let held = row.map(|row| self.run.vocabulary().show(value(register, cell, row)));
                let part = if changed.contains(&(cell, register)) { Part::Changed } else { Part::Value };
                // A value that is the empty string is not the absence of a cell.
                (part, held.map_or("", |held| if held.is_empty() { "\"\"" } else { held }))
            };
            let name = names.name(register);
            rows.push(GridRow::of_parts(name, cells.iter().map(shown)));
        }
        let attends = cells.iter().map(|&(cell, row)| self.run.attends(row?, cell));
        let attends: Vec<Option<CellId>> = attends.collect();
        if cells.iter().zip(&attends).any(|((cell, _), attends)| attends.is_some_and(|attends| attends != *cell)) {
            let number = |attends: &Option<CellId>| attends.map_or_else(String::new, |attends| attends.to_string());
            rows.push(GridRow::new("n", Part::Number, attends.iter().map(number)));
        }
        let prompt = cells.iter().filter(|(cell, _)| cell.index() < self.run.prompt_cells()).count();
        let grid = Grid::new(rows, prompt).wide();
        let chunks = grid.chunks(width);
        let parts = chunks.iter().map(|chunk| {
            let of_chunk = cells.get(chunk.clone()).unwrap_or_default();
            let ([(first, _), ..], [.., (last, _)]) = (of_chunk, of_chunk) else {
                return grid.lines(chunk.clone(), paint);
            };
            let mut of_cells = changed.range((*first, RegisterId(0))..=(*last, RegisterId(u32::MAX)));
            if chunks.len() == 1 || changed.is_empty() || of_cells.next().is_some() {
                return grid.lines(chunk.clone(), paint);
            }
            let cells = if first == last { format!("cell {first}") } else { format!("cells {first}-{last}") };
            paint(Part::Frame, &format!("{cells}: unchanged"))
        });
        parts.collect::<Vec<_>>().join("\n")
    }

    /// The number of a layer, its passes, its label or first line, and its line number. The label is cut to fit the
    /// width.
    fn title(&self, block: &Block, label: Option<&str>, line: Option<(&str, usize)>, width: Option<usize>) -> String {
        let label = label.map(|label| label.trim_start_matches(['#', '/']).trim());
        let name = label.filter(|label| !label.is_empty()).or_else(|| line.map(|(head, _)| head));
        let layer = format!("{}{}", self.runner.place_in_words(block.layer), self.passes(block));
        let line = line.map_or_else(String::new, |(_, number)| format!(" · line {number}"));
        let unchanged = if block.is_changed { "" } else { " · unchanged" };
        let name = name.map_or_else(String::new, |name| {
            let left = width.map_or(usize::MAX, |width| {
                width.saturating_sub(layer.width() + " · ".width() + line.width() + unchanged.width())
            });
            format!(" · {}", fitting(name, left))
        });
        format!("{layer}{name}{line}{unchanged}")
    }

    /// The first and the last pass of a block's rows.
    fn passes(&self, block: &Block) -> String {
        let number = |pass: &[usize]| pass.iter().map(usize::to_string).collect::<Vec<_>>().join(".");
        match (self.pass(block.rows.first().copied().unwrap_or(block.first)), self.pass(block.last())) {
            ([], _) => String::new(),
            (first, last) if first == last => format!(", pass {}", number(first)),
            (first, last) => format!(", passes {}-{}", number(first), number(last)),
        }
    }
}

/// The first line of a production's head and its number, or `None` without text.
fn first_line<'s>(span: Span, source: &'s str, lines: &LineIndex) -> Option<(&'s str, usize)> {
    let head = source.get(span.range()).filter(|head| !head.is_empty())?;
    Some((head.lines().next().unwrap_or_default(), lines.line(span.start) + 1))
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, reason = "a test may fail by panic")]
mod tests {
    use std::sync::Arc;

    use psl_runtime::{
        Executable, MachineKind, Vocabulary,
        record::Recorder,
        weights::{Matrix, WeightsBlock, file::Model},
    };

    use super::*;
    use crate::{fixture::file, grid::plain};

    #[test]
    fn weights_that_no_program_has_have_a_table() {
        let file = file(include_str!("../../examples/pargen.psl"));
        let qkvl = file.runner().expect("it compiles").executable().qkvl();
        let prompt = "Q B V D E A D E V B . Q F G H V K L A";
        let symbols: Vec<&str> = prompt.split(' ').chain(["unused"]).collect();
        let mut model = Model::new(qkvl, Vocabulary::with_positions(&qkvl.constants(), &symbols, 40));
        let table = |model: &Model, layers: Option<&str>| {
            let runner = Runner::of(Executable::of_weights(model.clone()));
            let task = runner.task(prompt).expect("a prompt");
            let mut recorder = Recorder::new(runner.executable(), &task, usize::MAX);
            let got = runner.complete(&task, MachineKind::Dat, Some(&mut |update| recorder.read(update)));
            let run = recorder.finish(&[], got);
            let layers = layers.map(|layers| layers.parse().expect("ranges"));
            let selection = TableSelection { layers, ..TableSelection::default() };
            let table = RunTable::new(&runner, &run, &selection).expect("a table").text("", None, &plain);
            (table, runner.executable().why_not_on(MachineKind::Qkvm).is_some())
        };
        let selections = [None, Some("1-31"), Some("12"), Some("1")];
        let of_program = selections.map(|layers| table(&model, layers));
        // No cell has the last value, so that the change has no effect.
        let last = model.weights.dimension - 1;
        let WeightsBlock::Layer(layer) = &mut model.weights.blocks[0] else { panic!("a layer comes first") };
        let matrix = &mut layer.matching.query.weights[0].matrix;
        let changed = (0..=last).map(|row| {
            let other = (row == last).then_some((last as u32, 0.5));
            matrix.row(row).iter().copied().filter(|_| row != last).chain(other).collect::<BTreeMap<u32, f32>>()
        });
        *matrix = Arc::new(Matrix::new(changed.collect::<Vec<_>>()));
        for (layers, (expected, lacks)) in selections.into_iter().zip(of_program) {
            assert_eq!((lacks, table(&model, layers)), (false, (expected, true)), "{layers:?}");
        }
    }

    /// The table of PARGEN's swap, or why the selection is refused.
    fn selected(layers: &str, cells: &str, registers: &[&str]) -> Result<String, NoSelection> {
        computed(layers, cells, registers, false)
    }

    /// The same, in which each step may compute all cells again.
    fn computed(layers: &str, cells: &str, registers: &[&str], recompute: bool) -> Result<String, NoSelection> {
        let file = file(include_str!("../../examples/pargen.psl"));
        let runner = file.runner().expect("it compiles");
        let ranges = |text: &str| (!text.is_empty()).then(|| text.parse().expect("ranges"));
        let registers = registers.iter().map(|name| (*name).to_owned()).collect();
        let selection = TableSelection { layers: ranges(layers), cells: ranges(cells), registers };
        selection.check(runner)?;
        let mut task = runner.task("Q B V D E A D E V B . Q F G H V K L A").expect("a prompt");
        task.limits.recompute = recompute;
        let mut recorder = Recorder::new(runner.executable(), &task, usize::MAX);
        let got = runner.complete(&task, MachineKind::Dat, Some(&mut |update| recorder.read(update)));
        let run = recorder.finish(&[], got);
        Ok(RunTable::new(runner, &run, &selection)?.text(file.text(), Some(80), &plain))
    }

    #[test]
    fn cells_that_are_computed_again_have_the_same_table() {
        for layers in ["", "1-31"] {
            assert_eq!(computed(layers, "", &[], true), selected(layers, "", &[]));
        }
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
