//! Layers as users name them.

use std::collections::BTreeSet;

use psl_program::{File, Ranges};
use psl_syntax::{plain_label, program::ProductionId};

use super::error::CommandError;
use crate::breakpoint::layer_with_label;

/// The layer on a line or after it, with a number, or with a label that starts with the text.
///
/// # Errors
///
/// Fails if there is no such layer.
pub fn layer(file: &File, place: &str) -> Result<ProductionId, CommandError> {
    let productions = file.program().productions();
    let number = |text: &str| text.trim().parse::<usize>().ok();
    if let Some(layer) = place.strip_prefix("layer ").and_then(number) {
        let layer = ProductionId::of_number(layer).filter(|layer| productions.find(*layer).is_some());
        return layer.ok_or(CommandError::UnknownLayer { count: productions.len() });
    }
    if let Some(line) = number(place) {
        let ends = |layer: &ProductionId| file.line_index().line(productions[*layer].span.end) + 1 >= line;
        return productions.ids().find(ends).ok_or(CommandError::LineAfterProductions(line));
    }
    labeled(file, place).ok_or_else(|| CommandError::UnknownLabel(place.to_owned()))
}

/// Several layers: numbers, ranges of numbers and labels, with commas.
///
/// # Errors
///
/// Fails for the first part that does not name a layer.
pub fn layers(file: &File, text: &str) -> Result<BTreeSet<ProductionId>, CommandError> {
    let is_number = |char: char| char.is_ascii_digit() || matches!(char, '-' | ' ' | ',');
    // A label may contain commas.
    if let Some(layer) = labeled(file, text).filter(|_| !text.chars().all(is_number)) {
        return Ok(BTreeSet::from([layer]));
    }
    let count = file.program().productions().len();
    let part = |part: &str| {
        let part = part.trim();
        let number = part.strip_prefix("layer ").unwrap_or(part);
        if number.chars().all(is_number) {
            return Ok(number.parse::<Ranges>()?.productions(count)?);
        }
        let found = labeled(file, part).map(|layer| BTreeSet::from([layer]));
        found.ok_or_else(|| CommandError::UnknownLabelOfSeveral { label: part.to_owned(), count })
    };
    text.split(',').map(part).try_fold(BTreeSet::new(), |all, layers| Ok(&all | &layers?))
}

/// The layer whose label is the text, or else the first one whose label starts with it.
fn labeled(file: &File, text: &str) -> Option<ProductionId> {
    let starts = |label: &Option<String>| label.as_deref().is_some_and(|label| plain_label(label).starts_with(text));
    let productions = file.program().productions();
    let of_start = || productions.ids().find(|layer| starts(&productions[*layer].label));
    layer_with_label(file, text).or_else(of_start).filter(|_| !text.is_empty())
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
";

    #[test]
    fn layers_have_numbers_and_labels() {
        let check = |text: &str, expected: &[usize]| {
            let found = layers(&file(PROGRAM), text).map(|found| found.into_iter().map(ProductionId::number).collect());
            assert_eq!(found, Ok(expected.to_vec()), "{text}");
        };
        check("2", &[2]);
        check("1,3", &[1, 3]);
        check("2-", &[2, 3]);
        check("layer 2, layer 3", &[2, 3]);
        check("P1", &[1]);
        check("P1: mark, then rest", &[1]);
        check("P1, 3", &[1, 3]);
        check("3rd", &[2]);
        check("3", &[3]);
    }

    #[test]
    fn unknown_layers_are_reported() {
        let check = |text: &str, expected: &str| {
            let found = layers(&file(PROGRAM), text).map_err(|error| error.to_string());
            assert_eq!(found, Err(expected.to_owned()), "{text}");
        };
        check("4", "layer 4 is out of range: the program has 3 layers");
        check("0", "the first number is 1");
        check("3-2", "`3-2` is empty: write `2-3`");
        check("P9", "no production has the label `P9`; give the number of its layer, from 1 to 3");
        check("1,x", "no production has the label `x`; give the number of its layer, from 1 to 3");
        check("1,,2", "expected a number or a range such as `12-20`, `12-` or `-20`");
    }
}
