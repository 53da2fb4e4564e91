//! The clauses of a breakpoint, after its production or register: `if CONDITION`, `hits COUNT` and `log MESSAGE`, in
//! this order.

use psl_program::File;

use crate::{
    breakpoint::{BreakOn, Breakpoint, HitCount},
    condition::DebugCondition,
    error::DebugError,
    log_message::LogMessage,
};

/// The text of a breakpoint in parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clauses<'t> {
    /// The production, register or fault.
    pub moments: &'t str,
    condition: Option<&'t str>,
    hits: Option<&'t str>,
    log: Option<&'t str>,
}

impl<'t> Clauses<'t> {
    /// Splits a text such as `P9 if cell == 7 hits >= 3 log {cell}: {field[N]}`.
    pub fn split(text: &'t str) -> Self {
        // A message is free text, so it is last and cut off first.
        let (text, log) = cut(text, " log ");
        let (text, hits) = cut(text, " hits ");
        let (text, condition) = cut(text, " if ");
        Self { moments: text.trim(), condition, hits, log }
    }

    /// The breakpoint on these moments.
    ///
    /// # Errors
    ///
    /// Fails if a clause cannot be read.
    pub fn breakpoint(&self, file: &File, id: usize, on: BreakOn) -> Result<Breakpoint, DebugError> {
        let condition = self.condition.map(|condition| DebugCondition::parse(file, condition)).transpose()?;
        let hits = self.hits.map(HitCount::parse).transpose()?;
        let log = self.log.map(|message| LogMessage::parse(file, message)).transpose()?;
        Ok(Breakpoint { id, on, condition, hits, log })
    }

    /// The clauses as a list shows them, such as `, if cell == 7, hits 2`.
    pub fn shown(&self) -> String {
        let clauses = [(", if ", self.condition), (", hits ", self.hits), (", log ", self.log)];
        clauses.into_iter().filter_map(|(word, text)| Some(format!("{word}{}", text?))).collect()
    }
}

/// The text before a word, and the text after it.
fn cut<'t>(text: &'t str, word: &str) -> (&'t str, Option<&'t str>) {
    text.split_once(word).map_or((text, None), |(before, after)| (before, Some(after.trim())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, moments: &str, condition: Option<&str>, hits: Option<&str>, log: Option<&str>) {
        assert_eq!(Clauses::split(text), Clauses { moments, condition, hits, log }, "{text}");
    }

    #[test]
    fn clauses_follow_the_moments() {
        check("12", "12", None, None, None);
        check(" if cell == 7", "", Some("cell == 7"), None, None);
        check("P9 if cell == 7", "P9", Some("cell == 7"), None, None);
        check("layer 2  hits  % 3 ", "layer 2", None, Some("% 3"), None);
        check(
            "12 if cell == 7 hits >= 3 log {cell}: {field[N]}",
            "12",
            Some("cell == 7"),
            Some(">= 3"),
            Some("{cell}: {field[N]}"),
        );
    }

    #[test]
    fn a_message_has_the_words_of_clauses() {
        check("12 log what if it hits 3 log", "12", None, None, Some("what if it hits 3 log"));
        check("12 hits 2 log a log b", "12", None, Some("2"), Some("a log b"));
    }
}
