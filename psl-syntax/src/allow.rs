//! `//@ allow` and `//@ allow-file`: what each accepts, and those that accept nothing.
//!
//! An allow covers what starts on the line below it: each statement and declaration as a whole, with a repeat block's inside,
//! else just that line of code. Comments between are skipped, a blank line is not. Of the other directives between, it covers
//! the first, and of the allows too, for what may be wrong with them themselves.
//!
//! Invariant: where the covers of several allows of one code overlap, the one that starts last accepts; of those with the
//! same cover, the first. An error is never accepted.

use std::{cmp::Reverse, collections::BTreeMap};

use crate::{
    codes::Code,
    declare::line_end,
    diagnostic::{Diagnostic, Edit, Fix},
    directive::is_directive,
    lines::{indentation, line_breaks, line_indentation},
    nearest::nearest,
    span::Span,
    token::Kind,
    tree::{DirectiveKind, Statement, Tree},
};

/// An allow of the text.
pub struct Allow {
    /// The whole comment.
    comment: Span,
    /// The code's name in it.
    name: Span,
    file: bool,
    /// Nothing where the name is none.
    code: Option<Code>,
    covers: Vec<Span>,
    used: bool,
}

/// What lies directly below a comment.
#[derive(Clone, Copy, Default)]
struct Below {
    code: Option<Span>,
    directive: Option<Span>,
    allow: Option<Span>,
}

