//! Programs with the expected diagnostics marked in the text: carets below a place, its code and message.
#![allow(dead_code, reason = "no test file uses all of it")]
#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "a test may fail by panic")]

use psl_syntax::{Code, Diagnostic, Levels, apply_levels, check as check_text, diagnostic::Edit};

pub const DECLARATIONS: &str = "\
registers: {symbol: 's', position: 'p', parse: 'a', eop: 'z', mark: 'm', copy: 'c'}
constants: {\"A\", \"B\", \"0\", \"1\", EOP, SPACE: \" \"}
";

/// Checks that the diagnostics of a text are exactly the ones marked in it, below its first line. A text without
/// declarations gets default ones, which may be unused.
pub fn check(text: &str) {
    let on: Vec<Code> = Code::ALL.iter().copied().filter(|code| !code.entry().off).collect();
    check_only(text, &on);
}

/// Checks that the diagnostics of a text with these codes are exactly the ones marked in it, below its first line.
pub fn check_only(text: &str, codes: &[Code]) {
    let unmarked: String = text.split_inclusive('\n').filter(|line| !line.trim_start().starts_with("#^")).collect();
    let marked = mark(&unmarked, codes);
    assert!(marked == text, "the marks should be:\n{marked}");
}

/// The text with its diagnostics marked.
pub fn mark(text: &str, codes: &[Code]) -> String {
    let before = if text.contains("registers") { "" } else { DECLARATIONS };
    let whole = format!("{before}{text}");
    let checked = check_text(&whole);
    let mut levels = Levels::default();
    for &code in codes.iter().filter(|code| code.entry().off) {
        levels.set(code, Some(code.entry().severity));
    }
    let mut found = apply_levels(&checked.tree, checked.diagnostics, &[], &levels);
    found.retain(|found| codes.contains(&found.code) && found.span.range().start >= before.len());
    let marked = mark_found(&whole, &found, |found| format!("{}: {}", found.code.as_str(), found.message));
    marked.strip_prefix(before).unwrap_or(&marked).to_owned()
}

/// A text with these diagnostics marked, each below the line on which it starts, in the form of `say`.
pub fn mark_found(text: &str, found: &[Diagnostic], say: impl Fn(&Diagnostic) -> String) -> String {
    let mut marked = String::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        marked.push_str(line);
        let end = start + line.len();
        for diagnostic in found.iter().filter(|diagnostic| (start..end).contains(&diagnostic.span.range().start)) {
            let span = diagnostic.span.range();
            let indent = text[start..span.start].chars().count().checked_sub(1).expect("marked texts are indented");
            let carets = text[span.start..span.end.min(start + line.trim_end().len())].chars().count();
            marked.extend([" ".repeat(indent), format!("#{} {}\n", "^".repeat(carets), say(diagnostic))]);
        }
        start = end;
    }
    marked
}

/// The text after all fixes. Each round applies the ones that do not overlap, until none is left.
pub fn fixed(text: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..100 {
        let found = check_text(&text).diagnostics;
        let mut edits: Vec<_> = Vec::new();
        for fix in found.iter().flat_map(|diagnostic| &diagnostic.fixes) {
            let overlaps = |edit: &Edit| {
                edits.iter().any(|taken: &Edit| edit.span.start < taken.span.end && taken.span.start < edit.span.end)
            };
            if !fix.edits.iter().any(overlaps) {
                edits.extend(fix.edits.iter().cloned());
            }
        }
        if edits.is_empty() {
            return text;
        }
        edits.sort_by_key(|edit| std::cmp::Reverse(edit.span));
        for edit in edits {
            text.replace_range(edit.span.range(), &edit.text);
        }
    }
    unreachable!("fixing does not end: {text}")
}
