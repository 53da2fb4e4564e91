//! `duplicate-production`: productions that repeat an earlier one, with nothing changed in between.

use rustc_hash::FxHashMap;

use crate::{
    codes::Code,
    diagnostic::{Diagnostic, Edit},
    directive::is_directive,
    facts::Facts,
    flow::Layer,
    lines::{indentation, line_breaks, whole_lines},
    span::Span,
    tree::Tree,
};

/// A warning for each duplicate.
pub fn duplicate_productions(facts: &Facts<'_>) -> Vec<Diagnostic> {
    let Facts { flow, duplicates, tree, .. } = facts;
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
        let message = "duplicate production: nothing it reads or writes has changed since the first one";
        let mut diagnostic = Diagnostic::new(Code::DuplicateProduction, layer.production.head, message)
            .label(earlier.production.head, "first production")
            .help("remove it, or change the part that was intended to differ");
        if leaves_some(layer)
            && let Some(span) = removable(tree, layer.production.span)
        {
            diagnostic = diagnostic.fix_all(
                "Remove the production",
                vec![Edit { span: whole_lines(&tree.text, span), text: String::new() }],
            );
        }
        diagnostics.push(diagnostic);
    }
    diagnostics
}

/// The span of a production and its label. `None` if it contains comments, or if a directive or several comments are
/// above it, because their subject is uncertain.
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
