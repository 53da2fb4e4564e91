//! Evaluates conditions and operands on a pair of cells.

use std::sync::Arc;

use psl_syntax::program::{Cell, CellRegister, Comparison, Condition, ConstantId, Function, Operand, Program};

use crate::{
    input::held,
    vocabulary::{ValueId, Vocabulary},
};

/// Two cells: n, which may be attended to, and N, which is being updated.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair<'s> {
    pub(super) source: &'s [Option<ValueId>],
    pub(super) updated: &'s [Option<ValueId>],
}

/// The values of constants and functions in one run.
#[derive(Debug)]
pub(super) struct Values {
    constants: Constants,
    increment: Vec<Option<ValueId>>,
    decrement: Vec<Option<ValueId>>,
}

/// The values of a program's constants in one run, or `None` for a value that no cell can have.
#[derive(Clone, Debug)]
pub(super) struct Constants(Arc<[Option<ValueId>]>);

impl Values {
    pub(super) fn new(program: &Program, vocabulary: &Vocabulary) -> Self {
        let map = |function| (0..vocabulary.len()).map(|id| moved(vocabulary, function, ValueId(id as u32))).collect();
        Self {
            constants: Constants::new(program, vocabulary),
            increment: map(Function::PosIncrement),
            decrement: map(Function::PosDecrement),
        }
    }

    pub(super) fn of(&self, operand: Operand, pair: Pair<'_>) -> Option<ValueId> {
        match operand {
            Operand::Constant(id) => self.constants.get(id),
            Operand::Register(place, None) => read(place, pair),
            Operand::Register(place, Some(function)) => {
                let map = match function {
                    Function::PosIncrement => &self.increment,
                    Function::PosDecrement => &self.decrement,
                };
                map.get(read(place, pair)?.0 as usize).copied().flatten()
            }
        }
    }

    /// Whether the condition holds for the pair.
    pub(super) fn holds(&self, condition: &Condition, pair: Pair<'_>) -> bool {
        self.constants.compare(read(condition.left, pair), &condition.comparison, |right| self.of(right, pair))
    }
}

impl Constants {
    pub(super) fn new(program: &Program, vocabulary: &Vocabulary) -> Self {
        Self(program.constants.iter().map(|constant| vocabulary.get(&constant.value)).collect())
    }

    pub(super) fn get(&self, ConstantId(index): ConstantId) -> Option<ValueId> {
        self.0.get(index as usize).copied().flatten()
    }

    /// Whether a comparison holds for the value on its left, by the table in `docs/reference/values.md`: with null on
    /// the left, no comparison holds, and null on the right differs from everything. `right` returns the value of an
    /// operand.
    pub(super) fn compare(
        &self,
        left: Option<ValueId>,
        comparison: &Comparison,
        right: impl FnOnce(Operand) -> Option<ValueId>,
    ) -> bool {
        let Some(left) = left else { return false };
        let is_among = |list: &[ConstantId]| list.iter().any(|&id| self.get(id) == Some(left));
        match comparison {
            Comparison::Is(operand) => right(*operand) == Some(left),
            Comparison::IsNot(operand) => right(*operand) != Some(left),
            Comparison::In(list) => is_among(list),
            Comparison::NotIn(list) => !is_among(list),
        }
    }
}

/// The position after or before a value, or `None` if it is not a position of the run, or the last one.
pub(super) fn moved(vocabulary: &Vocabulary, function: Function, value: ValueId) -> Option<ValueId> {
    let positions = vocabulary.positions();
    let from = position(vocabulary.text(value)?).filter(|from| *from < positions.len())?;
    let to = match function {
        Function::PosIncrement => from.checked_add(1),
        Function::PosDecrement => from.checked_sub(1),
    };
    positions.get(to?).copied()
}

fn read(place: CellRegister, pair: Pair<'_>) -> Option<ValueId> {
    let cell = match place.cell {
        Cell::Source => pair.source,
        Cell::Updated => pair.updated,
    };
    held(cell, place.register)
}

/// The position if the text is its canonical numeral.
fn position(text: &str) -> Option<usize> {
    let canonical = text == "0" || (!text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit()));
    text.parse().ok().filter(|_| canonical)
}

#[cfg(test)]
mod tests {
    use super::position;

    #[test]
    fn a_position_has_one_numeral() {
        assert_eq!(["0", "7", "10"].map(position), [Some(0), Some(7), Some(10)]);
        assert_eq!(["", "00", "07", "+7", "-1", "1.0", "x", "99999999999999999999"].map(position), [None; 8]);
    }
}
