//! Diagnostics as lines: `FILE:LINE:COLUMN: SEVERITY[CODE]: MESSAGE`.

use std::io::{self, Write};

use psl_render::shown_line;
use psl_syntax::Diagnostic;

use crate::input::program_file::ProgramFile;

/// Writes one line for each.
pub fn short(out: &mut impl Write, source: &ProgramFile, diagnostics: &[Diagnostic]) -> io::Result<()> {
    let lines = source.file.line_index();
    for diagnostic in diagnostics {
        let (place, severity) = (lines.point(diagnostic.span.start), diagnostic.severity.as_str());
        let (line, column, code) = (place.line, place.column, diagnostic.code.as_str());
        let message = shown_line(&diagnostic.message);
        writeln!(out, "{}:{line}:{column}: {severity}[{code}]: {message}", source.shown_name())?;
    }
    Ok(())
}
