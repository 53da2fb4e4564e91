//! Counts with their nouns.

/// `1 error`, `2 errors`, `2 passes`.
pub fn count(number: usize, noun: &str) -> String {
    let ending = match number {
        1 => "",
        _ if ["s", "x", "ch", "sh"].iter().any(|end| noun.ends_with(end)) => "es",
        _ => "s",
    };
    format!("{number} {noun}{ending}")
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn a_noun_has_its_plural() {
        let found = ["error", "pass", "match"].map(|noun| [0, 1, 2].map(|number| count(number, noun)).join(", "));
        assert_eq!(
            found,
            ["0 errors, 1 error, 2 errors", "0 passes, 1 pass, 2 passes", "0 matches, 1 match, 2 matches"]
        );
    }
}
