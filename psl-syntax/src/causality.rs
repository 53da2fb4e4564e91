//! Whether a production can read a cell to the right of the one it updates.

use std::{cell::LazyCell, slice};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    index::IndexVec,
    program::{
        CausalAttn, Cell, CellRegister, Comparison, Condition, ConstantId, Function, Operand, Production, ProductionId,
        Program, RegisterId, Roles, Select,
    },
};

/// Whether a production looks ahead, judged by its text alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Causality {
    /// Never reads a cell n > N.
    Proved(Proof),
    /// Every match is the cell to the right.
    LooksAhead,
    /// Neither is proved.
    Unproved,
}

/// A proof that a production never reads a cell n > N.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// `causal_attn: true` hides the cells to the right.
    Masked,
    /// No condition mentions n, so the cell reads itself.
    OwnCell,
    /// The conditions fix the position of n to N, to the cell before N, or to the first cell.
    Position,
    /// If any cell matches, N matches itself, and the leftmost match is used.
    SelfMatch,
    /// The production only runs in cells after the end of the parse of the prompt, and no such cell has one to its
    /// right.
    ParseGuard,
    /// The production only runs in the last cell of the prompt and in generated cells, each of which is the last cell
    /// at the time.
    EndGuard,
}

impl Proof {
    /// Whether the proof requires that earlier cells stay the same. They do not if all cells are recomputed for every
    /// generated cell.
    pub const fn is_void_when_recomputed(self) -> bool {
        matches!(self, Self::ParseGuard | Self::EndGuard)
    }
}

impl Proof {
    /// The reason, as a phrase for messages.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Masked => "`causal_attn: true` hides every cell to the right",
            Self::OwnCell => "no condition mentions `n`, so each cell reads itself",
            Self::Position => "the conditions fix `n` to `N`, to the cell before `N`, or to the first cell",
            Self::SelfMatch => "if any cell matches, `N` matches itself, and the leftmost match is used",
            Self::ParseGuard => "its parse value is only set in the last cell of the prompt and in generated cells",
            Self::EndGuard => "only the last cell of the prompt and generated cells have this eop value",
        }
    }
}

/// The causality of each production, in program order.
pub fn causality(program: &Program) -> IndexVec<ProductionId, Causality> {
    let productions = program.productions();
    let guards = Guards::new(program, productions.as_slice());
    productions.iter().map(|production| of(program, production, &guards)).collect()
}

fn of(program: &Program, production: &Production, guards: &Guards<'_>) -> Causality {
    match proof(program, production, guards) {
        Some(proof) => Causality::Proved(proof),
        None if position_of_n(program, production) == Some(Fixed::Right) => Causality::LooksAhead,
        None => Causality::Unproved,
    }
}

/// The first proof found. Each one is tried only if the ones before it fail.
fn proof(program: &Program, production: &Production, guards: &Guards<'_>) -> Option<Proof> {
    if production.causal_attn == Some(CausalAttn::True) {
        Some(Proof::Masked)
    } else if !production.binds_n() {
        Some(Proof::OwnCell)
    } else if matches!(position_of_n(program, production), Some(Fixed::Same | Fixed::Left | Fixed::First)) {
        Some(Proof::Position)
    } else if self_match(program, production) {
        Some(Proof::SelfMatch)
    } else if guards.of_parse(program, production) {
        Some(Proof::ParseGuard)
    } else if guards.of_end(program, production) {
        Some(Proof::EndGuard)
    } else {
        None
    }
}

/// The possible places of the cell n that a production reads, relative to N.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// N itself.
    Same,
    /// n < N.
    Left,
    /// n > N.
    Right,
    /// n <= N.
    NotAfter,
    /// n >= N.
    NotBefore,
    /// Anywhere.
    Any,
}

/// The places that a production reads from, judged by the production alone.
pub fn reach(program: &Program, production: &Production) -> Reach {
    if !production.binds_n() {
        return Reach::Same;
    }
    match position_of_n(program, production) {
        Some(Fixed::Same) => Reach::Same,
        Some(Fixed::Left) => Reach::Left,
        Some(Fixed::Right) => Reach::Right,
        Some(Fixed::First) => Reach::NotAfter,
        None => {
            let another = production.conditions.iter().any(|condition| excludes_own_cell(program, condition));
            match production.causal_attn {
                Some(CausalAttn::True) if another => Reach::Left,
                Some(CausalAttn::Reverse) if another => Reach::Right,
                Some(CausalAttn::True) => Reach::NotAfter,
                _ if self_match(program, production) => Reach::NotAfter,
                Some(CausalAttn::Reverse) => Reach::NotBefore,
                _ => Reach::Any,
            }
        }
    }
}

