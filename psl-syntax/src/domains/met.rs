//! Met values: what a symbol of a prompt can be compared with.
//!
//! A program uses values in these ways. It compares them, with constants or with other registers; it copies them; it
//! compares the registers before and after a pass (`until NO_CHANGE`); and it applies functions, which are defined on
//! the positions of the run. It selects cells by their positions, never by their values. So take a map of values that
//! is the identity on the met ones, one-to-one on the symbols of a prompt, and maps those that are not met to values
//! that are not met either. The run of the mapped prompt is the mapped run, in every state, by induction over the
//! layers: no comparison has a mapped symbol on one side and anything but a mapped symbol on the other, unless both
//! are that symbol itself, and copies commute with the map. So one run stands for all prompts that differ from its own
//! by such a map.
//!
//! `NO_CHANGE` needs care: it compares a register with what the register held before, so a symbol in a register meets
//! all that the register can hold. If `a` held the symbol and `b` a position, a block that swaps them until nothing
//! changes would end only for a symbol that is this position.
//!
//! Heads of one layer that write a register of a cell compare their values too: if these differ, the run fails.
//!
//! The rule takes the values that a register can hold at any time, in any cell. It relies on the machines: embeddings
//! that draw a value's vector by its number can tell any two values apart.

use std::collections::BTreeSet;

use super::values::position;
use crate::{
    index::IndexVec,
    program::{Comparison, Condition, ConstantId, EOP, Operand, PARSING, Program, RegisterId, Roles, Until},
};

/// The values that a symbol of a prompt can be compared with. All others are free: the program cannot tell one from
/// another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MetValues {
    /// The values, without the positions of the run.
    pub values: BTreeSet<String>,
    /// Whether all positions of the run are met: the numbers from 0 to its last one.
    pub positions: bool,
}

impl MetValues {
    /// The values that a plain prompt can have as symbols, without the positions of runs with this last one if they
    /// are met.
    pub fn symbols(&self, last_position: usize) -> impl Iterator<Item = &str> {
        let is_position =
            move |value: &str| self.positions && position(value).is_some_and(|number| number <= last_position as u64);
        let is_symbol = |value: &&str| !value.is_empty() && !value.contains(char::is_whitespace);
        self.values.iter().map(String::as_str).filter(is_symbol).filter(move |value| !is_position(value))
    }

    /// Whether a value is met in runs with this last position.
    pub fn has(&self, value: &str, last_position: usize) -> bool {
        self.values.contains(value)
            || self.positions && position(value).is_some_and(|number| number <= last_position as u64)
    }
}

/// The values that a symbol of a plain prompt can be compared with in a valid program. `stop` is the stop symbol.
pub fn met_values(program: &Program, stop: &str) -> MetValues {
    let held = held(program);
    let mut met = Held::default();
    for Condition { left, comparison, .. } in conditions(program) {
        let left = &held[left.register];
        let right = match comparison {
            Comparison::Is(right) | Comparison::IsNot(right) => Held::of(program, &held, right),
            Comparison::In(list) | Comparison::NotIn(list) => Held::constants(program, list),
        };
        met.compare(left, &right);
    }
    let productions = program.productions();
    for layer in productions.as_slice().chunk_by(|_, next| next.shares_layer) {
        let written = layer.iter().flat_map(|head| &head.assignments);
        let written: Vec<(RegisterId, Held<'_>)> =
            written.map(|it| (it.target, Held::of(program, &held, &it.source))).collect();
        for (index, (register, values)) in written.iter().enumerate() {
            for (other, others) in written.iter().skip(index + 1) {
                if register == other {
                    met.compare(values, others);
                }
            }
        }
    }
    // A function tells a symbol that is a position from the others.
    met.positions |= operands(program).any(|operand| match operand {
        Operand::Register(place, Some(_)) => held[place.register].symbols,
        Operand::Register(_, None) | Operand::Constant(_) => false,
    });
    if program.repeats().iter().any(|block| block.until == Until::NoChange) {
        for held in held.iter().filter(|held| held.symbols) {
            met.join(held);
        }
    }
    if program.roles.output.is_some_and(|output| held[output].symbols) {
        met.constants.insert(stop);
    }
    MetValues { values: met.constants.into_iter().map(str::to_owned).collect(), positions: met.positions }
}

/// The values that a register can hold at any time.
#[derive(Clone, Debug, Default)]
struct Held<'p> {
    /// Whether the register can hold a symbol of the prompt.
    symbols: bool,
    /// Whether the register can hold a position.
    positions: bool,
    constants: BTreeSet<&'p str>,
}

