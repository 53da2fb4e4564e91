//! The score of a program's tests.

use std::ops::RangeInclusive;

use psl_search::Fate;

/// The numbers of mutants by their fates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Score {
    pub killed: usize,
    /// Those of the killed whose run does not end.
    pub endless: usize,
    pub told_apart: usize,
    /// Those that no test notices, of a program with only structured prompts.
    pub unknown: usize,
    pub equal: usize,
    pub equal_up_to: usize,
    /// The lengths up to which these are equal: the least and the greatest.
    pub lengths: Option<RangeInclusive<usize>>,
    pub invalid: usize,
    /// Those that were not tried.
    pub left: usize,
}

impl Score {
    pub fn new(fates: &[Option<Fate>]) -> Self {
        let mut score = Self::default();
        for fate in fates {
            match fate {
                Some(Fate::Killed { endless, .. }) => {
                    score.killed += 1;
                    score.endless += usize::from(*endless);
                }
                Some(Fate::ToldApart(_)) => score.told_apart += 1,
                Some(Fate::Unknown) => score.unknown += 1,
                Some(Fate::Equal) => score.equal += 1,
                Some(Fate::EqualUpTo { symbols, .. }) => {
                    score.equal_up_to += 1;
                    let before = score.lengths.unwrap_or(*symbols..=*symbols);
                    score.lengths = Some(*before.start().min(symbols)..=*before.end().max(symbols));
                }
                Some(Fate::Invalid) => score.invalid += 1,
                None => score.left += 1,
            }
        }
        score
    }

    /// The number of mutants that tests could notice, and that were tried.
    pub fn all(&self) -> usize {
        self.killed + self.told_apart + self.unknown
    }

    /// The percentage that the tests notice, rounded down to a tenth. `None` if they could notice none.
    pub fn percentage(&self) -> Option<f64> {
        let tenths = (self.killed * 1_000).checked_div(self.all())?;
        Some(u32::try_from(tenths).map_or(0.0, f64::from) / 10.0)
    }
}
