//! What is reported of conditions that never hold, or never fail, and of functions of what is not a position.

use super::{
    Domain, Domains,
    verdicts::{At, Proved, Right, Verdict, Verdicts, same_place},
    words::Words,
};
use crate::{
    codes::Code,
    diagnostic::Diagnostic,
    names::Names,
    program::{Condition, Operand, Place, Program, RegisterId, Statement, Test, Until},
    span::Span,
};

/// `plain` are the domains without what `//@ input` lets in.
pub(super) fn diagnostics(
    program: &Program,
    names: &Names,
    domains: &Domains,
    plain: &Domains,
    verdicts: &Verdicts,
) -> Vec<Diagnostic> {
    let (words, plain_words) = (Words::new(program, domains), Words::new(program, plain));
    let mut reporter =
        Reporter { program, names, words, plain: plain_words, verdicts, layer: 0, block: 0, found: Vec::new() };
    reporter.statements(&program.statements);
    reporter.found
}

struct Reporter<'p> {
    program: &'p Program,
    names: &'p Names,
    words: Words<'p>,
    plain: Words<'p>,
    verdicts: &'p Verdicts,
    layer: usize,
    block: usize,
    found: Vec<Diagnostic>,
}

impl<'p> Reporter<'p> {
    /// Recurses with the nesting of repeat blocks, which the parser bounds.
    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            match statement {
                Statement::Production(production) => {
                    let proved = self.verdicts.layers.get(self.layer);
                    let at = At::Layer(self.layer);
                    self.layer += 1;
                    self.conditions(at, &production.conditions, proved, "so this production never fires");
                    for assignment in &production.assignments {
                        self.function(at, assignment.source, assignment.span);
                    }
                }
                Statement::Repeat(repeat) => {
                    self.statements(&repeat.body);
                    let proved = self.verdicts.untils.get(self.block);
                    let at = At::Until(self.block);
                    self.block += 1;
                    if let Until::Conditions(conditions) = &repeat.until {
                        self.conditions(at, conditions, proved, "so this never ends the block");
                    }
                }
            }
        }
    }

    fn conditions(&mut self, at: At, conditions: &[Condition], proved: Option<&Proved>, so: &str) {
        let Some(Proved { conditions: verdicts, contradiction }) = proved else { return };
        for (condition, verdict) in conditions.iter().zip(verdicts) {
            match verdict {
                // What never gets a value is reported where it should have got one.
                Verdict::Open | Verdict::Unset => {}
                Verdict::Never | Verdict::Always => self.found.extend(self.certain(at, condition, *verdict)),
            }
            if let Test::Is(right) | Test::IsNot(right) = condition.test {
                self.function(at, right, condition.span);
            }
        }
        self.found.extend(contradiction.as_ref().map(|contradiction| contradiction.report(&self.words, so)));
    }

    /// What is reported of a condition that holds nowhere, or wherever it is asked.
    fn certain(&self, at: At, condition: &Condition, verdict: Verdict) -> Option<Diagnostic> {
        let left = self.domain(at, condition.left.register);
        let right = self.words.domains.right(at, &condition.test);
        if verdict == Verdict::Never {
            return Some(self.never(condition, left, &right));
        }
        // A right side that is always null is reported for itself.
        let meant = self.says_every_cell(condition) || right.domain.is_empty();
        (!meant).then(|| self.always(condition, left, &right))
    }

    /// Whether it is the idiom `x[N] == x[N]`, or a test of the parse register, which guards by habit.
    fn says_every_cell(&self, condition: &Condition) -> bool {
        same_place(condition) || condition.places().any(|place| Some(place.register) == self.program.roles.parse)
    }

    fn domain(&self, at: At, register: RegisterId) -> &'p Domain {
        self.words.domains.at(at, register)
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
            (Test::IsNot(_) | Test::NotIn(_), None) if left.null => {
                let or_null = words.domains.in_words_or_null(left);
                let operator = if matches!(condition.test, Test::IsNot(_)) { "!=" } else { "not in" };
                (
                    format!("{name} is only ever {or_null}, and `{operator}` fails on null too"),
                    "set the register in the cells that this is meant for, and test for that value",
                )
            }
            (Test::IsNot(_) | Test::NotIn(_), None) => (
                format!("{name} is only ever {only}, which this rules out"),
                "test for a value that it can have, or set it to another one before",
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
        let domains = self.plain.domains;
        let domain = domains.at(at, register);
        if domain.is_empty() || domain.only_positions(&domains.values) {
            return;
        }
        let (name, can) = (self.plain.register(register), self.plain.domain(domain));
        let function = function.as_str();
        let found = Diagnostic::new(
            Code::NotAPosition,
            self.names.last_in(within).map_or(within, |name| Span::new(name.span.start, within.end)),
            format!("{name} can be {can}, and `@{function}` turns everything but a position into null"),
        )
        .help("apply it to a register that holds only positions");
        let found = self.plain.origins(found, register, domain);
        self.found.push(found);
    }
}
