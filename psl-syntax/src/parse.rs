//! From tokens to the tree.
//!
//! The tokens are cut at the keywords that start a declaration or statement, and each segment is parsed on its own, clause
//! by clause: a mistake costs its own clause and can not reach over the next keyword. Repeat blocks are put together on an
//! explicit stack.
//!
//! Invariant: parsing never fails and never recurses with the input's nesting; its time is linear in the input's length.

use std::{ops::Range, sync::Arc};

use crate::{
    codes::Code,
    diagnostic::Diagnostic,
    directive::{is_directive, parse_directive},
    grammar::{
        AssignmentGrammar, ComparisonGrammar, ConstantGrammar, Grammar, RegisterGrammar, RoleGrammar, WatchGrammar,
        mistake, prefix, whole,
    },
    program::{CausalAttn, Select},
    span::Span,
    token::{Kind, Token, tokenize},
    tree::{Assignment, Condition, Declaration, Directive, Entries, Production, Repeat, Statement, Tree},
};

/// How deep parentheses and repeat blocks may be nested.
pub const MAX_NESTING: usize = 256;

/// A tree and what was found wrong on the way to it.
#[derive(Clone, Debug)]
pub struct Parse {
    /// The tree.
    pub tree: Tree,
    /// In the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses a text.
pub fn parse(text: &str) -> Parse {
    let tokens = tokenize(text);
    let mut parser = Parser {
        text,
        code: &tokens.code,
        comments: &tokens.comments,
        diagnostics: Vec::new(),
        declarations: Vec::new(),
        open: Vec::new(),
        statements: Vec::new(),
        statement_seen: false,
        too_deep: 0,
        declarations_damaged: false,
    };
    parser.program();
    let directives = parser.directives();
    let Parser { mut diagnostics, declarations, statements, declarations_damaged, .. } = parser;
    diagnostics.sort_by_key(|diagnostic| diagnostic.span);
    let sound = !diagnostics.iter().any(Diagnostic::is_error);
    let text = Arc::from(text);
    Parse {
        tree: Tree { text, tokens, declarations, statements, directives, sound, declarations_damaged },
        diagnostics,
    }
}

/// A repeat block whose `until` has not come yet.
struct OpenRepeat {
    keyword: Span,
    label: Option<Span>,
    broken: bool,
    body: Vec<Statement>,
}

struct Parser<'t> {
    text: &'t str,
    code: &'t [Token],
    comments: &'t [Span],
    diagnostics: Vec<Diagnostic>,
    declarations: Vec<Declaration>,
    open: Vec<OpenRepeat>,
    statements: Vec<Statement>,
    statement_seen: bool,
    /// How many open repeats beyond the bound are being ignored.
    too_deep: usize,
    declarations_damaged: bool,
}

/// What, in an error message, could stand where a piece has ended.
type Ends = &'static [&'static str];

const AFTER_CONDITION: Ends = &["`and`", "`:`"];
const AFTER_UNTIL: Ends = &["`and`", "a statement"];
const AFTER_ASSIGNMENT: Ends = &["an assignment", "a statement"];
const AFTER_ENTRY: Ends = &["`,`"];
const AFTER_STATEMENT: &str = "a statement";
const AFTER_DECLARATION: &str = "a declaration or a statement";

