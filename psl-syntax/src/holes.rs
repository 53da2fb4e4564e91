//! Holes: `?` in place of a part that is not written yet.
//!
//! Invariant: a hole is an error of the program, never of its syntax, and causes no other error.

use crate::{
    codes::Code,
    diagnostic::Diagnostic,
    span::Span,
    token::Kind,
    tree::{Comparison, Condition, Operand, RegisterAccess, Statement, Tree},
};

/// Maximum number of holes in a list.
pub const MAX_ENTRIES: usize = 2;

/// A hole of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hole {
    /// The `?`.
    pub span: Span,
    /// The kind of the missing part.
    pub kind: HoleKind,
}

/// The kind of part that is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HoleKind {
    /// The right side of a comparison: a constant or a register of a cell.
    Value,
    /// A constant in a list.
    ListEntry,
    /// A constant in a list with [`MAX_ENTRIES`] holes before it.
    SurplusEntry,
    /// The right side of an assignment: a constant or a register of a cell.
    Source,
    /// The name of a register.
    Register,
    /// `n` or `N`.
    Cell,
    /// The name of a function, without `@`.
    Function,
    /// `==` or `!=`.
    Comparison,
    /// A whole condition.
    Condition,
    /// A whole assignment.
    Assignment,
}

impl HoleKind {
    const fn message(self) -> &'static str {
        match self {
            Self::Value | Self::Source => "a constant or a register belongs in this hole",
            Self::ListEntry => "a constant belongs in this hole",
            Self::SurplusEntry => "a list can have at most two holes",
            Self::Register => "a register belongs in this hole",
            Self::Cell => "`n` or `N` belongs in this hole",
            Self::Function => "a function belongs in this hole",
            Self::Comparison => "`==` or `!=` belongs in this hole",
            Self::Condition => "a condition belongs in this hole",
            Self::Assignment => "an assignment belongs in this hole",
        }
    }

    const fn help(self) -> &'static str {
        match self {
            Self::SurplusEntry => "write a constant, or remove it",
            _ => "replace `?` yourself, or search for what fits with `psl fill`",
        }
    }
}

/// The holes of a tree, in text order. Takes no time if there are none.
pub fn holes(tree: &Tree) -> Vec<Hole> {
    let mut found = Found { tree, holes: Vec::new() };
    if tree.tokens.code.iter().any(|token| token.kind == Kind::Hole) {
        found.statements(&tree.statements);
        found.holes.sort_unstable();
    }
    found.holes
}

/// An error for each hole, in text order.
pub(crate) fn report(tree: &Tree) -> impl Iterator<Item = Diagnostic> {
    let report = |Hole { span, kind }| Diagnostic::new(Code::Hole, span, kind.message()).help(kind.help());
    holes(tree).into_iter().map(report)
}

struct Found<'t> {
    tree: &'t Tree,
    holes: Vec<Hole>,
}

impl Found<'_> {
    /// Recursion depth is the nesting of repeat blocks, which the parser limits.
    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            match statement {
                Statement::CausalAttn(_) => {}
                Statement::Production(production) => {
                    production.conditions.iter().for_each(|condition| self.condition(condition));
                    production.condition_holes().for_each(|span| self.push(span, HoleKind::Condition));
                    for assignment in &production.assignments {
                        self.place(&assignment.target);
                        self.operand(&assignment.source, HoleKind::Source);
                    }
                    production.assignment_holes().for_each(|span| self.push(span, HoleKind::Assignment));
                }
                Statement::Repeat(repeat) => {
                    self.statements(&repeat.body);
                    repeat.until.iter().for_each(|condition| self.condition(condition));
                    repeat.holes.iter().for_each(|&span| self.push(span, HoleKind::Condition));
                }
            }
        }
    }

    fn condition(&mut self, condition: &Condition) {
        self.place(&condition.left);
        match &condition.comparison {
            Comparison::Equality { operator, right, .. } => {
                self.check(*operator, HoleKind::Comparison);
                self.operand(right, HoleKind::Value);
            }
            Comparison::Membership { list, .. } => {
                let mut entries = 0;
                for entry in list {
                    entries += usize::from(matches!(entry, Operand::Hole(_)));
                    let surplus = entries > MAX_ENTRIES;
                    self.operand(entry, if surplus { HoleKind::SurplusEntry } else { HoleKind::ListEntry });
                }
            }
        }
    }

    fn operand(&mut self, operand: &Operand, kind: HoleKind) {
        match operand {
            Operand::Constant(_) => {}
            Operand::Register(place) => self.place(place),
            Operand::Hole(span) => self.push(*span, kind),
        }
    }

    fn place(&mut self, place: &RegisterAccess) {
        self.check(place.register, HoleKind::Register);
        if place.cell.is_none() {
            self.push(place.cell_span, HoleKind::Cell);
        }
        if let Some(function) = place.function {
            self.check(function, HoleKind::Function);
        }
    }

    fn check(&mut self, part: Span, kind: HoleKind) {
        if self.tree.is_hole(part) {
            self.push(part, kind);
        }
    }

    fn push(&mut self, span: Span, kind: HoleKind) {
        self.holes.push(Hole { span, kind });
    }
}
