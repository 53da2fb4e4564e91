//! Values that completion scripts offer, for arguments whose values our own functions parse.

use std::ffi::OsStr;

use clap::{
    Arg, Command, Error,
    builder::{PossibleValue, TypedValueParser},
};

/// A parser of values with the names that completion scripts offer. The error is that of the function, unlike for
/// clap's own lists of values.
#[derive(Clone)]
pub struct Suggested<T> {
    names: Vec<&'static str>,
    parse: fn(&str) -> Result<T, String>,
}

impl<T> Suggested<T> {
    /// Offers these names, and parses a value by this function.
    pub fn new(names: impl IntoIterator<Item = &'static str>, parse: fn(&str) -> Result<T, String>) -> Self {
        Self { names: names.into_iter().collect(), parse }
    }
}

impl<T: Clone + Send + Sync + 'static> TypedValueParser for Suggested<T> {
    type Value = T;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<T, Error> {
        self.parse.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.names.iter().map(PossibleValue::new)))
    }
}
