//! Breakpoints, and the layers of a program to set them on.

use psl_program::File;
use psl_runtime::{CellId, record::RecordedRun};
use psl_syntax::program::{ProductionId, RegisterId};

use super::{
    condition::DebugCondition, error::DebugError, exception::Exception, log_message::LogMessage, unknown_values::note,
};

/// A reason to stop.
#[derive(Clone, Debug, PartialEq)]
pub struct Breakpoint {
    /// Identifies it in the result of a search.
    pub id: usize,
    /// The moments at which it can stop.
    pub on: BreakOn,
    /// Skips the moments at which it does not hold.
    pub condition: Option<DebugCondition>,
    /// Skips hits by their number.
    pub hits: Option<HitCount>,
    /// Logs a line instead of stopping.
    pub log: Option<LogMessage>,
}

impl Breakpoint {
    /// A note about the values of its condition, its register and its message that the run does not have.
    pub fn note(&self, run: &RecordedRun) -> Option<String> {
        let of_data = match &self.on {
            BreakOn::Data { values: Some(Values::Only(value) | Values::Except(value)), .. } => Some(value.as_str()),
            _ => None,
        };
        let of_condition = self.condition.iter().flat_map(DebugCondition::values);
        let of_message = self.log.iter().flat_map(LogMessage::values);
        note(run, of_data.into_iter().chain(of_condition).chain(of_message))
    }
}

/// The moments at which a breakpoint can stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BreakOn {
    /// A layer: once in each pass of each step, or, with a condition, at each cell for which it holds.
    Layer {
        layer: ProductionId,
        /// Whether cells count that attend to no cell, so that the production does not fire there.
        everywhere: bool,
    },
    /// A layer that writes a register of a cell. The start of a cell is not a write.
    Data {
        register: RegisterId,
        /// The cell, or `None` for all.
        cell: Option<CellId>,
        /// Whether a write of the value that the register has counts too.
        write: bool,
        /// The values that count, or `None` for any.
        values: Option<Values>,
    },
    /// A fault of the run.
    Exception(Exception),
}

/// The values at which a data breakpoint stops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Values {
    /// A single value.
    Only(String),
    /// All values except one.
    Except(String),
}

/// The hits of a breakpoint that count. They are numbered from the start of the run, from 1 on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HitCount {
    /// `5`: only this one.
    Exactly(usize),
    /// `>= 5`: from this one on.
    AtLeast(usize),
    /// `% 3`: every third.
    MultipleOf(usize),
}

impl HitCount {
    /// Reads `5`, `== 5`, `>= 5`, `> 5` or `% 3`.
    ///
    /// # Errors
    ///
    /// Fails for another text, and for a count below 1.
    pub fn parse(text: &str) -> Result<Self, DebugError> {
        let text = text.trim();
        let number = |digits: &str| digits.trim().parse().ok().filter(|&count: &usize| count > 0);
        let found = if let Some(digits) = text.strip_prefix(">=") {
            number(digits).map(Self::AtLeast)
        } else if let Some(digits) = text.strip_prefix('>') {
            number(digits).and_then(|count| count.checked_add(1)).map(Self::AtLeast)
        } else if let Some(digits) = text.strip_prefix('%') {
            number(digits).map(Self::MultipleOf)
        } else {
            number(text.strip_prefix("==").unwrap_or(text)).map(Self::Exactly)
        };
        found.ok_or_else(|| DebugError::NotHitCount(text.to_owned()))
    }

    /// Whether the hit with this number counts.
    pub(super) fn counts(self, hit: usize) -> bool {
        match self {
            Self::Exactly(count) => hit == count,
            Self::AtLeast(count) => hit >= count,
            Self::MultipleOf(count) => hit.is_multiple_of(count),
        }
    }
}

/// The layer of the production around an offset, or of the next production.
pub fn layer_at(file: &File, offset: u32) -> Option<ProductionId> {
    let productions = file.program().productions();
    let before = productions.iter().take_while(|production| production.span.end < offset).count();
    (before < productions.len()).then(|| ProductionId::new(before))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::cursor;

    #[test]
    fn a_hit_count_has_a_number_from_1_on() {
        let read = |text| HitCount::parse(text).ok();
        assert_eq!(read(" 5 "), Some(HitCount::Exactly(5)));
        assert_eq!(read("== 5"), Some(HitCount::Exactly(5)));
        assert_eq!(read(">= 5"), Some(HitCount::AtLeast(5)));
        assert_eq!(read(">5"), Some(HitCount::AtLeast(6)));
        assert_eq!(read("%3"), Some(HitCount::MultipleOf(3)));
        for text in ["", "0", "% 0", "-1", "five", "> 18446744073709551615"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn a_line_has_the_layer_around_it_or_the_next_one() {
        let check = |rest: &str, expected| {
            let (file, offset) = cursor(&format!("registers: {{symbol: 's', position: 'p', m: 'm'}}\n{rest}"));
            assert_eq!(layer_at(&file, offset).map(ProductionId::number), expected, "{rest}");
        };
        let second = "where symbol[N] == symbol[N]:\n    m[N] = symbol[N]\n";
        check(&format!("# <|>one\n{second}{second}"), Some(1));
        check(&format!("where symbol[N] == symbol[N]:\n <|>   m[N] = symbol[N]\n{second}"), Some(1));
        check(&format!("{second}\n<|># two\n{second}"), Some(2));
        check(&format!("{second}\n# none\n<|>"), None);
    }
}
