//! A program to start from.

/// A small program that checks without a word, has a test that passes, and is laid out as the formatter does.
pub const SKELETON: &str = r#"//@ test "a b . a" => "b ."

registers: {symbol: "s", position: "p", previous: "s*"}

# No cell sees a later one.
causal_attn: true

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
