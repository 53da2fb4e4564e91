//! Search for symbols by name across programs.

use crate::document_symbols::{Symbol, SymbolKind, flat};

/// Returns the registers, productions, repeat blocks and tests in a tree of symbols, each with the name of its parent,
/// in the order of the text.
pub fn searchable(symbols: &[Symbol]) -> Vec<(&Symbol, &str)> {
    let is_searchable =
        |kind| matches!(kind, SymbolKind::Register | SymbolKind::Production | SymbolKind::Repeat | SymbolKind::Test);
    flat(symbols).into_iter().filter(|(symbol, _)| is_searchable(symbol.kind)).collect()
}

/// The quality of a match, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Match {
    Whole,
    Start,
    Within,
    /// The letters of the query appear in the name in order.
    Scattered,
}

/// A search that keeps the best matches. A name matches if it contains the letters of the query in order, ignoring case
/// and white space.
pub struct SymbolSearch<T> {
    query: Vec<char>,
    most: usize,
    found: Vec<(Match, T)>,
    /// The worst match to keep, once there are enough.
    worst: Option<Match>,
}

impl<T> SymbolSearch<T> {
    /// Creates a search for a query that returns at most `most` symbols.
    pub fn new(query: &str, most: usize) -> Self {
        Self { query: letters(query), most, found: Vec::new(), worst: None }
    }

    /// Adds the symbol with this name if it is among the best so far.
    pub fn offer(&mut self, name: &str, symbol: impl FnOnce() -> T) {
        let Some(found) = self.compare(name).filter(|found| self.worst.is_none_or(|worst| *found < worst)) else {
            return;
        };
        self.found.push((found, symbol()));
        // Pruning only now and then keeps a search linear in the number of symbols, up to a logarithmic factor.
        if self.found.len() >= self.most.max(1).saturating_mul(2) {
            self.sort_out();
            self.worst = self.found.last().map(|(found, _)| *found);
        }
    }

    /// Returns the best matches, best first. Equal matches keep the order in which they were offered.
    pub fn best(mut self) -> Vec<T> {
        self.sort_out();
        self.found.into_iter().map(|(_, symbol)| symbol).collect()
    }

    fn sort_out(&mut self) {
        self.found.sort_by_key(|(found, _)| *found);
        self.found.truncate(self.most);
    }

    fn compare(&self, name: &str) -> Option<Match> {
        let (name, query) = (letters(name), self.query.as_slice());
        if name.starts_with(query) {
            let whole = name.len() == query.len();
            return Some(if whole { Match::Whole } else { Match::Start });
        }
        if name.windows(query.len()).any(|part| part == query) {
            return Some(Match::Within);
        }
        let mut rest = name.iter();
        query.iter().all(|wanted| rest.any(|letter| letter == wanted)).then_some(Match::Scattered)
    }
}

fn letters(text: &str) -> Vec<char> {
    text.chars().filter(|char| !char.is_whitespace()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(query: &str, most: usize, names: &[&str]) -> Vec<usize> {
        let mut search = SymbolSearch::new(query, most);
        for (index, name) in names.iter().enumerate() {
            search.offer(name, || index);
        }
        search.best()
    }

    #[test]
    fn a_query_skips_letters() {
        assert_eq!(found("p1 mk", 9, &["P1: Mark it"]), [0]);
        assert_eq!(found("", 9, &["anything"]), [0]);
        assert_eq!(found("km", 9, &["Mark"]), [0; 0]);
    }

    #[test]
    fn the_best_matches_come_first() {
        let names = ["m a r k", "a mark", "remark", "MARKER", "Mark", "mask rk", "none", "mark 2", ""];
        assert_eq!(found("mark", 99, &names), [0, 4, 3, 7, 1, 2, 5]);
        assert_eq!(found("mA Rk", 3, &names), [0, 4, 3]);
        assert_eq!(found("mark", 1, &names), [0]);
        assert_eq!(found("", 3, &names), [8, 0, 1]);
        assert_eq!(found("mark", 0, &names), [0; 0]);
        let many = ["x mark"].repeat(1000);
        let last: Vec<&str> = many.iter().copied().chain(["mark"]).collect();
        assert_eq!(found("mark", 3, &last), [1000, 0, 1]);
    }
}
