//! Diagnostics for people: errors, warnings and infos with lines of the program, hints as paragraphs.

use std::{
    collections::HashSet,
    io::{self, Write},
};

use ariadne::Color;
use indexmap::IndexMap;
use psl_program::{File, count};
use psl_syntax::{Diagnostic, Severity, Span, line_index::Point};

use super::{
    excerpt::{Excerpts, Mark},
    shown::{shown, shown_line},
    terminal::{STRONG, Terminal, severity_style},
};

/// Maximum number of labels in an excerpt. Further ones are counted.
const MAX_LABELS: usize = 10;

/// Maximum number of places listed for a hint. Further ones are counted.
const MAX_PLACES: usize = 20;

/// The indent of a message from its second line on.
const INDENT: &str = "    ";

/// Writes the diagnostics of a file, separated by blank lines. A help that several share is written once.
///
/// # Errors
///
/// Fails if `out` does.
pub fn human(
    out: &mut impl Write,
    name: &str,
    file: &File,
    diagnostics: &[Diagnostic],
    terminal: Terminal,
) -> io::Result<()> {
    let mut report = Report { name: shown_line(name), file, terminal, written: 0, helps: HashSet::new() };
    let is_hint = |diagnostic: &&Diagnostic| diagnostic.severity == Severity::Hint;
    for diagnostic in diagnostics.iter().filter(|diagnostic| !is_hint(diagnostic)) {
        report.heading(out, diagnostic)?;
        report.excerpt(out, diagnostic)?;
        report.help(out, diagnostic)?;
    }
    for group in groups(diagnostics.iter().filter(is_hint)) {
        let Some(first) = group.first() else { continue };
        report.heading(out, first)?;
        report.places(out, &group)?;
        report.help(out, first)?;
    }
    Ok(())
}

/// Groups hints that differ only in their places.
fn groups<'d>(hints: impl Iterator<Item = &'d Diagnostic>) -> impl Iterator<Item = Vec<&'d Diagnostic>> {
    let mut groups: IndexMap<_, Vec<&Diagnostic>> = IndexMap::new();
    for hint in hints {
        groups.entry((hint.code, &hint.message, &hint.help)).or_default().push(hint);
    }
    groups.into_values()
}

struct Report<'d> {
    /// The name of the file, on one line.
    name: String,
    file: &'d File,
    terminal: Terminal,
    written: usize,
    /// The helps written so far.
    helps: HashSet<&'d str>,
}

impl<'d> Report<'d> {
    /// Writes the severity, the code and the message.
    fn heading(&mut self, out: &mut impl Write, diagnostic: &Diagnostic) -> io::Result<()> {
        if self.written > 0 {
            writeln!(out)?;
        }
        self.written += 1;
        let kind = format!("{}[{}]", diagnostic.severity.as_str(), diagnostic.code.as_str());
        let kind = self.terminal.paint(severity_style(diagnostic.severity).bold(), &kind);
        let message = self.terminal.paint(STRONG, &format!(": {}", shown(&diagnostic.message)));
        self.prose(out, &format!("{kind}{message}"), "", INDENT)
    }

    fn excerpt(&self, out: &mut impl Write, diagnostic: &Diagnostic) -> io::Result<()> {
        let color = match diagnostic.severity {
            Severity::Error => Color::Red,
            Severity::Warning => Color::Yellow,
            Severity::Info | Severity::Hint => Color::Cyan,
        };
        let mark = |span: Span, text| {
            let primary = span == diagnostic.span;
            Mark { span, text, primary, color: if primary { color } else { Color::Cyan } }
        };
        let labels: Vec<_> =
            diagnostic.labels.iter().take(MAX_LABELS).map(|label| (label.span, shown(&label.message))).collect();
        let mut marks: Vec<Mark<'_>> = labels.iter().map(|(span, text)| mark(*span, Some(text))).collect();
        if !marks.iter().any(|mark| mark.primary) {
            marks.push(mark(diagnostic.span, None));
        }
        marks.sort_by_key(|mark| mark.span);
        let (text, lines) = (self.file.text(), self.file.line_index());
        let Point { line, column } = lines.point(diagnostic.span.start);
        let excerpts = Excerpts { text, lines, terminal: self.terminal };
        excerpts.write(out, &format!("{}:{line}:{column}", self.name), &marks)?;
        let more = diagnostic.labels.len().saturating_sub(MAX_LABELS);
        if more > 0 {
            self.prose(out, &format!("and {}", count(more, "more place")), "  ", INDENT)?;
        }
        Ok(())
    }

