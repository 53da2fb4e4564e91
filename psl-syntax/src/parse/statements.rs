//! Productions, repeat blocks and `causal_attn`.

use std::ops::Range;

use super::{
    AFTER_ASSIGNMENT, AFTER_CONDITION, AFTER_STATEMENT, AFTER_UNTIL, Ends, MAX_NESTING, OpenRepeat, Parser, syntax,
};
use crate::{
    codes::Code,
    diagnostic::Diagnostic,
    grammar::{AssignmentGrammar, ComparisonGrammar},
    program::{CausalAttn, Select},
    span::Span,
    token::{Kind, Token},
    tree::{Assignment, Condition, Production, Repeat, Statement},
};

/// Where a production begins that lacks its keyword.
struct LostStatement {
    /// Its first token.
    start: usize,
    /// Whether that token is a word in the keyword's place.
    misspelt: bool,
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

    pub(super) fn until(&mut self, first: Token, range: Range<usize>) {
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

    pub(super) fn close(&mut self, open: OpenRepeat, until: Vec<Condition>, end: Option<Span>) {
        let span = open.keyword.join(end.unwrap_or(open.keyword));
        let broken = open.broken || end.is_none();
        let OpenRepeat { keyword, label, body, .. } = open;
        self.push(Statement::Repeat(Repeat { span, keyword, label, body, until, broken }));
    }

    pub(super) fn production(&mut self, first: Token, range: Range<usize>) {
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
        let mut clauses = 1;
        for token in tokens {
            match token.kind {
                Kind::And => clauses += 1,
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
        let mut conditions = Vec::with_capacity(clauses);
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
        let lost = self.lost_statement(range.clone());
        let end = lost.as_ref().map_or(range.end, |lost| lost.start);
        let tokens = self.code.get(range.start..end).unwrap_or_default();
        let mut assignments = Vec::with_capacity(tokens.iter().filter(|token| token.kind == Kind::Assign).count());
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
        if let Some(LostStatement { start, misspelt }) = lost {
            let span = self.code.get(start).map_or_else(Span::default, |token| token.span);
            self.diagnostics.push(if misspelt {
                syntax(span, format!("expected `where`, found `{}`", span.of(self.text))).suggest(
                    "replace with `where`",
                    span,
                    "where",
                )
            } else {
                syntax(span, "expected `where` before this condition").suggest(
                    "insert `where`",
                    Span::new(span.start, span.start),
                    "where ",
                )
            });
        }
        (assignments, broken)
    }

    /// Whether, behind `span` and before token `end`, something like another assignment begins.
    fn name_after(&self, span: Span, end: usize) -> bool {
        let from = self.code.partition_point(|token| token.span.start < span.end);
        let rest = self.code.get(from..end).unwrap_or_default();
        matches!(rest, [name, bracket, ..] if name.kind == Kind::Name && bracket.kind == Kind::OpenBracket)
    }

    /// Among assignments, conditions that a second colon ends: a production whose `where` is missing or misspelt.
    fn lost_statement(&self, range: Range<usize>) -> Option<LostStatement> {
        let tokens = self.code.get(range.clone())?;
        let colon = range.start + tokens.iter().rposition(|token| token.kind == Kind::Colon)?;
        let comparison =
            (range.start..colon).find(|&at| matches!(self.clause_operator(at), Some(kind) if kind != Kind::Assign))?;
        let parens = self.code.get(range.start..comparison)?.iter().rev();
        let start = comparison - parens.take_while(|token| token.kind == Kind::OpenParen).count();
        match self.code.get(range.start..start)? {
            [.., before, word]
                if word.kind == Kind::Name && !matches!(before.kind, Kind::Assign | Kind::At | Kind::Comma) =>
            {
                Some(LostStatement { start: start - 1, misspelt: true })
            }
            _ => Some(LostStatement { start, misspelt: false }),
        }
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
}
