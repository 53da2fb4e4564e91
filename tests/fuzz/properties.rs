//! Properties of every text, shared by the fuzz targets and the test that replays their corpus.
#![allow(dead_code, reason = "each fuzz target checks one of them")]

use std::collections::BTreeSet;

use psl_syntax::{
    Diagnostic, Levels, Parse, Span, Tree, apply_levels,
    diagnostic::{Edit, Fix},
    holes::{Hole, HoleKind},
    token::Kind,
    tree::{Comparison, Condition, Operand, Production, RegisterAccess, Statement},
};

/// Spans are in the text, tokens tile it, diagnostics are in order, and a tree is sound exactly if nothing in it is
/// broken. Its holes can be filled.
pub fn parse(text: &str) {
    let Parse { tree, diagnostics } = psl_syntax::parse(text);
    assert_eq!(&*tree.text, text);
    tokens(&tree);
    let mut broken = tree.stray;
    for declaration in &tree.declarations {
        broken |= declaration.broken;
        assert!(holds(declaration.span, declaration.keyword), "{declaration:#?}");
    }
    broken |= statements(&tree, &tree.statements, whole(text));
    for directive in &tree.directives {
        assert!(tree.tokens.comments.contains(&directive.span), "{directive:#?}");
    }
    assert!(diagnostics.is_sorted_by_key(|diagnostic| diagnostic.span), "{diagnostics:#?}");
    for diagnostic in &diagnostics {
        placed(text, diagnostic);
    }
    assert_eq!(tree.sound, !diagnostics.iter().any(Diagnostic::is_error));
    assert!(!(tree.sound && broken), "{diagnostics:#?}");
    holes(&tree);
}

/// Each hole of sound syntax is a `?`. With text of their kinds in their places, the syntax is still sound.
fn holes(tree: &Tree) {
    let holes = psl_syntax::holes::holes(tree);
    let fill = |hole: &Hole| {
        assert_eq!(tree.str(hole.span), "?");
        let text = match hole.kind {
            HoleKind::Value | HoleKind::Source => "symbol[n]@pos_increment",
            HoleKind::ListEntry | HoleKind::SurplusEntry => "A",
            HoleKind::Register => "symbol",
            HoleKind::Cell => "N",
            HoleKind::Function => "pos_increment",
            HoleKind::Comparison => "!=",
            HoleKind::Condition => "symbol[n] == A",
            HoleKind::Assignment => "symbol[N] = A",
        };
        Edit { span: hole.span, text: format!(" {text} ") }
    };
    let edits: Vec<Edit> = holes.iter().map(fill).collect();
    let filled = Edit::apply(&edits, &tree.text).expect("holes in text order");
    if tree.sound && !holes.is_empty() {
        let filled = psl_syntax::parse(&filled);
        assert!(filled.tree.sound && psl_syntax::holes::holes(&filled.tree).is_empty(), "{:#?}", filled.diagnostics);
    }
}

/// Equal texts get equal diagnostics, in order. Their spans are in the text, and their fixes can be applied. A program
/// compiles exactly if no diagnostic is an error, and then each production is sound.
pub fn check(text: &str) {
    let checked = psl_syntax::check(text);
    let diagnostics = &checked.diagnostics;
    assert_eq!(*diagnostics, psl_syntax::check(text).diagnostics);
    assert!(diagnostics.is_sorted_by_key(|diagnostic| diagnostic.span), "{diagnostics:#?}");
    for diagnostic in diagnostics {
        placed(text, diagnostic);
        for fix in &diagnostic.fixes {
            applied(text, fix);
        }
    }
    let productions = checked.analysis.program.productions();
    assert_eq!(checked.compiles(), !diagnostics.iter().any(Diagnostic::is_error));
    assert!(!checked.compiles() || (checked.tree.sound && productions.iter().all(|production| production.sound)));
    assert_eq!(checked.analysis.causality.len(), productions.len());
    let references = &checked.analysis.names.references;
    assert!(references.is_sorted_by(|one, next| one.span.end <= next.span.start), "{references:#?}");
    for diagnostic in apply_levels(&checked.tree, checked.diagnostics, &[], &Levels::default()) {
        placed(text, &diagnostic);
    }
}

/// Fixing adds no errors, and fixing again changes nothing.
pub fn fix(text: &str) {
    let diagnose = |text: &str| psl_syntax::check(text).diagnostics;
    let errors = |found: &[Diagnostic]| {
        let mut errors: Vec<_> =
            found.iter().filter(|found| found.is_error()).map(|found| found.message.clone()).collect();
        errors.sort();
        errors
    };
    let fixed = psl_syntax::fix(text, diagnose);
    let mut before = errors(&diagnose(text));
    for error in errors(&fixed.left) {
        let known = before.iter().position(|known| *known == error).expect("an error that was there before");
        before.swap_remove(known);
    }
    assert_eq!(fixed.left, diagnose(&fixed.text));
    let again = psl_syntax::fix(&fixed.text, diagnose);
    assert_eq!((again.text, again.applied), (fixed.text, Vec::new()));
}

/// Exactly the texts of sound syntax are formatted. Formatting keeps the comments and every token except colons and
/// commas, and formatting again changes nothing.
pub fn format(text: &str) {
    let tree = psl_syntax::parse(text).tree;
    let formatted = psl_syntax::format(text);
    assert_eq!(formatted.is_ok(), tree.sound);
    let Ok(formatted) = formatted else { return };
    assert_eq!(Edit::apply(&formatted.edits, text).as_ref(), Some(&formatted.text));
    let again = psl_syntax::format(&formatted.text);
    assert_eq!(again.map(|again| again.edits), Ok(Vec::new()), "{}", formatted.text);
    assert_eq!(kept(&psl_syntax::parse(&formatted.text).tree), kept(&tree), "{}", formatted.text);
}

