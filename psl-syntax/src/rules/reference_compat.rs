//! `not-portable`: code that the reference compiler rejects, or compiles to something else.
//!
//! Unlike PSL as specified, the reference compiler works by lines. An assignment belongs to a `where` by its
//! indentation, and a line ends at its first `//` or, failing that, at its first `#`, even inside a string.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::wording::ITS_PRODUCTION;
use crate::{
    codes::Code,
    diagnostic::Diagnostic,
    facts::Facts,
    lines::Lines,
    program::{Cell, CellRegister, Comparison, Condition, Operand, Production, Program},
    roles::WITHOUT_N,
    span::Span,
    token::{Kind, Token},
    tree::{self, Entries, Statement, Tree},
};

/// A warning for each place, in no particular order.
pub fn reference_compat(facts: &Facts<'_>) -> Vec<Diagnostic> {
    let Facts { tree, written: program, .. } = *facts;
    let mut diagnostics = declarations(tree, program);
    diagnostics.extend(tokens(tree));
    diagnostics.extend(cut_lines(tree));
    let productions = program.productions();
    // Shared by all productions to avoid allocations.
    let mut seen = FxHashMap::default();
    for production in &productions {
        diagnostics.extend(conditions(program, production, &mut seen));
    }
    if let Some(without_n) = productions.iter().find(|production| !production.binds_n()) {
        diagnostics.extend(position_name(program, without_n));
    }
    let mut layout = Layout { tree, lines: Lines::new(&tree.text), diagnostics };
    layout.statements(&tree.statements);
    layout.diagnostics
}

fn report(span: Span, message: impl Into<String>, help: &str) -> Diagnostic {
    Diagnostic::new(Code::NotPortable, span, message).help(help)
}

/// Declarations that the reference compiler reads differently, and values that it reads as registers.
fn declarations(tree: &Tree, program: &Program) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    let mut seen: FxHashMap<&str, Span> = FxHashMap::default();
    for declaration in &tree.declarations {
        let keyword = declaration.keyword;
        let word = tree.str(keyword);
        if let Some(first) = seen.insert(word, keyword) {
            let message = format!("the reference compiler replaces the first `{word}` with this one");
            diagnostics
                .push(report(keyword, message, "merge the two declarations").label(first, "this declaration is lost"));
        }
        if matches!(declaration.entries, Entries::System(_) | Entries::Watch(_)) && !seen.contains_key("registers") {
            let message = format!("the reference compiler requires `registers` before `{word}`");
            diagnostics.push(report(keyword, message, "move it below `registers`"));
        }
    }
    for constant in &program.constants {
        if constant.value.starts_with(|char: char| char.is_ascii_lowercase()) {
            let message = format!("the reference implementation reads the value `{}` as a register", constant.value);
            let help = "do not start the value with a lower-case letter";
            diagnostics.push(report(constant.span, message, help));
        }
    }
    diagnostics
}

/// Checks of one token and the next.
fn tokens(tree: &Tree) -> Vec<Diagnostic> {
    let text = &tree.text;
    let mut diagnostics = Vec::new();
    if text.starts_with('\u{feff}') {
        let mark = Span::new(0, '\u{feff}'.len_utf8() as u32);
        diagnostics.push(report(mark, "the reference compiler rejects a byte order mark", "remove it").fix(
            "Remove the byte order mark",
            mark,
            "",
        ));
    }
    let mut depth = 0_usize;
    for (at, token) in tree.tokens.code.iter().enumerate() {
        let next = || tree.tokens.code.get(at + 1);
        match token.kind {
            Kind::Repeat => {
                diagnostics.extend(without_colon(tree, token, next()));
                if depth > 0 {
                    let message = "the reference compiler rejects nested repeat blocks";
                    diagnostics.push(report(token.span, message, "rewrite the program without nested blocks"));
                }
                depth += 1;
            }
            Kind::Until => depth = depth.saturating_sub(1),
            Kind::Registers | Kind::Constants | Kind::System | Kind::Watch => {
                diagnostics.extend(without_colon(tree, token, next()));
            }
            Kind::CausalAttn => {
                let lower = token.span.of(text).to_lowercase();
                if depth > 0 {
                    let message = "the reference compiler rejects `causal_attn` inside a repeat block";
                    diagnostics.push(report(token.span, message, "move it above the block"));
                } else if token.span.of(text) != lower {
                    let message = "the reference compiler only accepts `causal_attn` in lower case";
                    let fix = format!("Replace with `{lower}`");
                    diagnostics.push(report(token.span, message, "write it in lower case").fix(fix, token.span, lower));
                }
            }
            Kind::String if token.span.of(text).contains("\\\\") => {
                let message = "the reference compiler does not support escaped backslashes";
                diagnostics.push(report(token.span, message, "use a symbol without a backslash"));
            }
            _ => {}
        }
    }
    diagnostics.extend(tabs(tree));
    diagnostics
}

