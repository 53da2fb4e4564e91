//! Hovers: what a production compiles to, what a register or a constant is.

use std::fmt::Write as _;

use psl_runtime::{
    compile_production, qkvl,
    qkvl::{Source, Term},
    weights::describe,
};
use psl_syntax::{
    Analysis, Causality, Span,
    names::{Access, Symbol},
    program::{ConstantId, Production, RegisterId},
};

use crate::server::{
    documents::Snapshot,
    summary::{block_kind, block_name, nonzero},
};

/// The hover at an offset: Markdown, and the span it is about.
pub fn hover(snapshot: &Snapshot, offset: u32) -> Option<(String, Span)> {
    let checked = snapshot.checked();
    let analysis = &checked.analysis;
    if let Some(reference) = analysis.names.at(offset) {
        let text = match reference.symbol {
            Symbol::Register(id) => {
                let mut text = register(analysis, id)?;
                text.push_str(&held(analysis, id, reference.span));
                text
            }
            Symbol::Constant(id) => constant(analysis, id)?,
        };
        return Some((text, reference.span));
    }
    let productions = analysis.program.productions();
    let (index, found) = productions.iter().enumerate().rfind(|(_, production)| production.span.touches(offset))?;
    Some((production(snapshot, index, found), found.span))
}

fn register(analysis: &Analysis, id: RegisterId) -> Option<String> {
    let program = &analysis.program;
    let register = program.register(id)?;
    let roles: Vec<_> = program.roles.iter().filter(|(_, role)| *role == Some(id)).map(|(name, _)| name).collect();
    let mut text = format!("**register** `{}`, short name {}", register.name, code(&register.short));
    if !roles.is_empty() {
        let _ = write!(text, "\n\nrole: {}", roles.join(", "));
    }
    let productions = program.productions();
    let layers = |access: Access| {
        let mut layers: Vec<usize> = analysis
            .names
            .references
            .iter()
            .filter(|reference| reference.symbol == Symbol::Register(id) && reference.access == access)
            .map(|reference| productions.partition_point(|production| production.span.start <= reference.span.start))
            .collect();
        layers.dedup();
        let words: Vec<String> = layers.iter().map(ToString::to_string).collect();
        if words.is_empty() { "none".to_owned() } else { words.join(", ") }
    };
    let _ =
        write!(text, "\n\nread in layers: {}\n\nwritten in layers: {}", layers(Access::Read), layers(Access::Write));
    Some(text)
}

/// What a register can hold where a production uses it.
fn held(analysis: &Analysis, id: RegisterId, at: Span) -> String {
    let productions = analysis.program.productions();
    let layer = productions.partition_point(|production| production.span.start <= at.start);
    let known = layer.checked_sub(1).and_then(|index| {
        productions.get(index).filter(|production| at.end <= production.span.end)?;
        analysis.domains.before(index, id)
    });
    known.map_or_else(String::new, |domain| {
        let null = if domain.has_null() { ", or null" } else { "" };
        format!("\n\nin front of layer {layer}: {}{null}", analysis.domains.in_words(domain))
    })
}

fn constant(analysis: &Analysis, id: ConstantId) -> Option<String> {
    let constant = analysis.program.constant(id)?;
    let uses = analysis
        .names
        .references
        .iter()
        .filter(|reference| reference.symbol == Symbol::Constant(id) && reference.access == Access::Read)
        .count();
    let value = code(&constant.value);
    Some(format!("**constant** {} with the value {value}\n\nused {uses} times", code(&constant.name)))
}

fn production(snapshot: &Snapshot, index: usize, production: &Production) -> String {
    let analysis = &snapshot.checked().analysis;
    let mut text = format!("**layer {}**", index + 1);
    if let Some(label) = &production.label {
        let _ = write!(text, " · {}", label.trim_start_matches(['#', '/']).trim());
    }
    let causality = match analysis.causality.get(index) {
        Some(Causality::Proved(proof)) => format!("causal: {}", proof.reason()),
        Some(Causality::LooksAhead) => "not causal: each match is the cell to the right".to_owned(),
        Some(Causality::Unproved) | None => {
            let mut text = "not proved causal: n may be to the right of N".to_owned();
            if let Some((matches, ahead)) = snapshot.evidence().and_then(|evidence| evidence.look_ahead(index)) {
                let _ = write!(text, "; on the file's tests it was in {ahead} of {matches} matches");
            }
            text
        }
    };
    let _ = write!(text, "\n\n{causality}\n\n");
    if !production.sound {
        text.push_str("This production has an error, so it has no weights.");
        return text;
    }
    let layer = compile_production(&analysis.program, production);
    table(&mut text, &layer);
    blocks(&mut text, snapshot, &layer);
    text
}

/// Query, key and value side by side, as in tables (99) and (100).
fn table(text: &mut String, layer: &qkvl::Layer) {
    let entry = |(slot, source): (&String, &Source)| format!("{slot}: {}", in_words(source));
    let mut queries = layer.weights.q.iter().map(entry);
    let mut keys = layer.weights.k.iter().map(entry);
    let mut values = layer.weights.v.iter().map(|(register, value)| format!("{register}: {}", term(value)));
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

/// What each instruction adds to the weights (72), for the vocabulary of the file's first test.
fn blocks(text: &mut String, snapshot: &Snapshot, layer: &qkvl::Layer) {
    let prompt = snapshot.checked().analysis.program.tests.first().map_or("x", |test| test.prompt.as_str());
    let runner = snapshot.compiled();
    let Ok(task) = runner.task(prompt) else { return };
    let registers = runner.executable().qkvl.register_map.len();
    let dimension = task.vocabulary.len();
    let blocks = describe(layer, &task.vocabulary);
    let rows: Vec<_> = blocks.iter().map(|block| [block_name(block), block_kind(block), nonzero(block)]).collect();
    let (vector, primed) = (registers * dimension, registers - runner.executable().registers.len());
    let _ = writeln!(
        text,
        "\nweights: {registers} registers of size {dimension}, vectors of {vector} \
         ({primed} of the registers are primed, for matching only)\n"
    );
    columns(text, &rows);
}

/// A table in a code block, which every editor shows as it stands.
fn columns<const N: usize>(text: &mut String, rows: &[[String; N]]) {
    let width = |cell: &String| cell.chars().count();
    let mut widths = [0; N];
    for row in rows {
        for (widest, cell) in widths.iter_mut().zip(row) {
            *widest = width(cell).max(*widest);
        }
    }
    text.push_str("```text\n");
    for row in rows {
        let cells: Vec<String> = row
            .iter()
            .zip(widths)
            .map(|(cell, widest)| format!("{cell}{}", " ".repeat(widest - width(cell))))
            .collect();
        let _ = writeln!(text, "{}", cells.join("   ").trim_end());
    }
    text.push_str("```\n");
}

fn in_words(source: &Source) -> String {
    match source {
        Source::Is(value) => term(value),
        Source::Not(value) => format!("!= {}", term(value)),
        Source::In(list) => format!("in {}", list.join(", ")),
        Source::NotIn(list) => format!("not in {}", list.join(", ")),
    }
}

fn term(term: &Term) -> String {
    match term {
        Term::Register(register, None) => register.clone(),
        Term::Register(register, Some(function)) => format!("{register}@{}", function.as_str()),
        Term::Constant(value) => value.clone(),
    }
}

/// As inline code, which may hold backquotes.
fn code(text: &str) -> String {
    if text.contains('`') { format!("`` {text} ``") } else { format!("`{text}`") }
}
