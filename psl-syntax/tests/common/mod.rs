//! Programs with the expected diagnostics marked in the text itself: carets below a place, its code, the message.
#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "a test may fail by panic")]

use psl_syntax::check as check_text;

pub const DECLARATIONS: &str = "\
registers: {symbol: 's', position: 'p', parse: 'a', eop: 'z', mark: 'm', copy: 'c'}
constants: {\"A\", \"B\", \"0\", \"1\", EOP, SPACE: \" \"}
";

/// Checks that a text's diagnostics are exactly those marked in it, below their first line. A text without declarations
/// gets some.
pub fn check(text: &str) {
    let unmarked: String = text.split_inclusive('\n').filter(|line| !line.trim_start().starts_with("#^")).collect();
    let marked = mark(&unmarked);
    assert!(marked == text, "marked as it should be:\n{marked}");
}

/// The text with its diagnostics marked.
fn mark(text: &str) -> String {
    let before = if text.contains("registers") { "" } else { DECLARATIONS };
    let whole = format!("{before}{text}");
    let found = check_text(&whole).diagnostics;
    let mut marked = String::new();
    let mut start = 0;
    for line in whole.split_inclusive('\n') {
        marked.push_str(line);
        let end = start + line.len();
        for diagnostic in found.iter().filter(|diagnostic| (start..end).contains(&diagnostic.span.range().start)) {
            let span = diagnostic.span.range();
            let indent = whole[start..span.start].chars().count().checked_sub(1).expect("marked texts are indented");
            let carets = whole[span.start..span.end.min(start + line.trim_end().len())].chars().count();
            let carets = "^".repeat(carets);
            let code = diagnostic.code.as_str();
            marked.extend([
                " ".repeat(indent),
                format!(
                    "#{carets} {code}: {}
",
                    diagnostic.message
                ),
            ]);
        }
        start = end;
    }
    marked.strip_prefix(before).unwrap_or(&marked).to_owned()
}
