//! Whether a production can read a cell to the right of the one it updates.

use rustc_hash::FxHashSet;

use crate::{
    codes::Code,
    diagnostic::{Diagnostic, Severity},
    program::{
        CausalAttn, Cell, Condition, ConstantId, Function, Operand, Place, Production, Program, RegisterId, Select,
        Test,
    },
};

/// What can be said of a production's look-ahead from the text alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Causality {
    /// It never reads a cell n > N.
    Proved(Proof),
    /// Each of its matches is the cell to the right.
    LooksAhead,
    /// Neither can be shown.
    Unproved,
}

/// Why a production never reads a cell n > N.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// `causal_attn: true` hides the cells to the right.
    Masked,
    /// No condition mentions n: it reads its own cell.
    OwnCell,
    /// The position of n is fixed to N, to the cell before it, or to the first.
    Position,
    /// Where any cell matches, N matches itself, and the leftmost match is chosen.
    SelfMatch,
    /// It runs only in cells after the end of the prompt's parse, of which there is none to the right.
    ParseGuard,
}

impl Proof {
    /// The reason, in words.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Masked => "`causal_attn: true` hides every cell to the right",
            Self::OwnCell => "no condition mentions n, so each cell reads itself",
            Self::Position => "the conditions fix n to N, to the cell before N, or to the first cell",
            Self::SelfMatch => "whenever some cell matches, N matches itself, and the leftmost match is read",
            Self::ParseGuard => "its parse value is set only in the prompt's last cell and those generated after it",
        }
    }
}

/// The causality of each production, in program order.
pub fn causality(program: &Program) -> Vec<Causality> {
    let productions = program.productions();
    let guards = ParseGuards::new(program, &productions);
    productions.iter().map(|production| of(program, production, &guards)).collect()
}

/// Reports the productions that look ahead, or that may: a hint where the program has tests, which can show it. One whose
/// conditions were reported, by the sorted `reported`, may not even fire.
pub fn diagnostics(program: &Program, causality: &[Causality], reported: &[Diagnostic]) -> Vec<Diagnostic> {
    let wrong = |production: &Production| {
        let first = reported.partition_point(|found| found.span.start < production.head.start);
        let inside = reported.get(first..).unwrap_or_default().iter();
        inside.take_while(|found| found.span.start < production.head.end).next().is_some()
    };
    let productions = program.productions().into_iter().zip(causality);
    productions
        .filter(|(production, _)| !wrong(production))
        .filter_map(|(production, causality)| diagnostic(program, production, *causality))
        .collect()
}

fn diagnostic(program: &Program, production: &Production, causality: Causality) -> Option<Diagnostic> {
    let first = production.conditions.iter().find(|condition| condition.mentions_n())?;
    let (message, severity) = match causality {
        Causality::Proved(_) => return None,
        Causality::LooksAhead => ("cell N reads the cell to its right", Severity::Warning),
        Causality::Unproved if program.tests.is_empty() => (MAY_LOOK_AHEAD, Severity::Warning),
        Causality::Unproved => (MAY_LOOK_AHEAD, Severity::Hint),
    };
    let found = Diagnostic::new(Code::NonCausal, first.span, message).help(
        "keep n at or before N by a condition on its position or by `causal_attn: true`; \
         where looking ahead is meant, write `//@ allow non-causal` above",
    );
    Some(Diagnostic { severity, ..found })
}

const MAY_LOOK_AHEAD: &str = "cell N may read a cell to its right: no condition keeps n at or before N";

fn of(program: &Program, production: &Production, guards: &ParseGuards) -> Causality {
    let proofs = [
        (production.causal_attn == Some(CausalAttn::True), Proof::Masked),
        (!production.binds_n(), Proof::OwnCell),
        (matches!(position_of_n(program, production), Some(Fixed::Same | Fixed::Left | Fixed::First)), Proof::Position),
        (self_match(production), Proof::SelfMatch),
        (guards.hold(program, production), Proof::ParseGuard),
    ];
    if let Some((_, proof)) = proofs.into_iter().find(|(holds, _)| *holds) {
        Causality::Proved(proof)
    } else if position_of_n(program, production) == Some(Fixed::Right) {
        Causality::LooksAhead
    } else {
        Causality::Unproved
    }
}

