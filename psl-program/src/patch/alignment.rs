//! The cells of two prompts that correspond.

use std::{collections::BTreeSet, str::FromStr};

use psl_runtime::CellId;
use thiserror::Error;

use crate::counting::count;

/// Pairs of a cell of the base run's prompt and the cell of the donor's prompt that gives it values: `1:1`, `2:3` or
/// `4-6:5-7`, with commas.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Alignment(Vec<(CellId, CellId)>);

/// Prompts or cells that do not correspond.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NotAligned {
    /// The prompts have different lengths, and no alignment is given.
    #[error("the prompts have {} and {}: name those that correspond, as in `--align 1-3:1-3,4:6`", count(*.base, "cell"), count(*.donor, "cell"))]
    Lengths {
        /// The number of cells of the base run's prompt.
        base: usize,
        /// The number of cells of the donor's prompt.
        donor: usize,
    },
    /// A pair has another form.
    #[error(
        "`{0}` is not a pair of cells: write the cell that is patched and the one that gives the values, as in `2:3` or `4-6:5-7`"
    )]
    Form(String),
    /// The two ranges of a pair have different lengths.
    #[error("the ranges of `{0}` have different lengths")]
    Ranges(String),
    /// A cell is patched from two cells.
    #[error("cell {0} is aligned twice")]
    Twice(usize),
    /// A prompt lacks the cell.
    #[error("cell {cell} is out of range: the {prompt} has {}", count(*.cells, "cell"))]
    Cell {
        /// The prompt in words.
        prompt: &'static str,
        /// The number of the cell.
        cell: usize,
        /// The number of its cells.
        cells: usize,
    },
}

impl Alignment {
    /// The pairs of two prompts with these numbers of cells. By default, cells with the same number correspond.
    ///
    /// # Errors
    ///
    /// Fails for a cell that a prompt lacks, for one that is patched from two cells, and without an alignment for
    /// prompts of different lengths.
    pub fn pairs(alignment: Option<&Self>, base: usize, donor: usize) -> Result<Vec<(CellId, CellId)>, NotAligned> {
        let Some(Self(pairs)) = alignment else {
            let same = CellId::first(base).map(|cell| (cell, cell)).collect();
            return if base == donor { Ok(same) } else { Err(NotAligned::Lengths { base, donor }) };
        };
        for (prompt, cells, of) in [
            ("prompt that is patched", base, (|pair| pair.0) as fn(&(CellId, CellId)) -> CellId),
            ("prompt that gives the values", donor, |pair| pair.1),
        ] {
            if let Some(cell) = pairs.iter().map(of).find(|cell| cell.index() >= cells) {
                return Err(NotAligned::Cell { prompt, cell: cell.number(), cells });
            }
        }
        let mut patched = BTreeSet::new();
        match pairs.iter().find(|(cell, _)| !patched.insert(*cell)) {
            Some((cell, _)) => Err(NotAligned::Twice(cell.number())),
            None => Ok(pairs.clone()),
        }
    }

    /// The pairs in the other direction.
    #[must_use]
    pub fn reversed(&self) -> Self {
        Self(self.0.iter().map(|&(base, donor)| (donor, base)).collect())
    }
}

impl FromStr for Alignment {
    type Err = NotAligned;

    fn from_str(text: &str) -> Result<Self, NotAligned> {
        let mut pairs: Vec<(CellId, CellId)> = Vec::new();
        for part in text.split(',').map(str::trim) {
            let wrong = || NotAligned::Form(part.to_owned());
            let (base, donor) = part.split_once(':').ok_or_else(wrong)?;
            let (base, donor) = (cells(base).ok_or_else(wrong)?, cells(donor).ok_or_else(wrong)?);
            if base.len() != donor.len() {
                return Err(NotAligned::Ranges(part.to_owned()));
            }
            pairs.extend(base.into_iter().zip(donor));
        }
        Ok(Self(pairs))
    }
}

/// The cells of a number or a range. `None` for another text, and for more cells than any prompt has.
fn cells(text: &str) -> Option<Vec<CellId>> {
    const MOST: usize = 1 << 20;
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let (first, last): (usize, usize) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
    let cells = (first..=last).take(MOST + 1).map(CellId::of_number).collect::<Option<Vec<_>>>()?;
    (1..=MOST).contains(&cells.len()).then_some(cells)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, base: usize, donor: usize, expected: Result<&[(usize, usize)], &str>) {
        let pairs = text.parse().and_then(|alignment| Alignment::pairs(Some(&alignment), base, donor));
        let numbers = |pairs: Vec<(CellId, CellId)>| pairs.iter().map(|(a, b)| (a.number(), b.number())).collect();
        let found = pairs.map(numbers).map_err(|error| error.to_string());
        assert_eq!(found.as_ref().map(Vec::as_slice).map_err(String::as_str), expected, "{text}");
    }

    #[test]
    fn cells_correspond_in_pairs() {
        check("1:1", 1, 1, Ok(&[(1, 1)]));
        check("2:3, 1-2:1-2", 3, 3, Err("cell 2 is aligned twice"));
        check("1:2, 2-3:2-3", 3, 3, Ok(&[(1, 2), (2, 2), (3, 3)]));
    }

    #[test]
    fn pairs_that_no_prompt_has_are_refused() {
        check("4:1", 3, 5, Err("cell 4 is out of range: the prompt that is patched has 3 cells"));
        check("3:6", 3, 5, Err("cell 6 is out of range: the prompt that gives the values has 5 cells"));
        check("1-1000000:1-1000000", 3, 3, Err("cell 4 is out of range: the prompt that is patched has 3 cells"));
        check("1-2:1", 3, 5, Err("the ranges of `1-2:1` have different lengths"));
        let form = "is not a pair of cells: write the cell that is patched and the one that gives the values, as in `2:3` \
                    or `4-6:5-7`";
        for text in ["", "1", "0:1", "2-1:2-1", "a:b", "1-99999999:1-99999999", "1:2:3"] {
            check(text, 3, 5, Err(&format!("`{text}` {form}")));
        }
    }

    #[test]
    fn a_cell_gets_values_from_one_cell_in_either_direction() {
        let twice: Alignment = "1:1,2:1".parse().expect("an alignment");
        assert!(Alignment::pairs(Some(&twice), 2, 2).is_ok());
        assert_eq!(Alignment::pairs(Some(&twice.reversed()), 2, 2), Err(NotAligned::Twice(1)));
    }

    #[test]
    fn prompts_of_one_length_need_no_alignment() {
        assert_eq!(Alignment::pairs(None, 2, 2).map(|pairs| pairs.len()), Ok(2));
        let message = Alignment::pairs(None, 2, 1).unwrap_err().to_string();
        assert_eq!(
            message,
            "the prompts have 2 cells and 1 cell: name those that correspond, as in `--align 1-3:1-3,4:6`"
        );
    }
}