/// Tabs between two tokens of a line.
fn tabs(tree: &Tree) -> impl Iterator<Item = Diagnostic> {
    let code = tree.tokens.code.iter();
    let gaps = code.clone().zip(code.skip(1)).map(|(token, next)| Span::new(token.span.end, next.span.start));
    let tabs = gaps.filter(|gap| !gap.is_empty() && contains_tab_inside_line(gap.of(&tree.text)));
    tabs.map(|gap| {
        let message = "the reference compiler rejects a tab inside a line";
        report(gap, message, "replace the tab with a space").fix("Replace with a space", gap, " ")
    })
}

fn without_colon(tree: &Tree, keyword: &Token, next: Option<&Token>) -> Option<Diagnostic> {
    if next.is_some_and(|next| next.kind == Kind::Colon) {
        return None;
    }
    let word = tree.str(keyword.span);
    let message = format!("the reference compiler rejects `{word}` without a colon");
    let end = Span::new(keyword.span.end, keyword.span.end);
    Some(report(keyword.span, message, "add a colon").fix("Add a colon", end, ":"))
}

/// Whether the blanks between two tokens of a line contain a tab.
fn contains_tab_inside_line(blanks: &str) -> bool {
    let mut tab = false;
    for byte in blanks.bytes() {
        match byte {
            // Either it is early, before any comment, or there is none.
            b'\n' | b'\r' => return false,
            b'\t' | b'\x0B' | b'\x0C' => tab = true,
            _ => {}
        }
    }
    tab
}

/// Lines that the reference compiler ends at a different place than the start of their comment.
fn cut_lines(tree: &Tree) -> Vec<Diagnostic> {
    let text: &str = &tree.text;
    let mut seen = 0;
    let mut diagnostics = Vec::new();
    for mark in misleading_marks(tree) {
        let at = mark.range().start;
        if at >= seen {
            let (before, rest) = text.split_at_checked(at).unwrap_or_default();
            let start = before.rfind(['\n', '\r']).map_or(0, |end| end + 1);
            seen = rest.find(['\n', '\r']).map_or(text.len(), |length| at + length);
            diagnostics.extend(cut_line(tree, start..seen));
        }
    }
    diagnostics
}

/// Strings and comments in text order. A line without any of them is cut at the start of its comment.
fn misleading_marks(tree: &Tree) -> Vec<Span> {
    let strings = tree.tokens.code.iter().filter(|token| token.kind == Kind::String).map(|token| token.span);
    let strings = strings.filter(|string| string.of(&tree.text).contains(['#', '/']));
    let comments = tree.tokens.comments.iter().copied();
    let comments = comments.filter(|comment| {
        let written = comment.of(&tree.text);
        written.starts_with('#') && written.contains("//")
    });
    let mut marks: Vec<Span> = strings.chain(comments).collect();
    marks.sort_unstable();
    marks
}

/// Reports a line that the reference compiler ends at a different place than the start of its comment.
fn cut_line(tree: &Tree, line: Range<usize>) -> Option<Diagnostic> {
    let Range { start, end } = line;
    let written = tree.text.get(line)?;
    let comments = &tree.tokens.comments;
    let comment = comments.get(comments.partition_point(|comment| comment.range().start < start));
    let comment = comment.map(|comment| comment.range().start).filter(|comment| *comment < end);
    let (mark, cut) = match written.find("//") {
        Some(cut) => ("//", start + cut),
        None => ("#", start + written.find('#').unwrap_or(written.len())),
    };
    if cut < comment.unwrap_or(end) {
        let message = format!("the reference compiler ends this line at `{mark}`, even inside a string");
        let help = format!("use a symbol without `{mark}`");
        return Some(report(Span::from(cut..cut + mark.len()), message, &help));
    }
    let comment = comment.filter(|comment| cut > *comment)?;
    let message = "the reference compiler ends this line at the first `//` and reads this `#` as code";
    let hash = Span::from(comment..comment + 1);
    Some(
        report(hash, message, "start the comment with `//`")
            .label(Span::from(cut..cut + 2), "the line ends here")
            .suggest("Start the comment with `//`", hash, "//"),
    )
}

