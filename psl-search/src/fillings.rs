//! The parts that could belong in a hole.

use std::{
    collections::{HashMap, HashSet},
    iter,
};

use psl_syntax::{
    Span, Tree,
    holes::{Hole, HoleKind},
    program::{Cell, Function, RegisterId},
    tree::{Assignment, Comparison, Condition, Operand, RegisterAccess, Statement},
};

use crate::{
    compared_with::ComparedWith,
    name_sorts::{NameSorts, UNDECLARED},
    phrases::{Kinds, MAPPED, Part, Phrase, UNMAPPED, assignments, conditions, sources},
};

/// The places of a program's holes.
pub struct Slots<'t> {
    tree: &'t Tree,
    names: &'t NameSorts,
    /// The slots of holes in comparisons and assignments.
    found: HashMap<Span, Slot>,
    /// The entries of the lists with holes.
    lists: Vec<HashSet<&'t str>>,
}

/// The place of a hole, which decides the parts that could belong there. Many holes may have the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Slot {
    /// `n`, `N`, `==`, `!=` or the name of a function.
    Word(&'static [&'static str]),
    /// The right side of a register with this number.
    Source(RegisterId),
    /// An entry of a list, by its index, for a register with this number.
    Entry(RegisterId, usize),
    /// A register.
    Register(ComparedWith),
    /// A whole condition.
    Condition,
    /// A whole assignment.
    Assignment,
}

/// Whether phrases fit, and their kinds: the likeliest first.
const CLASSES: [(bool, Kinds); 8] = {
    const IS: &[bool] = &[false];
    const IS_NOT: &[bool] = &[true];
    [
        (true, Kinds { functions: UNMAPPED, negations: IS }),
        (true, Kinds { functions: UNMAPPED, negations: IS_NOT }),
        (true, Kinds { functions: MAPPED, negations: IS }),
        (true, Kinds { functions: MAPPED, negations: IS_NOT }),
        (false, Kinds { functions: UNMAPPED, negations: IS }),
        (false, Kinds { functions: UNMAPPED, negations: IS_NOT }),
        (false, Kinds { functions: MAPPED, negations: IS }),
        (false, Kinds { functions: MAPPED, negations: IS_NOT }),
    ]
};

impl<'t> Slots<'t> {
    pub fn new(tree: &'t Tree, names: &'t NameSorts) -> Self {
        let mut slots = Self { tree, names, found: HashMap::new(), lists: Vec::new() };
        slots.statements(&tree.statements);
        slots
    }

    /// The slot of a hole.
    pub fn of(&self, hole: Hole) -> Slot {
        const FUNCTIONS: &[&str] = &[Function::ALL[0].as_str(), Function::ALL[1].as_str()];
        let known = || self.found.get(&hole.span).cloned();
        match hole.kind {
            HoleKind::Value | HoleKind::Source => known().unwrap_or(Slot::Source(UNDECLARED)),
            HoleKind::ListEntry | HoleKind::SurplusEntry => known().unwrap_or(Slot::Entry(UNDECLARED, usize::MAX)),
            HoleKind::Register => known().unwrap_or(Slot::Register(ComparedWith::Unknown)),
            HoleKind::Cell => Slot::Word(&["N", "n"]),
            HoleKind::Function => Slot::Word(FUNCTIONS),
            HoleKind::Comparison => Slot::Word(&["==", "!="]),
            HoleKind::Condition => Slot::Condition,
            HoleKind::Assignment => Slot::Assignment,
        }
    }

