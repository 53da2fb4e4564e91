//! Hovers: what a production compiles to, what a register or a constant is.

use std::fmt::Write as _;

use psl_runtime::{
    compile_production, qkvl,
    qkvl::{Source, Term},
    weights::{Attribute, BlockInfo, Kind, describe},
};
use psl_syntax::{
    Analysis, Causality, Span,
    names::{Access, Symbol},
    program::{ConstantId, Production, RegisterId},
};

use crate::{execute::Runner, server::documents::Snapshot};

/// The hover at an offset: Markdown, and the span it is about.
pub fn hover(snapshot: &Snapshot, offset: u32) -> Option<(String, Span)> {
    let checked = snapshot.checked();
    let analysis = &checked.analysis;
    if let Some(reference) = analysis.names.at(offset) {
        let text = match reference.symbol {
            Symbol::Register(id) => register(analysis, id)?,
            Symbol::Constant(id) => constant(analysis, id)?,
        };
        return Some((text, reference.span));
    }
    let productions = analysis.program.productions();
    let (index, found) = productions.iter().enumerate().rfind(|(_, production)| production.span.touches(offset))?;
    Some((production(analysis, index, found), found.span))
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

fn production(analysis: &Analysis, index: usize, production: &Production) -> String {
    let mut text = format!("**layer {}**", index + 1);
    if let Some(label) = &production.label {
        let _ = write!(text, " · {}", label.trim_start_matches(['#', '/']).trim());
    }
    let causality = match analysis.causality.get(index) {
        Some(Causality::Proved(proof)) => format!("causal: {}", proof.reason()),
        Some(Causality::LooksAhead) => "not causal: each match is the cell to the right".to_owned(),
        Some(Causality::Unproved) | None => "not proved causal: n may be to the right of N".to_owned(),
    };
    let _ = write!(text, "\n\n{causality}\n\n");
    if !production.sound {
        text.push_str("This production has an error, so it has no weights.");
        return text;
    }
    let layer = compile_production(&analysis.program, production);
    table(&mut text, &layer);
    blocks(&mut text, analysis, &layer);
    text
}

/// The register maps, as in tables (99) and (100).
fn table(text: &mut String, layer: &qkvl::Layer) {
    text.push_str("| | q[N] | k[n] |\n|---|---|---|\n");
    for (slot, query) in &layer.weights.q {
        let key = layer.weights.k.get(slot).map(source).unwrap_or_default();
        let _ = writeln!(text, "| {} | {} | {key} |", code(slot), source(query));
    }
    text.push_str("\n| | v[n] |\n|---|---|\n");
    for (register, value) in &layer.weights.v {
        let _ = writeln!(text, "| {} | {} |", code(register), term(value));
    }
}

/// What each instruction adds to the weights (72), for the vocabulary of the file's first test.
fn blocks(text: &mut String, analysis: &Analysis, layer: &qkvl::Layer) {
    let prompt = analysis.program.tests.first().map_or("x", |test| test.prompt.as_str());
    let runner = Runner::new(&analysis.program);
    let Ok(task) = runner.task(prompt) else { return };
    let registers = runner.executable().qkvl.register_map.len();
    let dimension = task.vocabulary.len();
    let _ = write!(
        text,
        "\nWeights: {registers} registers of size {dimension}, vectors of {}\n\n| block | is | non-zero |\n|---|---|---|\n",
        registers * dimension
    );
    for block in describe(layer, &task.vocabulary) {
        let _ = writeln!(text, "| {} | {} | {} |", block_name(&block), block_kind(&block), nonzero(&block));
    }
}

fn block_name(block: &BlockInfo) -> String {
    let attribute = match block.attribute {
        Attribute::Query => "q",
        Attribute::Key => "k",
        Attribute::Value => "v",
    };
    match &block.source {
        Some(source) => code(&format!("W_{attribute}[{source} → {}]", block.target)),
        None => code(&format!("b_{attribute}[{}]", block.target)),
    }
}

fn block_kind(block: &BlockInfo) -> String {
    let size = block.dimension;
    let constants = block.constants.iter().map(|constant| code(constant)).collect::<Vec<_>>().join(", ");
    match block.kind {
        Kind::Identity => format!("identity, {size} × {size}"),
        Kind::Shift(function) => format!("shift ({}), {size} × {size}", function.as_str()),
        Kind::OneHot => format!("one-hot bias of {constants}"),
        Kind::OnesComplement | Kind::ManyHotComplement => format!("ones'-complement bias of {constants}"),
        Kind::OnesMinus(None) => format!("bias of ones, minus identity {size} × {size}"),
        Kind::OnesMinus(Some(function)) => format!("bias of ones, minus shift ({}) {size} × {size}", function.as_str()),
        Kind::ManyHot => format!("many-hot bias of {constants}"),
    }
}

fn nonzero(block: &BlockInfo) -> String {
    match (block.block_nonzero, block.bias_nonzero) {
        (0, bias) => format!("{bias} of {}", block.dimension),
        (entries, 0) => format!("{entries} of {}", block.dimension * block.dimension),
        (entries, bias) => {
            format!("{entries} of {}, bias {bias} of {}", block.dimension * block.dimension, block.dimension)
        }
    }
}

fn source(source: &Source) -> String {
    match source {
        Source::Is(value) => term(value),
        Source::Not(value) => format!("≠ {}", term(value)),
        Source::In(list) => format!("in {}", constants(list)),
        Source::NotIn(list) => format!("not in {}", constants(list)),
    }
}

fn constants(list: &[String]) -> String {
    list.iter().map(|value| code(value)).collect::<Vec<_>>().join(", ")
}

fn term(term: &Term) -> String {
    match term {
        Term::Register(register, None) => code(register),
        Term::Register(register, Some(function)) => code(&format!("{register}@{}", function.as_str())),
        Term::Constant(value) => format!("**{}**", code(value)),
    }
}

/// As inline code in a table: backquotes inside, and bars escaped.
fn code(text: &str) -> String {
    let text = text.replace('|', "\\|");
    if text.contains('`') { format!("`` {text} ``") } else { format!("`{text}`") }
}
