//! The values of the watched registers after each layer of a run.

use std::sync::atomic::AtomicBool;

use psl_program::{File, Prompt, count, run_briefly};
use psl_render::grid::{Grid, GridRow, Part, START, plain};
use psl_runtime::{
    CellId, MachineKind, Options, ValueId, Vocabulary,
    record::{RecordedRun, Recorder, Time, history},
};
use psl_syntax::{
    index::IndexVec,
    program::{ProductionId, RegisterId},
};

use crate::markdown::code_block;

/// Maximum length of the values of the prompt in one line, in characters.
const SHORT_PROMPT: usize = 24;
/// Maximum length of the generated values in one line, in characters.
const SHORT_GENERATED: usize = 16;
/// Maximum number of cells in a table.
const MOST_CELLS: usize = 100;
/// The columns of a table.
const WIDTH: usize = 76;

/// The watched registers during the run of one prompt.
pub struct WatchValues {
    pub prompt: Prompt,
    vocabulary: Vocabulary,
    /// The symbols of the prompt and of the continuation.
    symbols: Vec<String>,
    /// The number of cells in the prompt.
    prompt_cells: usize,
    /// For each layer, a row for each watched register.
    layers: IndexVec<ProductionId, Vec<Row>>,
}

/// The values of a register after a layer, in its last pass.
#[derive(Clone)]
pub struct Row {
    pub register: RegisterId,
    /// That in each cell, including generated ones.
    cells: Vec<Option<ValueId>>,
    /// For each cell, whether the layer changed it in any pass.
    changed: Vec<bool>,
    /// Whether the layer wrote it in any cell.
    pub written: bool,
}

impl WatchValues {
    /// Runs a prompt and records the watched registers. `None` if nothing is watched, the prompt cannot be run, the run
    /// takes too long, or `cancelled` is set.
    pub fn new(file: &File, prompt: Prompt, cancelled: &AtomicBool) -> Option<Self> {
        let watch = &file.program().watch;
        if watch.is_empty() {
            return None;
        }
        let runner = file.runner().ok()?;
        let task = runner.prompt_task(&prompt, &runner.options(&Options::default())).ok()?;
        let mut recorder = Recorder::new(runner.executable(), &task, usize::MAX);
        let result = run_briefly(runner, &task, MachineKind::Dat, cancelled, |update| _ = recorder.read(update))?;
        let run = recorder.finish(&[], result);
        let count = runner.executable().qkvl().layers().len();
        let mut layers = IndexVec::from(vec![Vec::with_capacity(watch.len()); count]);
        for register in watch {
            for (layer, row) in layers.as_mut_slice().iter_mut().zip(rows(&run, *register, count)) {
                layer.push(row);
            }
        }
        let symbol = runner.executable().registers.roles.symbol;
        let symbol_of =
            |cell| run.vocabulary().show(symbol.and_then(|symbol| run.value(symbol, cell, Time::START))).to_owned();
        let generated = run.outcome().as_ref().ok()?.symbols.iter().cloned();
        let symbols = CellId::first(run.prompt_cells()).map(symbol_of).chain(generated).collect();
        Some(Self { prompt, vocabulary: run.vocabulary().clone(), symbols, prompt_cells: run.prompt_cells(), layers })
    }

    /// The watched registers after a layer.
    pub fn rows(&self, layer: ProductionId) -> &[Row] {
        self.layers.find(layer).map_or(&[], Vec::as_slice)
    }

    /// Returns the values of a row in the order of the tables, `… A B │ C D`: those of the last cells of the prompt and
    /// of the first generated cells, as many as fit.
    pub fn shortened(&self, row: &Row) -> String {
        let prompt = self.prompt_cells.min(row.cells.len());
        let mut before = self.fitting(row, (0..prompt).rev(), SHORT_PROMPT);
        before.reverse();
        let after = self.fitting(row, prompt..row.cells.len(), SHORT_GENERATED);
        let bar = if before.is_empty() || after.is_empty() { "" } else { " │ " };
        format!("{}{bar}{}", before.join(" "), after.join(" "))
    }

