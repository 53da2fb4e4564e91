//! The nearest name to a misspelled one.

/// Maximum length of a name in bytes. Comparing two names takes the product of their lengths.
const MAX_LENGTH: usize = 64;

/// The candidate nearest to `name` in spelling, or `None` if none is near enough: a typo has at most one edit for every
/// three letters, ignoring case.
pub fn nearest<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    nearest_of(name, &mut candidates.into_iter())
}

/// The body, which is compiled once: browsers load it.
fn nearest_of<'c>(name: &str, candidates: &mut dyn Iterator<Item = &'c str>) -> Option<&'c str> {
    if name.len() > MAX_LENGTH {
        return None;
    }
    let letters = name.chars().count();
    let limit = letters / 3;
    let lower = name.to_lowercase();
    candidates
        .filter(|candidate| candidate.len() <= 2 * MAX_LENGTH && candidate.chars().count().abs_diff(letters) <= limit)
        .filter_map(|candidate| {
            let ignoring_case = strsim::damerau_levenshtein(&lower, &candidate.to_lowercase());
            (ignoring_case <= limit).then(|| (ignoring_case, strsim::damerau_levenshtein(name, candidate), candidate))
        })
        .min_by_key(|&(distance, exact, _)| (distance, exact))
        .map(|(_, _, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn typos() {
        let names = ["symbol", "prev_symbol", "region", "XQ"];
        assert_eq!(nearest("symbl", names), Some("symbol"));
        assert_eq!(nearest("prev_sybmol", names), Some("prev_symbol"));
        assert_eq!(nearest("xq", names), Some("XQ"));
        assert_eq!(nearest("B", names), None);
        assert_eq!(nearest("B", ["A"]), None);
        assert_eq!(nearest("position", names), None);
    }
}
