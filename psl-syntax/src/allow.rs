//! `//@ allow` and `//@ allow-file`: the warnings they accept, and the report of unused ones.
//!
//! An allow covers the whole declaration or statement that starts on the next line, including everything inside a
//! repeat block. Comments in between are skipped, but not blank lines. Inside a declaration or a production, an allow
//! covers the next entry, condition or assignment, on whatever line it starts. It also covers the first of the other
//! directives in between, and the first of the allows, for warnings about these comments.
//!
//! Invariant: formatting does not change what an allow covers. For this reason, an allow never covers code by its line
//! if the formatter may move that code to a different line. An allow in the last clause of a production, which the
//! formatter moves after the clause, covers nothing.
//!
//! Invariant: if allows of the same code overlap, the one whose cover starts last accepts the warning. Of allows with
//! the same cover, the first one does. Errors are never accepted.

use std::{cmp::Reverse, collections::BTreeMap, ops::Range};

use crate::{
    clause_spans::{Clause, ClauseKind, clauses},
    codes::Code,
    diagnostic::{Diagnostic, Edit, Fix},
    directive::is_directive,
    lines::{indentation, line_breaks, line_indentation, removal},
    nearest::nearest,
    span::Span,
    tree::{DirectiveKind, Statement, Tree},
};

/// The allows of a text, in order.
#[derive(Default)]
pub struct Allows<'t> {
    written: Vec<Allow>,
    anchors: Anchors<'t>,
}

/// An allow of the text.
struct Allow {
    /// The whole comment.
    comment: Span,
    /// The name of the code in the comment.
    name: Span,
    file: bool,
    /// `None` if the name is not a code.
    code: Option<Code>,
    covers: Vec<Range<Anchor>>,
    used: bool,
}

/// The nearest things below a comment, which an allow there can cover.
#[derive(Clone, Copy, Default)]
struct Below {
    code: Option<Span>,
    directive: Option<Span>,
    allow: Option<Span>,
}

/// A position as covers compare it: an offset or, for a comment inside a clause, the end of that clause, where the
/// formatter puts the comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Anchor {
    offset: u32,
    side: Side,
    /// Distinguishes the comments after one clause by their original offsets.
    written: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Side {
    /// After what ends at the offset.
    After,
    /// At what starts at the offset.
    At,
}

/// The clauses and comments that determine anchors.
#[derive(Default)]
struct Anchors<'t> {
    clauses: Vec<Clause>,
    comments: &'t [Span],
}

/// The place of a comment among the clauses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CommentPlacement {
    /// Between two clauses of the same declaration, production or `until`.
    Inside,
    /// Between two declarations, productions or `until` clauses.
    Between,
    /// In the last clause of a declaration, production or `until`. The formatter moves the comment after it.
    WithinLast,
}

/// The allows of a text.
pub fn allows(tree: &Tree) -> Allows<'_> {
    let allows = tree.directives.iter().any(|directive| matches!(directive.kind, DirectiveKind::Allow { .. }));
    // Every keystroke asks for the allows, and most texts have none.
    if !allows {
        return Allows::default();
    }
    let anchors = Anchors { clauses: clauses(&tree.tokens.code), comments: &tree.tokens.comments };
    let repeats = repeats(tree);
    let mut written = tree.directives.iter().rev().peekable();
    let mut found = Vec::new();
    let mut below = Below::default();
    // The comment below, and the index of the clause below that comment.
    let mut next: Option<(Span, usize)> = None;
    for &comment in tree.tokens.comments.iter().rev() {
        let after = anchors.clauses.partition_point(|clause| clause.span.start < comment.start);
        let clause = anchors.clauses.get(after);
        let placement = anchors.placement(comment, after);
        let reaches = |thing: u32| match placement {
            CommentPlacement::Inside => true,
            CommentPlacement::Between => line_breaks(&tree.text, comment.end, thing) == 1,
            CommentPlacement::WithinLast => false,
        };
        match next {
            Some((next, clause)) if clause == after => {
                if !reaches(next.start) {
                    below = Below::default();
                }
            }
            _ => {
                below = Below::default();
                below.code =
                    clause.filter(|clause| reaches(clause.span.start)).and_then(|clause| cover(clause, &repeats));
            }
        }
        next = Some((comment, after));
        match written.next_if(|directive| directive.span == comment).map(|directive| &directive.kind) {
            Some(&DirectiveKind::Allow { code: name, file }) => {
                let code = Code::from_name(tree.str(name));
                let covers = if file {
                    vec![Anchor::at(0)..Anchor::at(u32::MAX)]
                } else {
                    let code = below.code.map(|code| Anchor::at(code.start)..Anchor::after(code.end));
                    let comments = [below.directive, below.allow].into_iter().flatten();
                    code.into_iter()
                        .chain(comments.map(|comment| anchors.of(comment.start)..anchors.of(comment.end)))
                        .collect()
                };
                found.push(Allow { comment, name, file, code, covers, used: false });
                below.allow = Some(comment);
            }
            Some(_) => below.directive = Some(comment),
            None if is_directive(tree.str(comment)) => below.directive = Some(comment),
            None => {}
        }
    }
    found.reverse();
    Allows { written: found, anchors }
}