/// Whether a condition requires that n is not N.
fn excludes_own_cell(program: &Program, condition: &Condition) -> bool {
    let Comparison::IsNot(Operand::Register(right, None)) = condition.comparison else { return false };
    let is_position = |place: CellRegister| Some(place.register) == program.roles.position;
    is_position(condition.left) && is_position(right) && condition.left.cell != right.cell
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

/// The position of n, if the conditions on either side fix it. A condition that keeps n at or before N takes
/// precedence over one that does not, because both must hold.
fn position_of_n(program: &Program, production: &Production) -> Option<Fixed> {
    let fixed = || production.conditions.iter().filter_map(|condition| position_in(program, condition));
    fixed().find(|fixed| *fixed != Fixed::Right).or_else(|| fixed().next())
}

fn position_in(program: &Program, condition: &Condition) -> Option<Fixed> {
    if condition.left.cell == Cell::Source && fixed_to_first(program, condition) {
        return Some(Fixed::First);
    }
    let position = program.roles.position?;
    let Comparison::Is(Operand::Register(right, function)) = condition.comparison else { return None };
    if condition.left.register != position || right.register != position || condition.left.cell == right.cell {
        return None;
    }
    Some(match (condition.left.cell, function) {
        (_, None) => Fixed::Same,
        (Cell::Source, Some(Function::PosDecrement)) | (Cell::Updated, Some(Function::PosIncrement)) => Fixed::Left,
        _ => Fixed::Right,
    })
}

/// Whether a condition fixes its cell to the first one.
pub fn fixed_to_first(program: &Program, condition: &Condition) -> bool {
    Some(condition.left.register) == program.roles.position && requires_value(program, &condition.comparison, "1")
}

/// Whether a condition requires the value `EOP` in the eop register of its left cell.
pub fn requires_end(program: &Program, condition: &Condition) -> bool {
    Some(condition.left.register) == program.roles.eop && requires_value(program, &condition.comparison, "EOP")
}

/// Whether a comparison only holds for this value.
fn requires_value(program: &Program, comparison: &Comparison, value: &str) -> bool {
    constants(comparison).is_some_and(|(one_of, constants)| {
        one_of && constants.iter().map(|id| &program.constants[*id]).all(|constant| constant.value == value)
    })
}

/// Whether, of the cells of the prompt, only the last can ever have a value in the eop register.
pub fn end_marks_last_cell(program: &Program) -> bool {
    let Roles { symbol, position, parse, eop: Some(eop), .. } = program.roles else { return false };
    ![symbol, position, parse].contains(&Some(eop))
        && !program.is_input(eop)
        && !program.productions().iter().any(|production| production.assignments.iter().any(|it| it.target == eop))
}

/// Whether n = N satisfies every condition on n whenever some n does.
fn self_match(program: &Program, production: &Production) -> bool {
    if production.select == Select::Rightmost {
        return false;
    }
    let on_n = || production.conditions.iter().filter(|condition| condition.mentions_n());
    // The sets for comparisons with constants take longer, and are rarely needed.
    let registers = on_n().all(|condition| match condition.comparison {
        Comparison::Is(Operand::Register(right, None)) => {
            right.register == condition.left.register && right.cell != condition.left.cell
        }
        _ => constants(&condition.comparison).is_some(),
    });
    let known = LazyCell::new(|| known_of_own_cell(program, production));
    registers
        && on_n().filter_map(|condition| Some((condition, values(program, &condition.comparison)?))).all(
            |(condition, (one_of, values))| {
                known.get(&condition.left.register).is_some_and(|known| known.implies(one_of, &values))
            },
        )
}

/// Facts about a register of N that follow from the conditions of a production.
#[derive(Default)]
struct Known<'p> {
    /// The possible values, if the conditions limit them.
    one_of: Option<FxHashSet<&'p str>>,
    /// The excluded values.
    none_of: FxHashSet<&'p str>,
}

impl Known<'_> {
    /// Whether a test against constants also holds. Takes time linear in the length of the list.
    fn implies(&self, one_of: bool, values: &FxHashSet<&str>) -> bool {
        let within = |known: &FxHashSet<&str>| if one_of { known.is_subset(values) } else { known.is_disjoint(values) };
        self.one_of.as_ref().is_some_and(within) || (!one_of && values.is_subset(&self.none_of))
    }
}

