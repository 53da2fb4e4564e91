//! Nested function evaluation data: `psl nfe` accepts the data that it generates, and finds every damage that changes
//! the meaning of a line.

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    fs,
};

use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng, seq::IndexedRandom};
use serde_json::{Value, json};

use crate::{
    binary::{code, err, folder, out, psl, psl_in, psl_with, repository},
    cases::golden,
};

const DEPTHS: [&str; 8] = ["1", "2", "3", "4", "5", "6", "7", "8"];

/// The symbols with a fixed use.
const RESERVED: [&str; 6] = ["(", ")", ",", "->", ";", "."];

/// The example of the paper (89).
const PAPER: &str = "swap ( x , y ) -> y x ; twice ( x ) -> x x ; swap ( twice ( a b ) , swap ( c , d ) ) ->";
const PAPER_GOLD: &str =
    "swap ( twice ( a b ) -> a b a b , swap ( c , d ) -> d c ) -> swap ( a b a b , d c ) -> d c a b a b .";

fn made(args: &[&str]) -> String {
    let output = psl(&[&["nfe"], args].concat());
    assert_eq!(code(&output), 0, "{args:?}: {}", err(&output));
    out(&output)
}

/// Checks the one violation that `psl nfe --check` finds in a line.
fn check(line: &str, expected: &str) {
    let output = psl_with(&["nfe", "--check", "-"], line.as_bytes());
    assert_eq!((code(&output), out(&output)), (1, format!("<stdin>:1: {expected}\n")), "{line}");
}

fn check_prompt(prompt: &str, expected: &str) {
    check(&format!("{prompt}\ta ."), expected);
}

/// Checks a gold for `f ( x ) -> x x ; f ( f ( a ) ) ->`.
fn check_gold(gold: &str, expected: &str) {
    check(&format!("f ( x ) -> x x ; f ( f ( a ) ) ->\t{gold}"), expected);
}

/// An expression as a tree.
enum Tree {
    Symbols(Vec<String>),
    Call(String, Vec<Tree>),
}

type Functions = HashMap<String, Function>;

struct Function {
    parameters: Vec<String>,
    body: Vec<String>,
}

/// Parses the parts of a list, `( part , part )`, and leaves what follows.
fn list<T>(rest: &mut &[String], part: impl Fn(&mut &[String]) -> Option<T>) -> Option<Vec<T>> {
    let (mut parts, mut before) = (Vec::new(), "(");
    while rest.first()? == before {
        *rest = &rest[1..];
        parts.push(part(rest)?);
        before = ",";
    }
    let closed = !parts.is_empty() && rest.first()? == ")";
    *rest = rest.get(1..)?;
    closed.then_some(parts)
}

/// Parses symbols up to a reserved one.
fn symbols(rest: &mut &[String]) -> Option<Vec<String>> {
    let length = rest.iter().take_while(|symbol| !RESERVED.contains(&symbol.as_str())).count();
    let (symbols, after) = rest.split_at(length);
    *rest = after;
    (length > 0).then(|| symbols.to_vec())
}

fn one(symbols: Vec<String>) -> Option<String> {
    <[String; 1]>::try_from(symbols).ok().map(|[symbol]| symbol)
}

fn definition(mut rest: &[String]) -> Option<(String, Function)> {
    let name = one(symbols(&mut rest)?)?;
    let parameters = list(&mut rest, symbols)?.into_iter().map(one).collect::<Option<Vec<_>>>()?;
    let distinct = parameters.iter().collect::<HashSet<_>>().len() == parameters.len();
    let (arrow, mut rest) = rest.split_first()?;
    let body = symbols(&mut rest)?;
    let valid = arrow == "->" && rest.is_empty() && distinct && parameters.len() <= 3;
    valid.then_some((name, Function { parameters, body }))
}

fn tree(rest: &mut &[String], functions: &Functions) -> Option<Tree> {
    let mut words = symbols(rest)?;
    if rest.first().is_none_or(|symbol| symbol != "(") {
        return Some(Tree::Symbols(words));
    }
    let name = words.pop().filter(|_| words.is_empty())?;
    let function = functions.get(&name)?;
    let arguments = list(rest, |rest| tree(rest, functions))?;
    (arguments.len() == function.parameters.len()).then_some(Tree::Call(name, arguments))
}

impl Tree {
    fn depth(&self) -> usize {
        match self {
            Self::Symbols(_) => 0,
            Self::Call(_, arguments) => 1 + arguments.iter().map(Self::depth).max().unwrap_or(0),
        }
    }

