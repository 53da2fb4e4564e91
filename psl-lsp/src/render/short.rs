//! Diagnostics as lines: `FILE:LINE:COLUMN: SEVERITY[CODE]: MESSAGE`.

use std::io::{self, Write};

use psl_syntax::Diagnostic;
use ropey::Rope;

use super::point;
use crate::{shown::shown, source::Source};

/// Writes one line for each.
pub fn short(out: &mut impl Write, source: &Source, diagnostics: &[Diagnostic]) -> io::Result<()> {
    let text = Rope::from_str(&source.text);
    for diagnostic in diagnostics {
        let (place, severity) = (point(&text, diagnostic.span.start), diagnostic.severity.as_str());
        let (line, column, code) = (place.line, place.column, diagnostic.code.as_str());
        let message = shown(&diagnostic.message);
        writeln!(out, "{}:{line}:{column}: {severity}[{code}]: {message}", shown(&source.name))?;
    }
    Ok(())
}
