//! Parts of a tree and diagnostics that have moved in the text.

use crate::{
    diagnostic::{Diagnostic, Edit, Fix, Label},
    program,
    span::Span,
    tree::{
        Assignment, Comparison, Condition, Declaration, Entries, Name, Operand, Production, RegisterAccess, Repeat,
        Statement,
    },
};

/// Returns the new offset of an old one.
type Place<'p> = &'p dyn Fn(u32) -> u32;

impl Span {
    fn moved(self, place: Place<'_>) -> Self {
        Self::new(place(self.start), place(self.end))
    }
}

impl Production {
    /// The production shifted by a number of bytes, modulo 2³², without its label.
    #[must_use]
    pub fn shifted(&self, by: u32) -> Self {
        Self { label: None, ..self.moved(&|offset| offset.wrapping_add(by)) }
    }

    fn moved(&self, place: Place<'_>) -> Self {
        Self {
            span: self.span.moved(place),
            keyword: self.keyword.moved(place),
            head: self.head.moved(place),
            select: self.select,
            label: self.label.map(|label| label.moved(place)),
            conditions: self.conditions.iter().map(|condition| condition.moved(place)).collect(),
            assignments: self.assignments.iter().map(|assignment| assignment.moved(place)).collect(),
            holes: self.holes.iter().map(|hole| hole.moved(place)).collect(),
            broken: self.broken,
        }
    }
}

impl Statement {
    /// The statement in a text with other offsets. Recursion depth is the nesting of repeat blocks, which the parser
    /// limits.
    #[must_use]
    pub(crate) fn moved(&self, place: Place<'_>) -> Self {
        match self {
            Self::CausalAttn(value) => Self::CausalAttn(*value),
            Self::Production(production) => Self::Production(production.moved(place)),
            Self::Repeat(repeat) => Self::Repeat(Repeat {
                span: repeat.span.moved(place),
                keyword: repeat.keyword.moved(place),
                until_keyword: repeat.until_keyword.map(|keyword| keyword.moved(place)),
                label: repeat.label.map(|label| label.moved(place)),
                body: repeat.body.iter().map(|statement| statement.moved(place)).collect(),
                until: repeat.until.iter().map(|condition| condition.moved(place)).collect(),
                holes: repeat.holes.iter().map(|hole| hole.moved(place)).collect(),
                broken: repeat.broken,
            }),
        }
    }
}

impl Declaration {
    /// The declaration in a text with other offsets.
    #[must_use]
    pub(crate) fn moved(&self, place: Place<'_>) -> Self {
        let name = |name: &Name| name.moved(place);
        let pairs = |pairs: &[(Name, Name)]| pairs.iter().map(|(one, other)| (name(one), name(other))).collect();
        let entries = match &self.entries {
            Entries::Registers(entries) => Entries::Registers(pairs(entries)),
            Entries::System(entries) => Entries::System(pairs(entries)),
            Entries::Watch(names) => Entries::Watch(names.iter().map(name).collect()),
            Entries::Constants(entries) => {
                Entries::Constants(entries.iter().map(|(one, value)| (name(one), value.as_ref().map(name))).collect())
            }
        };
        Self {
            keyword: self.keyword.moved(place),
            span: self.span.moved(place),
            late: self.late,
            broken: self.broken,
            entries,
        }
    }
}

impl Name {
    fn moved(self, place: Place<'_>) -> Self {
        Self { span: self.span.moved(place), quoted: self.quoted }
    }
}

impl Condition {
    fn moved(&self, place: Place<'_>) -> Self {
        let comparison = match &self.comparison {
            Comparison::Equality { not, operator, negated, right } => Comparison::Equality {
                not: not.map(|not| not.moved(place)),
                operator: operator.moved(place),
                negated: *negated,
                right: right.moved(place),
            },
            Comparison::Membership { negated, list } => Comparison::Membership {
                negated: *negated,
                list: list.iter().map(|operand| operand.moved(place)).collect(),
            },
        };
        Self { span: self.span.moved(place), left: self.left.moved(place), comparison }
    }
}

impl Assignment {
    fn moved(&self, place: Place<'_>) -> Self {
        Self { span: self.span.moved(place), target: self.target.moved(place), source: self.source.moved(place) }
    }
}

impl Operand {
    fn moved(&self, place: Place<'_>) -> Self {
        match self {
            Self::Constant(name) => Self::Constant(name.moved(place)),
            Self::Register(access) => Self::Register(access.moved(place)),
            Self::Hole(span) => Self::Hole(span.moved(place)),
        }
    }
}

impl RegisterAccess {
    fn moved(&self, place: Place<'_>) -> Self {
        Self {
            span: self.span.moved(place),
            register: self.register.moved(place),
            cell: self.cell,
            cell_span: self.cell_span.moved(place),
            function: self.function.map(|function: Span| function.moved(place)),
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
        let moved = |span: Span| span.moved(&place);
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