    /// One round of copy and eval: its text and its result.
    fn round(self, functions: &Functions) -> (String, Self) {
        match self {
            Self::Symbols(symbols) => (symbols.join(" "), Self::Symbols(symbols)),
            Self::Call(name, arguments) => {
                let depth = arguments.iter().map(Self::depth).max();
                let (texts, arguments): (Vec<_>, Vec<_>) =
                    arguments.into_iter().map(|argument| argument.round(functions)).unzip();
                let text = format!("{name} ( {} )", texts.join(" , "));
                if depth != Some(0) {
                    return (text, Self::Call(name, arguments));
                }
                let Function { parameters, body } = &functions[&name];
                let values: HashMap<&String, &String> = parameters.iter().zip(&texts).collect();
                let value = body.iter().map(|symbol| values.get(symbol).copied().unwrap_or(symbol).as_str());
                let value = value.collect::<Vec<_>>().join(" ");
                (format!("{text} -> {value}"), Self::Symbols(value.split(' ').map(str::to_owned).collect()))
            }
        }
    }
}

/// The functions and the expression of a prompt, or `None` if it is invalid.
fn parse(prompt: &str) -> Option<(Functions, Tree)> {
    let mut parts: Vec<Vec<String>> =
        prompt.strip_suffix(" ->")?.split(" ; ").map(|part| part.split(' ').map(str::to_owned).collect()).collect();
    let expression = parts.pop()?;
    let mut functions = Functions::new();
    for part in &parts {
        let (name, function) = definition(part)?;
        functions.insert(name, function).map_or(Some(()), |_| None)?;
    }
    let mut rest = expression.as_slice();
    let tree = tree(&mut rest, &functions)?;
    (rest.is_empty() && tree.depth() > 0).then_some((functions, tree))
}

/// The gold of a prompt, or `None` if it is invalid.
fn gold(prompt: &str) -> Option<String> {
    let (functions, mut tree) = parse(prompt)?;
    let mut rounds = Vec::new();
    while tree.depth() > 0 {
        let (text, next) = tree.round(&functions);
        rounds.push(text);
        tree = next;
    }
    Some(format!("{} .", rounds.join(" -> ")))
}

fn columns(line: &str) -> (&str, &str) {
    let mut columns = line.split('\t');
    (columns.next().expect("a prompt"), columns.next().expect("a gold"))
}

/// The numbers of the lines that `psl nfe --check` refuses.
fn refused(lines: &[String]) -> HashSet<usize> {
    let output = psl_with(&["nfe", "--check", "-"], lines.join("\n").as_bytes());
    let found = out(&output);
    assert_eq!(err(&output), format!("{} lines checked: {} wrong\n", lines.len(), found.lines().count()));
    found.lines().map(|line| line.split(':').nth(1).and_then(|number| number.parse().ok()).expect("a number")).collect()
}

#[test]
fn the_evaluator_of_these_tests_evaluates_the_paper() {
    assert_eq!(gold(PAPER).as_deref(), Some(PAPER_GOLD));
}

#[test]
fn generated_data_is_valid() {
    for depth in DEPTHS {
        for seed in ["0", "1", "2", "3", "18446744073709551615"] {
            let data = made(&["--depth", depth, "--seed", seed, "--count", "60"]);
            let output = psl_with(&["nfe", "--depth", depth, "--check", "-"], data.as_bytes());
            assert_eq!((code(&output), out(&output).as_str()), (0, ""), "depth {depth}, seed {seed}");
            assert_eq!(err(&output), "60 lines checked: 0 wrong\n");
            for line in data.lines() {
                let (prompt, found) = columns(line);
                assert_eq!(gold(prompt).as_deref(), Some(found), "{prompt}");
            }
        }
    }
}

#[test]
fn independent_data_is_valid() {
    let output = psl(&["nfe", "--check", "tests/tasks/nested_evaluation.tsv"]);
    assert_eq!((code(&output), err(&output).as_str()), (0, "150 lines checked: 0 wrong\n"), "{}", out(&output));
    let output = psl_with(&["nfe", "--depth", "2", "--check", "-"], format!("{PAPER}\t{PAPER_GOLD}\n").as_bytes());
    assert_eq!((code(&output), out(&output).as_str()), (0, ""));
}

#[test]
fn the_depth_is_the_depth_of_the_brackets() {
    for depth in DEPTHS {
        for line in made(&["--depth", depth, "--count", "200"]).lines() {
            let (prompt, gold) = columns(line);
            let expression = prompt.rsplit(';').next().expect("an expression");
            let (mut open, mut deepest) = (0, 0);
            for symbol in expression.split(' ') {
                open += i32::from(symbol == "(") - i32::from(symbol == ")");
                deepest = deepest.max(open);
            }
            assert_eq!(deepest.to_string(), depth, "{line}");
            assert_eq!(prompt.matches(" ; ").count(), functions(line), "{line}");
            assert!(gold.split(' ').count() <= 300, "{line}");
        }
    }
}

