//! Productions, repeat blocks and `causal_attn`.

use std::ops::Range;

use super::{
    clauses::{Ends, found_text},
    parser::{MAX_NESTING, OpenRepeat, Parser, syntax},
};
use crate::{
    codes::Code,
    diagnostic::Diagnostic,
    grammar::{AssignmentGrammar, ConditionGrammar, ConditionOrHole, prefix},
    program::{CausalAttn, Select},
    span::Span,
    token::{Kind, Token},
    tree::{Assignment, Condition, Production, Repeat, Statement},
};

const AFTER_CONDITION: Ends = &["`and`", "`:`"];
const AFTER_UNTIL: Ends = &["`and`", "a production"];
const AFTER_ASSIGNMENT: Ends = &["an assignment", "a production"];
const AFTER_STATEMENT: &str = "a production";

/// The conditions in a range.
#[derive(Default)]
pub struct Conditions {
    parsed: Vec<Condition>,
    holes: Vec<Span>,
    /// Whether one of them has an error.
    broken: bool,
}

/// Conditions among assignments, because the keyword before them is missing or misspelled.
struct LostStatement {
    /// `where` or `until`.
    keyword: Kind,
    /// The tokens in place of the keyword, often none.
    place: Range<usize>,
}

impl Parser<'_> {
    fn push(&mut self, statement: Statement) {
        match self.open.last_mut() {
            Some(open) => open.body.push(statement),
            None => self.statements.push(statement),
        }
    }

    pub(super) fn causal_attn(&mut self, first: Token, range: Range<usize>) {
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

    pub(super) fn repeat(&mut self, first: Token, range: Range<usize>) {
        if self.open.len() >= MAX_NESTING {
            if self.too_deep == 0 {
                let message = format!("repeat blocks are nested more than {MAX_NESTING} levels deep");
                self.diagnostics.push(
                    Diagnostic::new(Code::NestedTooDeep, first.span, message)
                        .help("end a block with `until` before starting another"),
                );
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

    pub(super) fn until(&mut self, first: Token, range: Range<usize>) {
        if self.open.is_empty() {
            self.diagnostics.push(
                syntax(first.span, "`until` without `repeat`")
                    .help("add `repeat:` before the first production to repeat"),
            );
            return;
        }
        let mut end = first.span;
        let mut conditions = Conditions::default();
        if self.kind(range.start, &range) == Some(Kind::NoChange) {
            end = self.code.get(range.start).map_or(end, |token| token.span);
            if range.start + 1 < range.end {
                self.unexpected(range.start + 1..range.end, AFTER_STATEMENT);
            }
        } else if range.is_empty() {
            self.expected_after(first.span, range.clone(), "`NO_CHANGE` or conditions");
            conditions.broken = true;
        } else {
            conditions = self.conditions(range, AFTER_UNTIL);
            end = conditions.parsed.last().map_or(end, |condition| condition.span);
            end = conditions.holes.last().map_or(end, |hole| end.max(*hole));
        }
        conditions.broken |= self.is_replaced(first.span.join(end));
        if self.too_deep > 0 {
            self.too_deep -= 1;
        } else if let Some(mut open) = self.open.pop() {
            open.broken |= conditions.broken;
            self.close(open, conditions, Some(first.span.join(end)));
        }
    }

    /// `clause` is the span from `until`, or from the tokens in its place, to the last condition.
    pub(super) fn close(&mut self, open: OpenRepeat, until: Conditions, clause: Option<Span>) {
        const UNTIL: &str = "until";
        let OpenRepeat { keyword, label, body, .. } = open;
        let end = clause.or_else(|| body.iter().rev().find_map(Statement::span));
        let span = keyword.join(end.unwrap_or(keyword));
        let until_keyword = clause
            .map(|clause| Span::new(clause.start, clause.start + UNTIL.len() as u32))
            .filter(|keyword| keyword.of(self.text) == UNTIL);
        let broken = open.broken || clause.is_none();
        let Conditions { parsed: until, holes, .. } = until;
        self.push(Statement::Repeat(Repeat { span, keyword, until_keyword, label, body, until, holes, broken }));
    }

    pub(super) fn production(&mut self, first: Token, range: Range<usize>) {
        if let Some(production) = self.reuse.production(self.code, range.clone()) {
            let label = self.label_before(range.start);
            return self.push(Statement::Production(Production { label, ..production }));
        }
        let select = if first.kind == Kind::WhereRm { Select::Rightmost } else { Select::Leftmost };
        let rest = range.start + 1..range.end;
        let tokens = self.code.get(rest.clone()).unwrap_or_default();
        let colon = tokens.iter().position(|token| token.kind == Kind::Colon).map(|found| rest.start + found);
        let body = match colon {
            Some(colon) => colon + 1,
            None => (rest.start + 1..rest.end)
                .find(|&at| self.clause_operator(at, rest.end) == Some(Kind::Assign))
                .unwrap_or(rest.end),
        };
        let head_end = colon.unwrap_or(body);
        let Conditions { parsed: conditions, mut holes, mut broken } =
            self.conditions(rest.start..head_end, AFTER_CONDITION);
        if colon.is_none() {
            if !broken {
                self.missing_colon(body);
            }
            broken = true;
        }
        let lost = self.lost_statement(body..range.end);
        let end = lost.as_ref().map_or(range.end, |lost| lost.place.start);
        let (assignments, assignments_broken) = self.assignments(body..end, &mut holes);
        broken |= assignments_broken;
        let span_of = |at: usize| self.code.get(at).map_or(first.span, |token| token.span);
        let head = first.span.join(span_of(colon.unwrap_or(head_end.saturating_sub(1))));
        let span = head.join(assignments.last().map_or(head, |assignment| assignment.span));
        let span = holes.last().map_or(span, |hole| span.join(*hole));
        broken |= self.is_translated(range.clone()) || self.is_replaced(span);
        let label = self.label_before(range.start);
        self.push(Statement::Production(Production {
            span,
            keyword: first.span,
            head,
            select,
            label,
            conditions,
            assignments,
            holes,
            broken,
        }));
        if let Some(lost) = lost {
            self.lost(lost, range.end);
        }
    }

    /// Reports that the colon before token `at` is missing.
    fn missing_colon(&mut self, at: usize) {
        self.expected(at..at, "`:`");
        let end = at.checked_sub(1).and_then(|before| self.code.get(before)).map_or(0, |before| before.span.end);
        if let Some(diagnostic) = self.diagnostics.pop() {
            let diagnostic = diagnostic.help("end the conditions with `:`");
            self.diagnostics.push(diagnostic.fix("Insert `:`", Span::new(end, end), ":"));
        }
    }

    /// The conditions in a range.
    fn conditions(&mut self, range: Range<usize>, ends: Ends) -> Conditions {
        let tokens = self.code.get(range.clone()).unwrap_or_default();
        let mut open = Vec::new();
        let mut unopened = None;
        let mut clauses = 1;
        for token in tokens {
            match token.kind {
                Kind::And => clauses += 1,
                Kind::OpenParen => open.push(token.span),
                Kind::CloseParen if open.pop().is_none() => unopened = unopened.or(Some(token.span)),
                _ => {}
            }
            if open.len() > MAX_NESTING {
                let message = format!("parentheses are nested more than {MAX_NESTING} levels deep");
                self.diagnostics.push(
                    Diagnostic::new(Code::NestedTooDeep, token.span, message)
                        .help("remove the parentheses: grouping has no meaning in PSL"),
                );
                return Conditions { broken: true, ..Conditions::default() };
            }
        }
        let mut parsed = Vec::with_capacity(clauses);
        let mut holes = Vec::new();
        let mut broken = false;
        let mut start = range.start;
        loop {
            let rest = self.code.get(start..range.end).unwrap_or_default();
            let and = rest.iter().position(|token| token.kind == Kind::And).map_or(range.end, |found| start + found);
            let parens = |token: &Token| matches!(token.kind, Kind::OpenParen | Kind::CloseParen);
            let left_out =
                !self.translated.is_empty() && self.code.get(start..and).unwrap_or_default().iter().all(parens);
            let (condition, sound) =
                if left_out { (None, false) } else { self.clause(start..and, &ConditionGrammar, ends) };
            broken |= !sound;
            match condition {
                Some(ConditionOrHole::Condition(condition)) => parsed.push(condition),
                Some(ConditionOrHole::Hole(hole)) => holes.push(hole),
                None => {}
            }
            if and == range.end {
                break;
            }
            start = and + 1;
        }
        if !broken && let Some(span) = unopened {
            self.diagnostics.push(syntax(span, "unmatched `)`"));
            broken = true;
        } else if !broken && let Some(&span) = open.first() {
            self.diagnostics.push(syntax(span, "unclosed `(`"));
            broken = true;
        }
        Conditions { parsed, holes, broken }
    }

    /// The assignments after the colon of a production, and whether one of them has an error. Holes in place of an
    /// assignment are added to `holes`. Other tokens after the last assignment are reported, but do not make the
    /// production invalid: most likely, the keyword of the next statement is missing.
    fn assignments(&mut self, range: Range<usize>, holes: &mut Vec<Span>) -> (Vec<Assignment>, bool) {
        let tokens = self.code.get(range.clone()).unwrap_or_default();
        let mut assignments = Vec::with_capacity(tokens.iter().filter(|token| token.kind == Kind::Assign).count());
        let mut broken = false;
        let mut start = range.start;
        while start < range.end {
            let next =
                (start + 1..range.end).find(|&at| self.clause_operator(at, range.end).is_some()).unwrap_or(range.end);
            let written = self.without_holes(start..next);
            holes.extend(self.spans(start..written.start));
            if !written.is_empty() {
                let (assignment, sound) = self.clause(written.clone(), &AssignmentGrammar, AFTER_ASSIGNMENT);
                let only_trails =
                    next == range.end && assignment.is_some_and(|assignment| !self.name_after(assignment.span, next));
                broken |= !sound && !only_trails;
                assignments.extend(assignment);
            }
            holes.extend(self.spans(written.end..next));
            start = next;
        }
        (assignments, broken)
    }

    /// The part of a range without the holes before and after its assignment, each of which is in place of another
    /// assignment.
    fn without_holes(&self, range: Range<usize>) -> Range<usize> {
        let tokens = self.code.get(range.clone()).unwrap_or_default();
        let is_hole = |token: &&Token| token.kind == Kind::Hole;
        let mut before = tokens.iter().take_while(is_hole).count();
        if before > 0 && tokens.get(before).is_some_and(|token| token.kind == Kind::OpenBracket) {
            // A register.
            before -= 1;
        }
        let start = range.start + before;
        let after = range.end - tokens.iter().skip(before).rev().take_while(is_hole).count();
        if after == range.end {
            return start..range.end;
        }
        let end = self.assignment_end(start, range.end).filter(|end| *end >= after);
        start..end.unwrap_or(range.end)
    }

    fn spans(&self, range: Range<usize>) -> impl Iterator<Item = Span> {
        self.code.get(range).unwrap_or_default().iter().map(|token| token.span)
    }

    /// Reports a missing keyword. A production without its keyword is left out, and a repeat block without `until` is
    /// closed.
    fn lost(&mut self, lost: LostStatement, end: usize) {
        let LostStatement { keyword, place } = lost;
        let described = keyword.describe();
        let word = described.trim_matches('`');
        let first = self.code.get(place.start).copied();
        let span = first.map_or_else(Span::default, |token| token.span);
        if place.is_empty() {
            self.diagnostics.push(syntax(span, format!("expected {described} before this condition")).suggest(
                format!("Insert {described}"),
                Span::new(span.start, span.start),
                format!("{word} "),
            ));
        } else if !self.bad_characters(place.clone(), 0) {
            let diagnostic = syntax(span, format!("expected {described}, found {}", found_text(self.text, first)));
            let replaceable = place.len() == 1;
            self.diagnostics.push(if replaceable {
                diagnostic.suggest(format!("Replace with {described}"), span, word)
            } else {
                diagnostic
            });
        }
        if keyword == Kind::Until {
            self.missing_untils -= 1;
            self.until(Token { kind: keyword, span }, place.end..end);
        }
    }

    /// Whether another assignment seems to start after `span` and before token `end`.
    fn name_after(&self, span: Span, end: usize) -> bool {
        let rest = self.code.get(self.token_after(span)..end).unwrap_or_default();
        matches!(rest, [name, bracket, ..] if names_register(name) && bracket.kind == Kind::OpenBracket)
    }

    /// The index of the first token after `span`.
    fn token_after(&self, span: Span) -> usize {
        self.code.partition_point(|token| token.span.start < span.end)
    }

    /// Finds conditions among assignments. If a colon follows them, `where` is missing. If a repeat block lacks its
    /// `until`, that is missing. An unterminated string after a complete assignment may also have swallowed a `where`
    /// line.
    fn lost_statement(&self, range: Range<usize>) -> Option<LostStatement> {
        let tokens = self.code.get(range.clone())?;
        if let Some(open) = tokens.iter().position(|token| token.kind == Kind::OpenString)
            && let at = range.start + open
            && let Some(last) = self.last_assignment(range.start..at)
            && self.assignment_end(last, at) == Some(at)
        {
            return Some(LostStatement { keyword: Kind::Where, place: at..at + 1 });
        }
        let comparison = range
            .clone()
            .find(|&at| matches!(self.clause_operator(at, range.end), Some(kind) if kind != Kind::Assign))?;
        let keyword = if self.code.get(comparison..range.end)?.iter().any(|token| token.kind == Kind::Colon) {
            Kind::Where
        } else if self.missing_untils > 0 && !self.open.is_empty() {
            Kind::Until
        } else {
            return None;
        };
        let parens = self.code.get(range.start..comparison)?.iter().rev();
        let start = comparison - parens.take_while(|token| token.kind == Kind::OpenParen).count();
        let last = self.last_assignment(range.start..start);
        let place = last.map_or(range.start, |last| self.assignment_end(last, start).unwrap_or(start));
        Some(LostStatement { keyword, place: place..start })
    }

    /// The start of the last assignment in the range, if there is one.
    fn last_assignment(&self, range: Range<usize>) -> Option<usize> {
        let end = range.end;
        range.rev().find(|&at| self.clause_operator(at, end) == Some(Kind::Assign) && !self.is_right_side(at))
    }

    /// The index of the first token after the assignment that starts at this token and ends before `end`, or `None`
    /// if it is incomplete.
    fn assignment_end(&self, at: usize, end: usize) -> Option<usize> {
        let assignment = prefix(&AssignmentGrammar, self.code.get(at..end)?)?;
        Some(self.token_after(assignment.span))
    }

    /// The operator of the clause `name[cell] operator …` that starts at this token and before `end`, if there is
    /// one. The right side of an assignment does not start a clause, even if an operator follows it accidentally. The
    /// exception is an assignment operator with a right side: then the assignment before it lacks its right side.
    fn clause_operator(&self, at: usize, end: usize) -> Option<Kind> {
        let operator = self.operator_of_place(at, end)?;
        let operators = [Kind::Assign, Kind::Equal, Kind::NotEqual, Kind::In, Kind::Not];
        let next = self.code.get(at + 5).map(|token| token.kind);
        let starts_source = matches!(next, Some(Kind::Name | Kind::String | Kind::Number | Kind::Hole));
        let assigns = operator == Kind::Assign && starts_source;
        let mistaken = self.is_right_side(at) && !assigns;
        (operators.contains(&operator) && !mistaken).then_some(operator)
    }

    /// Whether the target and `=` of an assignment precede this token.
    fn is_right_side(&self, at: usize) -> bool {
        let assigns = |at: Option<usize>| at.is_some_and(|at| self.operator_of_place(at, at + 5) == Some(Kind::Assign));
        assigns(at.checked_sub(5)) && !assigns(at.checked_sub(10))
    }

    /// The operator after `name[cell]`, if that starts at this token and ends before `end`.
    fn operator_of_place(&self, at: usize, end: usize) -> Option<Kind> {
        match self.code.get(at..end)? {
            [name, open, _, close, operator, ..]
                if names_register(name) && open.kind == Kind::OpenBracket && close.kind == Kind::CloseBracket =>
            {
                Some(operator.kind)
            }
            _ => None,
        }
    }
}

fn names_register(token: &Token) -> bool {
    matches!(token.kind, Kind::Name | Kind::Hole)
}
