//! Completions of the console, in the columns of the protocol.

use psl_debug::console::{self, CompletionKind};
use psl_program::File;
use psl_syntax::{
    LineIndex, Span,
    line_index::{Encoding, Position},
};
use serde_json::{Value, json};

use crate::{numbering::Numbering, requests::Typed};

/// The completions at a cursor.
pub fn completions(file: &File, numbering: Numbering, Typed { text, column, line }: &Typed) -> Value {
    let lines = LineIndex::new(text);
    let line = line.map_or(0, |line| numbering.index_of_line(line));
    let offset = |column| lines.offset(Position { line, column }, Encoding::Utf16);
    let typed = Span::new(offset(0), offset(numbering.index_of_column(*column)));
    let units = |span: Span| lines.units(span.end, Encoding::Utf16) - lines.units(span.start, Encoding::Utf16);
    let targets = console::completions(file, typed.of(text)).into_iter().map(|completion| {
        let start = typed.start + completion.start as u32;
        json!({
            "label": completion.text,
            "type": kind(completion.kind),
            "start": numbering.column(units(Span::new(typed.start, start)) as usize),
            "length": units(Span::new(start, typed.end)),
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
