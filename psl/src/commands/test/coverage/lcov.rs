//! Coverage as LCOV's tracefile, which `genhtml` and services for coverage read.
//!
//! A production is a function, and a branch is a condition, an entry of a list or a side of `until`. It is taken as
//! often as it made a difference.

use std::{
    collections::{BTreeMap, HashMap},
    io::{self, Write},
};

use psl_program::{CoveredProduction, FileCoverage, Part};
use psl_render::shown_line;

use crate::input::program_file::ProgramFile;

pub fn write(out: &mut impl Write, source: &ProgramFile, coverage: &FileCoverage) -> io::Result<()> {
    writeln!(out, "TN:")?;
    writeln!(out, "SF:{}", shown_line(&source.name_from_root()))?;
    let branches = branches(coverage);
    let lines = lines(source, coverage, &branches);
    functions(out, source, coverage)?;
    write_branches(out, source, &branches, &lines)?;
    for (line, count) in &lines {
        writeln!(out, "DA:{line},{count}")?;
    }
    totals(out, ["LF", "LH"], lines.values().copied())?;
    writeln!(out, "end_of_record")
}

fn line(source: &ProgramFile, part: &Part) -> usize {
    source.line(part.span.start)
}

fn functions(out: &mut impl Write, source: &ProgramFile, coverage: &FileCoverage) -> io::Result<()> {
    let mut labels: HashMap<&str, usize> = HashMap::new();
    for label in coverage.productions.iter().filter_map(|production| production.label.as_deref()) {
        *labels.entry(label).or_default() += 1;
    }
    // A reader finds a function by its name, and takes the text before a comma for a line.
    let name = |CoveredProduction { label, part, .. }: &CoveredProduction| match label.as_deref() {
        Some(label) if labels.get(label) == Some(&1) => shown_line(label).replace(',', ";"),
        Some(label) => format!("{} at line {}", shown_line(label).replace(',', ";"), line(source, part)),
        None => format!("production at line {}", line(source, part)),
    };
    let named: Vec<(String, Part)> = coverage.productions.iter().map(|it| (name(it), it.part)).collect();
    for (name, part) in &named {
        writeln!(out, "FN:{},{name}", line(source, part))?;
    }
    for (name, part) in &named {
        writeln!(out, "FNDA:{},{name}", part.reached)?;
    }
    totals(out, ["FNF", "FNH"], named.iter().map(|(_, part)| part.reached))
}

/// The branches by block: each production is one, then each repeat block is.
fn branches(coverage: &FileCoverage) -> Vec<Vec<Part>> {
    let of_production = |production: &CoveredProduction| {
        let conditions = production.conditions.iter();
        conditions.flat_map(|it| [it.part].into_iter().chain(it.entries.iter().copied())).collect()
    };
    let of_repeats = coverage.repeats.iter().map(|repeat| {
        // A pass comes to both sides of `until`.
        let reached = repeat.went_on.reached + repeat.ended.reached;
        [repeat.went_on, repeat.ended].map(|side| Part { reached, ..side }).to_vec()
    });
    coverage.productions.iter().map(of_production).chain(of_repeats).collect()
}

/// The count of each line: a production fired, an assignment changed its register, and a condition or an
/// `until` clause on a line of its own was reached.
fn lines(source: &ProgramFile, coverage: &FileCoverage, branches: &[Vec<Part>]) -> BTreeMap<usize, u64> {
    let mut lines: BTreeMap<usize, u64> = BTreeMap::new();
    for CoveredProduction { part, assignments, .. } in &coverage.productions {
        let own = [(part, part.reached)];
        for (part, count) in own.into_iter().chain(assignments.iter().map(|it| (it, it.mattered))) {
            let known = lines.entry(line(source, part)).or_default();
            *known = count.max(*known);
        }
    }
    for part in branches.iter().flatten() {
        lines.entry(line(source, part)).or_insert(part.reached);
    }
    lines
}

/// A branch on a line that was not executed has no count: readers take one for a contradiction.
fn write_branches(
    out: &mut impl Write,
    source: &ProgramFile,
    branches: &[Vec<Part>],
    lines: &BTreeMap<usize, u64>,
) -> io::Result<()> {
    let mut counts = Vec::new();
    for (block, parts) in branches.iter().enumerate() {
        for (branch, part) in parts.iter().enumerate() {
            let line = line(source, part);
            let is_executed = lines.get(&line).is_some_and(|count| *count > 0);
            let taken = Some(part.mattered).filter(|_| is_executed && part.reached > 0);
            let shown = taken.map_or_else(|| "-".to_owned(), |taken| taken.to_string());
            writeln!(out, "BRDA:{line},{block},{branch},{shown}")?;
            counts.push(taken.unwrap_or_default());
        }
    }
    totals(out, ["BRF", "BRH"], counts.into_iter())
}

/// The number of counts, and of those that are not 0.
fn totals(out: &mut impl Write, names: [&str; 2], counts: impl Iterator<Item = u64> + Clone) -> io::Result<()> {
    let [found, hit] = names;
    writeln!(out, "{found}:{}", counts.clone().count())?;
    writeln!(out, "{hit}:{}", counts.filter(|count| *count > 0).count())
}