/// The allows of a text, in its order.
pub fn allows(tree: &Tree) -> Vec<Allow> {
    let statements = statements(tree);
    let mut written = tree.directives.iter().rev().peekable();
    let mut found = Vec::new();
    let mut below = Below::default();
    let mut next: Option<Span> = None;
    for &comment in tree.tokens.comments.iter().rev() {
        let code = &tree.tokens.code;
        let token = code.get(code.partition_point(|token| token.span.start < comment.start)).map(|token| token.span);
        let directly = |thing: Span| line_breaks(&tree.text, comment.end, thing.start) == 1;
        match (token, next) {
            (Some(token), next) if next.is_none_or(|next| token.start < next.start) => {
                below = Below::default();
                below.code = directly(token).then(|| cover(&tree.text, &statements, token.start));
            }
            (_, Some(next)) if directly(next) => {}
            _ => below = Below::default(),
        }
        next = Some(comment);
        match written.next_if(|directive| directive.span == comment).map(|directive| &directive.kind) {
            Some(&DirectiveKind::Allow { code: name, file }) => {
                let code = Code::from_name(tree.str(name));
                let covers = if file {
                    vec![Span::new(0, u32::MAX)]
                } else {
                    [below.code, below.directive, below.allow].into_iter().flatten().collect()
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
    found
}

/// The spans of all statements and declarations, in the order in which they start.
fn statements(tree: &Tree) -> Vec<Span> {
    fn push(statements: &[Statement], spans: &mut Vec<Span>) {
        for statement in statements {
            match statement {
                Statement::CausalAttn(_) => {}
                Statement::Production(production) => spans.push(production.span),
                Statement::Repeat(repeat) => {
                    spans.push(repeat.span);
                    push(&repeat.body, spans);
                }
            }
        }
    }
    let mut spans: Vec<Span> = tree.declarations.iter().map(|declaration| declaration.span).collect();
    push(&tree.statements, &mut spans);
    spans.sort();
    spans
}

/// The line that starts with the code at `start`, and what starts on it.
fn cover(text: &str, statements: &[Span], start: u32) -> Span {
    let line = Span::new(start, end_of_line(text, start));
    let first = statements.partition_point(|statement| statement.start < line.start);
    let on_line = statements.iter().skip(first).take_while(|statement| statement.start < line.end);
    on_line.fold(line, |cover, &statement| cover.join(statement))
}

fn end_of_line(text: &str, start: u32) -> u32 {
    let rest = Span::new(start, text.len() as u32).of(text);
    start + rest.find(['\n', '\r']).unwrap_or(rest.len()) as u32
}

/// Leaves out what is accepted, and notes by which allow. `found` is in the order of the text.
pub fn accept(found: Vec<Diagnostic>, allows: &mut [Allow]) -> Vec<Diagnostic> {
    let mut covers: Vec<(u32, Reverse<usize>, u32, Code)> = Vec::new();
    for (index, allow) in allows.iter().enumerate() {
        if let Some(code) = allow.code.filter(|code| !code.is_error()) {
            covers.extend(allow.covers.iter().map(|cover| (cover.start, Reverse(index), cover.end, code)));
        }
    }
    covers.sort_unstable();
    let mut covers = covers.into_iter().peekable();
    // The allows whose cover has started: the end of the cover, and which it is. One that starts later lies above.
    let mut open: BTreeMap<Code, Vec<(u32, usize)>> = BTreeMap::new();
    let mut left = found;
    left.retain(|diagnostic| {
        let at = diagnostic.span.start;
        while let Some((_, Reverse(index), end, code)) = covers.next_if(|&(start, ..)| start <= at) {
            open.entry(code).or_default().push((end, index));
        }
        let Some(open) = open.get_mut(&diagnostic.code) else { return true };
        while open.pop_if(|&mut (end, _)| end <= at).is_some() {}
        let accepting = open.last().and_then(|&(_, index)| allows.get_mut(index));
        accepting.map(|allow| allow.used = true).is_none()
    });
    left
}

/// What is wrong with the allows that accepted nothing, of the codes that were all found. One of `unused-allow` accepts that of others, never of its own kind.
pub fn unused(tree: &Tree, allows: &mut [Allow], all_found: &dyn Fn(Code) -> bool) -> Vec<Diagnostic> {
    let of_unused = |allow: &Allow| allow.code == Some(Code::UnusedAllow);
    let report = |allows: &[Allow], wanted: &dyn Fn(&Allow) -> bool| -> Vec<Diagnostic> {
        allows
            .iter()
            .filter(|allow| !allow.used && wanted(allow))
            .filter_map(|allow| why_unused(tree, allow, all_found))
            .collect()
    };
    let others = report(allows, &|allow| !of_unused(allow));
    let mut left = accept(others, allows);
    left.extend(report(allows, &of_unused));
    left
}

/// Nothing where there may be more of the code to be found.
fn why_unused(tree: &Tree, allow: &Allow, all_found: &dyn Fn(Code) -> bool) -> Option<Diagnostic> {
    let name = tree.str(allow.name);
    let wrong = |message: String| Diagnostic::new(Code::UnusedAllow, allow.name, message);
    let Some(code) = allow.code else {
        let unknown = wrong(format!("no diagnostic is called `{name}`"));
        let names = Code::ALL.iter().filter(|code| !code.is_error()).map(|code| code.as_str());
        return Some(match nearest(name, names) {
            Some(near) => unknown.help(format!("did you mean `{near}`?")).suggest(
                format!("replace with `{near}`"),
                allow.name,
                near,
            ),
            None => unknown.help("`psl explain` lists them all"),
        });
    };
    if !code.is_error() && !all_found(code) {
        return None;
    }
    let (message, help) = if code.is_error() {
        (format!("`{name}` is an error, and errors can not be allowed"), "repair the error, and remove this line")
    } else if allow.file {
        (format!("there is no `{name}` left in this file to allow"), "remove this line")
    } else {
        (
            format!("there is no `{name}` left here to allow"),
            "remove this line, or put it directly above what it is to allow",
        )
    };
    Some(wrong(message).help(help).fix("remove this allow", removal(&tree.text, allow.comment), ""))
}

/// An allow of what was found, on a line of its own: above the statement or declaration that it stands in, or above its own line
/// where that is a directive's or the end of a block. Nothing for an error.
pub fn allow_here(tree: &Tree, found: &Diagnostic) -> Option<Fix> {
    if found.code.is_error() {
        return None;
    }
    let at = found.span.start;
    let in_directive = tree.directives.iter().any(|directive| directive.span.touches(at));
    let line = |offset: u32| line_start(&tree.text, offset);
    if in_directive && indentation(&tree.text, at).is_none() {
        return None;
    }
    let statements = statements(tree);
    let mut around = statements.iter().filter(|span| span.start <= at && at < span.end && !in_directive);
    let innermost = around.next_back().copied().unwrap_or(found.span);
    // A block starts far above what its `until` says.
    let repeat = tree.tokens.code.iter().find(|token| token.span.start == innermost.start);
    let own = repeat.is_some_and(|token| token.kind == Kind::Repeat && !token.span.touches(at));
    let start = line(if own { at } else { innermost.start });
    let indent = line_indentation(&tree.text, if own { at } else { innermost.start });
    let name = found.code.as_str();
    let text = format!("{indent}//@ allow {name}{}", line_end(tree));
    let edits = vec![Edit { span: Span::new(start, start), text }];
    Some(Fix { title: format!("Allow `{name}` here"), certain: false, edits })
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