/// Conditions that the reference compiler loses, or reads from another cell.
fn conditions<'p>(
    program: &Program,
    production: &'p Production,
    seen: &mut FxHashMap<CellRegister, &'p Condition>,
) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    seen.clear();
    for condition in &production.conditions {
        if let Some(first) = seen.insert(condition.left, condition)
            && first.comparison != condition.comparison
        {
            let cell = if condition.left.cell == Cell::Source { "n" } else { "N" };
            let name = &program.registers[condition.left.register].name;
            let message = format!("the reference compiler keeps only the last condition on `{name}[{cell}]`");
            let help = "test one of them in a separate production";
            diagnostics.push(report(condition.span, message, help).label(first.span, "this condition is lost"));
        }
        let own = program.roles.position.map(|register| CellRegister { register, cell: Cell::Updated });
        if Some(condition.left) == own
            && !production.binds_n()
            && !matches!(condition.comparison, Comparison::Is(Operand::Register(right, None)) if Some(right) == own)
        {
            let message = "the reference compiler may read a cell other than `N` here";
            let help = "first copy the position to another register in every cell, and test that register";
            diagnostics.push(report(condition.span, message, help));
        }
    }
    diagnostics
}

/// A production without `n` finds its own cell by the position, for which the reference compiler assumes the short
/// name `p`.
fn position_name(program: &Program, without_n: &Production) -> Option<Diagnostic> {
    let position = &program.registers[program.roles.position?];
    (position.short != "p").then(|| {
        let message = "the reference compiler only finds a cell by the short name `p`";
        report(position.short_span, message, "change the short name to `p`").label(without_n.head, WITHOUT_N)
    })
}

/// Checks that depend on the start of lines.
struct Layout<'t> {
    tree: &'t Tree,
    lines: Lines<'t>,
    diagnostics: Vec<Diagnostic>,
}

impl Layout<'_> {
    /// Recursion depth is the nesting of repeat blocks, which the parser limits.
    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            match statement {
                Statement::Production(production) => self.production(production),
                Statement::Repeat(repeat) => {
                    self.statements(&repeat.body);
                    if let (Some(first), Some(last)) = (repeat.until.first(), repeat.until.last()) {
                        let message = "the reference implementation ignores the conditions of `until`";
                        let help = "write `until NO_CHANGE`";
                        self.diagnostics.push(report(first.span.join(last.span), message, help));
                    }
                }
                Statement::CausalAttn(_) => {}
            }
        }
    }

    fn production(&mut self, production: &tree::Production) {
        let outer = self.lines.indent(production.keyword.start);
        let outside = production.assignments.iter().find(|it| {
            let line = self.lines.at(it.span.start);
            line.indent <= outer && line.start + line.indent < it.span.start
        });
        if let Some(assignment) = outside {
            let code = &self.tree.tokens.code;
            let at = code.partition_point(|token| token.span.start < assignment.span.start);
            let before = at.checked_sub(1).and_then(|before| code.get(before)).map_or(0, |token| token.span.end);
            let gap = Span::new(before, assignment.span.start);
            let line = format!("\n{}", " ".repeat(outer as usize + 4));
            let message =
                "the reference compiler does not recognize this assignment: its line is not indented below its `where`";
            self.diagnostics.push(
                report(assignment.span, message, "move it to a separate line")
                    .label(production.keyword, ITS_PRODUCTION)
                    .fix("Move it to a separate line", gap, line),
            );
        }
        let code = &self.tree.tokens.code;
        let next = code.get(code.partition_point(|token| token.span.start < production.span.end));
        if let Some(next) = next.filter(|next| self.lines.indent(next.span.start) > outer) {
            let message =
                "the reference compiler parses this as an assignment: it is indented below the previous `where`";
            self.diagnostics.push(
                report(next.span, message, "indent it no further than that `where`")
                    .label(production.keyword, "previous `where`"),
            );
        }
    }
}
