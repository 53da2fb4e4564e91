//! Domains as text.

use super::{
    domain::{Domain, Wide},
    table::Domains,
    values::Values,
};

/// Maximum number of constants listed.
const MAX_LISTED: usize = 8;

impl Domains {
    /// The names of the values of a domain, without null, or `None` if there are none or too many to list.
    pub fn listed(&self, domain: &Domain) -> Option<Vec<&str>> {
        let values = domain.constants.iter().map(|id| self.values.name(*id));
        (domain.wide.is_none() && !domain.constants.is_empty()).then(|| values.collect())
    }

    /// A domain as text, including null, such as "XQ, XA or null".
    pub fn in_words_or_null(&self, domain: &Domain) -> String {
        self.values.in_words_or_null(domain)
    }

    /// A domain as text, without null, such as "XQ, XA or a position".
    pub fn in_words(&self, domain: &Domain) -> String {
        self.values.in_words(domain)
    }
}

impl Values {
    pub(super) fn in_words_or_null(&self, domain: &Domain) -> String {
        self.list(domain, str::to_owned, domain.null)
    }

    pub(super) fn in_words(&self, domain: &Domain) -> String {
        self.list(domain, str::to_owned, false)
    }

    /// Like `in_words_or_null`, with each name in code marks.
    pub(crate) fn in_code_or_null(&self, domain: &Domain) -> String {
        self.list(domain, in_code_marks, domain.null)
    }

    /// Like `in_words`, with each name in code marks.
    pub(crate) fn in_code(&self, domain: &Domain) -> String {
        self.list(domain, in_code_marks, false)
    }

    fn list(&self, domain: &Domain, show: impl Fn(&str) -> String, null: bool) -> String {
        let mut words: Vec<String> = domain.constants.iter().take(MAX_LISTED).map(|id| show(self.name(*id))).collect();
        if domain.constants.len() > MAX_LISTED {
            words.push(format!("{} other constants", domain.constants.len() - MAX_LISTED));
        }
        let wide = domain.wide.map(|wide| match wide {
            Wide::CellPositions => "a position from 1",
            Wide::Positions => "a position",
            Wide::Symbols => "any symbol",
        });
        words.extend(wide.into_iter().chain(null.then_some("null")).map(str::to_owned));
        match words.split_last() {
            None => "nothing".to_owned(),
            Some((last, [])) => last.clone(),
            Some((last, first)) => format!("{} or {last}", first.join(", ")),
        }
    }
}

fn in_code_marks(name: &str) -> String {
    format!("`{name}`")
}
