//! Tests single conditions of a program, to explain why a production fires or not.

use psl_syntax::{
    Program, Span,
    program::{CellRegister, Comparison, Condition, ConstantId, Operand, RegisterId},
};

use super::conditions::{Constants, moved};
use crate::vocabulary::{ValueId, Vocabulary};

/// A condition, the values that it compares, and its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConditionResult {
    /// The condition.
    pub span: Span,
    /// The value on the left, or `None` for null.
    pub left: Option<ValueId>,
    /// The value or values on the right.
    pub right: Right,
    /// Whether the condition holds.
    pub holds: bool,
}

/// The right side of a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Right {
    /// A constant's value, or the value of a register.
    Value(Option<ValueId>),
    /// The value of a register, and the result of the function applied to it.
    Moved {
        /// The value of the register.
        from: Option<ValueId>,
        /// The result of the function.
        to: Option<ValueId>,
    },
    /// The values of a list of constants.
    List(Vec<ValueId>),
}

impl Right {
    /// The value that the left side is compared with, or `None` for a list.
    fn value(&self) -> Option<ValueId> {
        match self {
            Self::Value(value) | Self::Moved { to: value, .. } => *value,
            Self::List(_) => None,
        }
    }
}

/// Tests conditions by the values of a run, as the PSM does.
pub struct Tester<'v> {
    vocabulary: &'v Vocabulary,
    constants: Constants,
}

impl<'v> Tester<'v> {
    /// Creates a tester for the runs of a program with a vocabulary.
    pub fn new(program: &Program, vocabulary: &'v Vocabulary) -> Self {
        Self { vocabulary, constants: Constants::new(program, vocabulary) }
    }

    /// The result of a condition. `read` returns the value of a register, or `None` if its cell does not exist, in
    /// which case there is no result.
    pub fn test(
        &self,
        condition: &Condition,
        read: impl Fn(CellRegister) -> Option<Option<ValueId>>,
    ) -> Option<ConditionResult> {
        let left = read(condition.left)?;
        let right = match &condition.comparison {
            Comparison::Is(operand) | Comparison::IsNot(operand) => self.operand(*operand, &read)?,
            Comparison::In(list) | Comparison::NotIn(list) => {
                Right::List(list.iter().filter_map(|&id| self.constants.get(id)).collect())
            }
        };
        let holds = self.constants.compare(left, &condition.comparison, |_| right.value());
        Some(ConditionResult { span: condition.span, left, right, holds })
    }

    /// Whether a condition holds, without the values. `None` like [`Tester::test`].
    pub fn holds(&self, condition: &Condition, read: impl Fn(CellRegister) -> Option<Option<ValueId>>) -> Option<bool> {
        let left = read(condition.left)?;
        let right = match &condition.comparison {
            Comparison::Is(operand) | Comparison::IsNot(operand) => self.operand(*operand, &read)?.value(),
            Comparison::In(_) | Comparison::NotIn(_) => None,
        };
        Some(self.constants.compare(left, &condition.comparison, |_| right))
    }

    /// The values of both sides of a condition if they are read from one cell. A list has none.
    pub(crate) fn sides(
        &self,
        condition: &Condition,
        read: impl Fn(RegisterId) -> Option<ValueId>,
    ) -> [Option<ValueId>; 2] {
        let right = match &condition.comparison {
            Comparison::Is(operand) | Comparison::IsNot(operand) => {
                self.operand(*operand, |place| Some(read(place.register))).and_then(|right| right.value())
            }
            Comparison::In(_) | Comparison::NotIn(_) => None,
        };
        [read(condition.left.register), right]
    }

    /// Whether a comparison holds for the values of its sides.
    pub(crate) fn compare(&self, left: Option<ValueId>, comparison: &Comparison, right: Option<ValueId>) -> bool {
        self.constants.compare(left, comparison, |_| right)
    }

    /// The value of a constant, or `None` if no cell can have it.
    pub(crate) fn constant(&self, id: ConstantId) -> Option<ValueId> {
        self.constants.get(id)
    }

    fn operand(&self, operand: Operand, read: impl Fn(CellRegister) -> Option<Option<ValueId>>) -> Option<Right> {
        Some(match operand {
            Operand::Constant(id) => Right::Value(self.constants.get(id)),
            Operand::Register(place, None) => Right::Value(read(place)?),
            Operand::Register(place, Some(function)) => {
                let from = read(place)?;
                Right::Moved { from, to: from.and_then(|from| moved(self.vocabulary, function, from)) }
            }
        })
    }
}
