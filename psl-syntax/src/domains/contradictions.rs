//! Conditions that can each hold alone, but never together.

use rustc_hash::FxHashMap;

use super::{domain::Domain, values::Values};
use crate::{
    index::{IndexVec, id},
    program::{
        CausalAttn, Cell, CellRegister, Comparison, Condition, Function, Operand, Production, Program, RegisterId,
    },
    span::Span,
};

/// The reason why conditions never hold together.
#[derive(Clone, Debug)]
pub(crate) enum Contradiction {
    /// Two conditions fix n to different cells.
    TwoPlaces { first: Span, second: Span },
    /// The only possible cell n is hidden.
    Hidden { span: Span, causal_attn: CausalAttn },
    /// No value of a register satisfies this condition and the others.
    NoValue { span: Span, place: CellRegister, others: Vec<Span> },
}

/// Maximum number of conditions with a label.
const MOST: usize = 8;

/// The first condition that cannot hold together with those before it, although each may hold alone. `production` is
/// the source of the conditions, or `None` for an `until`. `domain` returns the possible values of a register there.
pub(super) fn contradiction<'d>(
    program: &Program,
    values: &Values,
    conditions: &[Condition],
    production: Option<&Production>,
    domain: impl Fn(RegisterId) -> &'d Domain,
) -> Option<Contradiction> {
    let step = match offset(program, conditions) {
        Ok(step) => step,
        Err((first, second)) => return Some(Contradiction::TwoPlaces { first, second }),
    };
    if let Some((span, step)) = step
        && let Some(causal_attn) = production.and_then(|production| hidden(production, step))
    {
        return Some(Contradiction::Hidden { span, causal_attn });
    }
    let one_cell = step.is_some_and(|(_, step)| step == 0);
    if are_independent(conditions, one_cell) {
        return None;
    }
    let mut classes = Classes::new(values, one_cell, domain);
    let mut ordered: Vec<&Condition> = conditions.iter().collect();
    ordered.sort_by_key(|condition| rank(condition));
    for (at, condition) in ordered.iter().enumerate() {
        if !classes.restrict(condition) {
            let class = classes.class(condition.left);
            let others = ordered.iter().take(at).filter(|other| {
                let mut places = other.registers();
                places.any(|place| classes.class(place) == class)
            });
            let others = others.take(MOST).map(|other| other.span).collect();
            return Some(Contradiction::NoValue { span: condition.span, place: condition.left, others });
        }
    }
    None
}

/// Whether all sides are different places, so that all conditions can hold together if each can hold alone. A
/// function of a register is not covered, because it restricts values further.
fn are_independent(conditions: &[Condition], one_cell: bool) -> bool {
    let maps = |condition: &Condition| matches!(condition.comparison, Comparison::Is(Operand::Register(_, Some(_))));
    if conditions.iter().any(maps) {
        return false;
    }
    let places = conditions.iter().flat_map(Condition::registers);
    let mut places: Vec<CellRegister> = places.map(|place| place_in(one_cell, place)).collect();
    places.sort_unstable();
    places.is_sorted_by(|one, other| one < other)
}

/// Normalizes a place: if n is N, both are the same cell.
fn place_in(one_cell: bool, place: CellRegister) -> CellRegister {
    if one_cell { CellRegister { cell: Cell::Updated, ..place } } else { place }
}

/// Orders conditions so that the ones that restrict values least come last. Excluding a value from all symbols has no
/// effect.
fn rank(condition: &Condition) -> u8 {
    match condition.comparison {
        Comparison::Is(Operand::Constant(_)) | Comparison::In(_) => 0,
        Comparison::Is(Operand::Register(_, None)) => 1,
        Comparison::IsNot(Operand::Constant(_)) | Comparison::NotIn(_) => 2,
        Comparison::Is(Operand::Register(_, Some(_))) => 3,
        Comparison::IsNot(Operand::Register(..)) => 4,
    }
}

