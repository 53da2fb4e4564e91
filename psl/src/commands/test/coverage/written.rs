//! The parts of a program as they are written.

use psl_syntax::Span;

use crate::input::program_file::ProgramFile;

/// The text of a span, with one space for each white space.
pub fn written(source: &ProgramFile, span: Span) -> String {
    let words: Vec<&str> = span.of(source.file.text()).split_whitespace().collect();
    words.join(" ")
}
