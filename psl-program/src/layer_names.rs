//! Layers as users name them.

use std::collections::BTreeSet;

use psl_syntax::{LineIndex, nearest, plain_label, program::ProductionId};
use thiserror::Error;

use crate::{
    counting::count,
    plan::short_label,
    ranges::{NoLayer, NotRanges, Ranges},
    runner::Runner,
};

/// The names of a program's layers: their numbers, their labels, and the starts of labels up to a colon or a space,
/// such as `P3a` of `P3a: mark the delimiters`.
#[derive(Clone, Copy)]
pub struct LayerNames<'r> {
    runner: &'r Runner,
    lines: Option<&'r LineIndex>,
}

impl<'r> LayerNames<'r> {
    /// The names in a program. `lines` are those of its text, for messages.
    pub const fn new(runner: &'r Runner, lines: Option<&'r LineIndex>) -> Self {
        Self { runner, lines }
    }

    /// The production with a name.
    ///
    /// # Errors
    ///
    /// Fails if there is none, or if several have the name.
    pub fn layer(self, name: &str) -> Result<ProductionId, NotALayer> {
        let name = name.trim();
        let digits = name.strip_prefix("layer ").unwrap_or(name).trim();
        let is_number = !digits.is_empty() && digits.chars().all(|char| char.is_ascii_digit());
        let found = match digits.parse::<Ranges>() {
            Ok(number) if is_number => self.runner.chosen(&number)?.into_iter().collect(),
            Err(error) if is_number => return Err(error.into()),
            _ => self.labeled(name),
        };
        match found.as_slice() {
            [one] => Ok(*one),
            [] => Err(self.unknown(name)),
            several => Err(self.ambiguous(name, several)),
        }
    }

    /// Several productions: names, and ranges of numbers, with commas.
    ///
    /// # Errors
    ///
    /// Fails for the first part that does not name a layer, or that names several by one label.
    pub fn layers(self, names: &str) -> Result<BTreeSet<ProductionId>, NotALayer> {
        let of_ranges = |ranges: Ranges| Ok(self.runner.chosen(&ranges)?);
        let parts = self.parts(names, of_ranges, |production| BTreeSet::from([production]))?;
        Ok(parts.into_iter().flatten().collect())
    }

    /// The numbers of several layers, named like those of [`LayerNames::layers`]. A range may end after the last one.
    ///
    /// # Errors
    ///
    /// Fails for the first part that is not a range, or that names no layer or several by one label.
    pub fn ranges(self, names: &str) -> Result<Ranges, NotALayer> {
        let number = |production| Ranges::of([self.runner.layer_of(production).number()]);
        Ok(self.parts(names, Ok, number)?.into_iter().collect())
    }

    /// The parts of a text between commas: choices of numbers, and names of single productions.
    fn parts<T>(
        self,
        names: &str,
        of_ranges: impl Fn(Ranges) -> Result<T, NotALayer>,
        of_name: impl Fn(ProductionId) -> T,
    ) -> Result<Vec<T>, NotALayer> {
        // A label may contain commas.
        if !is_choice(names) && !self.labeled(names.trim()).is_empty() {
            return Ok(vec![of_name(self.layer(names)?)]);
        }
        let part = |part: &str| {
            let part = part.trim();
            let numbers = part.strip_prefix("layer ").unwrap_or(part);
            if is_choice(numbers) { of_ranges(numbers.parse()?) } else { self.layer(part).map(&of_name) }
        };
        names.split(',').map(part).collect()
    }

    /// The productions whose label is the name, or else whose label starts with it as a word.
    fn labeled(self, name: &str) -> Vec<ProductionId> {
        let name = plain_label(name);
        if name.is_empty() {
            return Vec::new();
        }
        let with =
            |has: &dyn Fn(&str) -> bool| self.labels().filter(|(_, label)| has(label)).map(|(id, _)| id).collect();
        let starts = |label: &str| label.strip_prefix(name).is_some_and(|rest| rest.starts_with([':', ' ']));
        let whole: Vec<_> = with(&|label| label == name);
        if whole.is_empty() { with(&starts) } else { whole }
    }

    fn labels(self) -> impl Iterator<Item = (ProductionId, &'r str)> {
        let runner = self.runner;
        ProductionId::first(runner.productions()).filter_map(|id| Some((id, runner.label(id)?)))
    }

