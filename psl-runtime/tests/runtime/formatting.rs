//! Formatting changes neither the compiled program nor the comments, and formatting twice changes nothing.

use std::collections::{BTreeMap, BTreeSet};

use psl_runtime::{compile, qkvl};
use psl_syntax::{
    Checked, Code, Diagnostic, Levels, Span, apply_levels, check,
    diagnostic::Edit,
    format,
    token::{Kind, tokenize},
};

use crate::common::{cases, files, random::Random, scattered::scattered, text};

/// The compiled program, labels included. Productions with errors are left out.
fn compiled(text: &str) -> qkvl::Program {
    compile(&check(text).analysis.program)
}

/// The tokens that formatting neither adds nor removes.
fn tokens(text: &str) -> Vec<String> {
    let tokens = tokenize(text).code.into_iter().filter(|token| !matches!(token.kind, Kind::Colon | Kind::Comma));
    tokens.map(|token| token.span.of(text).to_owned()).collect()
}

/// A text's comments, as formatting writes them.
fn comments(text: &str) -> Vec<String> {
    let Checked { tree, .. } = check(text);
    let comments = tree.tokens.comments.iter().map(|&comment| tree.str(comment).trim_end());
    let directive = |comment: &str| comment.strip_prefix("#@").map(|rest| format!("//@{rest}"));
    comments.map(|comment| directive(comment).unwrap_or_else(|| comment.to_owned())).collect()
}

/// Puts a warning of each kind on every token and directive. Returns the warnings that no allow accepts, and the allows
/// that accept none.
fn left(text: &str) -> BTreeSet<(&'static str, String)> {
    let tree = check(text).tree;
    let code = tree.tokens.code.iter().filter(|token| !matches!(token.kind, Kind::Colon | Kind::Comma));
    let places = code.map(|token| token.span).zip(0..).map(|(span, index)| (span, format!("token {index}")));
    let comments = tree.tokens.comments.iter().zip(0..).map(|(&span, index)| (span, format!("comment {index}")));
    let places: BTreeMap<u32, String> = places.chain(comments).map(|(span, place)| (span.start, place)).collect();
    let warnings = places.keys().flat_map(|&start| {
        let at = Span::new(start, start);
        [Code::NonCausal, Code::NeverRead, Code::UnknownDirective].map(|code| Diagnostic::new(code, at, ""))
    });
    let shown = apply_levels(&tree, warnings.collect(), &[], &Levels::default());
    let place = |found: &Diagnostic| places.range(..=found.span.start).next_back().unwrap().1.clone();
    shown.iter().map(|found| (found.code.as_str(), place(found))).collect()
}

/// The diagnostics of a text that are not allowed, except those that formatting fixes.
fn findings(text: &str) -> Vec<(&'static str, String)> {
    let Checked { tree, mut diagnostics, .. } = check(text);
    diagnostics.retain(|found| found.code != Code::UnindentedAssignment);
    let shown = apply_levels(&tree, diagnostics, &[Code::UnindentedAssignment], &Levels::default());
    let mut findings: Vec<_> = shown.into_iter().map(|found| (found.code.as_str(), found.message)).collect();
    findings.sort();
    findings
}

/// Formats a text and checks the properties that formatting preserves. Returns the new text.
fn keeps_all(text: &str, random: &mut Random) -> String {
    let formatted = format(text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    let new = &formatted.text;
    let shown = || format!("\n{text}\n==== {text:?}\n====\n{new}");
    let again = format(new).unwrap_or_else(|errors| panic!("{errors:?}{}", shown()));
    assert_eq!(again.edits, [], "{}", shown());
    assert_eq!(compiled(new), compiled(text), "{}", shown());
    assert_eq!(comments(new), comments(text), "{}", shown());
    assert_eq!(tokens(new), tokens(text), "{}", shown());
    assert_eq!(left(new), left(text), "{}", shown());
    if random.percent(20) {
        assert_eq!(findings(new), findings(text), "{}", shown());
    }
    for line in new.lines() {
        assert!(line.trim_end() == line && !line.contains('\r'), "{line:?}{}", shown());
    }
    assert!(!new.contains("\n\n\n") && !new.starts_with('\n') && !new.ends_with("\n\n"), "{}", shown());

    let some: Vec<Edit> = formatted.edits.into_iter().filter(|_| random.percent(50)).collect();
    let partly = Edit::apply(&some, text).unwrap();
    assert_eq!(compiled(&partly), compiled(text), "{some:?}{}", shown());
    assert_eq!(comments(&partly), comments(text), "{some:?}{}", shown());
    formatted.text
}

#[test]
fn random_programs_in_random_layout() {
    for seed in 0..cases(500) {
        let mut random = Random::new(seed);
        let program = random.program();
        let text = scattered(&mut random, &program);
        let checked = check(&text);
        assert!(checked.compiles(), "{:?}\n{text}", checked.diagnostics);
        keeps_all(&text, &mut random);
    }
}

#[test]
fn programs_with_a_changed_token() {
    let mut sound = 0;
    for seed in 0..cases(500) {
        let mut random = Random::new(seed);
        let program = random.program();
        let mut text = scattered(&mut random, &program);
        let code = tokenize(&text).code;
        let [from, to] = [(); 2].map(|()| random.choose(&code).span.range());
        let token = text[from].to_owned();
        match random.below(3) {
            0 => text.replace_range(to, ""),
            1 => text.insert_str(to.start, &format!(" {token} ")),
            _ => text.replace_range(to, &format!(" {token} ")),
        }
        if format(&text).is_ok() {
            keeps_all(&text, &mut random);
            sound += 1;
        }
    }
    assert!(sound > cases(500) / 20, "{sound} of the programs are still sound");
}

#[test]
fn the_programs_of_the_repository() {
    let mut random = Random::new(0);
    for path in [
        files("../examples", ".psl"),
        files("programs", ".psl"),
        files("defects", ".psl"),
        files("golden/programs", ".psl"),
    ]
    .concat()
    {
        let text = std::fs::read_to_string(&path).unwrap();
        let new = keeps_all(&text, &mut random);
        assert_eq!(keeps_all(&text.replace('\n', "\r\n"), &mut random), new.replace('\n', "\r\n"));
    }
}

#[test]
fn pargen_is_formatted() {
    let text = text("../examples/pargen.psl");
    assert_eq!(format(&text).unwrap().text, text);
}
