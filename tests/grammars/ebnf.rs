//! The EBNF grammar, `grammars/psl.ebnf`, generates exactly the texts that psl accepts.

use std::env;

use psl_syntax::{
    Code, analyze, parse,
    token::{Kind, tokenize},
};
use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng, seq::IndexedRandom};

use crate::{
    notation::{Expression, read},
    programs::programs,
    recognizer::Recognizer,
    sentences::Sentences,
    texts::in_form,
};

/// The number of random texts: `CASES` in the environment, or the default.
fn cases(default: u64) -> u64 {
    env::var("CASES").map_or(default, |cases| cases.parse().expect("a number"))
}

fn grammar() -> Recognizer {
    Recognizer::new(read(include_str!("../../grammars/psl.ebnf")))
}

/// The diagnostics for texts that the grammar does not generate.
const FORM: [Code; 9] = [
    Code::Syntax,
    Code::AssignToN,
    Code::EmptyProduction,
    Code::EmptyRepeat,
    Code::FunctionOnLeft,
    Code::LateDeclaration,
    Code::RegisterInList,
    Code::UnknownFunction,
    Code::UnknownRole,
];

/// Messages of psl for texts that the grammar generates. The grammar states these restrictions only in comments.
const ONLY_PSL: [&str; 1] = ["duplicate role"];

/// The messages of psl about the form of a text.
fn faults(text: &str) -> Vec<String> {
    let parsed = parse(text);
    let analysis = analyze(&parsed.tree);
    let all = parsed.diagnostics.into_iter().chain(analysis.diagnostics);
    let messages = all.filter(|found| FORM.contains(&found.code)).map(|found| found.message);
    messages.filter(|message| !ONLY_PSL.iter().any(|part| message.contains(part))).collect()
}

/// Replaces keywords that psl reads as names, as in `where watch[N] == A`. The grammar mentions these only in a
/// comment.
fn plainly_named(grammar: &Recognizer, text: &str) -> String {
    let keyword = Expression::Rule("KEYWORD".to_owned());
    let mut plain = text.to_owned();
    for token in tokenize(text).code.iter().rev() {
        if token.kind == Kind::Name && grammar.covers(&keyword, token.span.of(text)) {
            plain.replace_range(token.span.start as usize..token.span.end as usize, "name");
        }
    }
    plain
}

#[test]
fn the_grammar_accepts_the_programs_that_psl_accepts() {
    let grammar = grammar();
    let (mut sound, mut broken) = (0, 0);
    for (path, text) in programs() {
        let faults = faults(&text);
        match grammar.recognize(&plainly_named(&grammar, &text)) {
            Ok(()) => assert!(faults.is_empty(), "{path} is accepted, but psl reports {faults:?}"),
            Err(line) => assert!(!faults.is_empty(), "{path}:{line} is not accepted"),
        }
        if faults.is_empty() { sound += 1 } else { broken += 1 }
    }
    assert!(sound > 150 && broken > 40, "expected more programs, found {sound} valid and {broken} broken ones");
}

#[test]
fn every_rule_is_used() {
    let text = include_str!("../../grammars/psl.ebnf").replace("/*", "*/");
    let rules = text.split("*/").step_by(2).collect::<String>();
    let words: Vec<_> = rules.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let once = |name: &&String| words.iter().filter(|word| *word == name).count() == 1;
    let grammar = grammar();
    let unused: Vec<_> = grammar.rules().keys().filter(once).collect();
    assert_eq!(unused, ["BETWEEN", "program"]);
}

#[test]
fn psl_accepts_random_programs() {
    let grammar = grammar();
    for seed in 0..cases(500) {
        let mut sentences = Sentences::new(&grammar, ChaCha8Rng::seed_from_u64(seed));
        let tokens = sentences.program();
        let text = sentences.text(&tokens);
        let faults = faults(&text);
        assert!(faults.is_empty(), "seed {seed}: {faults:?}\n{text}");
        assert_eq!(grammar.recognize(&text), Ok(()), "seed {seed}:\n{text}");
    }
}

#[test]
fn psl_accepts_random_directives() {
    const START: [char; 5] = ['/', '#', '@', ' ', '\t'];
    let grammar = grammar();
    let mut laws = 0;
    for seed in 0..cases(500) {
        let mut text = Sentences::new(&grammar, ChaCha8Rng::seed_from_u64(seed)).word("DIRECTIVE");
        let is_law = grammar.covers(&Expression::Rule("LAW".to_owned()), text.trim_start_matches(START).trim_end());
        if is_law && let Some(quote) = text.find(['"', '\'']) {
            text.insert_str(quote + 1, "$x ");
            laws += 1;
        }
        let found = parse(&text).diagnostics;
        assert!(
            found.is_empty() || text.contains("row") && !in_form(&text, &found).is_empty(),
            "seed {seed}: {found:?}\n{text}"
        );
    }
    assert!(laws > 0, "no law is among the directives");
}

#[test]
fn the_grammar_accepts_the_directives_that_psl_accepts() {
    let grammar = grammar();
    let (mut sound, mut broken) = (0, 0);
    for (path, text) in programs() {
        for comment in tokenize(&text).comments.iter().map(|comment| comment.of(&text)) {
            if ["//@", "#@"].iter().any(|start| comment.starts_with(start)) {
                let found = parse(comment).diagnostics;
                let read = found.is_empty() || !in_form(comment, &found).is_empty();
                let recognized = grammar.covers(&Expression::Rule("DIRECTIVE".to_owned()), comment);
                assert_eq!(recognized, read, "{path}: {comment}");
                if read { sound += 1 } else { broken += 1 }
            }
        }
    }
    assert!(sound > 50 && broken > 15, "expected more directives, found {sound} valid and {broken} broken ones");
}

/// The characters inserted by a random mistake.
const CHARACTERS: [char; 20] =
    ['-', '.', '\'', '"', '\\', '#', '/', '@', '=', '!', ':', ',', '(', ')', '[', '}', '_', '0', '?', '\u{feff}'];

/// The mistake: a token removed, doubled or replaced by another, or a character inserted.
#[test]
fn psl_and_the_grammar_agree_on_programs_with_a_mistake() {
    let grammar = grammar();
    for seed in 0..cases(600) {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut sentences = Sentences::new(&grammar, ChaCha8Rng::seed_from_u64(seed));
        let mut tokens = sentences.program();
        if tokens.is_empty() {
            continue;
        }
        let (at, other) = (random.random_range(0..tokens.len()), random.random_range(0..tokens.len()));
        let mistake = random.random_range(0..5);
        match mistake {
            0 => drop(tokens.remove(at)),
            1 => tokens.insert(at, tokens[at].clone()),
            2 => tokens[at] = tokens[other].clone(),
            _ => {}
        }
        let mut text = sentences.text(&tokens);
        let character = *CHARACTERS.choose(&mut random).expect("a character");
        match mistake {
            3 => text.insert(0, character),
            4 => text.insert(text.floor_char_boundary(random.random_range(0..text.len())), character),
            _ => {}
        }
        let recognized = grammar.recognize(&plainly_named(&grammar, &text));
        let faults = faults(&text);
        assert_eq!(recognized.is_ok(), faults.is_empty(), "seed {seed}: {recognized:?} {faults:?}\n{text}");
    }
}