/// The number of functions in the info of a line.
fn functions(line: &str) -> usize {
    let info: Value = serde_json::from_str(line.split('\t').nth(2).expect("an info")).expect("JSON");
    info["functions"].as_u64().and_then(|count| count.try_into().ok()).expect("a number")
}

#[test]
fn the_data_has_every_form() {
    let data = made(&["--depth", "3", "--count", "500"]);
    let (mut counts, mut arities, mut lengths) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let (mut literals, mut constant, mut dropped, mut repeated) = (0, 0, 0, 0);
    for line in data.lines() {
        counts.insert(functions(line));
        let (functions, _) = parse(columns(line).0).expect("a prompt");
        for Function { parameters, body } in functions.values() {
            arities.insert(parameters.len());
            lengths.insert(body.len());
            literals += usize::from(body.iter().any(|symbol| !parameters.contains(symbol)));
            constant += usize::from(body.iter().all(|symbol| !parameters.contains(symbol)));
            dropped += usize::from(parameters.iter().any(|parameter| !body.contains(parameter)));
            repeated += usize::from(body.iter().collect::<HashSet<_>>().len() < body.len());
        }
    }
    let three = BTreeSet::from([1, 2, 3]);
    assert_eq!((&counts, &arities, lengths), (&three, &three, BTreeSet::from([1, 2, 3, 4])));
    for (form, count) in [("literals", literals), ("dropped", dropped), ("repeated", repeated)] {
        assert!(count > 200, "{count} functions of about 1,000 have {form}");
    }
    assert!(constant > 20, "{constant} functions of about 1,000 have literals only");
}

/// Damages one symbol of a prompt or a gold at random.
fn damage(line: &str, random: &mut ChaCha8Rng) -> String {
    let (prompt, gold) = columns(line);
    let [mut prompt, mut gold] = [prompt, gold].map(|text| text.split(' ').collect::<Vec<_>>());
    let known: Vec<&str> = prompt.iter().chain(&gold).copied().chain(RESERVED).chain(["new"]).collect();
    let part = if random.random_ratio(1, 2) { &mut prompt } else { &mut gold };
    let at = random.random_range(0..part.len());
    match random.random_range(0..5) {
        0 => drop(part.remove(at)),
        1 => part.insert(at, part[at]),
        2 => part.insert(at, known.choose(random).expect("symbols")),
        3 if at + 1 < part.len() => part.swap(at, at + 1),
        _ => part[at] = known.choose(random).expect("symbols"),
    }
    format!("{}\t{}", prompt.join(" "), gold.join(" "))
}

#[test]
fn a_damaged_line_is_refused_unless_it_is_still_valid() {
    let mut random = ChaCha8Rng::seed_from_u64(0);
    let mut lines: Vec<String> = Vec::new();
    for depth in ["1", "2", "3"] {
        let data = made(&["--depth", depth, "--count", "100", "--seed", "2"]);
        lines.extend(data.lines().flat_map(|line| (0..30).map(|_| damage(line, &mut random)).collect::<Vec<_>>()));
    }
    let refused = refused(&lines);
    for (index, line) in lines.iter().enumerate() {
        let (prompt, found) = columns(line);
        let valid = gold(prompt).is_some_and(|gold| gold == found);
        assert_eq!(!refused.contains(&(index + 1)), valid, "{line}");
    }
    assert!(refused.len() > 8_000 && refused.len() < lines.len(), "{} of {}", refused.len(), lines.len());
}

#[test]
fn a_violation_of_the_form_is_named() {
    check(PAPER, "expected PROMPT<TAB>GOLD, found no tab");
    check_prompt("f ( x ) -> x ;  f ( a ) ->", "expected one space between symbols, and none at the ends");
    check("f ( x ) -> x ; f ( a ) ->\t", "expected one space between symbols, and none at the ends");
    check_prompt("f ( x ) -> x ; f ( a )", "expected `->` at the end of the prompt");
    check(&format!("{PAPER}\t{PAPER_GOLD}\tinfo"), "invalid JSON in the info: expected value at column 1");
    check(&format!("{PAPER}\t{PAPER_GOLD}\t{{\"depth\": 3}}"), "wrong info: `depth` is 2");
    check(&format!("{PAPER}\t{PAPER_GOLD}\t{{\"functions\": 1}}"), "wrong info: `functions` is 2");
    let output = psl_with(&["nfe", "--depth", "1", "--check", "-"], format!("{PAPER}\t{PAPER_GOLD}").as_bytes());
    assert_eq!(out(&output), "<stdin>:1: the expression has depth 2, expected 1\n");
}

