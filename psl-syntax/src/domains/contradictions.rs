//! Conditions that can each hold, but never all at once.

use rustc_hash::FxHashMap;

use super::{Domain, Values, words::Words};
use crate::{
    codes::Code,
    diagnostic::Diagnostic,
    program::{CausalAttn, Cell, Condition, Function, Operand, Place, Production, Program, RegisterId, Test},
    span::Span,
};

/// The first condition that can not hold together with those before it. `production` is where the conditions are from,
/// if it is not an `until`; `domain` tells what a register can hold there.
pub(super) fn contradiction<'d>(
    program: &Program,
    words: &Words<'_>,
    conditions: &[Condition],
    production: Option<&Production>,
    domain: impl Fn(RegisterId) -> &'d Domain,
) -> Option<Diagnostic> {
    let so = if production.is_some() { "so this production never fires" } else { "so the block never ends by this" };
    let report = |span: Span, why: String, help: &str| {
        Diagnostic::new(Code::NeverFires, span, format!("{why}, {so}")).help(help)
    };
    let split = "leave one of the conditions out, or make a production of each";
    let step = match offset(program, conditions) {
        Ok(step) => step,
        Err((one, two)) => {
            let found = report(two, "n can not stand in two places".to_owned(), split);
            return Some(found.label(one, "n has its place from here already"));
        }
    };
    if let Some((span, step)) = step
        && let Some((attention, side)) = production.and_then(|production| hidden(production, step))
    {
        let why = format!("`causal_attn: {attention}` hides the cells to the {side}");
        return Some(report(span, why, "look to the other side, or set `causal_attn: false` above"));
    }
    let mut classes = Classes::new(&words.domains.values, step.is_some_and(|(_, step)| step == 0), domain);
    let mut ordered: Vec<&Condition> = conditions.iter().collect();
    ordered.sort_by_key(|condition| rank(condition));
    for (at, condition) in ordered.iter().enumerate() {
        if !classes.restrict(condition) {
            let place = words.place(condition.left);
            let found = report(condition.span, format!("{place} can not meet all its conditions at once"), split);
            let class = classes.class(condition.left);
            let others = ordered.iter().take(at).filter(|other| {
                let mut places = other.places();
                places.any(|place| classes.class(place) == class)
            });
            return Some(others.take(8).fold(found, |found, other| found.label(other.span, "the other condition")));
        }
    }
    None
}

/// What can tell less is asked later, when more is known of its registers: what is dropped from all symbols is forgotten.
fn rank(condition: &Condition) -> u8 {
    match condition.test {
        Test::Is(Operand::Constant(_)) | Test::In(_) => 0,
        Test::Is(Operand::Register(_, None)) => 1,
        Test::IsNot(Operand::Constant(_)) | Test::NotIn(_) => 2,
        Test::Is(Operand::Register(_, Some(_))) => 3,
        Test::IsNot(Operand::Register(..)) => 4,
    }
}

/// How far n stands from N by the conditions on their positions, and which says so; the two that disagree, if two do.
fn offset(program: &Program, conditions: &[Condition]) -> Result<Option<(Span, i8)>, (Span, Span)> {
    let mut known: Option<(Span, i8)> = None;
    for condition in conditions {
        let Test::Is(Operand::Register(right, function)) = condition.test else { continue };
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

/// The `causal_attn` that hides the only cell that n can be, and the side that it hides.
fn hidden(production: &Production, step: i8) -> Option<(&'static str, &'static str)> {
    match (production.causal_attn?, step) {
        (CausalAttn::True, 1) => Some((CausalAttn::True.as_str(), "right")),
        (CausalAttn::Reverse, -1) => Some((CausalAttn::Reverse.as_str(), "left")),
        _ => None,
    }
}

/// Places that are equal by some condition, and what each class of them can still be.
struct Classes<'v, F> {
    values: &'v Values,
    /// Whether n is N.
    one_cell: bool,
    /// What a register can hold at all.
    domain: F,
    index: FxHashMap<Place, usize>,
    parents: Vec<usize>,
    domains: Vec<Domain>,
}

impl<'v, 'd, F: Fn(RegisterId) -> &'d Domain> Classes<'v, F> {
    fn new(values: &'v Values, one_cell: bool, domain: F) -> Self {
        Self { values, one_cell, domain, index: FxHashMap::default(), parents: Vec::new(), domains: Vec::new() }
    }

    /// The class of a place.
    fn class(&mut self, mut place: Place) -> usize {
        if self.one_cell {
            place.cell = Cell::Updated;
        }
        let mut class = *self.index.entry(place).or_insert_with(|| {
            self.parents.push(self.parents.len());
            self.domains.push((self.domain)(place.register).clone());
            self.parents.len() - 1
        });
        while let Some(&parent) = self.parents.get(class)
            && parent != class
        {
            let above = self.parents.get(parent).copied().unwrap_or(parent);
            if let Some(parent) = self.parents.get_mut(class) {
                *parent = above;
            }
            class = parent;
        }
        class
    }

    /// Takes a condition in; false where it can not hold with those before.
    fn restrict(&mut self, condition: &Condition) -> bool {
        let left = self.class(condition.left);
        let values = self.values;
        match &condition.test {
            Test::Is(Operand::Constant(id)) => self.keep(left, &Domain::list(values, &[*id])),
            Test::In(list) => self.keep(left, &Domain::list(values, list)),
            Test::IsNot(Operand::Constant(id)) => self.drop(left, &Domain::list(values, &[*id])),
            Test::NotIn(list) => self.drop(left, &Domain::list(values, list)),
            Test::Is(Operand::Register(place, None)) => {
                let right = self.class(*place);
                if let Some(parent) = self.parents.get_mut(right) {
                    *parent = left;
                }
                let other = self.domains.get(right).cloned().unwrap_or_default();
                self.keep(left, &other)
            }
            Test::Is(Operand::Register(place, Some(function))) => {
                let right = self.class(*place);
                match (self.domains.get(left), self.domains.get(right)) {
                    (Some(one), Some(other)) => left != right && one.can_be(values, other, *function),
                    _ => true,
                }
            }
            Test::IsNot(Operand::Register(place, None)) => left != self.class(*place),
            Test::IsNot(Operand::Register(_, Some(_))) => true,
        }
    }

    fn keep(&mut self, class: usize, kept: &Domain) -> bool {
        self.domains.get_mut(class).is_none_or(|domain| {
            *domain = domain.meet(self.values, kept);
            !domain.is_empty()
        })
    }

    fn drop(&mut self, class: usize, dropped: &Domain) -> bool {
        self.domains.get_mut(class).is_none_or(|domain| {
            domain.constants.retain(|id| dropped.constants.binary_search(id).is_err());
            !domain.is_empty()
        })
    }
}
