//! A change of a program's text.

use psl_syntax::{
    Span,
    diagnostic::Edit,
    token::{Kind, Token, tokenize},
};

use crate::operator::Operator;

/// A change of a program's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The kind of change.
    pub operator: Operator,
    /// The place in the text.
    pub span: Span,
    /// The edits, in text order.
    pub edits: Vec<Edit>,
    /// A sentence without a period, such as "Replace `A` with `B`".
    pub description: String,
    /// Whether the registers and constants that it brings together have to do with each other elsewhere in the program.
    pub fits: bool,
}

impl Change {
    /// Replaces a part of the text.
    pub(crate) fn replace(operator: Operator, span: Span, text: impl Into<String>, description: String) -> Self {
        Self { operator, span, edits: vec![Edit { span, text: text.into() }], description, fits: true }
    }

    /// The changed text. `None` if the edits are those of another text.
    pub fn apply(&self, text: &str) -> Option<String> {
        Edit::apply(&self.edits, text)
    }
}

/// Applies several changes of one text. `None` if two of them overlap.
pub fn apply_all(changes: &[&Change], text: &str) -> Option<String> {
    Edit::apply(&edits(changes), text)
}

/// The edits of several changes, in text order.
pub fn edits(changes: &[&Change]) -> Vec<Edit> {
    let mut edits: Vec<Edit> = changes.iter().flat_map(|change| change.edits.iter().cloned()).collect();
    edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
    edits
}

impl Change {
    /// Returns whether the change only adds text.
    pub(crate) fn is_addition(&self) -> bool {
        self.edits.iter().all(|edit| edit.span.is_empty())
    }

    /// Returns whether the change writes one token in place of one of a text.
    pub(crate) fn replaces_a_token(&self, text: &str) -> bool {
        let [edit] = self.edits.as_slice() else { return false };
        let is_one = |text: &str| tokenize(text).code.len() == 1;
        is_one(edit.span.of(text)) && is_one(&edit.text)
    }

    /// The number of tokens that it removes from a text or adds to it. A clause that the text has elsewhere counts as
    /// one. `!=` counts for more, because programs say more often what is than what is not. A choice between two counts
    /// as one, a swap as two, and a whole production for more than its tokens.
    pub(crate) fn size(&self, text: &str) -> usize {
        match self.operator {
            Operator::Cell | Operator::Selection => return 1,
            Operator::Negation => return if self.edits.iter().any(|edit| is_negative(&edit.text)) { 3 } else { 1 },
            Operator::Order => return 2,
            _ => {}
        }
        let weight = |token: &Token| if token.kind == Kind::NotEqual { 2 } else { 1 };
        let tokens = |text: &str| tokenize(text).code.iter().map(weight).sum::<usize>();
        let clause = |clause: &str| {
            let clause = clause.trim();
            if clause.contains('[') && text.contains(clause) { 1 } else { tokens(clause) }
        };
        let clauses =
            |text: &str| text.split([':', '\n']).flat_map(|line| line.split(" and ")).map(clause).sum::<usize>();
        let whole = if self.operator == Operator::Production { 4 } else { 0 };
        let edited = self.edits.iter().map(|edit| tokens(edit.span.of(text)) + clauses(&edit.text));
        whole + edited.sum::<usize>()
    }
}

fn is_negative(operator: &str) -> bool {
    operator.contains("!=") || operator.contains("not")
}
