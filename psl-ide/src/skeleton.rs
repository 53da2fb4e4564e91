//! A program to start with.

/// A small program without diagnostics, with a test that passes, in the formatter's layout.
pub const SKELETON: &str = r#"# A small program to start with: it continues a text as it continued before.
# After "a b . a" it generates "b", then the stop symbol ".".

# A test: a prompt and its expected continuation.
//@ test "a b . a" => "b ."

# Each symbol of the text is in a cell. Each cell has these registers, by long and short name.
registers: {symbol: "s", position: "p", previous: "s*"}

# No cell attends to a cell on its right.
causal_attn: true

# Each production is a layer: every cell N attends to a cell n that meets the conditions, and takes
# the assigned values from it. Of several matches, `where` selects the leftmost and `where_rm` the
# rightmost. Without a match, N stays as it is.

# copy the symbol on the left
where position[n] == position[N]@pos_decrement:
    previous[N] = symbol[n]

# predict what followed this symbol last time
where_rm previous[n] == symbol[N]:
    symbol[N] = symbol[n]
"#;

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use psl_program::{TestReport, diagnostics, run_test};

    use super::SKELETON;
    use crate::{fixture::file, format_edits};

    #[test]
    fn the_skeleton_has_no_diagnostics_and_its_test_passes() {
        let file = file(SKELETON);
        let run = run_test(&file, 0, &AtomicBool::new(false)).expect("it has a test");
        let report = TestReport::new(vec![run]);
        assert_eq!(diagnostics(&file, Some(&report)), []);
        assert!(report.is_complete());
        assert_eq!(format_edits(&file), Some(Vec::new()));
    }
}