#[test]
fn a_violation_in_a_definition_is_named() {
    check_prompt("f ( a ) ->", "missing `;` between the definitions and the expression");
    check_prompt("f ( x ) x ; f ( a ) ->", "missing `->` in definition 1");
    check_prompt("f ( x ) -> x ; ; f ( a ) ->", "missing `->` in definition 2");
    for left in ["( x )", "f x )", "f ( x", "f f ( x )", ""] {
        check_prompt(
            format!("{left} -> x ; f ( a ) ->").trim_start(),
            "expected `NAME ( PARAMETER , … ) ->` in definition 1",
        );
    }
    check_prompt(", ( x ) -> x ; f ( a ) ->", "expected a name at the start of definition 1, found `,`");
    check_prompt("f ( ) -> a ; f ( a ) ->", "parameter 1 of `f` has 0 symbols, expected 1");
    check_prompt("f ( x , ) -> x ; f ( a ) ->", "parameter 2 of `f` has 0 symbols, expected 1");
    check_prompt("f ( x y ) -> x ; f ( a ) ->", "parameter 1 of `f` has 2 symbols, expected 1");
    check_prompt("f ( ( ) -> x ; f ( a ) ->", "unexpected `(` in the parameters of `f`");
    check_prompt("f ( x , y , z , u ) -> x ; f ( a ) ->", "`f` has 4 parameters, expected 1 to 3");
    check_prompt("f ( x , y , x ) -> x ; f ( a ) ->", "duplicate parameter `x` of `f`");
    check_prompt("f ( x ) -> ; f ( a ) ->", "missing right side in the definition of `f`");
    check_prompt("f ( x ) -> f ( x ) ; f ( a ) ->", "call in the definition of `f`");
    check_prompt("f ( x ) -> x ) ; f ( a ) ->", "call in the definition of `f`");
    check_prompt("f ( x ) -> x , x ; f ( a ) ->", "unexpected `,` in the definition of `f`");
    check_prompt("f ( x ) -> x -> x ; f ( a ) ->", "unexpected `->` in the definition of `f`");
    check_prompt("f ( x ) -> x ; f ( y ) -> y ; f ( a ) ->", "duplicate definition of `f`");
}

#[test]
fn a_violation_in_the_expression_is_named() {
    let check = |expression: &str, expected: &str| {
        check_prompt(&format!("f ( x ) -> x ; g ( x , y ) -> x ; {expression} ->"), expected);
    };
    check_prompt("f ( x ) -> x ; ->", "missing expression");
    check("a b", "expected a call as the expression, found `a`");
    check("( a )", "expected a call as the expression, found `(`");
    check("f ( a ) b", "expected `->` after the expression, found `b`");
    check("f ( a ) f ( b )", "expected `->` after the expression, found `f`");
    check("f ( a ) )", "expected `->` after the expression, found `)`");
    check("h ( a )", "unknown function `h`");
    check("f ( h ( a ) )", "unknown function `h`");
    check("f ( a , b )", "`f` has 1 parameter, found 2 arguments");
    check("f ( g ( a ) )", "`g` has 2 parameters, found 1 argument");
    check("f ( )", "argument 1 of `f` is empty");
    check("g ( , a )", "argument 1 of `g` is empty");
    check("g ( a , f ( ) )", "argument 1 of `f` is empty");
    check("g ( a , )", "argument 2 of `g` is empty");
    check("f ( a f ( b ) )", "argument 1 of `f` is neither symbols nor one call");
    check("g ( a , f ( b ) a )", "argument 2 of `g` is neither symbols nor one call");
    check("f ( f ( a ) f ( b ) )", "argument 1 of `f` is neither symbols nor one call");
    check("f ( f ( a )", "missing `)` after the arguments of `f`");
    check("f ( ( a ) )", "missing name before `(` in the expression");
    check("f ( a -> b )", "unexpected `->` in the expression");
    check("f ( a . )", "unexpected `.` in the expression");
}

#[test]
fn a_wrong_gold_is_named() {
    check_gold("f ( a ) -> a a .", "symbol 3 of the gold is `a`, not `f`");
    check_gold("f ( f ( a ) -> a b ) -> f ( a a ) -> a a a a .", "symbol 9 of the gold is `b`, not `a`");
    check_gold("f ( f ( a ) ) -> f ( a a ) -> a a a a .", "symbol 7 of the gold is `)`, not `->`");
    check_gold("f ( f ( a ) -> a a ) -> f ( a a ) -> a a a .", "symbol 21 of the gold is `.`, not `a`");
    check_gold("f ( f ( a ) -> a a ) -> f ( a a ) -> a a a a", "symbol 22 of the gold, `.`, is missing");
    check_gold("f ( f ( a ) -> a a ) -> f ( a a ) -> a a a a . .", "symbol 23 of the gold, `.`, is unexpected");
}