impl Parser<'_> {
    fn program(&mut self) {
        let mut at = self.segment_end(0);
        if at > 0 {
            self.unexpected(0..at, AFTER_DECLARATION);
            self.declarations_damaged = true;
        }
        while let Some(first) = self.code.get(at).copied() {
            let end = self.segment_end(at + 1);
            self.segment(first, at..end);
            at = end;
        }
        // A block too deep has been reported already; its own `until` may be among what was ignored.
        let report = self.too_deep == 0;
        while let Some(open) = self.open.pop() {
            if report {
                self.diagnostics.push(
                    syntax(open.keyword, "this repeat block has no `until`")
                        .help("close it with `until NO_CHANGE`, or `until` and conditions"),
                );
            }
            self.close(open, Vec::new(), None);
        }
    }

    fn segment_end(&self, from: usize) -> usize {
        let rest = self.code.get(from..).unwrap_or_default();
        from + rest.iter().position(|token| token.kind.starts_segment()).unwrap_or(rest.len())
    }

    fn segment(&mut self, first: Token, range: Range<usize>) {
        let rest = range.start + 1..range.end;
        match first.kind {
            Kind::Registers => {
                let (names, end, broken) = self.entries(first, rest, &RegisterGrammar);
                self.declare(first, end, broken, Entries::Registers(names));
            }
            Kind::Constants => {
                let (names, end, broken) = self.entries(first, rest, &ConstantGrammar);
                self.declare(first, end, broken, Entries::Constants(names));
            }
            Kind::System => {
                let (names, end, broken) = self.entries(first, rest, &RoleGrammar);
                self.declare(first, end, broken, Entries::System(names));
            }
            Kind::Watch => {
                let (names, end, broken) = self.entries(first, rest, &WatchGrammar);
                self.declare(first, end, broken, Entries::Watch(names));
            }
            _ => {
                self.statement_seen = true;
                match first.kind {
                    Kind::CausalAttn => self.causal_attn(first, rest),
                    Kind::Repeat => self.repeat(first, range),
                    Kind::Until => self.until(first, rest),
                    _ => self.production(first, range),
                }
            }
        }
    }

    // Declarations.

    fn declare(&mut self, first: Token, end: Span, broken: bool, entries: Entries) {
        let late = self.statement_seen;
        let span = first.span.join(end);
        self.declarations.push(Declaration { keyword: first.span, span, late, broken, entries });
    }

    /// The entries between a declaration's brackets, the span of its last token, and whether something was wrong.
    fn entries<T>(&mut self, first: Token, range: Range<usize>, grammar: &impl Grammar<T>) -> (Vec<T>, Span, bool) {
        let (open, close) = if first.kind == Kind::Watch {
            (Kind::OpenBracket, Kind::CloseBracket)
        } else {
            (Kind::OpenBrace, Kind::CloseBrace)
        };
        let mut at = range.start;
        let mut broken = false;
        if self.kind(at, &range) == Some(Kind::Colon) {
            at += 1;
        }
        if self.kind(at, &range) == Some(open) {
            at += 1;
        } else {
            self.expected(at..range.end, open.describe());
            broken = true;
        }
        let rest = self.code.get(at..range.end).unwrap_or_default();
        let end = rest.iter().position(|token| token.kind == close).map_or(range.end, |found| at + found);
        let mut names = Vec::new();
        let mut start = at;
        while start < end && !broken {
            let entry = self.code.get(start..end).unwrap_or_default();
            let comma = entry.iter().position(|token| token.kind == Kind::Comma).map_or(end, |found| start + found);
            match self.piece(start..comma, grammar, AFTER_ENTRY) {
                (Some(name), sound) => {
                    names.push(name);
                    broken |= !sound;
                }
                (None, _) => broken = true,
            }
            start = comma + 1;
        }
        if end == range.end {
            if !broken {
                self.expected(end..end, close.describe());
            }
            broken = true;
        } else if end + 1 < range.end {
            self.unexpected(end + 1..range.end, AFTER_DECLARATION);
            self.declarations_damaged = true;
        }
        self.declarations_damaged |= broken;
        let last = self.code.get(end.min(range.end.saturating_sub(1))).map_or(first.span, |token| token.span);
        (names, last, broken)
    }

    // Statements.

    fn push(&mut self, statement: Statement) {
        match self.open.last_mut() {
            Some(open) => open.body.push(statement),
            None => self.statements.push(statement),
        }
    }

    fn causal_attn(&mut self, first: Token, range: Range<usize>) {
        let mut at = range.start;
        let colon = self.kind(at, &range) == Some(Kind::Colon);
        at += usize::from(colon);
        let value = match self.kind(at, &range) {
            Some(Kind::True) => Some(CausalAttn::True),
            Some(Kind::False) => Some(CausalAttn::False),
            Some(Kind::Reverse) => Some(CausalAttn::Reverse),
            _ => None,
        };
        if value.is_some() {
            if at + 1 < range.end {
                self.unexpected(at + 1..range.end, AFTER_STATEMENT);
            }
        } else {
            let expected = if colon { "`true`, `false` or `reverse`" } else { "`:`" };
            self.expected_after(first.span, at..range.end, expected);
        }
        self.push(Statement::CausalAttn(value));
    }

    fn repeat(&mut self, first: Token, range: Range<usize>) {
        if self.open.len() >= MAX_NESTING {
            if self.too_deep == 0 {
                let message = format!("repeat blocks are nested more than {MAX_NESTING} deep");
                self.diagnostics.push(Diagnostic::new(Code::NestedTooDeep, first.span, message));
            }
            self.too_deep += 1;
            return;
        }
        let mut at = range.start + 1;
        if self.kind(at, &range) == Some(Kind::Colon) {
            at += 1;
        }
        if at < range.end {
            self.unexpected(at..range.end, AFTER_STATEMENT);
        }
        let label = self.label_before(range.start);
        self.open.push(OpenRepeat { keyword: first.span, label, broken: false, body: Vec::new() });
    }

    fn until(&mut self, first: Token, range: Range<usize>) {
        let mut end = first.span;
        let mut conditions = Vec::new();
        let mut broken = false;
        if self.kind(range.start, &range) == Some(Kind::NoChange) {
            end = self.code.get(range.start).map_or(end, |token| token.span);
            if range.start + 1 < range.end {
                self.unexpected(range.start + 1..range.end, AFTER_STATEMENT);
            }
        } else if range.is_empty() {
            self.expected_after(first.span, range.clone(), "`NO_CHANGE` or conditions");
            broken = true;
        } else {
            (conditions, broken) = self.conditions(range, AFTER_UNTIL);
            end = conditions.last().map_or(end, |condition| condition.span);
        }
        if self.too_deep > 0 {
            self.too_deep -= 1;
        } else if let Some(mut open) = self.open.pop() {
            open.broken |= broken;
            self.close(open, conditions, Some(end));
        } else {
            self.diagnostics.push(
                syntax(first.span, "this `until` ends no repeat block")
                    .help("put `repeat:` before the first production to repeat"),
            );
        }
    }

    fn close(&mut self, open: OpenRepeat, until: Vec<Condition>, end: Option<Span>) {
        let span = open.keyword.join(end.unwrap_or(open.keyword));
        let broken = open.broken || end.is_none();
        let OpenRepeat { keyword, label, body, .. } = open;
        self.push(Statement::Repeat(Repeat { span, keyword, label, body, until, broken }));
    }

    fn production(&mut self, first: Token, range: Range<usize>) {
        let select = if first.kind == Kind::WhereRm { Select::Rightmost } else { Select::Leftmost };
        let rest = range.start + 1..range.end;
        let tokens = self.code.get(rest.clone()).unwrap_or_default();
        let colon = tokens.iter().position(|token| token.kind == Kind::Colon).map(|found| rest.start + found);
        let body = match colon {
            Some(colon) => colon + 1,
            None => (rest.start + 1..rest.end)
                .find(|&at| self.clause_operator(at) == Some(Kind::Assign))
                .unwrap_or(rest.end),
        };
        let head_end = colon.unwrap_or(body);
        let (conditions, mut broken) = self.conditions(rest.start..head_end, AFTER_CONDITION);
        if colon.is_none() {
            if !broken {
                self.expected(body..body, "`:`");
            }
            broken = true;
        }
        let (assignments, assignments_broken) = self.assignments(body..range.end);
        broken |= assignments_broken;
        let span_of = |at: usize| self.code.get(at).map_or(first.span, |token| token.span);
        let head = first.span.join(span_of(colon.unwrap_or(head_end.saturating_sub(1))));
        let span = head.join(assignments.last().map_or(head, |assignment| assignment.span));
        let label = self.label_before(range.start);
        self.push(Statement::Production(Production {
            span,
            keyword: first.span,
            head,
            select,
            label,
            conditions,
            assignments,
            broken,
        }));
    }

    /// The conditions of a clause list, and whether something was wrong.
    fn conditions(&mut self, range: Range<usize>, ends: Ends) -> (Vec<Condition>, bool) {
        let tokens = self.code.get(range.clone()).unwrap_or_default();
        let mut open = Vec::new();
        let mut unopened = None;
        for token in tokens {
            match token.kind {
                Kind::OpenParen => open.push(token.span),
                Kind::CloseParen if open.pop().is_none() => unopened = unopened.or(Some(token.span)),
                _ => {}
            }
            if open.len() > MAX_NESTING {
                let message = format!("parentheses are nested more than {MAX_NESTING} deep");
                self.diagnostics.push(
                    Diagnostic::new(Code::NestedTooDeep, token.span, message)
                        .help("grouping means nothing in PSL: leave them out"),
                );
                return (Vec::new(), true);
            }
        }
        let mut conditions = Vec::new();
        let mut broken = false;
        let mut start = range.start;
        loop {
            let rest = self.code.get(start..range.end).unwrap_or_default();
            let and = rest.iter().position(|token| token.kind == Kind::And).map_or(range.end, |found| start + found);
            let (condition, sound) = self.piece(start..and, &ComparisonGrammar, ends);
            broken |= !sound;
            conditions.extend(condition);
            if and == range.end {
                break;
            }
            start = and + 1;
        }
        if !broken && let Some(span) = unopened {
            self.diagnostics.push(syntax(span, "this `)` closes nothing"));
            broken = true;
        } else if !broken && let Some(&span) = open.first() {
            self.diagnostics.push(syntax(span, "this `(` is never closed"));
            broken = true;
        }
        (conditions, broken)
    }

    /// The assignments after a production's colon, and whether one of them is wrong. What follows the last one and is none
    /// is reported, but costs the production nothing: more likely the keyword of the next statement is missing.
    fn assignments(&mut self, range: Range<usize>) -> (Vec<Assignment>, bool) {
        let end = self.lost_statement(range.clone()).unwrap_or(range.end);
        let mut assignments = Vec::new();
        let mut broken = false;
        let mut start = range.start;
        while start < end {
            let next = (start + 1..end).find(|&at| self.clause_operator(at).is_some()).unwrap_or(end);
            let (assignment, sound) = self.piece(start..next, &AssignmentGrammar, AFTER_ASSIGNMENT);
            let only_trails =
                next == range.end && assignment.is_some_and(|assignment| !self.name_after(assignment.span, next));
            broken |= !sound && !only_trails;
            assignments.extend(assignment);
            start = next;
        }
        if end < range.end {
            let span = self.code.get(end).map_or_else(Span::default, |token| token.span);
            self.diagnostics.push(syntax(span, "expected `where` before this condition").fix(
                "insert `where`",
                Span::new(span.start, span.start),
                "where ",
            ));
        }
        (assignments, broken)
    }

    /// Whether, behind `span` and before token `end`, something like another assignment begins.
    fn name_after(&self, span: Span, end: usize) -> bool {
        let from = self.code.partition_point(|token| token.span.start < span.end);
        let rest = self.code.get(from..end).unwrap_or_default();
        matches!(rest, [name, bracket, ..] if name.kind == Kind::Name && bracket.kind == Kind::OpenBracket)
    }

    /// Where, among assignments, conditions begin that a second colon ends: a production whose `where` is missing.
    fn lost_statement(&self, range: Range<usize>) -> Option<usize> {
        let tokens = self.code.get(range.clone())?;
        let colon = range.start + tokens.iter().position(|token| token.kind == Kind::Colon)?;
        let comparison =
            (range.start..colon).find(|&at| matches!(self.clause_operator(at), Some(kind) if kind != Kind::Assign))?;
        let parens = self.code.get(range.start..comparison)?.iter().rev();
        Some(comparison - parens.take_while(|token| token.kind == Kind::OpenParen).count())
    }

    /// The operator of the clause `name[cell] operator …` that starts at this token, if one does.
    fn clause_operator(&self, at: usize) -> Option<Kind> {
        match self.code.get(at..at + 5)? {
            [name, open, _, close, operator]
                if name.kind == Kind::Name && open.kind == Kind::OpenBracket && close.kind == Kind::CloseBracket =>
            {
                let operators = [Kind::Assign, Kind::Equal, Kind::NotEqual, Kind::In, Kind::Not];
                operators.contains(&operator.kind).then_some(operator.kind)
            }
            _ => None,
        }
    }

    // Pieces and their errors.

    /// Parses one piece. Where it fails, reports why and keeps what the piece starts with; the flag tells whether it is
    /// whole.
    fn piece<T>(&mut self, range: Range<usize>, grammar: &impl Grammar<T>, ends: Ends) -> (Option<T>, bool) {
        let tokens = self.code.get(range.clone()).unwrap_or_default();
        if let Some(value) = whole(grammar, tokens) {
            return (Some(value), true);
        }
        if let Some(mistake) = mistake(grammar, tokens)
            && !self.bad_characters(range.clone())
        {
            let mut expected = mistake.expected;
            if mistake.could_end {
                expected.extend(ends.iter().map(|&end| end.to_owned()));
            }
            // That a name could go on with a cell or a function is rarely what is missing.
            if expected.iter().any(|item| item != "`[`" && item != "`@`") {
                expected.retain(|item| item != "`[`" && item != "`@`");
            }
            let span = mistake.found.map_or_else(|| self.gap(range.end), |token| token.span);
            let found = mistake.found.or_else(|| self.code.get(range.end).copied());
            let register = self
                .code
                .get(range.start)
                .filter(|token| token.kind == Kind::Name)
                .map(|token| token.span.of(self.text));
            let found = found_text(self.text, found);
            let mut diagnostic = syntax(span, format!("expected {}, found {found}", alternatives(&expected)));
            if expected == ["`[`"]
                && let Some(register) = register
            {
                diagnostic = diagnostic.help(format!(
                    "say which cell: `{register}[N]`, the one updated, or `{register}[n]`, the one attended to"
                ));
            }
            self.diagnostics.push(diagnostic);
        }
        (prefix(grammar, tokens), false)
    }

    /// Reports the first characters in the range that mean nothing, or the first open string; false where there are none.
    fn bad_characters(&mut self, range: Range<usize>) -> bool {
        let tokens = self.code.get(range).unwrap_or_default();
        let Some(bad) = tokens.iter().position(|token| matches!(token.kind, Kind::Unknown | Kind::OpenString)) else {
            return false;
        };
        let run: Vec<Span> = tokens
            .iter()
            .skip(bad)
            .take(16)
            .take_while(|token| token.kind == Kind::Unknown)
            .map(|token| token.span)
            .collect();
        if let (Some(first), Some(last)) = (run.first(), run.last()) {
            let shown: String = run.iter().flat_map(|span| span.of(self.text).chars()).flat_map(shown).collect();
            let message = format!("`{shown}` means nothing in PSL outside strings and comments");
            self.diagnostics.push(syntax(first.join(*last), message));
        } else {
            let span = tokens.get(bad).map_or_else(Span::default, |token| token.span);
            let quote = span.of(self.text).chars().next().unwrap_or('"');
            self.diagnostics
                .push(syntax(span, "this string is not closed on its line").help(format!("close it with {quote}")));
        }
        true
    }

    /// Reports that the tokens of the range do not belong here.
    fn unexpected(&mut self, range: Range<usize>, expected: &str) {
        if !self.bad_characters(range.clone()) {
            self.expected(range, expected);
        }
    }

    /// Reports that something else was expected at the start of the range, or after what stands before it.
    fn expected(&mut self, range: Range<usize>, expected: &str) {
        let found = self.code.get(range.start).copied();
        let span =
            if range.is_empty() { self.gap(range.start) } else { found.map_or_else(Span::default, |token| token.span) };
        self.diagnostics.push(syntax(span, format!("expected {expected}, found {}", found_text(self.text, found))));
    }

    fn expected_after(&mut self, keyword: Span, range: Range<usize>, expected: &str) {
        if range.is_empty() {
            let found = found_text(self.text, self.code.get(range.start).copied());
            self.diagnostics.push(syntax(keyword, format!("expected {expected} after it, found {found}")));
        } else {
            self.unexpected(range, expected);
        }
    }

    /// Where something is missing before token `at`: that token when it stands on the same line as the one before it, else
    /// the one before it.
    fn gap(&self, at: usize) -> Span {
        let before = at.checked_sub(1).and_then(|before| self.code.get(before)).map(|token| token.span);
        let next = self.code.get(at).map(|token| token.span);
        match (before, next) {
            (Some(before), Some(next)) if line_breaks(self.text, before.end, next.start) == 0 => next,
            (Some(before), _) => before,
            (None, next) => next.unwrap_or_default(),
        }
    }

    fn kind(&self, at: usize, range: &Range<usize>) -> Option<Kind> {
        range.contains(&at).then(|| self.code.get(at).map(|token| token.kind)).flatten()
    }

    // Comments.

    /// The comment on the line directly above the token, directives skipped.
    fn label_before(&self, at: usize) -> Option<Span> {
        let statement = self.code.get(at)?.span.start;
        let code_before = at.checked_sub(1).and_then(|before| self.code.get(before)).map_or(0, |token| token.span.end);
        let mut below = statement;
        let mut index = self.comments.partition_point(|comment| comment.start < statement);
        while let Some(comment) = index.checked_sub(1).and_then(|before| self.comments.get(before)).copied() {
            let before =
                index.checked_sub(2).and_then(|before| self.comments.get(before)).map_or(0, |comment| comment.end);
            let above = code_before.max(before);
            let own_line = above == 0 || line_breaks(self.text, above, comment.start) > 0;
            if comment.start < code_before || !own_line || line_breaks(self.text, comment.end, below) != 1 {
                return None;
            }
            if !is_directive(comment.of(self.text)) {
                return Some(comment);
            }
            below = comment.start;
            index -= 1;
        }
        None
    }

    fn directives(&mut self) -> Vec<Directive> {
        let mut directives = Vec::new();
        for &comment in self.comments {
            if is_directive(comment.of(self.text)) {
                match parse_directive(self.text, comment) {
                    Ok(directive) => directives.push(directive),
                    Err(diagnostic) => self.diagnostics.push(*diagnostic),
                }
            }
        }
        directives
    }
}

fn syntax(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::Syntax, span, message)
}

/// How many lines end between two offsets; `\r\n` ends one.
fn line_breaks(text: &str, start: u32, end: u32) -> usize {
    let gap = Span::new(start, end.max(start)).of(text);
    gap.matches(['\n', '\r']).count() - gap.matches("\r\n").count()
}

fn alternatives(items: &[String]) -> String {
    match items {
        [] => "something else".to_owned(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

fn found_text(text: &str, token: Option<Token>) -> String {
    match token {
        None => "the end of the file".to_owned(),
        Some(token) => {
            let written = token.span.of(text);
            let short: String = written.chars().take(40).flat_map(shown).collect();
            if short.len() < written.len() { format!("`{short}…`") } else { format!("`{short}`") }
        }
    }
}

/// A character as it can be shown: control characters as their code points.
fn shown(char: char) -> impl Iterator<Item = char> {
    let code = if char.is_control() { format!("U+{:04X}", char as u32) } else { char.to_string() };
    code.chars().collect::<Vec<_>>().into_iter()
}
