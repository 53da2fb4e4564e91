//! Programs for which a refactoring is offered, and programs whose effect it would change.

use psl_syntax::{
    Span, check,
    refactor::{extract_guard, into_list},
};

const DECLARATIONS: &str = "\
registers: {symbol: 's', position: 'p', mark: 'm', copy: 'c'}
constants: {A, B, C}
system: {symbol: symbol, position: position, output: mark}
";

/// Checks whether two productions can be merged, and how many guards can be extracted.
fn offered(productions: &str, merged: bool, guards: usize) {
    let text = format!("{DECLARATIONS}{productions}");
    let checked = check(&text);
    assert!(checked.compiles(), "{:?}", checked.diagnostics);
    let cursor = Span::new(DECLARATIONS.len() as u32, DECLARATIONS.len() as u32);
    assert_eq!(into_list(&checked, cursor).is_some(), merged, "{productions}");
    assert_eq!(extract_guard(&checked, cursor).len(), guards, "{productions}");
}

#[test]
fn merging() {
    let pair = |first: &str, second: &str, assignment: &str| {
        format!("where {first}:\n    {assignment}\nwhere {second}:\n    {assignment}\n")
    };
    offered(&pair("symbol[N] == A", "symbol[N] == B", "mark[N] = C"), true, 0);
    offered(&pair("symbol[N] in [A, C]", "symbol[N] == B", "mark[N] = position[N]"), true, 0);
    offered(&pair("symbol[n] == A", "symbol[n] == B", "mark[N] = C"), true, 0);
    // Each cell n gives a different value, and the second one wins.
    offered(&pair("symbol[n] == A", "symbol[n] == B", "mark[N] = position[n]"), false, 0);
    // The second one reads what the first one writes.
    offered(&pair("mark[N] == A", "mark[N] == B", "mark[N] = B"), false, 0);
    offered(&pair("symbol[N] == A and mark[n] == C", "symbol[N] == B and mark[n] == C", "mark[N] = C"), false, 0);
    offered(&pair("symbol[N] != A", "symbol[N] != B", "mark[N] = C"), false, 0);
    offered(&pair("symbol[N] == A", "copy[N] == B", "mark[N] = C"), false, 0);
    let attention =
        "where symbol[N] == A:\n    mark[N] = C\ncausal_attn: true\nwhere symbol[N] == B:\n    mark[N] = C\n";
    offered(attention, false, 0);
    let rightmost = "where symbol[n] == A:\n    mark[N] = C\nwhere_rm symbol[n] == B:\n    mark[N] = C\n";
    offered(rightmost, false, 0);
}

#[test]
fn extracting() {
    let pair = |first: &str, assignment: &str, second: &str| {
        format!("where {first}:\n    {assignment}\nwhere {second}:\n    copy[N] = A\n")
    };
    let guard = "symbol[N] == A and copy[N] != B";
    offered(&pair(guard, "mark[N] = A", &format!("{guard} and mark[n] == C")), false, 1);
    let on_n = "symbol[n] == A and copy[n] != B";
    offered(&pair(on_n, "mark[N] = A", &format!("{on_n} and mark[N] == C")), false, 1);
    offered(&pair(guard, "copy[N] = A", &format!("{guard} and mark[N] == C")), false, 0);
    offered(&pair("symbol[N] == A", "mark[N] = A", guard), false, 0);
}
