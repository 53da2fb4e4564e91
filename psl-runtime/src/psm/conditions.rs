//! Evaluates conditions and operands on a pair of cells.

use psl_syntax::program::{Cell, Comparison, Condition, ConstantId, Function, Operand, Place, Program, RegisterId};

use crate::vocabulary::{ValueId, Vocabulary};

/// Two cells: n, which may be attended to, and N, which is being updated.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair<'s> {
    pub(super) source: &'s [Option<ValueId>],
    pub(super) updated: &'s [Option<ValueId>],
}

/// The values of constants and functions in one run.
#[derive(Debug)]
pub(super) struct Values {
    constants: Vec<Option<ValueId>>,
    increment: Vec<Option<ValueId>>,
    decrement: Vec<Option<ValueId>>,
}

impl Values {
    pub(super) fn new(program: &Program, vocabulary: &Vocabulary) -> Self {
        let last = vocabulary.positions().len() as u64 - 1;
        let moved = |by: fn(u64) -> Option<u64>| {
            let map = |text| {
                let position = by(position(text).filter(|position| *position <= last)?)?;
                vocabulary.get(&position.to_string()).filter(|_| position <= last)
            };
            vocabulary.iter().map(map).collect()
        };
        Self {
            constants: program.constants.iter().map(|constant| vocabulary.get(&constant.value)).collect(),
            increment: moved(|position| position.checked_add(1)),
            decrement: moved(|position| position.checked_sub(1)),
        }
    }

    /// The value of an operand for the pair.
    pub(super) fn of(&self, operand: Operand, pair: Pair<'_>) -> Option<ValueId> {
        match operand {
            Operand::Constant(id) => self.constant(id),
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

    fn constant(&self, ConstantId(index): ConstantId) -> Option<ValueId> {
        self.constants.get(index as usize).copied().flatten()
    }

    /// Whether the condition holds, by the table in `docs/reference/values.md`: no condition holds for a null left side, and a
    /// null right side differs from everything.
    pub(super) fn holds(&self, condition: &Condition, pair: Pair<'_>) -> bool {
        let Some(left) = read(condition.left, pair) else { return false };
        let is_among = |list: &[ConstantId]| list.iter().any(|&id| self.constant(id) == Some(left));
        match &condition.comparison {
            Comparison::Is(right) => self.of(*right, pair) == Some(left),
            Comparison::IsNot(right) => self.of(*right, pair) != Some(left),
            Comparison::In(list) => is_among(list),
            Comparison::NotIn(list) => !is_among(list),
        }
    }
}

fn read(place: Place, pair: Pair<'_>) -> Option<ValueId> {
    let cell = match place.cell {
        Cell::Source => pair.source,
        Cell::Updated => pair.updated,
    };
    held(cell, place.register)
}

/// The position if the text is its canonical numeral.
fn position(text: &str) -> Option<u64> {
    let canonical = text == "0" || (!text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit()));
    text.parse().ok().filter(|_| canonical)
}

/// The value of a register in a cell.
pub(super) fn held(cell: &[Option<ValueId>], RegisterId(index): RegisterId) -> Option<ValueId> {
    cell.get(index as usize).copied().flatten()
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
