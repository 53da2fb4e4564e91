//! The parts of a program, with their effects in its tests.

use psl_syntax::Span;

/// A program with the counts of its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileCoverage {
    /// The number of prompts that ran.
    pub runs: usize,
    /// The productions, in program order.
    pub productions: Vec<CoveredProduction>,
    /// The repeat blocks, in the order in which they open.
    pub repeats: Vec<CoveredRepeat>,
}

/// A production with the counts of its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoveredProduction {
    /// The label, without its comment mark.
    pub label: Option<String>,
    /// The part before the assignments.
    pub head: Span,
    /// The whole production: reached where it fired.
    pub part: Part,
    /// The conditions, without one that holds in every cell by itself, such as `position[N] == position[N]`.
    pub conditions: Vec<CoveredCondition>,
    /// The assignments: reached where it fired.
    pub assignments: Vec<Part>,
}

/// A condition with the counts of the entries of its list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoveredCondition {
    /// The condition: reached where all others of its production hold.
    pub part: Part,
    /// The entries of its list: reached as the condition is.
    pub entries: Vec<Part>,
}

/// The two sides of the `until` clause of a repeat block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoveredRepeat {
    /// Another pass followed.
    pub went_on: Part,
    /// The block ended.
    pub ended: Part,
}

/// A part of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The kind.
    pub kind: PartKind,
    /// The span in the text.
    pub span: Span,
    /// The number of times that it was reached.
    pub reached: u64,
    /// The number of times that it made a difference there.
    pub mattered: u64,
}

/// The kind of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PartKind {
    /// A production. It makes a difference if it changes a register.
    Production,
    /// A condition. It makes a difference if it alone refuses a pair of cells.
    Condition,
    /// An entry of a list. It makes a difference if it alone lets a pair through, or refuses it after `not in`.
    Entry,
    /// An assignment. It makes a difference if it changes the register.
    Assignment,
    /// A pass of a repeat block that another one follows.
    WentOn,
    /// A pass that ends a repeat block.
    Ended,
}

/// The effect of a part in the tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No test reaches it.
    NotReached,
    /// Tests reach it, and would do the same without it there.
    NoDifference,
    /// Some test depends on it.
    Mattered,
}

impl PartKind {
    /// All kinds.
    pub const ALL: [Self; 6] =
        [Self::Production, Self::Condition, Self::Entry, Self::Assignment, Self::WentOn, Self::Ended];

    /// The name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Production => "production",
            Self::Condition => "condition",
            Self::Entry => "entry",
            Self::Assignment => "assignment",
            Self::WentOn => "went-on",
            Self::Ended => "ended",
        }
    }
}

impl Verdict {
    /// The verdict in words, which are also those in JSON.
    pub const fn in_words(self) -> &'static str {
        match self {
            Self::NotReached => "not reached",
            Self::NoDifference => "made no difference",
            Self::Mattered => "mattered",
        }
    }
}

impl Part {
    /// Whether the part made a difference.
    pub const fn mattered(&self) -> bool {
        matches!(self.verdict(), Verdict::Mattered)
    }

    /// The effect in the tests.
    pub const fn verdict(&self) -> Verdict {
        match (self.reached, self.mattered) {
            (0, _) => Verdict::NotReached,
            (_, 0) => Verdict::NoDifference,
            _ => Verdict::Mattered,
        }
    }
}

impl FileCoverage {
    /// The number of parts of a kind that made a difference, and of all of that kind.
    pub fn mattering(&self, kind: PartKind) -> (usize, usize) {
        let of_kind = || self.parts().filter(|part| part.kind == kind);
        (of_kind().filter(|part| part.mattered()).count(), of_kind().count())
    }

    /// All parts: the productions with their own parts, then the repeat blocks.
    pub fn parts(&self) -> impl Iterator<Item = &Part> {
        let repeats = self.repeats.iter().flat_map(|CoveredRepeat { went_on, ended }| [went_on, ended]);
        self.productions.iter().flat_map(CoveredProduction::parts).chain(repeats)
    }

    /// The parts that were not reached or made no difference, in the order of the text. Parts of a missing production
    /// or condition are left out if they follow: assignments, and entries.
    pub fn missing(&self) -> Vec<&Part> {
        let is_missing = |part: &&Part| !part.mattered();
        let mut missing: Vec<&Part> = Vec::new();
        for production in &self.productions {
            missing.push(&production.part);
            for CoveredCondition { part, entries } in &production.conditions {
                missing.push(part);
                missing.extend(entries.iter().filter(|_| part.reached > 0));
            }
            missing.extend(production.assignments.iter().filter(|_| production.part.mattered > 0));
        }
        missing.extend(self.repeats.iter().flat_map(|CoveredRepeat { went_on, ended }| [went_on, ended]));
        missing.retain(is_missing);
        missing.sort_by_key(|part| (part.span.start, part.kind));
        missing
    }
}

impl CoveredProduction {
    /// The production, its conditions with their entries, and its assignments.
    pub fn parts(&self) -> impl Iterator<Item = &Part> {
        let conditions = self.conditions.iter().flat_map(|it| [&it.part].into_iter().chain(&it.entries));
        [&self.part].into_iter().chain(conditions).chain(&self.assignments)
    }
}
