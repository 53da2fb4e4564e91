//! Templates: a question and its answer with placeholders for the constituents.

/// A part of a question or an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Field<'s> {
    /// Symbols that are the same in every use of the template (32c-iii).
    Delimiter(Vec<&'s str>),
    /// The 0-based index of a constituent in the question.
    Constituent(usize),
}

/// The common form of the examples and the cue of a prompt (31).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template<'s> {
    /// The fields of a question: each constituent once, in the order of the indices.
    pub question: Vec<Field<'s>>,
    /// The fields of an answer: some of the constituents, each once.
    pub answer: Vec<Field<'s>>,
}

/// Replaces constituents by their values and returns the symbols.
pub fn fill<'s>(fields: &[Field<'s>], values: &[Vec<&'s str>]) -> Vec<&'s str> {
    let symbols = |field: &Field<'s>| match field {
        Field::Delimiter(symbols) => symbols.clone(),
        Field::Constituent(index) => values.get(*index).cloned().unwrap_or_default(),
    };
    fields.iter().flat_map(symbols).collect()
}

/// The number of constituents among the fields.
pub fn constituents(fields: &[Field<'_>]) -> usize {
    fields.iter().filter(|field| matches!(field, Field::Constituent(_))).count()
}