#[test]
fn a_parameter_is_replaced_by_the_argument_and_not_within_it() {
    let line = "f ( x , y ) -> y x f ; f ( y , x f ) ->\tf ( y , x f ) -> x f y f .";
    let output = psl_with(&["nfe", "--check", "-"], line.as_bytes());
    assert_eq!((code(&output), out(&output).as_str()), (0, ""));
}

#[test]
fn deep_calls_are_checked() {
    let (start, end) = ("f ( ".repeat(100_000), " )".repeat(100_000));
    check(&format!("f ( x ) -> x ; {start}a{end} ->\t{start}a ) -> b ."), "symbol 200004 of the gold is `b`, not `a`");
    check_prompt(&format!("f ( x ) -> x ; {start}a ->"), "missing `)` after the arguments of `f`");
}

#[test]
fn a_value_is_not_computed_beyond_the_first_difference() {
    let (body, argument) = ("x ".repeat(1_000_000), "a ".repeat(1_000_000));
    check(
        &format!("f ( x ) -> {body}; f ( {argument}) ->\tf ( {argument}) -> a b ."),
        "symbol 1000006 of the gold is `b`, not `a`",
    );
}

#[test]
fn json_is_written_and_checked() {
    let folder = folder(&[]);
    let run = |args: &str, input: &str| {
        let output = psl_in(folder.path(), &args.split(' ').collect::<Vec<_>>(), input.as_bytes());
        (code(&output), out(&output), err(&output))
    };
    assert_eq!(run("nfe --depth 3 --count 5 -o data.jsonl", ""), (0, String::new(), String::new()));
    let data = fs::read_to_string(folder.path().join("data.jsonl")).expect("data");
    let fine = (0, String::new(), "5 lines checked: 0 wrong\n".to_owned());
    assert_eq!(run("nfe --depth 3 --check data.jsonl", ""), fine);
    for (line, object) in made(&["--depth", "3", "--count", "5"]).lines().zip(data.lines()) {
        let (prompt, gold) = columns(line);
        let expected = json!({"prompt": prompt, "gold": gold, "info": {"depth": 3, "functions": functions(line)}});
        assert_eq!(serde_json::from_str::<Value>(object).expect("JSON"), expected);
    }
    let wrong = json!({"prompt": PAPER, "gold": PAPER_GOLD, "info": {"depth": 1}}).to_string();
    let found = run("nfe --format jsonl --check -", &wrong);
    assert_eq!((found.0, found.1.as_str()), (1, "<stdin>:1: wrong info: `depth` is 2\n"));
}

#[test]
fn the_same_arguments_always_give_the_same_lines() {
    let made = DEPTHS.map(|depth| made(&["--depth", depth, "--count", "4", "--seed", "1"])).concat();
    golden::compare(&repository().join("tests/nfe/pinned.tsv"), &made).unwrap_or_else(|problem| panic!("{problem}"));
}

#[test]
fn seeds_and_depths_differ() {
    let mut prompts = HashSet::new();
    for depth in DEPTHS {
        for seed in ["1", "2"] {
            let data = made(&["--depth", depth, "--count", "50", "--seed", seed]);
            prompts.extend(data.lines().map(|line| columns(line).0.to_owned()));
        }
    }
    assert!(prompts.len() > 790, "{} different prompts of 800", prompts.len());
    assert_eq!(made(&["--seed", "1"]), made(&["--depth", "2", "--seed", "1"]), "the depth of the paper's example");
}

#[test]
fn errors_of_usage_are_reported() {
    for (args, expected) in [
        (&["--depth", "0"][..], "0 is not in 1..=8"),
        (&["--depth", "9"], "9 is not in 1..=8"),
        (&["--check", "-"], "<stdin> has no lines to check"),
        (&["--check", "-", "--count", "1"], "cannot be used with"),
        (&["--check", "-", "--output", "out.tsv"], "cannot be used with"),
        (&["--format", "csv"], "[possible values: tsv, jsonl]"),
    ] {
        let output = psl(&[&["nfe"], args].concat());
        assert_eq!((code(&output), out(&output).as_str()), (2, ""), "{args:?}");
        assert!(err(&output).contains(expected), "{args:?}: {}", err(&output));
    }
}
