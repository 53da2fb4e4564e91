//! Productions and diagnostics that have moved in the text.

use crate::{
    diagnostic::{Diagnostic, Edit, Fix, Label},
    program,
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
            holes: self.holes.iter().map(|hole| hole.shifted(by)).collect(),
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
            Self::Hole(span) => Self::Hole(span.shifted(by)),
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

impl program::Production {
    /// The production shifted by a number of bytes, modulo 2³², without its label.
    #[must_use]
    pub(crate) fn shifted(&self, by: u32) -> Self {
        let condition = |condition: &program::Condition| program::Condition {
            span: condition.span.shifted(by),
            left: condition.left,
            comparison: condition.comparison.clone(),
        };
        let assignment = |assignment: &program::Assignment| program::Assignment {
            span: assignment.span.shifted(by),
            ..assignment.clone()
        };
        Self {
            span: self.span.shifted(by),
            head: self.head.shifted(by),
            label: None,
            causal_attn: self.causal_attn,
            select: self.select,
            conditions: self.conditions.iter().map(condition).collect(),
            assignments: self.assignments.iter().map(assignment).collect(),
            shares_layer: self.shares_layer,
            sound: self.sound,
        }
    }
}

impl Diagnostic {
    /// The diagnostic in a text with the same code at other offsets. `place` returns the new offset of an old one.
    #[must_use]
    pub(crate) fn moved(&self, place: impl Fn(u32) -> u32) -> Self {
        let moved = |span: Span| Span::new(place(span.start), place(span.end));
        let label = |label: &Label| Label { span: moved(label.span), message: label.message.clone() };
        let edit = |edit: &Edit| Edit { span: moved(edit.span), text: edit.text.clone() };
        let fix = |fix: &Fix| Fix {
            title: fix.title.clone(),
            certain: fix.certain,
            edits: fix.edits.iter().map(edit).collect(),
        };
        Self {
            code: self.code,
            severity: self.severity,
            span: moved(self.span),
            message: self.message.clone(),
            labels: self.labels.iter().map(label).collect(),
            help: self.help.clone(),
            fixes: self.fixes.iter().map(fix).collect(),
        }
    }
}