/// Where the cell n that a production reads can stand, seen from N.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// It is N.
    Same,
    /// It is the cell before N.
    Left,
    /// It is the cell after N.
    Right,
    /// n <= N.
    NotAfter,
    /// n >= N.
    NotBefore,
    /// Anywhere.
    Any,
}

/// Where a production reads from, as far as it alone tells.
pub fn reach(program: &Program, production: &Production) -> Reach {
    if !production.binds_n() {
        return Reach::Same;
    }
    match position_of_n(program, production) {
        Some(Fixed::Same) => Reach::Same,
        Some(Fixed::Left) => Reach::Left,
        Some(Fixed::Right) => Reach::Right,
        Some(Fixed::First) => Reach::NotAfter,
        None if production.causal_attn == Some(CausalAttn::True) || self_match(production) => Reach::NotAfter,
        None if production.causal_attn == Some(CausalAttn::Reverse) => Reach::NotBefore,
        None => Reach::Any,
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Fixed {
    /// n is N.
    Same,
    /// n is N - 1.
    Left,
    /// n is N + 1.
    Right,
    /// n is 1.
    First,
}

/// What the conditions say of n's position, whichever side it stands on. One that keeps n from standing after N counts
/// before one that does not: both must hold.
fn position_of_n(program: &Program, production: &Production) -> Option<Fixed> {
    let fixed = || production.conditions.iter().filter_map(|condition| position_in(program, condition));
    fixed().find(|fixed| *fixed != Fixed::Right).or_else(|| fixed().next())
}

fn position_in(program: &Program, condition: &Condition) -> Option<Fixed> {
    let position = program.roles.position?;
    let Test::Is(right) = &condition.test else { return None };
    if condition.left.register != position {
        return None;
    }
    match (condition.left.cell, right) {
        (Cell::Source, Operand::Constant(id)) => {
            program.constant(*id).is_some_and(|constant| constant.value == "1").then_some(Fixed::First)
        }
        (cell, Operand::Register(Place { register, cell: other }, function))
            if *register == position && cell != *other =>
        {
            Some(match (cell, function) {
                (_, None) => Fixed::Same,
                (Cell::Source, Some(Function::PosDecrement)) | (Cell::Updated, Some(Function::PosIncrement)) => {
                    Fixed::Left
                }
                _ => Fixed::Right,
            })
        }
        _ => None,
    }
}

/// Whether n = N meets every condition on n whenever some n does.
fn self_match(production: &Production) -> bool {
    production.select == Select::Leftmost
        && production.conditions.iter().filter(|condition| condition.mentions_n()).all(|condition| {
            match &condition.test {
                Test::Is(Operand::Register(right, None)) => {
                    right.register == condition.left.register && right.cell != condition.left.cell
                }
                _ => production.conditions.iter().any(|own| own.left.cell == Cell::Updated && implies(own, condition)),
            }
        })
}

/// Whether a condition on N alone implies one on n with a fixed right side, for n = N.
fn implies(own: &Condition, other: &Condition) -> bool {
    if own.left.register != other.left.register || own.mentions_n() || other.left.cell != Cell::Source {
        return false;
    }
    // Constants are compared by their index: two names of one value only lose a proof.
    match (&own.test, &other.test) {
        (Test::Is(a), Test::Is(b)) | (Test::IsNot(a), Test::IsNot(b)) => a == b && a.place().is_none(),
        (Test::Is(Operand::Constant(a)), Test::In(list)) => list.contains(a),
        (Test::In(a), Test::In(b)) => within(a, b),
        (Test::NotIn(a), Test::NotIn(b)) => within(b, a),
        (Test::NotIn(a), Test::IsNot(Operand::Constant(b))) => a.contains(b),
        _ => false,
    }
}

/// Whether all of one list are in the other; lists may be long.
fn within(inner: &[ConstantId], outer: &[ConstantId]) -> bool {
    let outer: FxHashSet<_> = outer.iter().collect();
    inner.iter().all(|id| outer.contains(id))
}

/// The parse values that only the prompt's last cell, and the cells generated after it, can have.
#[derive(Default)]
struct ParseGuards {
    values: FxHashSet<String>,
}

impl ParseGuards {
    fn new(program: &Program, productions: &[&Production]) -> Self {
        let (Some(parse), Some(eop)) = (program.roles.parse, program.roles.eop) else {
            return Self::default();
        };
        let assignments = || {
            productions
                .iter()
                .flat_map(|production| production.assignments.iter().map(move |assignment| (*production, assignment)))
        };
        if assignments().any(|(_, assignment)| assignment.target == eop) {
            return Self::default();
        }
        let mut values = FxHashSet::default();
        for (production, assignment) in assignments().filter(|(_, assignment)| assignment.target == parse) {
            match assignment.source {
                Operand::Constant(id) if tests_constant(program, production, eop, |value| value == "EOP") => {
                    values.extend(program.constant(id).map(|constant| constant.value.clone()));
                }
                _ => return Self::default(),
            }
        }
        values.remove("1");
        Self { values }
    }

    fn hold(&self, program: &Program, production: &Production) -> bool {
        program
            .roles
            .parse
            .is_some_and(|parse| tests_constant(program, production, parse, |value| self.values.contains(value)))
    }
}

/// Whether the production requires `register[N]` to equal a constant whose value passes `test`.
fn tests_constant(
    program: &Program,
    production: &Production,
    register: RegisterId,
    test: impl Fn(&str) -> bool,
) -> bool {
    production.conditions.iter().any(|condition| {
        condition.left == Place { register, cell: Cell::Updated }
            && matches!(condition.test, Test::Is(Operand::Constant(id))
                if program.constant(id).is_some_and(|constant| test(&constant.value)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Diagnostic, analyze, parse};

    const DECLARATIONS: &str = "
        registers: {symbol: 's', position: 'p', parse: 'a', eop: 'z', mark: 'm'}
        constants: {\"A\", \"B\", \"0\", \"1\", \"EOP\"}";

    fn check(production: &str, expected: Causality) {
        let text = format!("{DECLARATIONS}\n{production}");
        let parsed = parse(&text);
        let analysis = analyze(&parsed.tree);
        assert!(!analysis.diagnostics.iter().any(Diagnostic::is_error), "{production}");
        assert_eq!(analysis.causality.last(), Some(&expected), "{production}");
    }

    #[test]
    fn proofs() {
        check("causal_attn: true\nwhere_rm symbol[n] == A:\n mark[N] = A", Causality::Proved(Proof::Masked));
        check("where symbol[N] == A:\n mark[N] = A", Causality::Proved(Proof::OwnCell));
        check("where position[n] == position[N]@pos_decrement:\n mark[N] = A", Causality::Proved(Proof::Position));
        check("where position[N] == position[n]@pos_increment:\n mark[N] = A", Causality::Proved(Proof::Position));
        check("where position[n] == 1:\n mark[N] = A", Causality::Proved(Proof::Position));
        check("where symbol[n] == symbol[N]:\n mark[N] = A", Causality::Proved(Proof::SelfMatch));
        check("where symbol[n] == A and symbol[N] == A:\n mark[N] = A", Causality::Proved(Proof::SelfMatch));
        check("where symbol[n] in [A, B] and symbol[N] == A:\n mark[N] = A", Causality::Proved(Proof::SelfMatch));
        check(
            "where eop[N] == EOP:\n parse[N] = 0\nwhere symbol[n] == A and parse[N] == 0:\n mark[N] = A",
            Causality::Proved(Proof::ParseGuard),
        );
    }

    #[test]
    fn no_proofs() {
        check("where symbol[n] == A:\n mark[N] = A", Causality::Unproved);
        check("where_rm symbol[n] == symbol[N]:\n mark[N] = A", Causality::Unproved);
        check("where symbol[n] == A and symbol[N] in [A, B]:\n mark[N] = A", Causality::Unproved);
        check("where symbol[n] == mark[N]:\n mark[N] = A", Causality::Unproved);
        check("where position[n] == position[N]@pos_increment:\n mark[N] = A", Causality::LooksAhead);
        check(
            "where symbol[N] == A:\n parse[N] = 0\nwhere symbol[n] == A and parse[N] == 0:\n mark[N] = A",
            Causality::Unproved,
        );
    }
}
