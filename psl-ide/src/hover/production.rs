//! The hover of a production: its meaning, whether it can look ahead, the possible values of its registers, and its
//! query, key and value with their weights.

use std::fmt::Write as _;

use psl_program::{File, LayerStats, Runner, TestReport, count};
use psl_runtime::{
    compile_production, primed_names,
    qkvl::{self, Source},
    weights::describe,
};
use psl_syntax::{
    Causality, Checked,
    program::{Condition, Production, ProductionId, RegisterId},
};

use super::{known_values::KnownValues, layers::Layers, meaning::meaning};
use crate::{
    look_ahead::UNPROVED,
    markdown::{code_block, plain},
};

/// Maximum number of new symbols. With more, listing the positions takes too long for a hover.
const MOST_NEW: usize = 20_000;

/// The hover of a production.
pub fn production(
    file: &File,
    report: Option<&TestReport>,
    layers: &Layers<'_>,
    (id, production): (ProductionId, &Production),
) -> String {
    let analysis = file.analysis();
    let causality = match analysis.causality.find(id) {
        Some(Causality::Proved(proof)) => format!("causal: {}", proof.reason()),
        Some(_) if analysis.verdicts().never_fires(id) => "causal: it never fires".to_owned(),
        Some(Causality::LooksAhead) => "not causal: each match is the cell to the right of `N`".to_owned(),
        Some(Causality::Unproved) | None => {
            let mut text = UNPROVED.to_owned();
            if let Some(LayerStats { matches, ahead, .. }) = report.and_then(|report| report.layer(id)) {
                let matches = count(*matches, "match");
                let _ = write!(text, "; on this file's tests, `n` was to the right of `N` in {ahead} of {matches}");
            }
            text
        }
    };
    let mut text = format!("**{}**\n\n", layers.heading(id));
    if production.sound {
        let _ = writeln!(text, "{}\n", meaning(&analysis.program, production));
    }
    let _ = writeln!(text, "{causality}\n");
    if let Some(place) = file.plan().and_then(|plan| plan.place_in_words(id.index())) {
        let _ = writeln!(text, "scheduled in {}\n", plain(&place));
    }
    if !production.sound {
        text.push_str("This production has an error and does not compile to weights.\n");
        return text;
    }
    held(&mut text, file.checked(), id, production);
    let layer = compile_production(&analysis.program, production);
    table(&mut text, &layer);
    blocks(&mut text, file.compiled(), &layer);
    text
}

/// Writes the possible values of its registers, except those that can hold any symbol.
fn held(text: &mut String, checked: &Checked, layer: ProductionId, production: &Production) {
    let holding = KnownValues::new(checked, layer);
    let read = production.conditions.iter().flat_map(Condition::registers);
    let values = production.assignments.iter().filter_map(|assignment| assignment.source.register());
    let written = production.assignments.iter().map(|assignment| assignment.target);
    let mut registers: Vec<RegisterId> = read.chain(values).map(|place| place.register).chain(written).collect();
    registers.sort_unstable();
    registers.dedup();
    registers.retain(|register| !holding.is_any(*register));
    let program = &checked.analysis.program;
    let row = |id: RegisterId| Some([program.registers[id].name.clone(), holding.describe(id)?]);
    let rows: Vec<_> = registers.into_iter().filter_map(row).collect();
    if !rows.is_empty() {
        text.push_str("values before this layer:\n\n");
        columns(text, &rows);
        text.push('\n');
    }
}

/// Writes query, key and value side by side, as in tables (99) and (100).
fn table(text: &mut String, layer: &qkvl::Layer) {
    let entry = |(slot, source): (&String, &Source)| format!("{slot}: {source}");
    let mut queries = layer.weights.q.iter().map(entry);
    let mut keys = layer.weights.k.iter().map(entry);
    let mut values = layer.weights.v.iter().map(|(register, value)| format!("{register}: {value}"));
    let mut rows = vec![["q, at N", "k, at n", "v, at n"].map(str::to_owned)];
    loop {
        let row = [queries.next(), keys.next(), values.next()];
        if row.iter().all(Option::is_none) {
            break;
        }
        rows.push(row.map(Option::unwrap_or_default));
    }
    columns(text, &rows);
}

/// Writes the effect of each instruction on the weights (72), for the vocabulary of a test's prompt.
fn blocks(text: &mut String, runner: &Runner, layer: &qkvl::Layer) {
    let program = &runner.executable().program;
    if let Some(most) = program.max_new.filter(|most| *most > MOST_NEW) {
        let _ = writeln!(
            text,
            "\nweights: not listed, since each register has more than {most} components, one per position"
        );
        return;
    }
    let Ok(task) = runner.example_task() else { return };
    let primed = primed_names(program);
    let registers = program.registers.len() + primed;
    let dimension = task.vocabulary.len();
    let blocks = describe(layer, &task.vocabulary);
    let rows: Vec<_> = blocks.iter().map(|block| [block.name(), block.effect(), block.nonzero()]).collect();
    let vector = registers * dimension;
    let _ = writeln!(
        text,
        "\nweights: {registers} registers of size {dimension} ({primed} of them primed, for matching only), \
         vectors of size {vector}\n"
    );
    columns(text, &rows);
}

/// Writes a table in a code block, which every editor shows unchanged.
fn columns<const N: usize>(text: &mut String, rows: &[[String; N]]) {
    let width = |cell: &String| cell.chars().count();
    let mut widths = [0; N];
    for row in rows {
        for (widest, cell) in widths.iter_mut().zip(row) {
            *widest = width(cell).max(*widest);
        }
    }
    let mut lines = String::new();
    for row in rows {
        let cells: Vec<String> = row
            .iter()
            .zip(widths)
            .map(|(cell, widest)| format!("{cell}{}", " ".repeat(widest - width(cell))))
            .collect();
        let _ = writeln!(lines, "{}", cells.join("   ").trim_end());
    }
    text.push_str(&code_block(&lines));
}
