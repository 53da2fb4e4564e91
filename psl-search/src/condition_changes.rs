//! Changes inside conditions and assignments.

use psl_syntax::{
    Span, Tree,
    program::{Cell, Function, RegisterId},
    token::Kind,
    tree::{Assignment, Comparison, Condition, Operand, RegisterAccess},
};

use crate::{
    change::Change,
    compared_with::ComparedWith,
    name_sorts::{NameSorts, replaced},
    operator::Operator,
};

/// Collects the changes of a program's clauses.
pub struct Clauses<'c> {
    pub tree: &'c Tree,
    pub names: &'c NameSorts,
    pub found: Vec<Change>,
}

impl Clauses<'_> {
    pub fn condition(&mut self, condition: &Condition) {
        let other = match &condition.comparison {
            Comparison::Equality { right, .. } => ComparedWith::operand(self.tree, self.names, right),
            Comparison::Membership { list, .. } => ComparedWith::list(self.tree, self.names, list),
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
        self.register(&assignment.target, &ComparedWith::operand(self.tree, self.names, &assignment.source));
        self.operand(&assignment.target, &assignment.source);
    }

    fn replace(&mut self, operator: Operator, span: Span, text: &str, fits: bool) {
        let description = replaced(self.tree.str(span), text);
        self.found.push(Change { fits, ..Change::replace(operator, span, text, description) });
    }

    /// Replaces a name by the others of a list. `fits` is given their numbers.
    fn others(&mut self, operator: Operator, span: Span, names: &[String], fits: impl Fn(usize) -> bool) {
        for (number, word) in names.iter().enumerate() {
            if word != self.tree.str(span) {
                self.replace(operator, span, word, fits(number));
            }
        }
    }

    fn left(&self, place: &RegisterAccess) -> RegisterId {
        self.names.register(self.tree.str(place.register))
    }

    /// Changes of the right side of a comparison with a register, or of an assignment to it.
    fn operand(&mut self, left: &RegisterAccess, operand: &Operand) {
        match operand {
            Operand::Constant(name) => {
                let (names, left) = (self.names, self.left(left));
                self.others(Operator::Constant, name.span, &names.constants, |constant| names.fits(left, constant));
            }
            Operand::Register(place) => {
                self.place(place, &ComparedWith::Register(self.left(left)));
                self.function(place);
            }
            Operand::Hole(_) => {}
        }
    }

    /// Changes of a register that is read, with the other side of the clause.
    fn place(&mut self, place: &RegisterAccess, other: &ComparedWith) {
        self.register(place, other);
        let cell = if place.cell == Some(Cell::Source) { "N" } else { "n" };
        self.replace(Operator::Cell, place.cell_span, cell, true);
    }

    fn register(&mut self, place: &RegisterAccess, other: &ComparedWith) {
        let names = self.names;
        self.others(Operator::Register, place.register, &names.registers, |register| {
            other.fits(names, RegisterId::new(register))
        });
    }

    fn function(&mut self, place: &RegisterAccess) {
        let read = format!("{}[{}]", self.tree.str(place.register), self.tree.str(place.cell_span));
        let Some(bracket) = self.next_token(place.cell_span.end, Kind::CloseBracket) else { return };
        let written = Span::new(bracket.end, place.span.end);
        let now = place.function.map(|name| self.tree.str(name));
        if let Some(now) = now {
            let description = format!("Remove `@{now}` from `{read}`");
            self.found.push(Change::replace(Operator::Function, written, "", description));
        }
        for name in Function::ALL.map(Function::as_str).into_iter().filter(|name| Some(*name) != now) {
            let fits = self.names.holds_positions(self.left(place));
            let description = match now {
                Some(now) => replaced(&format!("@{now}"), &format!("@{name}")),
                None => format!("Add `@{name}` to `{read}`"),
            };
            let change = Change::replace(Operator::Function, written, format!("@{name}"), description);
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
        let description = replaced(now, other);
        self.found.push(Change::replace(Operator::Negation, operator, format!(" {other} "), description));
        for (entry, next) in list.iter().zip(list.iter().skip(1)) {
            self.leave_out(Span::new(entry.span().start, next.span().start), entry);
        }
        if let Some(before) = list.len().checked_sub(2).and_then(|before| list.get(before)) {
            self.leave_out(Span::new(before.span().end, end.span().end), end);
        }
        let written: Vec<&str> = list.iter().map(|entry| self.tree.str(entry.span())).collect();
        let end = Span::new(end.span().end, end.span().end);
        let register = self.left(&condition.left);
        for (number, constant) in self.names.constants.iter().enumerate() {
            if !written.contains(&constant.as_str()) {
                let description = format!("Add `{constant}` to the list");
                let change = Change::replace(Operator::ListEntry, end, format!(", {constant}"), description);
                self.found.push(Change { fits: self.names.fits(register, number), ..change });
            }
        }
    }

    fn leave_out(&mut self, span: Span, entry: &Operand) {
        let description = format!("Leave `{}` out of the list", self.tree.str(entry.span()));
        self.found.push(Change::replace(Operator::ListEntry, span, "", description));
    }
}
