//! Coverage as JSON: an object a file, on one line.

use std::io::{self, Write};

use psl_program::FileCoverage;
use psl_render::shown_json;
use psl_syntax::Span;
use serde_json::Value;

use super::written::written;
use crate::{input::program_file::ProgramFile, render::json::with_place};

pub fn write(out: &mut impl Write, source: &ProgramFile, coverage: &FileCoverage) -> io::Result<()> {
    let place = |span: Span| with_place(source.file.line_index(), span, "text", &written(source, span));
    let mut object = coverage.to_json(place);
    if let Some(fields) = object.as_object_mut() {
        fields.shift_insert(0, "file".to_owned(), Value::from(source.name.as_str()));
    }
    writeln!(out, "{}", shown_json(&object.to_string()))
}
