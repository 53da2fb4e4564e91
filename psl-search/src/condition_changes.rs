//! Changes inside conditions and assignments.

use psl_syntax::{
    Span, Tree,
    program::{Cell, Function, RegisterId},
    token::Kind,
    tree::{Assignment, Comparison, Condition, Operand, RegisterAccess},
};

use crate::{
    change::Change,
    operator::Operator,
    other_side::OtherSide,
    words::{Words, replaced},
};

/// Collects the changes of a program's clauses.
pub struct Clauses<'c> {
    pub tree: &'c Tree,
    pub words: &'c Words,
    pub found: Vec<Change>,
}

impl Clauses<'_> {
    pub fn condition(&mut self, condition: &Condition) {
        let other = match &condition.comparison {
            Comparison::Equality { right, .. } => OtherSide::operand(self.tree, self.words, right),
            Comparison::Membership { list, .. } => OtherSide::list(self.tree, self.words, list),
        };
        self.place(&condition.left, &other);
        match &condition.comparison {
            Comparison::Equality { operator, negated, right, .. } => {
                let other = if *negated { "==" } else { "!=" };
                self.replace(Operator::Negation, *operator, other, true);
                self.operand(&condition.left, right);
            }
            Comparison::Membership { negated, list } => {
                self.membership(condition, *negated, list);
                for entry in list {
                    self.operand(&condition.left, entry);
                }
            }
        }
    }

    pub fn assignment(&mut self, assignment: &Assignment) {
        self.register(&assignment.target, &OtherSide::operand(self.tree, self.words, &assignment.source));
        self.operand(&assignment.target, &assignment.source);
    }

    fn replace(&mut self, operator: Operator, span: Span, text: &str, fits: bool) {
        let says = replaced(self.tree.str(span), text);
        self.found.push(Change { fits, ..Change::replace(operator, span, text, says) });
    }

    /// Replaces a name by the others of a list. `fits` is given their numbers.
    fn others(&mut self, operator: Operator, span: Span, words: &[String], fits: impl Fn(usize) -> bool) {
        for (number, word) in words.iter().enumerate() {
            if word != self.tree.str(span) {
                self.replace(operator, span, word, fits(number));
            }
        }
    }

    fn left(&self, place: &RegisterAccess) -> RegisterId {
        self.words.register(self.tree.str(place.register))
    }

    /// Changes of the right side of a comparison with a register, or of an assignment to it.
    fn operand(&mut self, left: &RegisterAccess, operand: &Operand) {
        match operand {
            Operand::Constant(name) => {
                let (words, left) = (self.words, self.left(left));
                self.others(Operator::Constant, name.span, &words.constants, |constant| words.fits(left, constant));
            }
            Operand::Register(place) => {
                self.place(place, &OtherSide::Register(self.left(left)));
                self.function(place);
            }
            Operand::Hole(_) => {}
        }
    }

    /// Changes of a register that is read, with the other side of the clause.
    fn place(&mut self, place: &RegisterAccess, other: &OtherSide) {
        self.register(place, other);
        let cell = if place.cell == Some(Cell::Source) { "N" } else { "n" };
        self.replace(Operator::Cell, place.cell_span, cell, true);
    }

    fn register(&mut self, place: &RegisterAccess, other: &OtherSide) {
        let words = self.words;
        self.others(Operator::Register, place.register, &words.registers, |register| {
            other.fits(words, RegisterId::new(register))
        });
    }

    fn function(&mut self, place: &RegisterAccess) {
        let read = format!("{}[{}]", self.tree.str(place.register), self.tree.str(place.cell_span));
        let Some(bracket) = self.next_token(place.cell_span.end, Kind::CloseBracket) else { return };
        let written = Span::new(bracket.end, place.span.end);
        let now = place.function.map(|name| self.tree.str(name));
        if let Some(now) = now {
            let says = format!("Remove `@{now}` from `{read}`");
            self.found.push(Change::replace(Operator::Function, written, "", says));
        }
        for name in Function::ALL.map(Function::as_str).into_iter().filter(|name| Some(*name) != now) {
            let fits = self.words.holds_positions(self.left(place));
            let says = match now {
                Some(now) => replaced(&format!("@{now}"), &format!("@{name}")),
                None => format!("Add `@{name}` to `{read}`"),
            };
            let change = Change::replace(Operator::Function, written, format!("@{name}"), says);
            self.found.push(Change { fits, ..change });
        }
    }

    /// The next token of a kind.
    fn next_token(&self, from: u32, kind: Kind) -> Option<Span> {
        let code = &self.tree.tokens.code;
        let rest = code.get(code.partition_point(|token| token.span.start < from)..)?;
        rest.iter().find(|token| token.kind == kind).map(|token| token.span)
    }

    fn membership(&mut self, condition: &Condition, negated: bool, list: &[Operand]) {
        let Some(end) = list.last() else { return };
        let Some(bracket) = self.next_token(condition.left.span.end, Kind::OpenBracket) else { return };
        let operator = Span::new(condition.left.span.end, bracket.start);
        let (now, other) = if negated { ("not in", "in") } else { ("in", "not in") };
        let says = replaced(now, other);
        self.found.push(Change::replace(Operator::Negation, operator, format!(" {other} "), says));
        for (entry, next) in list.iter().zip(list.iter().skip(1)) {
            self.leave_out(Span::new(entry.span().start, next.span().start), entry);
        }
        if let Some(before) = list.len().checked_sub(2).and_then(|before| list.get(before)) {
            self.leave_out(Span::new(before.span().end, end.span().end), end);
        }
        let written: Vec<&str> = list.iter().map(|entry| self.tree.str(entry.span())).collect();
        let end = Span::new(end.span().end, end.span().end);
        let register = self.left(&condition.left);
        for (number, constant) in self.words.constants.iter().enumerate() {
            if !written.contains(&constant.as_str()) {
                let says = format!("Add `{constant}` to the list");
                let change = Change::replace(Operator::ListEntry, end, format!(", {constant}"), says);
                self.found.push(Change { fits: self.words.fits(register, number), ..change });
            }
        }
    }

    fn leave_out(&mut self, span: Span, entry: &Operand) {
        let says = format!("Leave `{}` out of the list", self.tree.str(entry.span()));
        self.found.push(Change::replace(Operator::ListEntry, span, "", says));
    }
}
