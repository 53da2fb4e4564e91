//! Numbers chosen by a user: `3`, `20-27`, `12-`, `-20`, or several of those with commas.

use std::{collections::BTreeSet, fmt, str::FromStr};

use psl_runtime::LayerId;
use psl_syntax::program::ProductionId;
use thiserror::Error;

use crate::counting::count;

/// A choice of numbers from 1 on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranges(Vec<Range>);

/// Two ends, each of which may be open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Range {
    first: Option<usize>,
    last: Option<usize>,
}

impl Ranges {
    /// A choice of single numbers.
    pub fn of(numbers: impl IntoIterator<Item = usize>) -> Self {
        let single = |number| Range { first: Some(number), last: Some(number) };
        Self(numbers.into_iter().map(single).collect())
    }

    /// Whether a number is chosen.
    pub fn contain(&self, number: usize) -> bool {
        let holds = |range: &Range| {
            range.first.is_none_or(|first| first <= number) && range.last.is_none_or(|last| number <= last)
        };
        self.0.iter().any(holds)
    }

    /// Whether a number is chosen by itself.
    pub fn name(&self, number: usize) -> bool {
        self.0.iter().any(|range| range.first == Some(number) && range.last == Some(number))
    }

    /// The chosen layers of a program with `count` layers.
    ///
    /// # Errors
    ///
    /// Names a layer that the program lacks.
    pub fn layers(&self, count: usize) -> Result<BTreeSet<LayerId>, NoLayer> {
        match self.exceed(count) {
            None => Ok(LayerId::first(count).filter(|layer| self.contain(layer.number())).collect()),
            Some(layer) => Err(NoLayer { layer, layers: count }),
        }
    }

    /// The chosen productions of a program with `count`.
    ///
    /// # Errors
    ///
    /// Names a layer that the program lacks.
    pub fn productions(&self, count: usize) -> Result<BTreeSet<ProductionId>, NoLayer> {
        Ok(self.layers(count)?.into_iter().map(|layer| ProductionId::new(layer.index())).collect())
    }

    /// The first number of a range that begins after `count`.
    pub fn begin_after(&self, count: usize) -> Option<usize> {
        self.0.iter().filter_map(|range| range.first).find(|first| *first > count)
    }

    /// A number in the choice greater than `count`.
    pub fn exceed(&self, count: usize) -> Option<usize> {
        self.0.iter().flat_map(|range| [range.first, range.last]).flatten().find(|number| *number > count)
    }
}

/// A layer that a program lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("layer {layer} is out of range: the program has {}", count(*.layers, "layer"))]
pub struct NoLayer {
    /// The number of the layer.
    pub layer: usize,
    /// The number of layers.
    pub layers: usize,
}

/// A text that is not a choice of numbers.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NotRanges {
    /// A number is 0.
    #[error("the first number is 1")]
    Zero,
    /// A part is missing.
    #[error("expected a number or a range such as `12-20`, `12-` or `-20`")]
    Missing,
    /// An end of a range is not a number.
    #[error("expected a number or a range such as `12-20`, `12-` or `-20`, found `{0}`")]
    NotANumber(String),
    /// A range ends before it begins.
    #[error("`{text}` is empty: write `{last}-{first}`")]
    Empty {
        /// The range as written.
        text: String,
        /// The first number of the range.
        first: usize,
        /// The last number of the range.
        last: usize,
    },
}

impl FromIterator<Self> for Ranges {
    fn from_iter<I: IntoIterator<Item = Self>>(choices: I) -> Self {
        Self(choices.into_iter().flat_map(|choice| choice.0).collect())
    }
}

impl FromStr for Ranges {
    type Err = NotRanges;

    fn from_str(text: &str) -> Result<Self, NotRanges> {
        let ranges: Result<_, _> = text.split(',').map(|range| parse(range.trim())).collect();
        ranges.map(Self)
    }
}

fn parse(text: &str) -> Result<Range, NotRanges> {
    let number = |text: &str| match text.trim() {
        "" => Ok(None),
        digits => match digits.parse() {
            Ok(0) => Err(NotRanges::Zero),
            Ok(number) => Ok(Some(number)),
            Err(_) => Err(NotRanges::NotANumber(text.to_owned())),
        },
    };
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let range = Range { first: number(first)?, last: number(last)? };
    match range {
        Range { first: None, last: None } => Err(NotRanges::Missing),
        Range { first: Some(first), last: Some(last) } if first > last => {
            Err(NotRanges::Empty { text: text.to_owned(), first, last })
        }
        range => Ok(range),
    }
}

impl fmt::Display for Ranges {
    fn fmt(&self, to: &mut fmt::Formatter) -> fmt::Result {
        let end = |number: Option<usize>| number.map_or_else(String::new, |number| number.to_string());
        let range = |range: &Range| match range {
            Range { first, last } if first == last => end(*first),
            Range { first, last } => format!("{}-{}", end(*first), end(*last)),
        };
        to.write_str(&self.0.iter().map(range).collect::<Vec<_>>().join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::Ranges;

    #[test]
    fn ranges_are_read_and_written() {
        let check = |text: &str, expected: &[usize]| {
            let ranges: Ranges = text.parse().expect("ranges");
            let found: Vec<usize> = (1..=9).filter(|number| ranges.contain(*number)).collect();
            assert_eq!(found, expected, "{text}");
            assert_eq!(ranges.to_string(), text);
        };
        check("3", &[3]);
        check("2-4", &[2, 3, 4]);
        check("7-", &[7, 8, 9]);
        check("-2", &[1, 2]);
        check("1,4-5,9", &[1, 4, 5, 9]);
        assert_eq!(Ranges::of([9, 22]).to_string(), "9,22");
        let named: Ranges = "2-3,5,6-6".parse().expect("ranges");
        assert_eq!([2, 5, 6].map(|number| named.name(number)), [false, true, true]);
    }

    #[test]
    fn other_texts_are_not_ranges() {
        for (text, expected) in [
            ("", "expected a number or a range such as `12-20`, `12-` or `-20`"),
            ("-", "expected a number or a range such as `12-20`, `12-` or `-20`"),
            ("1,,2", "expected a number or a range such as `12-20`, `12-` or `-20`"),
            ("a", "expected a number or a range such as `12-20`, `12-` or `-20`, found `a`"),
            ("0", "the first number is 1"),
            ("5-3", "`5-3` is empty: write `3-5`"),
        ] {
            assert_eq!(text.parse::<Ranges>().expect_err("no ranges").to_string(), expected, "{text}");
        }
    }

    #[test]
    fn numbers_out_of_range_are_found() {
        let ranges: Ranges = "2-30,20-".parse().expect("ranges");
        assert_eq!((ranges.begin_after(19), ranges.begin_after(20)), (Some(20), None));
        assert_eq!((ranges.exceed(29), ranges.exceed(30)), (Some(30), None));
        assert_eq!(ranges.layers(30).expect("layers").len(), 29);
        let error = ranges.layers(1).expect_err("a layer is missing");
        assert_eq!(error.to_string(), "layer 2 is out of range: the program has 1 layer");
    }
}