fn known_of_own_cell<'p>(program: &'p Program, production: &Production) -> FxHashMap<RegisterId, Known<'p>> {
    // With `x[n] == x[N]`, a condition on x[n] also holds for x[N].
    let equal = |condition: &Condition| match condition.comparison {
        Comparison::Is(Operand::Register(right, None)) => {
            (right.register == condition.left.register && right.cell != condition.left.cell).then_some(right.register)
        }
        _ => None,
    };
    let equal: FxHashSet<RegisterId> = production.conditions.iter().filter_map(equal).collect();
    let of_own_cell = |left: CellRegister| left.cell == Cell::Updated || equal.contains(&left.register);
    let mut all: FxHashMap<RegisterId, Known<'p>> = FxHashMap::default();
    for condition in production.conditions.iter().filter(|condition| of_own_cell(condition.left)) {
        let Some((one_of, values)) = values(program, &condition.comparison) else { continue };
        let known = all.entry(condition.left.register).or_default();
        if !one_of {
            known.none_of.extend(values);
        } else if let Some(before) = &mut known.one_of {
            before.retain(|value| values.contains(value));
        } else {
            known.one_of = Some(values);
        }
    }
    all
}

/// The constants that a comparison tests, and whether it requires one of them or none of them. `None` for a
/// comparison with a register.
fn constants(comparison: &Comparison) -> Option<(bool, &[ConstantId])> {
    match comparison {
        Comparison::Is(Operand::Constant(id)) => Some((true, slice::from_ref(id))),
        Comparison::IsNot(Operand::Constant(id)) => Some((false, slice::from_ref(id))),
        Comparison::In(list) => Some((true, list.as_slice())),
        Comparison::NotIn(list) => Some((false, list.as_slice())),
        Comparison::Is(Operand::Register(..)) | Comparison::IsNot(Operand::Register(..)) => None,
    }
}

/// Like [`constants`], with their values.
fn values<'p>(program: &'p Program, comparison: &Comparison) -> Option<(bool, FxHashSet<&'p str>)> {
    let (one_of, constants) = constants(comparison)?;
    let constants = constants.iter().map(|id| &program.constants[*id]);
    Some((one_of, constants.map(|constant| constant.value.as_str()).collect()))
}

/// Registers that distinguish the last cell of the prompt and the generated cells from the cells before.
///
/// During generation, N is the last cell, so a production that fires only there cannot look ahead. This does not hold
/// if every cell is recomputed for each generated cell, or if a structured prompt sets the registers itself.
struct Guards<'p> {
    /// Whether the eop register distinguishes them.
    end: bool,
    /// The parse values that only those cells can have, or `None` if other cells may have values other than `1`.
    parse: Option<FxHashSet<&'p str>>,
}

impl<'p> Guards<'p> {
    fn new(program: &'p Program, productions: &[&Production]) -> Self {
        let end = end_marks_last_cell(program);
        let parse = if end { Self::parse_values(program, productions) } else { None };
        Self { end, parse }
    }

