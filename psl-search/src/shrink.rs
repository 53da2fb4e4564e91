//! Delta debugging of lists.

/// A shortest list with a property, as far as single symbols tell: some of the symbols in their order, of which no
/// single one can go. `keeps` decides about each shorter list, and the whole list must have the property. Tries to
/// leave out halves, then quarters, and so on.
pub(crate) fn shrink(symbols: &[String], keeps: &mut dyn FnMut(&[String]) -> bool) -> Vec<String> {
    let mut kept = symbols.to_vec();
    let mut size = kept.len().div_ceil(2).max(1);
    loop {
        let before = kept.len();
        let mut start = 0;
        while start < kept.len() {
            let shorter: Vec<String> = kept.iter().take(start).chain(kept.iter().skip(start + size)).cloned().collect();
            if keeps(&shorter) {
                kept = shorter;
            } else {
                start += size;
            }
        }
        if size > 1 {
            size = size.div_ceil(2);
        } else if kept.len() == before {
            return kept;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::shrink;

    /// The symbols that are left, and the number of lists that were tried.
    fn shrunk(symbols: &str, keeps: impl Fn(&[&str]) -> bool) -> (String, usize) {
        let symbols: Vec<String> = symbols.split_whitespace().map(str::to_owned).collect();
        let mut tried = 0;
        let kept = shrink(&symbols, &mut |shorter| {
            tried += 1;
            keeps(&shorter.iter().map(String::as_str).collect::<Vec<_>>())
        });
        (kept.join(" "), tried)
    }

    #[test]
    fn the_symbols_that_matter_are_kept_in_their_order() {
        let (kept, _) = shrunk("a b X c d e Y f Z g", |it| ["X", "Y", "Z"].iter().all(|symbol| it.contains(symbol)));
        assert_eq!(kept, "X Y Z");
    }

    #[test]
    fn one_symbol_of_many_needs_few_tries() {
        let many = (0..1_000).map(|number| number.to_string()).collect::<Vec<_>>().join(" ");
        let (kept, tried) = shrunk(&many, |it| it.contains(&"617"));
        assert_eq!(kept, "617");
        assert!(tried < 50, "{tried}");
    }

    #[test]
    fn a_symbol_that_can_go_only_after_a_later_one_goes_too() {
        let (kept, _) = shrunk("a b K", |it| it.contains(&"K") && (!it.contains(&"b") || it.contains(&"a")));
        assert_eq!(kept, "K");
    }

    #[test]
    fn nothing_is_left_where_nothing_matters_and_all_where_everything_does() {
        assert_eq!(shrunk("a b c", |_| true).0, "");
        assert_eq!(shrunk("a b c", |_| false).0, "a b c");
        assert_eq!(shrunk("a", |it| !it.is_empty()).0, "a");
        assert_eq!(shrunk("", |_| false).0, "");
    }
}
