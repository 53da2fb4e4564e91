//! Conditions that can never hold, or never fail; functions of what is no position.

use super::{Domain, Domains, contradictions::contradiction, words::Words};
use crate::{
    codes::Code,
    diagnostic::Diagnostic,
    names::Names,
    program::{Condition, Function, Operand, Place, Production, Program, RegisterId, Repeat, Statement, Test, Until},
    span::Span,
};

pub(super) fn diagnostics(program: &Program, names: &Names, domains: &Domains) -> Vec<Diagnostic> {
    let words = Words::new(program, domains);
    let mut checker = Checker { program, names, domains, words, layer: 0, block: 0, found: Vec::new() };
    checker.statements(&program.statements);
    checker.found
}

struct Checker<'p> {
    program: &'p Program,
    names: &'p Names,
    domains: &'p Domains,
    words: Words<'p>,
    layer: usize,
    block: usize,
    found: Vec<Diagnostic>,
}

/// Where conditions stand.
#[derive(Clone, Copy)]
enum At {
    Layer(usize),
    Until(usize),
}

/// What the domains say of a condition.
enum Verdict {
    Never,
    Always,
    Open,
}

/// The right side of a condition: what it can be, and the register that it is read from.
struct Right {
    domain: Domain,
    register: Option<(RegisterId, Option<Function>)>,
}

