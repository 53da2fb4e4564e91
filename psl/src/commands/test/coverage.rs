//! The coverage of tests: as text, as JSON and as LCOV's tracefile.

mod json;
mod lcov;
mod written;

use std::io::{self, Write};

use psl_program::{FileCoverage, Part, PartKind};
use psl_render::shown_line;

use self::written::written;
use super::suite::Format;
use crate::input::program_file::ProgramFile;

/// Writes the coverage of a file.
pub fn write(out: &mut impl Write, format: Format, source: &ProgramFile, coverage: &FileCoverage) -> io::Result<()> {
    match format {
        Format::Human => text(out, source, coverage),
        Format::Json => json::write(out, source, coverage),
        Format::Lcov | Format::Junit => lcov::write(out, source, coverage),
    }
}

/// The kinds as the summary has them.
const SUMMARY: [(&str, &[PartKind]); 5] = [
    ("productions", &[PartKind::Production]),
    ("conditions", &[PartKind::Condition]),
    ("list entries", &[PartKind::Entry]),
    ("assignments", &[PartKind::Assignment]),
    ("sides of until", &[PartKind::WentOn, PartKind::Ended]),
];

fn text(out: &mut impl Write, source: &ProgramFile, coverage: &FileCoverage) -> io::Result<()> {
    let file = source.shown_name();
    if coverage.runs == 0 {
        return writeln!(out, "{file}: no test ran");
    }
    let counts = SUMMARY.iter().filter_map(|(name, kinds)| {
        let counts = kinds.iter().map(|kind| coverage.mattering(*kind));
        let (mattered, all) = counts.fold((0, 0), |(mattered, all), (some, of)| (mattered + some, all + of));
        (all > 0).then(|| format!("{name} {mattered} of {all}"))
    });
    writeln!(out, "{file}: {}", counts.collect::<Vec<_>>().join(", "))?;
    for part in coverage.missing() {
        let place = source.place(part.span.start);
        writeln!(out, "  {place}: {} {}", named(source, coverage, part), part.verdict().in_words())?;
    }
    Ok(())
}

/// A part by its kind and its text, on one line.
fn named(source: &ProgramFile, coverage: &FileCoverage, part: &Part) -> String {
    let written = format!("`{}`", shown_line(&written(source, part.span)));
    match part.kind {
        PartKind::Production => {
            let production = coverage.productions.iter().find(|production| production.part == *part);
            let label = production.and_then(|production| production.label.as_deref());
            label.map_or_else(|| part.kind.name().to_owned(), |label| format!("production `{}`", shown_line(label)))
        }
        PartKind::Condition | PartKind::Assignment => format!("{} {written}", part.kind.name()),
        PartKind::Entry => format!("list entry {written}"),
        PartKind::WentOn => format!("another pass after {written}"),
        PartKind::Ended => format!("the end by {written}"),
    }
}
