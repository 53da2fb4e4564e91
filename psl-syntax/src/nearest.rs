//! The name that was probably meant.

/// The candidate nearest to `name` in spelling, where one is near enough that a slip of the fingers explains it: one slip
/// for each three letters, besides upper and lower case.
pub fn nearest<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let limit = name.chars().count() / 3;
    candidates
        .into_iter()
        .map(|candidate| {
            let ignoring_case = strsim::damerau_levenshtein(&name.to_lowercase(), &candidate.to_lowercase());
            (ignoring_case, strsim::damerau_levenshtein(name, candidate), candidate)
        })
        .filter(|&(distance, ..)| distance <= limit)
        .min_by_key(|&(distance, exact, _)| (distance, exact))
        .map(|(_, _, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_slip_of_the_fingers() {
        let names = ["symbol", "prev_symbol", "region", "XQ"];
        assert_eq!(nearest("symbl", names), Some("symbol"));
        assert_eq!(nearest("prev_sybmol", names), Some("prev_symbol"));
        assert_eq!(nearest("xq", names), Some("XQ"));
        assert_eq!(nearest("B", names), None);
        assert_eq!(nearest("B", ["A"]), None);
        assert_eq!(nearest("position", names), None);
    }
}
