//! A program to start with.

/// A small program without diagnostics, with a test that passes, in the formatter's layout.
pub const SKELETON: &str = include_str!("skeleton.psl");

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