/// The parts that formatting keeps: tokens, and comments as it writes them.
fn kept(tree: &Tree) -> (Vec<String>, Vec<&str>) {
    let comments = tree.tokens.comments.iter().map(|&comment| {
        let comment = tree.str(comment).trim_end();
        comment.strip_prefix("#@").map_or_else(|| comment.to_owned(), |rest| format!("//@{rest}"))
    });
    let tokens = tree.tokens.code.iter().filter(|token| !matches!(token.kind, Kind::Colon | Kind::Comma));
    (comments.collect(), tokens.map(|token| tree.str(token.span)).collect())
}

/// Tokens and comments are not empty, do not overlap, and have only white space between them.
fn tokens(tree: &Tree) {
    let all: BTreeSet<Span> =
        tree.tokens.code.iter().map(|token| token.span).chain(tree.tokens.comments.iter().copied()).collect();
    assert_eq!(all.len(), tree.tokens.code.len() + tree.tokens.comments.len());
    assert!(tree.tokens.code.is_sorted_by_key(|token| token.span) && tree.tokens.comments.is_sorted());
    let mut end = if tree.text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() as u32 } else { 0 };
    for span in all.into_iter().chain([Span::new(tree.text.len() as u32, tree.text.len() as u32)]) {
        let gap = tree.text.get(end as usize..span.start as usize).expect("tokens on character boundaries, in order");
        assert!(gap.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c)), "{gap:?}");
        assert!(!span.is_empty() || span.start as usize == tree.text.len());
        end = span.end;
    }
}

/// Statements follow one another within `around` and contain their parts. Returns whether one is broken.
fn statements(tree: &Tree, statements: &[Statement], around: Span) -> bool {
    let mut broken = false;
    let mut start = around.start;
    for statement in statements {
        let span = match statement {
            Statement::CausalAttn(value) => {
                broken |= value.is_none();
                continue;
            }
            Statement::Production(written) => {
                broken |= written.broken;
                production(written);
                label(tree, written.label, written.span);
                written.span
            }
            Statement::Repeat(repeat) => {
                broken |= repeat.broken;
                assert!(holds(repeat.span, repeat.keyword), "{repeat:#?}");
                label(tree, repeat.label, repeat.span);
                for written in &repeat.until {
                    condition(repeat.span, written);
                }
                // A block without `until` ends before its body.
                let body = if repeat.broken { Span::new(repeat.keyword.end, around.end) } else { repeat.span };
                broken |= self::statements(tree, &repeat.body, body);
                repeat.span
            }
        };
        assert!(start <= span.start && span.end <= around.end, "{statement:#?}");
        start = span.end;
    }
    broken
}

fn production(production: &Production) {
    let Production { span, keyword, head, conditions, assignments, holes, .. } = production;
    assert!(holds(*span, *head) && holds(*head, *keyword), "{production:#?}");
    assert!(holes.iter().all(|hole| holds(*span, *hole)) && holes.is_sorted(), "{production:#?}");
    for written in conditions {
        condition(*head, written);
    }
    for assignment in assignments {
        assert!(holds(*span, assignment.span), "{production:#?}");
        place(assignment.span, &assignment.target);
        operand(assignment.span, &assignment.source);
    }
}

fn condition(around: Span, condition: &Condition) {
    assert!(holds(around, condition.span), "{condition:#?}");
    place(condition.span, &condition.left);
    match &condition.comparison {
        Comparison::Equality { right, .. } => operand(condition.span, right),
        Comparison::Membership { list, .. } => {
            for item in list {
                operand(condition.span, item);
            }
        }
    }
}

fn operand(around: Span, written: &Operand) {
    assert!(holds(around, written.span()), "{written:#?}");
    if let Operand::Register(written) = written {
        place(around, written);
    }
}

fn place(around: Span, place: &RegisterAccess) {
    assert!(holds(around, place.span), "{place:#?}");
    let parts = [Some(place.register), Some(place.cell_span), place.function];
    assert!(parts.into_iter().flatten().all(|part| holds(place.span, part)), "{place:#?}");
}

fn label(tree: &Tree, label: Option<Span>, statement: Span) {
    if let Some(label) = label {
        assert!(tree.tokens.comments.contains(&label) && label.end <= statement.start);
    }
}

fn placed(text: &str, diagnostic: &Diagnostic) {
    let edits = diagnostic.fixes.iter().flat_map(|fix| &fix.edits).map(|edit| edit.span);
    let labels = diagnostic.labels.iter().map(|label| label.span);
    for span in labels.chain(edits).chain([diagnostic.span]) {
        assert!(text.get(span.range()).is_some(), "{diagnostic:#?}");
    }
    assert!(!diagnostic.message.is_empty());
}

fn applied(text: &str, fix: &Fix) -> String {
    let mut edits: Vec<_> = fix.edits.iter().collect();
    edits.sort_by_key(|edit| edit.span);
    assert!(edits.is_sorted_by(|one, next| one.span.end <= next.span.start), "{fix:#?}");
    let mut text = text.to_owned();
    for edit in edits.into_iter().rev() {
        text.replace_range(edit.span.range(), &edit.text);
    }
    text
}

fn whole(text: &str) -> Span {
    Span::new(0, text.len() as u32)
}

fn holds(outer: Span, inner: Span) -> bool {
    outer.start <= inner.start && inner.start <= inner.end && inner.end <= outer.end
}