    /// Writes the places of a group. The first has the file name, so that terminals link it.
    fn places(&self, out: &mut impl Write, group: &[&Diagnostic]) -> io::Result<()> {
        let points = group.iter().map(|hint| self.file.line_index().point(hint.span.start));
        let places = points.map(|Point { line, column }| format!("{line}:{column}")).take(MAX_PLACES);
        let more = group.len().saturating_sub(MAX_PLACES);
        let more = (more > 0).then(|| format!("and {}", count(more, "more place")));
        let places: Vec<String> = places.chain(more).collect();
        let text = format!("at {}:{}", self.name, places.join(", "));
        self.prose(out, &text, "  ", INDENT)
    }

    fn help(&mut self, out: &mut impl Write, diagnostic: &'d Diagnostic) -> io::Result<()> {
        let Some(help) = diagnostic.help.as_deref().filter(|help| self.helps.insert(help)) else { return Ok(()) };
        let name = self.terminal.paint(STRONG, "help:");
        self.prose(out, &format!("{name} {}", shown(help)), "  ", "        ")
    }

    fn prose(&self, out: &mut impl Write, text: &str, first: &str, others: &str) -> io::Result<()> {
        self.terminal.wrap(text, first, others).iter().try_for_each(|line| writeln!(out, "{line}"))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use psl_syntax::{Code, Span};

    use super::*;

    fn written(text: &str, diagnostics: &[Diagnostic]) -> String {
        let mut report = Vec::new();
        let terminal = Terminal { color: false, unicode: true, columns: 80 };
        let file = File::new(text, Arc::default());
        human(&mut report, "a.psl", &file, diagnostics, terminal).expect("it is written");
        String::from_utf8(report).expect("UTF-8")
    }

    #[test]
    fn of_many_labels_some_are_shown_and_the_others_counted() {
        let text = "x\n".repeat(100);
        let mut diagnostic = Diagnostic::new(Code::Syntax, Span::new(0, 1), "it is found often");
        for line in 1..50 {
            diagnostic = diagnostic.label(Span::new(2 * line, 2 * line + 1), format!("label {line}"));
        }
        let report = written(&text, &[diagnostic]);
        assert_eq!(report.matches("label ").count(), MAX_LABELS, "{report}");
        assert!(report.contains("  and 39 more places\n"), "{report}");
    }

    #[test]
    fn hints_that_differ_in_their_places_are_one_paragraph() {
        let hint = |line: u32| {
            let span = Span::new(2 * line, 2 * line + 1);
            let hint = Diagnostic::new(Code::NonCausal, span, "it is found often").help("read this");
            Diagnostic { severity: Severity::Hint, ..hint }
        };
        let text = "x\n".repeat(100);
        let report = written(&text, &[hint(0), Diagnostic { help: None, ..hint(1) }, hint(2)]);
        assert_eq!(
            report,
            "hint[non-causal]: it is found often\n  at a.psl:1:1, 3:1\n  help: read this\n\n\
             hint[non-causal]: it is found often\n  at a.psl:2:1\n"
        );
        let report = written(&text, &(0..30).map(hint).collect::<Vec<_>>());
        assert!(report.contains("20:1, and 10 more places\n"), "{report}");
    }
}