impl Anchor {
    const fn at(offset: u32) -> Self {
        Self { offset, side: Side::At, written: 0 }
    }

    const fn after(offset: u32) -> Self {
        Self { offset, side: Side::After, written: 0 }
    }
}

impl Anchors<'_> {
    /// Returns the place of a comment that is before the clause with index `after`, or in the clause before that one.
    fn placement(&self, comment: Span, after: usize) -> CommentPlacement {
        let before = after.checked_sub(1).and_then(|before| self.clauses.get(before));
        match self.clauses.get(after).map(|clause| clause.kind) {
            Some(ClauseKind::Inner | ClauseKind::Closing) => CommentPlacement::Inside,
            _ if before.is_some_and(|before| comment.start < before.last) => CommentPlacement::WithinLast,
            _ => CommentPlacement::Between,
        }
    }

    /// Returns the anchor of an offset. The end of a comment belongs to the comment.
    fn of(&self, offset: u32) -> Anchor {
        let comment = self.comments.partition_point(|comment| comment.start <= offset).checked_sub(1);
        let comment = comment.and_then(|index| self.comments.get(index)).filter(|comment| offset <= comment.end);
        let clause = self.clauses.partition_point(|clause| clause.span.start <= offset).checked_sub(1);
        let clause = clause.and_then(|index| self.clauses.get(index)).filter(|clause| offset < clause.last);
        match (comment, clause) {
            (Some(_), Some(clause)) => Anchor { written: offset, ..Anchor::after(clause.span.end) },
            _ => Anchor::at(offset),
        }
    }
}

/// Returns the span that an allow above a clause covers: the whole declaration or statement, or the clause alone.
fn cover(clause: &Clause, repeats: &[Span]) -> Option<Span> {
    match clause.kind {
        ClauseKind::Closing => None,
        ClauseKind::Inner => Some(clause.span),
        ClauseKind::Opening(segment) => {
            let block = repeats.binary_search_by_key(&clause.span.start, |block| block.start).ok();
            Some(block.and_then(|block| repeats.get(block)).map_or(segment, |block| segment.join(*block)))
        }
    }
}

/// The spans of all repeat blocks, ordered by start.
fn repeats(tree: &Tree) -> Vec<Span> {
    fn push(statements: &[Statement], spans: &mut Vec<Span>) {
        for statement in statements {
            if let Statement::Repeat(repeat) = statement {
                spans.push(repeat.span);
                push(&repeat.body, spans);
            }
        }
    }
    let mut spans = Vec::new();
    push(&tree.statements, &mut spans);
    spans
}

impl Allows<'_> {
    /// Removes the accepted diagnostics, and marks the allows that accepted them as used.
    pub fn accept(&mut self, mut found: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let mut covers: Vec<(Anchor, Reverse<usize>, Anchor, Code)> = Vec::new();
        for (index, allow) in self.written.iter().enumerate() {
            if let Some(code) = allow.code.filter(|code| !code.is_error()) {
                covers.extend(allow.covers.iter().map(|cover| (cover.start, Reverse(index), cover.end, code)));
            }
        }
        covers.sort_unstable();
        let mut covers = covers.into_iter().peekable();
        let mut anchors: Vec<(Anchor, usize)> =
            found.iter().map(|found| self.anchors.of(found.span.start)).zip(0..).collect();
        anchors.sort_unstable();
        // Ends and indices of the allows whose covers have started. The last one of a code takes precedence.
        let mut open: BTreeMap<Code, Vec<(Anchor, usize)>> = BTreeMap::new();
        let mut accepted = vec![false; found.len()];
        for (anchor, index) in anchors {
            while let Some((_, Reverse(index), end, code)) = covers.next_if(|&(start, ..)| start <= anchor) {
                open.entry(code).or_default().push((end, index));
            }
            let (Some(found), Some(accepted)) = (found.get(index), accepted.get_mut(index)) else { continue };
            let Some(open) = open.get_mut(&found.code) else { continue };
            while open.pop_if(|&mut (end, _)| end <= anchor).is_some() {}
            if let Some(allow) = open.last().and_then(|&(_, index)| self.written.get_mut(index)) {
                allow.used = true;
                *accepted = true;
            }
        }
        let mut accepted = accepted.into_iter();
        found.retain(|_| accepted.next() != Some(true));
        found
    }

    /// Reports the unused allows of the codes for which `all_found` holds. An allow of `unused-allow` accepts reports
    /// about other allows, but not about those of the same code.
    pub fn unused(&mut self, tree: &Tree, all_found: &dyn Fn(Code) -> bool) -> Vec<Diagnostic> {
        let of_unused = |allow: &Allow| allow.code == Some(Code::UnusedAllow);
        let report = |allows: &[Allow], included: &dyn Fn(&Allow) -> bool| -> Vec<Diagnostic> {
            allows
                .iter()
                .filter(|allow| !allow.used && included(allow))
                .filter_map(|allow| why_unused(tree, allow, all_found))
                .collect()
        };
        let others = report(&self.written, &|allow| !of_unused(allow));
        let mut left = self.accept(others);
        left.extend(report(&self.written, &of_unused));
        left
    }
}

