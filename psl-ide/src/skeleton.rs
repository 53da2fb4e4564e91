//! A program to start from.

/// A small program that checks without a word, has a test that passes, and is laid out as the formatter does.
pub const SKELETON: &str = r#"# Goes on as the text went on the last time: after "a b . a" it says "b", then ".", which ends it.

# A test: the prompt, and what has to follow it.
//@ test "a b . a" => "b ."

# Each symbol of the text has a cell, and each cell these registers, by long and by short name.
registers: {symbol: "s", position: "p", previous: "s*"}

# No cell sees a later one.
causal_attn: true

# Each production is a layer: every cell N attends to a cell n for which the conditions hold, and
# takes from it what is assigned. Where there are several, `where` finds the leftmost, `where_rm`
# the rightmost; where there are none, N stays as it is.

# remember the symbol to the left
where position[n] == position[N]@pos_decrement:
    previous[N] = symbol[n]

# go on as it went on the last time
where_rm previous[n] == symbol[N]:
    symbol[N] = symbol[n]
"#;

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::SKELETON;
    use crate::{diagnostics, fixture::file, format_edits, run_test, test_report::TestReport};

    #[test]
    fn the_skeleton_has_no_findings_and_its_test_passes() {
        let file = file(SKELETON);
        let run = run_test(&file, 0, &AtomicBool::new(false)).expect("it has a test");
        let report = TestReport::new(vec![run]);
        assert_eq!(diagnostics(&file, Some(&report)), []);
        assert!(report.is_complete());
        assert_eq!(format_edits(&file), Some(Vec::new()));
    }
}
