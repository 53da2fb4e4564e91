//! Completions of the console, in the columns of the protocol.

use psl_debug::console::{CompletionKind, completions};
use psl_program::File;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::numbering::Numbering;

/// A cursor in the text of the console.
#[derive(Deserialize)]
pub struct Typed {
    text: String,
    /// The column in UTF-16 code units.
    column: usize,
    /// The line of the text, or `None` for the first.
    #[serde(default)]
    line: Option<usize>,
}

/// Returns the completions at a cursor.
pub fn complete(file: &File, numbering: Numbering, Typed { text, column, line }: &Typed) -> Value {
    let line = line.map_or(0, |line| numbering.index_of_line(line));
    let line = text.split('\n').nth(line).unwrap_or_default();
    let typed = up_to(line, numbering.index_of_column(*column));
    let targets = completions(file, typed).into_iter().map(|completion| {
        let (before, replaced) = typed.split_at_checked(completion.start).unwrap_or((typed, ""));
        json!({
            "label": completion.text,
            "type": kind(completion.kind),
            "start": numbering.column(units(before)),
            "length": units(replaced),
        })
    });
    json!({ "targets": targets.collect::<Vec<_>>() })
}

fn kind(kind: CompletionKind) -> &'static str {
    match kind {
        CompletionKind::Command => "function",
        CompletionKind::Word => "keyword",
        CompletionKind::Label => "reference",
        CompletionKind::Register => "variable",
        CompletionKind::Constant => "value",
    }
}

/// The start of a line, with this many UTF-16 code units.
fn up_to(line: &str, length: usize) -> &str {
    let mut before = 0;
    let end = line.char_indices().find(|(_, char)| {
        before += char.len_utf16();
        before > length
    });
    end.and_then(|(end, _)| line.get(..end)).unwrap_or(line)
}

fn units(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}
