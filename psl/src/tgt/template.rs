//! Templates: what a question and its answer look like, with places for the constituents.

/// A piece of a question or of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Field<'s> {
    /// The same symbols wherever the template is used (32c-iii).
    Delimiter(Vec<&'s str>),
    /// The constituent with this index among the question's, from 0.
    Constituent(usize),
}

/// What the examples and the cue of one prompt have in common (31).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template<'s> {
    /// The fields of a question; each constituent stands there once, in the order of the indices.
    pub question: Vec<Field<'s>>,
    /// The fields of an answer: some of the constituents, each once.
    pub answer: Vec<Field<'s>>,
}

/// The symbols of fields whose constituents have these values.
pub fn fill<'s>(fields: &[Field<'s>], values: &[Vec<&'s str>]) -> Vec<&'s str> {
    let symbols = |field: &Field<'s>| match field {
        Field::Delimiter(symbols) => symbols.clone(),
        Field::Constituent(index) => values.get(*index).cloned().unwrap_or_default(),
    };
    fields.iter().flat_map(symbols).collect()
}

/// How many constituents there are among fields.
pub fn constituents(fields: &[Field<'_>]) -> usize {
    fields.iter().filter(|field| matches!(field, Field::Constituent(_))).count()
}
