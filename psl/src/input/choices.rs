//! Options whose values have names.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// A parser of names, each with its description for the help and its value.
pub fn choices<T: Copy + Send + Sync>(
    all: &'static [(&'static str, &'static str, T)],
) -> impl TypedValueParser<Value = T> {
    let names = all.iter().map(|(name, description, _)| PossibleValue::new(name).help(description));
    PossibleValuesParser::new(names)
        .try_map(|name| all.iter().find(|(known, ..)| *known == name).map(|(.., value)| *value).ok_or("unknown value"))
}
