//! `duplicate-production`: productions that repeat an earlier one, with nothing changed in between.

use rustc_hash::FxHashMap;

use crate::{
    codes::Code,
    comments::{has_comment, without},
    diagnostic::Diagnostic,
    directive::is_directive,
    facts::Facts,
    flow::FlowLayer,
    lines::{indentation, line_breaks},
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
    let leaves_some = |layer: &FlowLayer<'_>| {
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
        if leaves_some(layer) && is_removable(tree, layer.production.span) {
            diagnostic = diagnostic.fix_all("Remove the production", without(tree, layer.production.span));
        }
        diagnostics.push(diagnostic);
    }
    diagnostics
}

/// Whether no comment is inside, and no directive directly above, which would be about the next production.
fn is_removable(tree: &Tree, production: Span) -> bool {
    let comments = &tree.tokens.comments;
    let above = comments.partition_point(|comment| comment.start < production.start);
    let above = above.checked_sub(1).and_then(|above| comments.get(above));
    let is_covered =
        above.is_some_and(|above| directly_above(tree, *above, production.start) && is_directive(above.of(&tree.text)));
    !is_covered && !has_comment(tree, production)
}

fn directly_above(tree: &Tree, comment: Span, start: u32) -> bool {
    let before = tree.text.get(..start as usize).unwrap_or_default().trim_end();
    before.len() == comment.end as usize
        && line_breaks(&tree.text, comment.end, start) == 1
        && indentation(&tree.text, comment.start).is_some()
}