impl<'p> Held<'p> {
    fn constants(program: &'p Program, list: &[ConstantId]) -> Self {
        let constants = list.iter().map(|constant| program.constants[*constant].value.as_str()).collect();
        Self { constants, ..Self::default() }
    }

    /// The values of an operand.
    fn of(program: &'p Program, held: &IndexVec<RegisterId, Self>, operand: &Operand) -> Self {
        match operand {
            Operand::Constant(constant) => Self::constants(program, &[*constant]),
            Operand::Register(place, None) => held[place.register].clone(),
            Operand::Register(_, Some(_)) => Self { positions: true, ..Self::default() },
        }
    }

    /// Adds what symbols meet where values of two sets are compared.
    fn compare(&mut self, left: &Self, right: &Self) {
        if left.symbols {
            self.join(right);
        }
        if right.symbols {
            self.join(left);
        }
    }

    /// Adds the values of another set. Returns whether there were new ones.
    fn join(&mut self, other: &Self) -> bool {
        let before = (self.symbols, self.positions, self.constants.len());
        self.symbols |= other.symbols;
        self.positions |= other.positions;
        self.constants.extend(&other.constants);
        before != (self.symbols, self.positions, self.constants.len())
    }
}

/// The values that each register can hold: the least sets that contain what the machine sets and are closed under the
/// assignments and generation.
fn held(program: &Program) -> IndexVec<RegisterId, Held<'_>> {
    let mut held: IndexVec<RegisterId, Held<'_>> = program.register_ids().map(|_| Held::default()).collect();
    let symbols = Held { symbols: true, ..Held::default() };
    let all: Vec<ConstantId> = program.constants.ids().collect();
    let any = Held { symbols: true, ..Held::constants(program, &all) };
    let Roles { symbol, position, output, parse, eop } = program.roles;
    let of_machine = [
        (symbol, symbols),
        (position, Held { positions: true, ..Held::default() }),
        (parse, Held { constants: BTreeSet::from([PARSING]), ..Held::default() }),
        (eop, Held { constants: BTreeSet::from([EOP]), ..Held::default() }),
    ];
    let of_machine = of_machine.into_iter().filter_map(|(register, values)| Some((register?, values)));
    for (register, values) in of_machine.chain(program.input.iter().map(|register| (*register, any.clone()))) {
        held[register].join(&values);
    }
    let productions = program.productions();
    let mut grown = true;
    while grown {
        grown = false;
        for assignment in productions.iter().flat_map(|production| &production.assignments) {
            let values = Held::of(program, &held, &assignment.source);
            grown |= held[assignment.target].join(&values);
        }
        if let (Some(symbol), Some(output)) = (symbol, output) {
            let values = held[output].clone();
            grown |= held[symbol].join(&values);
        }
    }
    held
}

/// The conditions of productions and of `until` clauses.
fn conditions(program: &Program) -> impl Iterator<Item = &Condition> {
    let ends = program.repeats().into_iter().filter_map(|block| match &block.until {
        Until::Conditions(conditions) => Some(conditions),
        Until::NoChange => None,
    });
    program.productions().into_iter().map(|production| &production.conditions).chain(ends).flatten()
}

/// The right sides of comparisons and assignments, without lists.
fn operands(program: &Program) -> impl Iterator<Item = &Operand> {
    let compared = conditions(program).filter_map(|condition| match &condition.comparison {
        Comparison::Is(right) | Comparison::IsNot(right) => Some(right),
        Comparison::In(_) | Comparison::NotIn(_) => None,
    });
    let productions = program.productions().into_iter();
    compared.chain(productions.flat_map(|production| &production.assignments).map(|assignment| &assignment.source))
}
