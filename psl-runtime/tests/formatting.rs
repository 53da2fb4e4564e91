//! Formatting changes neither what a program compiles to nor its comments, and formatting twice changes nothing.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

mod common;

use common::{files, random::Random, scattered::scattered, text};
use psl_runtime::{compile, qkvl};
use psl_syntax::{Checked, check, diagnostic::Edit, format};

const PROGRAMS: u64 = 3_000;

/// What a text compiles to, labels included.
fn compiled(text: &str) -> qkvl::Program {
    let checked = check(text);
    assert!(checked.compiles(), "{:?}\n{text}", checked.diagnostics);
    compile(&checked.analysis.program)
}

/// A text's comments, as they are written once formatted.
fn comments(text: &str) -> Vec<String> {
    let Checked { tree, .. } = check(text);
    let comments = tree.tokens.comments.iter().map(|&comment| tree.str(comment).trim_end());
    let directive = |comment: &str| comment.strip_prefix("#@").map(|rest| format!("//@{rest}"));
    comments.map(|comment| directive(comment).unwrap_or_else(|| comment.to_owned())).collect()
}

/// Formats a text, and looks at what it must keep. Returns the new text.
fn keeps_all(text: &str, random: &mut Random) -> String {
    let formatted = format(text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    let new = &formatted.text;
    let shown = || format!("\n{text}\n==== {text:?}\n====\n{new}");
    let again = format(new).unwrap_or_else(|errors| panic!("{errors:?}{}", shown()));
    assert_eq!(again.edits, [], "{}", shown());
    assert_eq!(compiled(new), compiled(text), "{}", shown());
    assert_eq!(comments(new), comments(text), "{}", shown());
    for line in new.lines() {
        assert!(line.trim_end() == line && !line.contains('\r'), "{line:?}{}", shown());
    }
    assert!(!new.contains("\n\n\n") && !new.starts_with('\n') && !new.ends_with("\n\n"), "{}", shown());

    let some: Vec<Edit> = formatted.edits.into_iter().filter(|_| random.percent(50)).collect();
    let partly = Edit::apply(&some, text);
    assert_eq!(compiled(&partly), compiled(text), "{some:?}{}", shown());
    assert_eq!(comments(&partly), comments(text), "{some:?}{}", shown());
    formatted.text
}

#[test]
fn random_programs_in_random_layout() {
    let programs = std::env::var("PSL_PROGRAMS").map_or(PROGRAMS, |count| count.parse().unwrap());
    for seed in 0..programs {
        let mut random = Random::new(seed);
        let program = random.program();
        let text = scattered(&mut random, &program);
        keeps_all(&text, &mut random);
    }
}

#[test]
fn the_programs_of_the_repository() {
    let mut random = Random::new(0);
    for path in [files("programs", ".psl"), files("golden/programs", ".psl")].concat() {
        let text = std::fs::read_to_string(&path).unwrap();
        let new = keeps_all(&text, &mut random);
        assert_eq!(keeps_all(&text.replace('\n', "\r\n"), &mut random), new.replace('\n', "\r\n"));
    }
}

#[test]
fn pargen_stays_as_it_is() {
    let text = text("programs/pargen.psl");
    assert_eq!(format(&text).unwrap().text, text);
}
