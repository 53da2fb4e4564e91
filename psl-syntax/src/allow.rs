//! `//@ allow` and `//@ allow-file`: what each accepts, and those that accept nothing.
//!
//! An allow covers the declaration or statement that starts on the line below it as a whole, with a repeat block's inside.
//! Comments between are skipped, a blank line is not. Inside a declaration or a production, an allow covers the next entry,
//! condition or assignment, wherever that starts. Of the other directives between, it covers the first, and of the allows too,
//! for what may be wrong with them themselves.
//!
//! Invariant: formatting changes nothing of that. So an allow never covers by lines what the layout may put on other ones,
//! and in the last clause of a production, behind which it would be put, it covers nothing.
//!
//! Invariant: where the covers of several allows of one code overlap, the one that starts last accepts; of those with the
//! same cover, the first. An error is never accepted.

use std::{cmp::Reverse, collections::BTreeMap, ops::Range};

use crate::{
    clause_spans::{Clause, ClauseKind, clauses},
    codes::Code,
    diagnostic::{Diagnostic, Edit, Fix},
    directive::is_directive,
    lines::{indentation, line_breaks, line_indentation},
    nearest::nearest,
    span::Span,
    tree::{DirectiveKind, Statement, Tree},
};

/// The allows of a text, in its order.
#[derive(Default)]
pub struct Allows<'t> {
    written: Vec<Allow>,
    anchors: Anchors<'t>,
}

/// An allow of the text.
struct Allow {
    /// The whole comment.
    comment: Span,
    /// The code's name in it.
    name: Span,
    file: bool,
    /// Nothing where the name is none.
    code: Option<Code>,
    covers: Vec<Range<Anchor>>,
    used: bool,
}

/// What lies below a comment.
#[derive(Clone, Copy, Default)]
struct Below {
    code: Option<Span>,
    directive: Option<Span>,
    allow: Option<Span>,
}

/// Where something counts as standing: at an offset, or, for a comment inside a clause, behind the clause, where the layout
/// puts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Anchor {
    offset: u32,
    side: Side,
    /// Tells the comments behind one clause apart: where each was written.
    written: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Side {
    /// Behind what ends at the offset.
    Behind,
    /// What starts at the offset.
    At,
}

/// What decides where things count as standing.
#[derive(Default)]
struct Anchors<'t> {
    clauses: Vec<Clause>,
    comments: &'t [Span],
}

/// Where a comment stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CommentPlacement {
    /// Between two clauses of one declaration, production or `until`.
    Inside,
    /// Between those.
    Between,
    /// In the last clause of one, behind which the layout puts it.
    WithinLast,
}

/// The allows of a text.
pub fn allows(tree: &Tree) -> Allows<'_> {
    let allows = tree.directives.iter().any(|directive| matches!(directive.kind, DirectiveKind::Allow { .. }));
    // Most texts have none, and this is asked at every keystroke.
    if !allows {
        return Allows::default();
    }
    let anchors = Anchors { clauses: clauses(&tree.tokens.code), comments: &tree.tokens.comments };
    let repeats = repeats(tree);
    let mut written = tree.directives.iter().rev().peekable();
    let mut found = Vec::new();
    let mut below = Below::default();
    // The comment below, and the clause below that.
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
                    let code = below.code.map(|code| Anchor::at(code.start)..Anchor::behind(code.end));
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

    const fn behind(offset: u32) -> Self {
        Self { offset, side: Side::Behind, written: 0 }
    }
}

impl Anchors<'_> {
    /// Where a comment stands, in front of the clause with this index or in the one before it.
    fn placement(&self, comment: Span, after: usize) -> CommentPlacement {
        let before = after.checked_sub(1).and_then(|before| self.clauses.get(before));
        match self.clauses.get(after).map(|clause| clause.kind) {
            Some(ClauseKind::Inner | ClauseKind::Closing) => CommentPlacement::Inside,
            _ if before.is_some_and(|before| comment.start < before.last) => CommentPlacement::WithinLast,
            _ => CommentPlacement::Between,
        }
    }

    /// Where what is at an offset counts as standing; the end of a comment belongs to it.
    fn of(&self, offset: u32) -> Anchor {
        let comment = self.comments.partition_point(|comment| comment.start <= offset).checked_sub(1);
        let comment = comment.and_then(|index| self.comments.get(index)).filter(|comment| offset <= comment.end);
        let clause = self.clauses.partition_point(|clause| clause.span.start <= offset).checked_sub(1);
        let clause = clause.and_then(|index| self.clauses.get(index)).filter(|clause| offset < clause.last);
        match (comment, clause) {
            (Some(_), Some(clause)) => Anchor { written: offset, ..Anchor::behind(clause.span.end) },
            _ => Anchor::at(offset),
        }
    }
}

