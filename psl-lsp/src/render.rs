//! Diagnostics for people and for programs: each file below is one rendering of the same data.

mod github;
mod human;
mod json;
mod sarif;
mod selection;
mod short;

pub use github::github;
pub use human::human;
pub use json::json;
pub use sarif::Sarif;
pub use selection::{MAX_DIAGNOSTICS, Selection};
pub use short::short;

use psl_syntax::Diagnostic;
use ropey::Rope;

use crate::{
    source::Source,
    text::{Encoding, Position, position},
};

/// Line and column of an offset, both from 1, the column in Unicode scalar values.
fn point(text: &Rope, offset: u32) -> Position {
    let place = position(text, offset, Encoding::Utf32);
    Position { line: place.line + 1, column: place.column + 1 }
}

/// The line of an offset, from 1.
pub fn line(source: &Source, offset: u32) -> usize {
    point(&Rope::from_str(&source.text), offset).line
}

/// `path:line:column` of an offset.
pub fn place(source: &Source, offset: u32) -> String {
    let Position { line, column } = point(&Rope::from_str(&source.text), offset);
    format!("{}:{line}:{column}", source.name)
}

/// What is wrong and the way out, where only one text can be shown.
pub fn message_and_help(diagnostic: &Diagnostic) -> String {
    match &diagnostic.help {
        Some(help) => format!("{}\nhelp: {help}", diagnostic.message),
        None => diagnostic.message.clone(),
    }
}

/// `1 error`, `2 errors`.
pub fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}
