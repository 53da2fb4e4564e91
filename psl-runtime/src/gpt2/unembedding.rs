//! The unembedding: which token follows another.

use psl_syntax::index::at;

use super::{
    block::{EPSILON, moments},
    encodings::ValueEncoding,
    ends::End,
    layout::{Kind, Layout},
    model::Dense,
    plan::Plan,
    tokens::{Role, Tokens},
};

/// The distance of the best logit from others, in nats, so that a model that samples generates the same.
const DISTANCE: f64 = 32.0;
/// The weight of the kind of the token before, beside 1 for each part of a value, of which a register has up to 3 and
/// each up to 3.
const KIND: f64 = 16.0;
/// The weight of a reason to end.
const REASON: f64 = 64.0;
/// The weight of an empty prompt: more than what the check makes of its separators.
const EMPTY: f64 = 256.0;
/// The weight of a reason that holds at the last token alone, since the token that should follow is missing.
const INCOMPLETE: f64 = 32.0;

/// The rows of the tokens: a token follows those of the kind before, and its value is that of the register.
pub fn unembedding(
    tokens: &Tokens,
    plan: &Plan<'_>,
    encodings: &[ValueEncoding],
    layout: &Layout,
    width: usize,
) -> Dense {
    let mut head = Dense::zeros(tokens.list.len(), width);
    let emitted = plan
        .cell
        .iter()
        .filter_map(|register| encodings.get(*register))
        .map(|encoding| encoding.parts.len() as f64)
        .sum::<f64>();
    // Emit adds 2 to a 1, or beside it.
    let (_, variance) = moments(layout, width, 2.0 * emitted, 8.0 * emitted);
    let scale = DISTANCE * (variance + EPSILON).sqrt();
    for (row, token) in tokens.list.iter().enumerate() {
        let weights = match token.role {
            Role::Prompt(_) => continue,
            Role::Cell { index, value } => of_cell(index, value, plan, encodings, layout),
            Role::End(end) => {
                let mut weights = vec![(layout.end(end), REASON)];
                match (end, position_after_last(plan, encodings)) {
                    // Nothing between the start, or the separator, and the continuation.
                    (End::EmptyPrompt, _) => {
                        let before = [Kind::Start, Kind::Separator].map(|kind| layout.kind(kind));
                        weights.extend(before.map(|kind| (kind, EMPTY)));
                    }
                    // A prompt without its last symbol, or without all its copies.
                    (End::NotAPrompt, _) => {
                        let copies = (0..plan.copies).map(|copy| layout.copy(copy));
                        let before = [layout.kind(Kind::Prompt)].into_iter().chain(copies);
                        weights.extend(before.map(|component| (component, INCOMPLETE)));
                    }
                    (End::OutOfPositions, Some(after)) => {
                        weights.extend(of_cell(plan.cell.len() - 1, after, plan, encodings, layout));
                    }
                    _ => {}
                }
                weights
            }
        };
        for (component, weight) in weights {
            head.add(row, component, weight * scale);
            // Each row sums to 0, so that the mean that the LayerNorm removes has no effect.
            head.add(row, layout.pad, -weight * scale);
        }
    }
    head
}

/// The index of the position after the last one, if positions have tokens.
fn position_after_last(plan: &Plan<'_>, encodings: &[ValueEncoding]) -> Option<usize> {
    let last = plan.cell.last().copied().filter(|last| !plan.is_plain() && Some(*last) == plan.position)?;
    Some(encodings.get(last)?.of.len())
}

fn of_cell(
    index: usize,
    value: usize,
    plan: &Plan<'_>,
    encodings: &[ValueEncoding],
    layout: &Layout,
) -> Vec<(usize, f64)> {
    let before = match index.checked_sub(1) {
        None => vec![layout.kind(Kind::Last), layout.master()],
        Some(before) => vec![layout.kind(Kind::Cell(before))],
    };
    let register = *at(&plan.cell, index);
    // A generated cell comes after the one with the position before.
    let is_position = index > 0 && Some(register) == plan.position;
    let Some(value) = value.checked_sub(usize::from(is_position)) else { return Vec::new() };
    let encoding = encodings.get(register).and_then(|encoding| encoding.of.get(value));
    let parts = encoding.map_or_else(|| layout.null(register), |encoding| layout.value(register, encoding));
    before.into_iter().map(|kind| (kind, KIND)).chain(parts.into_iter().map(|component| (component, 1.0))).collect()
}