    fn parse_values(program: &'p Program, productions: &[&Production]) -> Option<FxHashSet<&'p str>> {
        let Roles { symbol, position, parse: Some(parse), .. } = program.roles else { return None };
        if [symbol, position].contains(&Some(parse)) || program.is_input(parse) {
            return None;
        }
        let mut values = FxHashSet::default();
        for production in productions {
            for assignment in production.assignments.iter().filter(|assignment| assignment.target == parse) {
                let Operand::Constant(id) = assignment.source else { return None };
                if !ends_prompt(program, production) {
                    return None;
                }
                values.insert(program.constants[id].value.as_str());
            }
        }
        values.remove("1");
        Some(values)
    }

    fn of_end(&self, program: &Program, production: &Production) -> bool {
        self.end && ends_prompt(program, production)
    }

    fn of_parse(&self, program: &Program, production: &Production) -> bool {
        let (Some(guarding), Some(parse)) = (&self.parse, program.roles.parse) else { return false };
        requires(
            program,
            production,
            parse,
            |one_of, values| {
                if one_of { values.is_subset(guarding) } else { values.contains("1") }
            },
        )
    }
}

/// Whether a production fires only if `eop[N]` is `EOP`.
fn ends_prompt(program: &Program, production: &Production) -> bool {
    production
        .conditions
        .iter()
        .any(|condition| condition.left.cell == Cell::Updated && requires_end(program, condition))
}

/// Whether a condition compares `register[N]` with constants that pass `test`, which also gets whether it requires one
/// of them rather than none.
fn requires(
    program: &Program,
    production: &Production,
    register: RegisterId,
    test: impl Fn(bool, &FxHashSet<&str>) -> bool,
) -> bool {
    production.conditions.iter().any(|condition| {
        condition.left == CellRegister { register, cell: Cell::Updated }
            && values(program, &condition.comparison).is_some_and(|(one_of, values)| test(one_of, &values))
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
        assert_eq!(analysis.causality.as_slice().last(), Some(&expected), "{production}");
    }

    #[test]
    fn proofs() {
        check("causal_attn: true\nwhere_rm symbol[n] == A:\n mark[N] = A", Causality::Proved(Proof::Masked));
        check("where symbol[N] == A:\n mark[N] = A", Causality::Proved(Proof::OwnCell));
        check("where position[n] == position[N]@pos_decrement:\n mark[N] = A", Causality::Proved(Proof::Position));
        check("where position[N] == position[n]@pos_increment:\n mark[N] = A", Causality::Proved(Proof::Position));
        check("where position[n] == 1:\n mark[N] = A", Causality::Proved(Proof::Position));
        check("where position[n] in [1]:\n mark[N] = A", Causality::Proved(Proof::Position));
        check("where symbol[n] == symbol[N]:\n mark[N] = A", Causality::Proved(Proof::SelfMatch));
        check("where symbol[n] == A and symbol[N] == A:\n mark[N] = A", Causality::Proved(Proof::SelfMatch));
        check("where symbol[n] == symbol[N] and symbol[n] == A:\n mark[N] = A", Causality::Proved(Proof::SelfMatch));
        check("where symbol[n] in [A, B] and symbol[N] == A:\n mark[N] = A", Causality::Proved(Proof::SelfMatch));
        check("where symbol[n] != B and symbol[N] == A:\n mark[N] = A", Causality::Proved(Proof::SelfMatch));
        check(
            "where symbol[n] not in [B, 0] and symbol[N] in [A, 1]:\n mark[N] = A",
            Causality::Proved(Proof::SelfMatch),
        );
        check(
            "where eop[N] == EOP:\n parse[N] = 0\nwhere symbol[n] == A and parse[N] == 0:\n mark[N] = A",
            Causality::Proved(Proof::ParseGuard),
        );
        check(
            "where eop[N] == EOP:\n parse[N] = 0\nwhere symbol[n] == A and parse[N] != 1:\n mark[N] = A",
            Causality::Proved(Proof::ParseGuard),
        );
        check(
            "where eop[N] == EOP:\n parse[N] = 0\nwhere symbol[n] == A and parse[N] in [0]:\n mark[N] = A",
            Causality::Proved(Proof::ParseGuard),
        );
    }

    #[test]
    fn guards() {
        check("where symbol[n] == A and eop[N] == EOP:\n mark[N] = A", Causality::Proved(Proof::EndGuard));
        check("where symbol[n] == A and eop[N] in [EOP]:\n mark[N] = A", Causality::Proved(Proof::EndGuard));
        check("where symbol[n] == A and eop[n] == EOP:\n mark[N] = A", Causality::Unproved);
        check(
            "where symbol[N] == A:\n eop[N] = EOP\nwhere symbol[n] == A and eop[N] == EOP:\n mark[N] = A",
            Causality::Unproved,
        );
    }

    #[test]
    fn no_proofs() {
        check("where symbol[n] == A:\n mark[N] = A", Causality::Unproved);
        check("where_rm symbol[n] == symbol[N]:\n mark[N] = A", Causality::Unproved);
        check("where symbol[n] == A and symbol[N] in [A, B]:\n mark[N] = A", Causality::Unproved);
        check("where symbol[n] == mark[N]:\n mark[N] = A", Causality::Unproved);
        check("where symbol[n] != B and symbol[N] != A:\n mark[N] = A", Causality::Unproved);
        check(
            "where eop[N] == EOP:\n parse[N] = 0\nwhere symbol[n] == A and parse[N] in [0, 1]:\n mark[N] = A",
            Causality::Unproved,
        );
        check("where position[n] == position[N]@pos_increment:\n mark[N] = A", Causality::LooksAhead);
        check(
            "where symbol[N] == A:\n parse[N] = 0\nwhere symbol[n] == A and parse[N] == 0:\n mark[N] = A",
            Causality::Unproved,
        );
    }
}
