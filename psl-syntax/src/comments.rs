//! Edits that keep comments.
//!
//! Invariant: no fix, refactoring or repair removes a comment, unless it is about comments alone. A comment stays where
//! it is, and never becomes the label of another production or the comment of another entry.

use crate::{
    diagnostic::{Diagnostic, Edit},
    directive::is_directive,
    lines::{has_line_breaks, line_breaks, line_start_after, on_one_line, removal, start_of_surplus_line},
    span::Span,
    token::{Kind, Token, tokenize},
    tree::Tree,
};

/// Splits edits that would remove or move comments into edits of the code between them. The new text takes the place of
/// the first code.
pub fn keep_comments(tree: &Tree, edits: &mut Vec<Edit>) {
    if edits.iter().any(|edit| changes_comment(tree, edit)) {
        let split = |edit: Edit| if changes_comment(tree, &edit) { around_comments(tree, edit) } else { vec![edit] };
        *edits = edits.drain(..).flat_map(split).collect();
    }
}

/// Whether an edit of code removes comments or brings them into another order, or writes code at the end of one.
fn changes_comment(tree: &Tree, edit: &Edit) -> bool {
    let removed = comments_in(tree, edit.span);
    if edit.span.is_empty() || removed.is_empty() && !follows_comment(tree, edit.span.start) {
        return false;
    }
    let new = tokenize(&edit.text);
    let is_about_comments = new.code.is_empty() && code_in(tree, edit.span).is_empty();
    let old = removed.iter().map(|comment| tree.str(*comment));
    let is_kept = !removed.is_empty() && old.eq(new.comments.iter().map(|comment| comment.of(&edit.text)));
    !is_about_comments && !is_kept
}

/// Whether a comment ends at an offset.
fn follows_comment(tree: &Tree, offset: u32) -> bool {
    tree.tokens.comments.binary_search_by_key(&offset, |comment| comment.end).is_ok()
}

/// [`keep_comments`] for the fixes of diagnostics.
pub fn keep_in_fixes(tree: &Tree, diagnostics: &mut [Diagnostic]) {
    for fix in diagnostics.iter_mut().flat_map(|diagnostic| &mut diagnostic.fixes) {
        keep_comments(tree, &mut fix.edits);
    }
}

/// The edits that remove an entry or a production, but no comment. An empty line separates a comment that is left
/// directly above something else.
pub fn without(tree: &Tree, code: Span) -> Vec<Edit> {
    let mut edits: Vec<Edit> = pieces(tree, code).into_iter().map(|piece| remove(tree, piece)).collect();
    if let [Edit { span, .. }] = edits.as_mut_slice() {
        // Of two empty lines, one stays.
        span.start = start_of_surplus_line(&tree.text, *span).unwrap_or(span.start);
    }
    if let Some(line) = line_below_left_comment(tree, code, &edits) {
        match edits.last_mut().filter(|last| last.span.end == line) {
            Some(last) => tree.line_end().clone_into(&mut last.text),
            None => edits.push(Edit { span: Span::new(line, line), text: tree.line_end().to_owned() }),
        }
    }
    edits
}

/// The edit that removes a production with the comments in it, directly above it and at the end of its last line.
pub fn with_comments(tree: &Tree, production: Span) -> Edit {
    let text = &*tree.text;
    let comments = &tree.tokens.comments;
    let next = comments.partition_point(|comment| comment.start < production.start);
    let code_before = code_in(tree, Span::new(0, production.start)).last().map_or(0, |token| token.span.end);
    let mut whole = production;
    for (index, comment) in comments.iter().enumerate().take(next).rev() {
        let above = index.checked_sub(1).and_then(|before| comments.get(before)).map_or(0, |comment| comment.end);
        let above = above.max(code_before);
        let own_line = above == 0 || line_breaks(text, above, comment.start) > 0;
        let is_above = own_line && comment.start >= above && line_breaks(text, comment.end, whole.start) == 1;
        if !is_above || is_directive(comment.of(text)) {
            break;
        }
        whole.start = comment.start;
    }
    let code_after = code_after(tree, production.end).map_or(text.len() as u32, |token| token.span.start);
    let after = comments.get(comments.partition_point(|comment| comment.start < production.end));
    if let Some(comment) = after.filter(|it| it.start < code_after && line_breaks(text, production.end, it.start) == 0)
    {
        whole.end = comment.end;
    }
    let mut span = removal(text, whole);
    span.start = start_of_surplus_line(text, span).unwrap_or(span.start);
    Edit { span, text: String::new() }
}

/// The edits that remove an entry of a declaration with its comma, but no comment.
pub fn without_entry(tree: &Tree, entry: Span) -> Vec<Edit> {
    without(tree, with_comma(tree, entry))
}