/// What an allow above a clause covers: a whole declaration or statement, which may be a repeat block with all that is in it, or
/// the clause alone.
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

/// The spans of all repeat blocks, in the order in which they start.
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
    /// Leaves out what is accepted, and notes by which allow.
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
        // The allows whose cover has started: the end of the cover, and which it is. One that starts later lies above.
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

    /// What is wrong with the allows that accepted nothing, of the codes that were all found. One of `unused-allow` accepts that
    /// of others, never of its own kind.
    pub fn unused(&mut self, tree: &Tree, all_found: &dyn Fn(Code) -> bool) -> Vec<Diagnostic> {
        let of_unused = |allow: &Allow| allow.code == Some(Code::UnusedAllow);
        let report = |allows: &[Allow], wanted: &dyn Fn(&Allow) -> bool| -> Vec<Diagnostic> {
            allows
                .iter()
                .filter(|allow| !allow.used && wanted(allow))
                .filter_map(|allow| why_unused(tree, allow, all_found))
                .collect()
        };
        let others = report(&self.written, &|allow| !of_unused(allow));
        let mut left = self.accept(others);
        left.extend(report(&self.written, &of_unused));
        left
    }
}

/// Nothing where there may be more of the code to be found.
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

/// An allow of what was found, on a line of its own: above the statement or declaration that it stands in, or above its own line
/// where that is a comment's, or above the `until` that it stands in. Nothing for an error.
pub fn allow_here(tree: &Tree, found: &Diagnostic) -> Option<Fix> {
    if found.code.is_error() {
        return None;
    }
    let at = found.span.start;
    let comment = tree.tokens.comments.iter().find(|comment| comment.touches(at));
    if comment.is_some_and(|comment| indentation(&tree.text, comment.start).is_none()) {
        return None;
    }
    // A block starts far above what its `until` says: it is the segment that counts.
    let segment = tree.tokens.code.iter().rfind(|token| token.span.start <= at && token.kind.starts_segment());
    let below = comment.copied().or(segment.map(|segment| segment.span)).map_or(at, |below| below.start);
    let indent = line_indentation(&tree.text, below);
    let (line_end, name) = (tree.line_end(), found.code.as_str());
    let allow = format!("{indent}//@ allow {name}{line_end}");
    let edit = if indentation(&tree.text, below).is_some() {
        let start = line_start(&tree.text, below);
        Edit { span: Span::new(start, start), text: allow }
    } else {
        // Above its line, the allow would cover what stands before it there.
        Edit { span: Span::new(below, below), text: format!("{line_end}{allow}{indent}") }
    };
    Some(Fix { title: format!("Allow `{name}` here"), certain: false, edits: vec![edit] })
}

/// Where the line of an offset starts, behind a byte order mark.
fn line_start(text: &str, offset: u32) -> u32 {
    let before = text.get(..offset as usize).unwrap_or_default();
    match before.rfind(['\n', '\r']) {
        Some(end) => end as u32 + 1,
        None if before.starts_with('\u{feff}') => '\u{feff}'.len_utf8() as u32,
        None => 0,
    }
}

/// The line of a comment, or, where code stands before it, the comment and the space between.
fn removal(text: &str, comment: Span) -> Span {
    let before = text.get(..comment.start as usize).unwrap_or_default();
    let code_end = before.trim_end_matches([' ', '\t']).len() as u32;
    let own_line = before.get(..code_end as usize).is_none_or(|rest| rest.is_empty() || rest.ends_with(['\n', '\r']));
    if !own_line {
        return Span::new(code_end, comment.end);
    }
    let after = text.get(comment.end as usize..).unwrap_or_default();
    let line_break = if after.starts_with("\r\n") { 2 } else { u32::from(!after.is_empty()) };
    Span::new(code_end, comment.end + line_break)
}