impl<'p> Checker<'p> {
    /// Recurses with the nesting of repeat blocks, which the parser bounds.
    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            match statement {
                Statement::Production(production) => self.production(production),
                Statement::Repeat(repeat) => self.repeat(repeat),
            }
        }
    }

    fn production(&mut self, production: &Production) {
        let at = At::Layer(self.layer);
        self.layer += 1;
        self.conditions(at, &production.conditions, Some(production));
        for assignment in &production.assignments {
            self.function(at, assignment.source, assignment.span);
        }
    }

    fn repeat(&mut self, repeat: &Repeat) {
        self.statements(&repeat.body);
        let at = At::Until(self.block);
        self.block += 1;
        if let Until::Conditions(conditions) = &repeat.until {
            self.conditions(at, conditions, None);
        }
    }

    fn conditions(&mut self, at: At, conditions: &[Condition], production: Option<&Production>) {
        let before = self.found.len();
        for condition in conditions {
            self.condition(at, condition);
            if let Test::Is(right) | Test::IsNot(right) = condition.test {
                self.function(at, right, condition.span);
            }
        }
        // What never gets a value is reported where it should have got one.
        let nothing =
            conditions.iter().flat_map(Condition::places).any(|place| self.domain(at, place.register).is_empty());
        if self.found.len() == before && !nothing {
            let domain = |register| self.domain(at, register);
            self.found.extend(contradiction(self.program, &self.words, conditions, production, domain));
        }
    }

    fn domain(&self, at: At, register: RegisterId) -> &'p Domain {
        match at {
            At::Layer(layer) => self.domains.before(layer, register),
            At::Until(block) => self.domains.at_until(block, register),
        }
        .unwrap_or(Domain::NOTHING)
    }

    fn condition(&mut self, at: At, condition: &Condition) {
        let left = self.domain(at, condition.left.register);
        let right = self.right(at, &condition.test);
        let found = match self.verdict(condition, left, &right) {
            Verdict::Open => return,
            Verdict::Never => self.never(condition, left, &right),
            Verdict::Always => self.always(condition, left, &right),
        };
        self.found.push(found);
    }

    fn right(&self, at: At, test: &Test) -> Right {
        let values = &self.domains.values;
        match test {
            Test::Is(Operand::Register(place, function)) | Test::IsNot(Operand::Register(place, function)) => Right {
                domain: self.domain(at, place.register).shifted(values, *function),
                register: Some((place.register, *function)),
            },
            Test::Is(Operand::Constant(id)) | Test::IsNot(Operand::Constant(id)) => {
                Right { domain: Domain::list(values, &[*id]), register: None }
            }
            Test::In(list) | Test::NotIn(list) => Right { domain: Domain::list(values, list), register: None },
        }
    }

    fn verdict(&self, condition: &Condition, left: &Domain, right: &Right) -> Verdict {
        let values = &self.domains.values;
        let positive = matches!(condition.test, Test::Is(_) | Test::In(_));
        if same_place(condition) {
            return if positive { Verdict::Open } else { Verdict::Never };
        }
        // What never gets a value is reported where it should have got one.
        if left.is_empty() || right.domain.is_empty() {
            return Verdict::Open;
        }
        let disjoint = left.meet(values, &right.domain).is_empty();
        let certain = match right.register {
            None => left.within(&right.domain),
            Some(_) => left.single().is_some() && left.single() == right.domain.single() && !right.domain.null,
        };
        let guard = condition.places().any(|place| Some(place.register) == self.program.roles.parse);
        match (positive, disjoint, certain) {
            (true, true, _) | (false, _, true) => Verdict::Never,
            (true, _, true) | (false, true, _) if !left.null && !guard => Verdict::Always,
            _ => Verdict::Open,
        }
    }

    fn never(&self, condition: &Condition, left: &Domain, right: &Right) -> Diagnostic {
        let words = &self.words;
        let name = words.register(condition.left.register);
        let only = words.domain(left);
        let (message, help) = match (&condition.test, right.register) {
            (Test::Is(_) | Test::In(_), None) => {
                let message = format!("{name} is only ever {only}, never {}", words.domain(&right.domain));
                (message, "test for a value that it can have, or set it to this one before")
            }
            (Test::IsNot(_) | Test::NotIn(_), None) => (
                format!("{name} is only ever {only}, and a cell without a value is not unequal either"),
                "set the register in the cells that this is meant for, and test for that value",
            ),
            _ if same_place(condition) => (
                format!("{name} never differs from itself"),
                "compare it with another register, or with that of the other cell",
            ),
            (Test::Is(_) | Test::In(_), Some((other, function))) => (
                format!(
                    "{name} ({only}) and {} ({}) have no value in common",
                    words.operand(other, function),
                    words.domain(&right.domain)
                ),
                "compare registers that can hold the same values",
            ),
            (Test::IsNot(_) | Test::NotIn(_), Some((other, function))) => (
                format!("{name} and {} are only ever {only}, so they never differ", words.operand(other, function)),
                "leave the production out, or set one of the two to another value",
            ),
        };
        let mut found = Diagnostic::new(Code::IllTypedCondition, condition.span, message).help(help);
        found = words.origins(found, condition.left.register, left);
        match right.register {
            Some((other, _)) if other != condition.left.register => words.origins(found, other, &right.domain),
            _ => found,
        }
    }

    fn always(&self, condition: &Condition, left: &Domain, right: &Right) -> Diagnostic {
        let words = &self.words;
        let name = words.register(condition.left.register);
        let message = match (&condition.test, right.register) {
            (Test::Is(_) | Test::In(_), None) => format!("{name} is only ever {}", words.domain(left)),
            (Test::IsNot(_) | Test::NotIn(_), None) => format!("{name} is never {}", words.domain(&right.domain)),
            (Test::Is(_) | Test::In(_), Some((other, function))) => {
                format!("{name} and {} are only ever {}", words.operand(other, function), words.domain(left))
            }
            (Test::IsNot(_) | Test::NotIn(_), Some((other, function))) => {
                format!("{name} and {} have no value in common", words.operand(other, function))
            }
        };
        let found = Diagnostic::new(Code::AlwaysTrue, condition.span, format!("{message}, so this always holds"))
            .help("leave the condition out, or test for what was meant");
        words.origins(found, condition.left.register, left)
    }

    /// A function maps positions only.
    fn function(&mut self, at: At, operand: Operand, within: Span) {
        let Operand::Register(Place { register, .. }, Some(function)) = operand else { return };
        let domain = self.domain(at, register);
        if domain.is_empty() || domain.only_positions(&self.domains.values) {
            return;
        }
        let (name, can) = (self.words.register(register), self.words.domain(domain));
        let function = function.as_str();
        let found = Diagnostic::new(
            Code::IllTypedCondition,
            self.names.last_in(within).map_or(within, |name| Span::new(name.span.start, within.end)),
            format!("{name} can be {can}, and `@{function}` makes null of all but positions"),
        )
        .help("apply it to a register that holds positions only");
        let found = self.words.origins(found, register, domain);
        self.found.push(found);
    }
}

fn same_place(condition: &Condition) -> bool {
    matches!(condition.test, Test::Is(Operand::Register(place, None)) | Test::IsNot(Operand::Register(place, None))
        if place == condition.left)
}
