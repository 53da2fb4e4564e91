//! The single changes of a program.

#![allow(clippy::expect_used, clippy::unwrap_used)]

use std::{collections::BTreeSet, fs, path::Path};

use psl_search::{Change, Operator, changes};
use psl_syntax::{parse, read};

/// Compares the sentences of the changes of a production, after declarations, with the lines of `expected`.
fn check(production: &str, expected: &str) {
    let text = format!(
        "registers: {{symbol: 's', mark: 'm'}}\nconstants: {{A, B}}\nsystem: {{symbol: symbol, output: mark}}\n{production}"
    );
    let found = changes(&read(text));
    let found: Vec<&str> = found.iter().map(|change| change.description.as_str()).collect();
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(found, expected);
}

#[test]
fn conditions_and_assignments() {
    check(
        "where symbol[n] == A and mark[N] != B: mark[N] = symbol[n]",
        "
        Attend to the rightmost of the matching cells
        Replace `symbol` with `mark`
        Leave out the condition `symbol[n] == A`
        Replace `n` with `N`
        Replace `==` with `!=`
        Replace `A` with `B`
        Replace `mark` with `symbol`
        Leave out the condition `mark[N] != B`
        Replace `N` with `n`
        Replace `!=` with `==`
        Replace `B` with `A`
        Replace `mark` with `symbol`
        Replace `symbol` with `mark`
        Replace `n` with `N`
        Add `@pos_increment` to `symbol[n]`
        Add `@pos_decrement` to `symbol[n]`
        ",
    );
}

#[test]
fn lists() {
    check(
        "where symbol[N] in [A, B]: mark[N] = A",
        "
        Attend to the rightmost of the matching cells
        Replace `symbol` with `mark`
        Replace `N` with `n`
        Replace `in` with `not in`
        Replace `A` with `B`
        Leave `A` out of the list
        Leave `B` out of the list
        Replace `B` with `A`
        Replace `mark` with `symbol`
        Replace `A` with `B`
        ",
    );
}

#[test]
fn blocks() {
    check(
        "repeat: where symbol[N] == A: mark[N] = A until mark[N] == A and symbol[N] == B",
        "
        Attend to the rightmost of the matching cells
        Replace `symbol` with `mark`
        Replace `N` with `n`
        Replace `==` with `!=`
        Replace `A` with `B`
        Replace `mark` with `symbol`
        Replace `A` with `B`
        Replace `mark` with `symbol`
        Leave out the condition `mark[N] == A`
        Repeat until nothing changes
        Replace `N` with `n`
        Replace `==` with `!=`
        Replace `A` with `B`
        Replace `symbol` with `mark`
        Leave out the condition `symbol[N] == B`
        Replace `N` with `n`
        Replace `==` with `!=`
        Replace `B` with `A`
        ",
    );
}

#[test]
fn changed_examples_have_no_syntax_errors() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let mut operators = BTreeSet::new();
    for entry in fs::read_dir(examples).expect("the examples") {
        let path = entry.expect("an example").path();
        if path.extension().is_none_or(|extension| extension != "psl") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a program");
        let found = changes(&read(text.as_str()));
        let texts: BTreeSet<String> = found.iter().map(|change| change.apply(&text).expect("its text")).collect();
        assert_eq!(texts.len(), found.len(), "{}: two changes are the same", path.display());
        assert!(!texts.contains(&text), "{}: a change changes nothing", path.display());
        for change in found {
            let changed = change.apply(&text).unwrap();
            let tree = parse(&changed).tree;
            assert!(tree.sound, "{}: {change:?}", path.display());
            operators.insert(change.operator);
        }
    }
    // No example ends a block by conditions.
    operators.insert(Operator::Until);
    assert_eq!(operators, BTreeSet::from(Operator::ALL));
}

#[test]
fn a_program_with_syntax_errors_has_no_changes() {
    assert_eq!(changes(&read("where symbol[N] == : mark[N] = A")), Vec::<Change>::new());
}

/// Compares the productions after a change, given by the start of its sentence, with `after`.
fn check_applied(description: &str, before: &str, after: &str) {
    let declared = "registers: {symbol: 's'}\nconstants: {A, B}\n";
    let text = format!("{declared}{before}");
    let found = changes(&read(text.as_str()));
    let change = found.iter().find(|change| change.description.starts_with(description)).expect("the change");
    assert_eq!(change.apply(&text).expect("edits of the text"), format!("{declared}{after}"));
}

#[test]
fn comments_are_kept() {
    check_applied(
        "Leave out the production `where symbol[N] == A`",
        "# one\nwhere symbol[N] == A: # why\n    symbol[N] = B\nwhere symbol[N] == B:\n    symbol[N] = A\n",
        "# one\n# why\n\nwhere symbol[N] == B:\n    symbol[N] = A\n",
    );
    check_applied(
        "Leave out the condition `symbol[N] == A`",
        "where symbol[N] == A # why\n    and symbol[N] != B:\n    symbol[N] = B\n",
        "where # why\n    symbol[N] != B:\n    symbol[N] = B\n",
    );
    check_applied(
        "Swap",
        "# one\nwhere symbol[N] == A:\n    symbol[N] = B # 1\nwhere symbol[N] == B:\n    symbol[N] = A\n",
        "where symbol[N] == B:\n    symbol[N] = A\n# one\nwhere symbol[N] == A:\n    symbol[N] = B # 1\n",
    );
    check_applied(
        "Swap",
        "where symbol[N] == A: symbol[N] = B where symbol[N] == B: symbol[N] = A # both\n",
        "where symbol[N] == B: symbol[N] = A where symbol[N] == A: symbol[N] = B # both\n",
    );
}
