//! Productions that have moved in the text.

use crate::{
    span::Span,
    tree::{Assignment, Comparison, Condition, Name, Operand, Production, RegisterAccess},
};

impl Production {
    /// The production shifted by a number of bytes, modulo 2³², without its label.
    #[must_use]
    pub fn shifted(&self, by: u32) -> Self {
        Self {
            span: self.span.shifted(by),
            keyword: self.keyword.shifted(by),
            head: self.head.shifted(by),
            select: self.select,
            label: None,
            conditions: self.conditions.iter().map(|condition| condition.shifted(by)).collect(),
            assignments: self.assignments.iter().map(|assignment| assignment.shifted(by)).collect(),
            broken: self.broken,
        }
    }
}

impl Condition {
    fn shifted(&self, by: u32) -> Self {
        let comparison = match &self.comparison {
            Comparison::Equality { not, operator, negated, right } => Comparison::Equality {
                not: not.map(|not| not.shifted(by)),
                operator: operator.shifted(by),
                negated: *negated,
                right: right.shifted(by),
            },
            Comparison::Membership { negated, list } => Comparison::Membership {
                negated: *negated,
                list: list.iter().map(|operand| operand.shifted(by)).collect(),
            },
        };
        Self { span: self.span.shifted(by), left: self.left.shifted(by), comparison }
    }
}

impl Assignment {
    fn shifted(&self, by: u32) -> Self {
        Self { span: self.span.shifted(by), target: self.target.shifted(by), source: self.source.shifted(by) }
    }
}

impl Operand {
    fn shifted(&self, by: u32) -> Self {
        match self {
            Self::Constant(Name { span, quoted }) => Self::Constant(Name { span: span.shifted(by), quoted: *quoted }),
            Self::Register(place) => Self::Register(place.shifted(by)),
        }
    }
}

impl RegisterAccess {
    fn shifted(&self, by: u32) -> Self {
        Self {
            span: self.span.shifted(by),
            register: self.register.shifted(by),
            cell: self.cell,
            cell_span: self.cell_span.shifted(by),
            function: self.function.map(|function: Span| function.shifted(by)),
        }
    }
}