    /// The parts that could belong in a slot: those that fit first, and shorter ones before others. Ends when `go_on`
    /// is false, which is asked for each part that is looked at, also for those that are left for later.
    pub fn phrases<'s>(
        &'s self,
        slot: &'s Slot,
        mut go_on: impl FnMut() -> bool + 's,
    ) -> impl Iterator<Item = Phrase> + 's {
        let of_class = |(fits, kinds): (bool, Kinds)| {
            self.of_kinds(slot, kinds).map(move |phrase| Some(phrase).filter(|phrase| phrase.fits == fits))
        };
        CLASSES.into_iter().flat_map(of_class).take_while(move |_| go_on()).flatten()
    }

    /// Those that fit.
    pub fn fitting<'s>(
        &'s self,
        slot: &'s Slot,
        mut go_on: impl FnMut() -> bool + 's,
    ) -> impl Iterator<Item = Phrase> + 's {
        let classes = CLASSES.into_iter().filter(|(fits, _)| *fits);
        let all = classes.flat_map(|(_, kinds)| self.of_kinds(slot, kinds));
        all.take_while(move |_| go_on()).filter(|phrase| phrase.fits)
    }

    fn of_kinds<'s>(&'s self, slot: &'s Slot, kinds: Kinds) -> Box<dyn Iterator<Item = Phrase> + 's> {
        let names = self.names;
        let is_first = kinds.negations == [false];
        let is_plain = is_first && kinds.functions == UNMAPPED;
        let operand = |(operand, fits)| Phrase { part: Part::Operand(operand), fits };
        match slot {
            Slot::Condition => Box::new(conditions(names, kinds)),
            Slot::Assignment if is_first => Box::new(assignments(names, kinds)),
            Slot::Source(left) if is_first => {
                Box::new(sources(names, *left, &[Cell::Source, Cell::Updated], kinds).map(operand))
            }
            Slot::Entry(left, list) if is_plain => {
                let listed = self.lists.get(*list);
                let is_new = move |text: &str| listed.is_none_or(|listed| !listed.contains(text));
                let all = sources(names, *left, &[], kinds).map(operand);
                Box::new(all.filter(move |phrase| is_new(&phrase.text(names))))
            }
            Slot::Register(other) if is_plain => {
                let register = |id| Phrase { part: Part::Register(id), fits: other.fits(names, id) };
                Box::new(names.register_ids().map(register))
            }
            Slot::Word(all) if is_plain => {
                Box::new(all.iter().map(|word| Phrase { part: Part::Word(word), fits: true }))
            }
            _ => Box::new(iter::empty()),
        }
    }

    /// Recursion depth is the nesting of repeat blocks, which the parser limits.
    fn statements(&mut self, body: &'t [Statement]) {
        for statement in body {
            match statement {
                Statement::CausalAttn(_) => {}
                Statement::Production(production) => {
                    production.conditions.iter().for_each(|condition| self.condition(condition));
                    for Assignment { target, source, .. } in &production.assignments {
                        self.sides(target, source);
                    }
                }
                Statement::Repeat(repeat) => {
                    self.statements(&repeat.body);
                    repeat.until.iter().for_each(|condition| self.condition(condition));
                }
            }
        }
    }

    fn condition(&mut self, condition: &'t Condition) {
        let left = &condition.left;
        match &condition.comparison {
            Comparison::Equality { right, .. } => self.sides(left, right),
            Comparison::Membership { list, .. } => {
                if self.tree.is_hole(left.register) {
                    let other = ComparedWith::list(self.tree, self.names, list);
                    self.found.insert(left.register, Slot::Register(other));
                }
                let holes = list.iter().filter(|entry| matches!(entry, Operand::Hole(_)));
                let slot = Slot::Entry(self.left(left), self.lists.len());
                let before = self.found.len();
                self.found.extend(holes.map(|hole| (hole.span(), slot.clone())));
                if self.found.len() > before {
                    self.lists.push(list.iter().map(|entry| self.tree.str(entry.span())).collect());
                }
            }
        }
    }

    /// The two sides of a comparison or an assignment.
    fn sides(&mut self, left: &RegisterAccess, right: &Operand) {
        if self.tree.is_hole(left.register) {
            let other = ComparedWith::operand(self.tree, self.names, right);
            self.found.insert(left.register, Slot::Register(other));
        }
        match right {
            Operand::Hole(span) => {
                self.found.insert(*span, Slot::Source(self.left(left)));
            }
            Operand::Register(place) if self.tree.is_hole(place.register) => {
                let other = ComparedWith::Register(self.left(left));
                self.found.insert(place.register, Slot::Register(other));
            }
            Operand::Register(_) | Operand::Constant(_) => {}
        }
    }

    fn left(&self, place: &RegisterAccess) -> RegisterId {
        self.names.register(self.tree.str(place.register))
    }
}

#[cfg(test)]
mod tests {
    use std::{cell::Cell, fmt::Write};

    use psl_syntax::{holes::holes, read};

    use super::{Kinds, NameSorts, Phrase, Slots, assignments, conditions};

    /// A program with holes for a condition and an assignment, and registers that are compared, and others that are
    /// not.
    fn program(registers: usize) -> String {
        let mut text = "registers: {symbol: 's', position: 'p', next: 'n', mark: 'm'".to_owned();
        (0..registers).for_each(|number| _ = write!(text, ", r{number}: 'r{number}'"));
        text + "}\nconstants: {A, B, ONE: '1', END: '.'}
            system: {symbol: symbol, position: position, output: mark}
            where position[n] == next[N]@pos_decrement and symbol[N] == A: mark[N] = symbol[n]
            where ?: ?
            where r0[N] == ONE: r1[N] = r0[N]"
    }

    #[test]
    fn what_fits_comes_first_and_then_what_is_shorter() {
        let checked = read(program(3));
        let names = NameSorts::new(&checked);
        let slots = Slots::new(&checked.tree, &names);
        let sorted = |phrases: Vec<Phrase>| {
            let mut texts: Vec<(bool, String)> = phrases.iter().map(|it| (it.fits, it.text(&names))).collect();
            texts.sort_by_key(|(fits, text)| (!fits, text.contains('@'), text.contains("!=")));
            texts
        };
        let all = [conditions(&names, Kinds::ALL).collect(), assignments(&names, Kinds::ALL).collect()];
        for (hole, all) in holes(&checked.tree).into_iter().zip(all) {
            let slot = slots.of(hole);
            let made = slots.phrases(&slot, || true).map(|phrase| (phrase.fits, phrase.text(&names)));
            assert_eq!(made.collect::<Vec<_>>(), sorted(all));
        }
    }

    #[test]
    fn only_what_is_asked_for_is_made() {
        let checked = read(program(4_000));
        let names = NameSorts::new(&checked);
        let slots = Slots::new(&checked.tree, &names);
        for hole in holes(&checked.tree) {
            let slot = slots.of(hole);
            let looked_at = Cell::new(0);
            let go_on = || {
                looked_at.set(looked_at.get() + 1);
                true
            };
            assert_eq!(slots.phrases(&slot, go_on).take(1_000).count(), 1_000);
            assert!(looked_at.get() < 20_000, "{}", looked_at.get());
        }
    }
}