    /// The values of a row in the first of some cells, up to a length, and `…` for the others.
    fn fitting<'w>(&'w self, row: &Row, cells: impl Iterator<Item = usize>, length: usize) -> Vec<&'w str> {
        let (mut fitting, mut left) = (Vec::new(), length);
        for cell in cells {
            let value = self.vocabulary.show(row.cells.get(cell).copied().flatten());
            match left.checked_sub(value.chars().count() + 1) {
                Some(rest) => left = rest,
                None => return [fitting, vec!["…"]].concat(),
            }
            fitting.push(value);
        }
        fitting
    }

    /// Returns a table of named rows, one column per cell, as a code block in Markdown.
    pub fn table(&self, rows: &[(&str, &Row)]) -> String {
        let cells = rows.iter().map(|(_, row)| row.cells.len()).max().unwrap_or(0);
        let shown = cells.min(MOST_CELLS);
        let numbers = (1..=shown).map(|number| number.to_string());
        let mut grid_rows = vec![
            GridRow::new("cell", Part::Number, numbers),
            GridRow::new(START, Part::Symbol, self.symbols.iter().take(shown)),
        ];
        for (name, row) in rows {
            let part = |cell| if row.changed.get(cell) == Some(&true) { Part::Changed } else { Part::Value };
            let values = row.cells.iter().take(shown).enumerate();
            let values = values.map(|(cell, value)| (part(cell), self.vocabulary.show(*value)));
            grid_rows.push(GridRow::of_parts(name, values));
        }
        let grid = Grid::new(grid_rows, self.prompt_cells).wide();
        let chunks = grid.chunks(Some(WIDTH)).into_iter().map(|chunk| grid.lines(chunk, &plain));
        let more = |cells| format!("\n\n… and {}", count(cells, "more cell"));
        let more = if cells > shown { more(cells - shown) } else { String::new() };
        code_block(&(chunks.collect::<Vec<_>>().join("\n") + &more))
    }
}

/// The values of a register after each of some layers.
fn rows(run: &RecordedRun, register: RegisterId, layers: usize) -> IndexVec<ProductionId, Row> {
    let none = Row { register, cells: Vec::new(), changed: Vec::new(), written: false };
    let mut rows = IndexVec::from(vec![none; layers]);
    for cell in CellId::first(run.cells()) {
        let mut writes = history(run, register, cell).into_iter().peekable();
        let mut held = run.value(register, cell, Time::START);
        for &ran in run.rows_of_cell(cell).unwrap_or_default() {
            let write = writes.next_if(|write| write.row == ran);
            held = write.map_or(held, |write| Some(write.value));
            let row = &mut rows[run.rows()[ran].layer];
            row.cells.resize(cell.number(), None);
            row.changed.resize(cell.number(), false);
            if let (Some(value), Some(changed)) = (row.cells.last_mut(), row.changed.last_mut()) {
                *value = held;
                *changed |= write.is_some_and(|write| write.is_change());
            }
            row.written |= write.is_some();
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use psl_program::Prompt;
    use psl_syntax::program::ProductionId;

    use crate::{fixture::file, watch_values::WatchValues};

    #[test]
    fn a_table_has_one_column_per_cell() {
        let program = "//@ test \"Alpha B\" => \"B .\"\nregisters: {symbol: 's', position: 'p', mark: 'm'}\nconstants: {'.'}\n\
                       watch: [mark, position]\nwhere symbol[N] == symbol[N]: mark[N] = symbol[N]\n";
        let file = file(program);
        let prompt = Prompt::Plain("Alpha B".to_owned());
        let watched = WatchValues::new(&file, prompt, &AtomicBool::new(false)).expect("a run");
        let [mark, position] = watched.rows(ProductionId::new(0)) else { panic!("two registers are watched") };
        assert_eq!((mark.written, position.written), (true, false));
        let table = watched.table(&[("mark", mark), ("position", position)]);
        let starts: Vec<String> = table.lines().take(5).map(|line| line.chars().take(29).collect()).collect();
        assert_eq!(
            starts,
            [
                "```text",
                "cell      1      2 │  3  4  5",
                "start     Alpha  B │  B  B  B",
                "mark     *Alpha *B │  B  B  B",
                "position  1      2 │  3  4  5"
            ]
        );
        assert_eq!(watched.shortened(mark), "Alpha B │ B B B B B B B B …");
        assert!(watched.rows(ProductionId::new(1)).is_empty());
    }
}
