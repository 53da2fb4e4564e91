//! Diagnostics as workflow commands, which GitHub Actions shows at the lines that they refer to.

use std::io::{self, Write};

use psl_render::shown;
use psl_syntax::{Diagnostic, Severity};

use crate::input::program_file::ProgramFile;

/// Writes one command a line.
pub fn github(out: &mut impl Write, source: &ProgramFile, diagnostics: &[Diagnostic]) -> io::Result<()> {
    let lines = source.file.line_index();
    let file = property(&source.name_from_root());
    for diagnostic in diagnostics {
        let (start, end) = (lines.point(diagnostic.span.start), lines.point(diagnostic.span.end));
        let command = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info | Severity::Hint => "notice",
        };
        writeln!(
            out,
            "::{command} file={file},line={},endLine={},col={},endColumn={},title={}::{}",
            start.line,
            end.line,
            start.column,
            end.column,
            diagnostic.code.as_str(),
            data(&diagnostic.message_and_help())
        )?;
    }
    Ok(())
}

/// A command ends with its line, and `%` escapes.
fn data(text: &str) -> String {
    shown(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property ends at `,` or `:` too.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