    fn unknown(self, name: &str) -> NotALayer {
        let word = |label: &'r str| [label.split([':', ' ']).next().unwrap_or_default(), label];
        let help = match nearest(name, self.labels().flat_map(|(_, label)| word(label))) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("name one by its number, from 1 to {}, or by its label", self.runner.layers()),
        };
        NotALayer::Unknown { name: name.to_owned(), help }
    }

    fn ambiguous(self, name: &str, found: &[ProductionId]) -> NotALayer {
        let productions = self.runner.executable().program.productions();
        let place = |id: &ProductionId| {
            let line = productions.find(*id).zip(self.lines).map(|(it, lines)| lines.line(it.span.start) + 1);
            let layer = self.runner.place_in_words(*id);
            line.map_or_else(|| layer.clone(), |line| format!("{layer} (line {line})"))
        };
        NotALayer::Ambiguous { name: name.to_owned(), places: found.iter().map(place).collect() }
    }
}

impl Runner {
    /// The short name of a production, as in a plan: the part of its label before a colon, or its place.
    pub fn layer_name(&self, production: ProductionId) -> String {
        self.label(production).map_or_else(|| self.place_in_words(production), short_label)
    }
}

/// Whether a text has only numbers and ranges.
fn is_choice(text: &str) -> bool {
    text.chars().all(|char| char.is_ascii_digit() || matches!(char, '-' | ' ' | ','))
}

/// A text that names no layer, or not one alone.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NotALayer {
    /// The program lacks the layer with a number.
    #[error(transparent)]
    NoLayer(#[from] NoLayer),
    /// A text with numbers is not a choice of them.
    #[error(transparent)]
    NotRanges(#[from] NotRanges),
    /// No label is or starts with the name.
    #[error("no layer is called `{name}`; {help}")]
    Unknown {
        /// The name.
        name: String,
        /// The way out: a label that is almost the same, or the names of layers.
        help: String,
    },
    /// Several productions have the name.
    #[error("{} are called `{name}`: {}; name one by its number, or by its whole label", count(places.len(), "layer"), places.join(", "))]
    Ambiguous {
        /// The name.
        name: String,
        /// The layers that have it, with their lines.
        places: Vec<String>,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::file;

    const PROGRAM: &str = "\
registers: {symbol: 's', position: 'p', mark: 'm'}
constants: {ON}
# P1: mark, then rest
where symbol[N] == ON:
    mark[N] = ON
# 3rd: mark again
where mark[N] == ON:
    mark[N] = ON
where mark[N] == ON:
    mark[N] = ON
# twice: before
where mark[N] == ON:
    mark[N] = ON
# twice after
where mark[N] == ON:
    mark[N] = ON
";

    fn check(text: &str, expected: Result<&[usize], &str>) {
        let file = file(PROGRAM);
        let names = LayerNames::new(file.runner().expect("a program"), Some(file.line_index()));
        let found = names.layers(text).map(|found| found.into_iter().map(ProductionId::number).collect::<Vec<_>>());
        let found = found.map_err(|error| error.to_string());
        assert_eq!(found.as_deref().map_err(String::as_str), expected, "{text}");
    }

    #[test]
    fn layers_have_numbers_and_labels() {
        check("2", Ok(&[2]));
        check("1,3", Ok(&[1, 3]));
        check("4-", Ok(&[4, 5]));
        check("layer 2, layer 3", Ok(&[2, 3]));
        check("P1", Ok(&[1]));
        check("# P1", Ok(&[1]));
        check("P1: mark, then rest", Ok(&[1]));
        check("P1, 3", Ok(&[1, 3]));
        check("3rd", Ok(&[2]));
        check("twice after", Ok(&[5]));
    }

    #[test]
    fn unknown_layers_are_reported() {
        check("6", Err("layer 6 is out of range: the program has 5 layers"));
        check("0", Err("the first number is 1"));
        check("3-2", Err("`3-2` is empty: write `2-3`"));
        check("region", Err("no layer is called `region`; name one by its number, from 1 to 5, or by its label"));
        check("1,twise", Err("no layer is called `twise`; did you mean `twice`?"));
        check("1,,2", Err("expected a number or a range such as `12-20`, `12-` or `-20`"));
        check(
            "twice",
            Err(
                "2 layers are called `twice`: layer 4 (line 12), layer 5 (line 15); name one by its number, or by its \
                 whole label",
            ),
        );
    }
}