/// Returns the report of an unused allow, or `None` if more diagnostics of its code may still be found.
fn why_unused(tree: &Tree, allow: &Allow, all_found: &dyn Fn(Code) -> bool) -> Option<Diagnostic> {
    let name = tree.str(allow.name);
    let wrong = |message: String| Diagnostic::new(Code::UnusedAllow, allow.name, message);
    let Some(code) = allow.code else {
        let unknown = wrong(format!("unknown diagnostic `{name}`"));
        let names = Code::ALL.iter().filter(|code| !code.is_error()).map(|code| code.as_str());
        return Some(match nearest(name, names) {
            Some(near) => unknown.help(format!("did you mean `{near}`?")).suggest(
                format!("Replace with `{near}`"),
                allow.name,
                near,
            ),
            None => unknown.help(Code::LISTED),
        });
    };
    if !code.is_error() && !all_found(code) {
        return None;
    }
    let (message, help) = if code.is_error() {
        (format!("cannot allow `{name}`: it is an error"), "fix the error, and remove this line")
    } else if allow.file {
        (format!("unused `allow-file`: this file has no `{name}`"), "remove this line")
    } else {
        (
            format!("unused `allow`: there is no `{name}` here"),
            "remove this line, or move it directly above the warning to accept",
        )
    };
    Some(wrong(message).help(help).fix("Remove the unused allow", removal(&tree.text, allow.comment), ""))
}

/// Returns an edit that allows a diagnostic, or `None` for an error. The new line is above the declaration or
/// statement that contains the diagnostic, above its `until`, or above the comment that contains it.
pub fn allow_here(tree: &Tree, found: &Diagnostic) -> Option<Fix> {
    if found.code.is_error() {
        return None;
    }
    let at = found.span.start;
    let comment = tree.tokens.comments.iter().find(|comment| comment.touches(at));
    if comment.is_some_and(|comment| indentation(&tree.text, comment.start).is_none()) {
        return None;
    }
    // The `until` of a block can be far below its start, so the segment decides.
    let segment = tree.tokens.code.iter().rfind(|token| token.span.start <= at && token.kind.starts_segment());
    let below = comment.copied().or(segment.map(|segment| segment.span)).map_or(at, |below| below.start);
    let indent = line_indentation(&tree.text, below);
    let (line_end, name) = (tree.line_end(), found.code.as_str());
    let allow = format!("{indent}//@ allow {name}{line_end}");
    let edit = if indentation(&tree.text, below).is_some() {
        let start = line_start(&tree.text, below);
        Edit { span: Span::new(start, start), text: allow }
    } else {
        // An allow above the line would also cover the code before this one on the line.
        Edit { span: Span::new(below, below), text: format!("{line_end}{allow}{indent}") }
    };
    Some(Fix { title: format!("Allow `{name}` here"), certain: false, edits: vec![edit] })
}

/// The start of the line of an offset, after any byte order mark.
fn line_start(text: &str, offset: u32) -> u32 {
    let before = text.get(..offset as usize).unwrap_or_default();
    match before.rfind(['\n', '\r']) {
        Some(end) => end as u32 + 1,
        None if before.starts_with('\u{feff}') => '\u{feff}'.len_utf8() as u32,
        None => 0,
    }
}
