//! Domains in words.

use super::{
    domain::{Domain, Wide},
    table::Domains,
    values::Values,
};

/// More values than these are not listed.
const MAX_LISTED: usize = 8;

impl Domains {
    /// The names of a domain's values, null not among them; nothing where they are none or too many to list.
    pub fn listed(&self, domain: &Domain) -> Option<Vec<&str>> {
        let values = domain.constants.iter().map(|id| self.values.name(*id));
        (domain.wide.is_none() && !domain.constants.is_empty()).then(|| values.collect())
    }

    /// A domain in words, null too, such as "XQ, XA, or null".
    pub fn in_words_or_null(&self, domain: &Domain) -> String {
        self.values.in_words_or_null(domain)
    }

    /// A domain in words, such as "XQ, XA or a position"; null is not mentioned.
    pub fn in_words(&self, domain: &Domain) -> String {
        self.values.in_words(domain)
    }
}

impl Values {
    pub(super) fn in_words_or_null(&self, domain: &Domain) -> String {
        match (domain.is_empty(), domain.null) {
            (true, true) => "null".to_owned(),
            (false, true) => format!("{}, or null", self.in_words(domain)),
            (_, false) => self.in_words(domain),
        }
    }

    pub(super) fn in_words(&self, domain: &Domain) -> String {
        let mut words: Vec<&str> = domain.constants.iter().take(MAX_LISTED).map(|id| self.name(*id)).collect();
        let more = format!("{} other constants", domain.constants.len().saturating_sub(MAX_LISTED));
        if domain.constants.len() > MAX_LISTED {
            words.push(&more);
        }
        words.extend(domain.wide.map(|wide| match wide {
            Wide::CellPositions => "a position from 1",
            Wide::Positions => "a position",
            Wide::Symbols => "any symbol",
        }));
        match words.split_last() {
            None => "nothing".to_owned(),
            Some((last, [])) => (*last).to_owned(),
            Some((last, first)) => format!("{} or {last}", first.join(", ")),
        }
    }
}
