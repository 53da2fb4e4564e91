//! What the watched registers hold after each layer of one run.

use std::sync::atomic::AtomicBool;

use psl_runtime::{MachineKind, ValueId, Vocabulary};
use psl_syntax::program::{RegisterId, TestPrompt};

use crate::{brief_run::run_briefly, file::File, markdown::code_block};

/// A row is shortened to as many characters.
const SHORT: usize = 32;
/// A table has as many cells at most.
const MOST_CELLS: usize = 100;

/// The watched registers on the way of one prompt.
pub struct WatchValues {
    /// The prompt.
    pub prompt: TestPrompt,
    vocabulary: Vocabulary,
    /// Entry i is layer i + 1, with a row for each watched register.
    layers: Vec<Vec<Row>>,
}

/// What a register holds after a layer, in its last pass.
#[derive(Clone)]
pub struct Row {
    /// The register.
    pub register: RegisterId,
    /// Entry i is cell i + 1; generated cells too.
    cells: Vec<Option<ValueId>>,
    /// Whether the layer wrote it in some cell.
    pub written: bool,
}

impl WatchValues {
    /// The watched registers on a prompt. Nothing where nothing is watched, the prompt cannot be run, the run takes long, or
    /// `cancelled` is set meanwhile.
    pub fn new(file: &File, prompt: TestPrompt, cancelled: &AtomicBool) -> Option<Self> {
        let watch = &file.checked().analysis.program.watch;
        if watch.is_empty() {
            return None;
        }
        let runner = file.runner().ok()?;
        let task = runner.test_task(&prompt).ok()?;
        let row = |register: &RegisterId| Row { register: *register, cells: Vec::new(), written: false };
        let mut layers = vec![watch.iter().map(row).collect::<Vec<_>>(); runner.executable().qkvl.layers().len()];
        let vocabulary = task.vocabulary.clone();
        let result = run_briefly(runner, task, MachineKind::Dat, cancelled, |update| {
            let rows = update.layer.checked_sub(1).and_then(|layer| layers.get_mut(layer));
            for row in rows.into_iter().flatten() {
                let register = row.register.0 as usize;
                row.cells.resize(row.cells.len().max(update.cell), None);
                if let Some(cell) = update.cell.checked_sub(1).and_then(|cell| row.cells.get_mut(cell)) {
                    *cell = update.state.get(register).copied().flatten();
                }
                row.written |= update.set.iter().any(|(set, _)| *set == register);
            }
        });
        result?.ok()?;
        Some(Self { prompt, vocabulary, layers })
    }

    /// The watched registers after a layer, counted from 0.
    pub fn rows(&self, layer: usize) -> &[Row] {
        self.layers.get(layer).map_or(&[], Vec::as_slice)
    }

    /// The start of a row.
    pub fn shortened(&self, row: &Row) -> String {
        let mut text = String::new();
        for cell in &row.cells {
            if text.chars().count() > SHORT {
                text.push_str(" …");
                break;
            }
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(self.vocabulary.show(*cell));
        }
        text
    }

    /// Named rows below each other, cell by cell, as a code block in Markdown.
    pub fn table(&self, rows: &[(&str, &Row)]) -> String {
        let cells = rows.iter().map(|(_, row)| row.cells.len()).max().unwrap_or(0);
        let mut lines = vec!["cell".to_owned()];
        lines.extend(rows.iter().map(|(name, _)| (*name).to_owned()));
        for cell in 0..cells.min(MOST_CELLS) {
            pad(&mut lines);
            let number = (cell + 1).to_string();
            let values = rows.iter().map(|(_, row)| self.vocabulary.show(row.cells.get(cell).copied().flatten()));
            for (line, value) in lines.iter_mut().zip(std::iter::once(number.as_str()).chain(values)) {
                line.push_str("  ");
                line.push_str(value);
            }
        }
        let more = if cells > MOST_CELLS { "\n…" } else { "" };
        code_block(&(lines.join("\n") + more))
    }
}

/// Makes all lines as long as the longest.
fn pad(lines: &mut [String]) {
    let widths: Vec<usize> = lines.iter().map(|line| line.chars().count()).collect();
    let widest = widths.iter().copied().max().unwrap_or(0);
    for (line, width) in lines.iter_mut().zip(widths) {
        line.push_str(&" ".repeat(widest - width));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use psl_syntax::program::TestPrompt;

    use crate::{fixture::file, watch_values::WatchValues};

    #[test]
    fn a_table_has_a_column_a_cell() {
        let program = "//@ test \"Alpha B\" => \"B .\"\nregisters: {symbol: 's', position: 'p', mark: 'm'}\nconstants: {'.'}\n\
                       watch: [mark, position]\nwhere symbol[N] == symbol[N]: mark[N] = symbol[N]\n";
        let file = file(program);
        let prompt = TestPrompt::Plain("Alpha B".to_owned());
        let watched = WatchValues::new(&file, prompt, &AtomicBool::new(false)).expect("a run");
        let [mark, position] = watched.rows(0) else { panic!("two registers are watched") };
        assert_eq!((mark.written, position.written), (true, false));
        let table = watched.table(&[("mark", mark), ("position", position)]);
        let lines: Vec<&str> = table.lines().map(|line| line.get(..26).unwrap_or(line)).collect();
        assert_eq!(
            lines,
            [
                "```text",
                "cell      1      2  3  4  5",
                "mark      Alpha  B  B  B  B",
                "position  1      2  3  4  5",
                "```"
            ]
            .map(|line| line.get(..26).unwrap_or(line))
        );
        assert_eq!(watched.shortened(mark), "Alpha B B B B B B B B B B B B B B …");
        assert!(watched.rows(1).is_empty());
    }
}
