//! The rules of the grammar on the pages of the book are those of `grammars/psl.ebnf`.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use ignore::Walk;

use crate::notation::{Rules, read};

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs")
}

fn grammar() -> Rules {
    read(include_str!("../../grammars/psl.ebnf"))
}

/// The rules in the blocks of the pages in a folder, each block with its page and line.
fn quoted(folder: &Path) -> Vec<(String, Rules)> {
    let mut blocks = Vec::new();
    for entry in Walk::new(folder) {
        let entry = entry.expect("an entry");
        if entry.path().extension().is_none_or(|extension| extension != "md") {
            continue;
        }
        let page = fs::read_to_string(entry.path()).expect("a page");
        let mut before = 1;
        for (index, part) in page.split("```ebnf\n").enumerate() {
            if index > 0 {
                let (block, _) = part.split_once("```").expect("the end of a block");
                blocks.push((format!("{}:{before}", entry.path().display()), read(block)));
            }
            before += part.lines().count() + usize::from(index > 0);
        }
    }
    blocks
}

#[test]
fn quoted_rules_are_those_of_the_grammar() {
    let grammar = grammar();
    let mut count = 0;
    for (place, rules) in quoted(&docs()) {
        assert!(!rules.is_empty(), "{place}: there is no rule");
        for (name, rule) in rules {
            let expected = grammar.get(&name).unwrap_or_else(|| panic!("{place}: unknown rule {name}"));
            assert_eq!(&rule, expected, "{place}: {name}");
            count += 1;
        }
    }
    assert!(count >= grammar.len(), "{count} rules");
}

#[test]
fn the_reference_quotes_each_rule_once() {
    let mut seen = BTreeSet::new();
    for (place, rules) in quoted(&docs().join("reference")) {
        for (name, _) in rules {
            assert!(seen.insert(name.clone()), "{place}: {name} is on an earlier page too");
        }
    }
    assert_eq!(seen, grammar().into_keys().collect());
}
