//! Productions that repeat an earlier one with nothing changed in between.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Claim, Flow, Layer};
use crate::{
    codes::Code,
    diagnostic::{Diagnostic, Edit},
    directive::is_directive,
    lines::{indentation, line_breaks, whole_lines},
    program::{CausalAttn, Operand, RegisterId, Select},
    span::Span,
    tree::Tree,
};

/// What a production does, whatever the order in which it is written.
#[derive(PartialEq, Eq, Hash)]
struct Deed<'f> {
    conditions: &'f [Claim],
    assignments: Vec<(RegisterId, Operand)>,
    /// Which of the cells it sees it attends to, where that can be another one.
    choice: Option<(CausalAttn, Select)>,
}

/// The layers that do nothing new, in order, each with the earlier one that it repeats.
pub(super) fn duplicates(flow: &Flow<'_>) -> Vec<(usize, usize)> {
    let mut last = FxHashMap::default();
    let mut found = Vec::new();
    for (number, layer) in flow.layers.iter().enumerate() {
        if let Some(earlier) = last.insert(deed(flow, layer), number)
            && does_nothing_new(flow, layer, number, earlier)
        {
            found.push((number, earlier));
        }
    }
    found
}

fn deed<'f>(flow: &Flow<'_>, layer: &'f Layer<'_>) -> Deed<'f> {
    let production = layer.production;
    let assignments = production.assignments.iter();
    let mut assignments: Vec<_> = assignments.map(|it| (it.target, flow.canon.operand(it.source))).collect();
    assignments.sort_unstable();
    let choice = layer.sees().map(|cells| (cells, production.select));
    Deed { conditions: &layer.conditions, assignments, choice }
}

fn does_nothing_new(flow: &Flow<'_>, layer: &Layer<'_>, number: usize, earlier: usize) -> bool {
    let assignments = || layer.production.assignments.iter();
    let read = || layer.tested().chain(assignments().filter_map(|it| it.source.place()).map(|place| place.register));
    let written = || assignments().map(|it| it.target);
    // One that writes what it reads can do something new the second time.
    let targets: FxHashSet<RegisterId> = written().collect();
    let settled = || read().all(|register| !targets.contains(&register));
    // A block around the later one only must not undo it for its next pass.
    let block = flow.outermost_without(layer.block, earlier).map(|block| block.layers.clone());
    let unchanged = |register| {
        flow.unwritten(register, earlier + 1..number)
            && block.clone().is_none_or(|block| {
                flow.unwritten(register, block.start..number) && flow.unwritten(register, number + 1..block.end)
            })
    };
    settled() && read().chain(written()).all(unchanged)
}

/// A warning for each layer found.
pub(super) fn report(flow: &Flow<'_>, duplicates: &[(usize, usize)], tree: &Tree) -> Vec<Diagnostic> {
    let mut in_block: FxHashMap<usize, usize> = FxHashMap::default();
    for block in duplicates.iter().filter_map(|&(number, _)| flow.layers.get(number)?.block) {
        *in_block.entry(block).or_default() += 1;
    }
    // A block without a production would be an error.
    let leaves_some = |layer: &Layer<'_>| {
        layer.block.is_none_or(|block| {
            flow.blocks.get(block).is_some_and(|whole| in_block.get(&block) < Some(&whole.repeat.body.len()))
        })
    };
    let mut diagnostics = Vec::new();
    for &(number, earlier) in duplicates {
        let (Some(layer), Some(earlier)) = (flow.layers.get(number), flow.layers.get(earlier)) else { continue };
        let message = "this production does nothing new: the same stands above, and what it reads and writes has not \
                       changed since";
        let mut diagnostic = Diagnostic::new(Code::DuplicateProduction, layer.production.head, message)
            .label(earlier.production.head, "the same production")
            .help("take it out, or write what was meant to differ");
        if leaves_some(layer)
            && let Some(span) = removable(tree, layer.production.span)
        {
            diagnostic = diagnostic.fix_all(
                "take the production out",
                vec![Edit { span: whole_lines(&tree.text, span), text: String::new() }],
            );
        }
        diagnostics.push(diagnostic);
    }
    diagnostics
}

/// The production with the comment that is its label; nothing where it holds comments, or more of them or a directive stand
/// above it: it is not certain what they are about.
fn removable(tree: &Tree, production: Span) -> Option<Span> {
    let comments = &tree.tokens.comments;
    let above = comments.partition_point(|comment| comment.start < production.start);
    if comments.get(above).is_some_and(|comment| comment.start < production.end) {
        return None;
    }
    let mut labels = comments.get(..above)?.iter().rev();
    let mut label_of = |start| labels.next().copied().filter(|label| directly_above(tree, *label, start));
    let Some(label) = label_of(production.start) else { return Some(production) };
    let only = label_of(label.start).is_none() && !is_directive(label.of(&tree.text));
    only.then(|| label.join(production))
}

fn directly_above(tree: &Tree, comment: Span, start: u32) -> bool {
    let before = tree.text.get(..start as usize).unwrap_or_default().trim_end();
    before.len() == comment.end as usize
        && line_breaks(&tree.text, comment.end, start) == 1
        && indentation(&tree.text, comment.start).is_some()
}