/// The offset of n from N by the conditions on their positions, with the condition that fixes it. The error is a pair
/// of conditions that disagree.
fn offset(program: &Program, conditions: &[Condition]) -> Result<Option<(Span, i8)>, (Span, Span)> {
    let mut known: Option<(Span, i8)> = None;
    for condition in conditions {
        let Comparison::Is(Operand::Register(right, function)) = condition.comparison else { continue };
        let position = program.roles.position;
        if Some(condition.left.register) != position
            || Some(right.register) != position
            || condition.left.cell == right.cell
        {
            continue;
        }
        let shift = match function {
            None => 0,
            Some(Function::PosIncrement) => 1,
            Some(Function::PosDecrement) => -1,
        };
        let step = if condition.left.cell == Cell::Source { shift } else { -shift };
        match known {
            Some((span, other)) if other != step => return Err((span, condition.span)),
            _ => known = Some((condition.span, step)),
        }
    }
    Ok(known)
}

/// The `causal_attn` that hides the only possible cell n, if one does.
fn hidden(production: &Production, step: i8) -> Option<CausalAttn> {
    production.causal_attn.filter(|hides| matches!((hides, step), (CausalAttn::True, 1) | (CausalAttn::Reverse, -1)))
}

/// Classes of places that the conditions make equal, with the remaining values of each class.
struct Classes<'v, F> {
    values: &'v Values,
    /// Whether n is N.
    one_cell: bool,
    /// The possible values of a register.
    domain: F,
    index: FxHashMap<CellRegister, ClassId>,
    parents: IndexVec<ClassId, ClassId>,
    domains: IndexVec<ClassId, Domain>,
}

id!(ClassId);

impl<'v, 'd, F: Fn(RegisterId) -> &'d Domain> Classes<'v, F> {
    fn new(values: &'v Values, one_cell: bool, domain: F) -> Self {
        Self {
            values,
            one_cell,
            domain,
            index: FxHashMap::default(),
            parents: IndexVec::default(),
            domains: IndexVec::default(),
        }
    }

    fn class(&mut self, place: CellRegister) -> ClassId {
        let mut class = *self.index.entry(place_in(self.one_cell, place)).or_insert_with(|| {
            let class = self.domains.push((self.domain)(place.register).clone());
            self.parents.push(class)
        });
        while self.parents[class] != class {
            let parent = self.parents[class];
            self.parents[class] = self.parents[parent];
            class = parent;
        }
        class
    }

    /// Adds a condition. Returns false if it cannot hold together with the earlier ones.
    fn restrict(&mut self, condition: &Condition) -> bool {
        let left = self.class(condition.left);
        let values = self.values;
        match &condition.comparison {
            Comparison::Is(Operand::Constant(id)) => self.keep(left, &Domain::list(values, &[*id])),
            Comparison::In(list) => self.keep(left, &Domain::list(values, list)),
            Comparison::IsNot(Operand::Constant(id)) => self.drop(left, &Domain::list(values, &[*id])),
            Comparison::NotIn(list) => self.drop(left, &Domain::list(values, list)),
            Comparison::Is(Operand::Register(place, None)) => {
                let right = self.class(*place);
                self.parents[right] = left;
                let other = self.domains[right].clone();
                self.keep(left, &other)
            }
            Comparison::Is(Operand::Register(place, Some(function))) => {
                let right = self.class(*place);
                left != right && self.domains[left].can_be(values, &self.domains[right], *function)
            }
            Comparison::IsNot(Operand::Register(place, None)) => left != self.class(*place),
            Comparison::IsNot(Operand::Register(_, Some(_))) => true,
        }
    }

    fn keep(&mut self, class: ClassId, kept: &Domain) -> bool {
        self.domains[class] = self.domains[class].meet(self.values, kept);
        !self.domains[class].is_empty()
    }

    fn drop(&mut self, class: ClassId, dropped: &Domain) -> bool {
        let domain = &mut self.domains[class];
        domain.constants.retain(|id| dropped.constants.binary_search(id).is_err());
        !domain.is_empty()
    }
}