/// An entry with its comma.
fn with_comma(tree: &Tree, entry: Span) -> Span {
    let code = &tree.tokens.code;
    let first = code.partition_point(|token| token.span.start < entry.start);
    let next = code.partition_point(|token| token.span.start < entry.end);
    let before = first.checked_sub(1).and_then(|before| code.get(before)).filter(|token| token.kind == Kind::Comma);
    let after = code.get(next).filter(|token| token.kind == Kind::Comma);
    match (before, after) {
        (_, Some(comma)) => entry.join(comma.span),
        // The comma before the last entry may stay, as a trailing comma.
        (Some(comma), None) if !has_comment(tree, comma.span.join(entry)) => comma.span.join(entry),
        _ => entry,
    }
}

/// Whether a span contains a comment.
pub fn has_comment(tree: &Tree, span: Span) -> bool {
    !comments_in(tree, span).is_empty()
}

fn around_comments(tree: &Tree, Edit { span, text }: Edit) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut rest = span;
    if !text.is_empty() {
        let new = tokenize(&text);
        let text = if new.comments.is_empty() { text } else { on_one_line(&text, &new.code).into_owned() };
        let code = code_in(tree, span);
        let start = match code.first() {
            Some(first) if follows_comment(tree, span.start) => first.span.start,
            _ => span.start,
        };
        let comment = comments_in(tree, Span::new(start, span.end)).first();
        rest.start = comment.map_or(span.end, |comment| comment.start);
        edits.push(match comment {
            Some(comment) => {
                let end = code_in(tree, Span::new(start, comment.start)).last().map_or(start, |token| token.span.end);
                Edit { span: Span::new(start, end), text: text.trim_end().to_owned() }
            }
            None => Edit { span: Span::new(start, span.end), text },
        });
    }
    edits.extend(pieces(tree, rest).into_iter().map(|piece| remove(tree, piece)));
    edits
}

/// The code in a span, in pieces between comments.
fn pieces(tree: &Tree, span: Span) -> Vec<Span> {
    let comments = comments_in(tree, span);
    let starts = [span.start].into_iter().chain(comments.iter().map(|comment| comment.end));
    let ends = comments.iter().map(|comment| comment.start).chain([span.end]);
    let piece = |(start, end)| {
        let code = code_in(tree, Span::new(start, end));
        Some(code.first()?.span.join(code.last()?.span))
    };
    starts.zip(ends).filter_map(piece).collect()
}

fn remove(tree: &Tree, piece: Span) -> Edit {
    Edit { span: removal(&tree.text, piece), text: String::new() }
}

fn code_in(tree: &Tree, span: Span) -> &[Token] {
    let code = &tree.tokens.code;
    let first = code.partition_point(|token| token.span.start < span.start);
    let end = code.partition_point(|token| token.span.end <= span.end);
    code.get(first..end).unwrap_or_default()
}

/// The first code from an offset on.
fn code_after(tree: &Tree, offset: u32) -> Option<&Token> {
    let code = &tree.tokens.code;
    code.get(code.partition_point(|token| token.span.start < offset))
}

fn comments_in(tree: &Tree, span: Span) -> &[Span] {
    let comments = &tree.tokens.comments;
    let first = comments.partition_point(|comment| comment.start < span.start);
    let end = comments.partition_point(|comment| comment.end <= span.end);
    comments.get(first..end).unwrap_or_default()
}

/// The start of the line below removed code, if a comment would be directly above something else there.
fn line_below_left_comment(tree: &Tree, code: Span, edits: &[Edit]) -> Option<u32> {
    let text = &*tree.text;
    // Before the search for the end of the line, which can be far away.
    if code_after(tree, code.end).is_some_and(|next| line_breaks(text, code.end, next.span.start) == 0) {
        return None;
    }
    let end = edits.last()?.span.end;
    let ends_line = text.get(..end as usize)?.ends_with(['\n', '\r']);
    let below = if ends_line { end } else { line_start_after(text, end)? };
    let next = text.get(below as usize..)?.trim_start_matches([' ', '\t']);
    if next.is_empty() || next.starts_with(['\n', '\r', '}', ']']) {
        return None;
    }
    let comments = &tree.tokens.comments;
    let comment = *comments.get(comments.partition_point(|comment| comment.start < below).checked_sub(1)?)?;
    let removed = edits.iter().map(|edit| edit.span).filter(|span| comment.end <= span.start);
    let breaks: usize = removed.map(|span| line_breaks(text, span.start, span.end)).sum();
    let is_above = has_line_breaks(text, comment.end, below, breaks + 1);
    (is_above && !is_about_rest(tree, code, comment)).then_some(below)
}

/// Whether code that is left on the line of a comment is what the comment is about: any, but an opening bracket before
/// the removed code.
fn is_about_rest(tree: &Tree, code: Span, comment: Span) -> bool {
    let before = code_in(tree, Span::new(0, comment.start)).iter().rev();
    let mut left = before.filter(|token| token.span.start < code.start || token.span.start >= code.end);
    let rest = left.next().filter(|token| line_breaks(&tree.text, token.span.end, comment.start) == 0);
    let is_bracket = |token: &Token| matches!(token.kind, Kind::OpenBrace | Kind::OpenBracket);
    rest.is_some_and(|token| comment.start < code.start || !is_bracket(token))
}
