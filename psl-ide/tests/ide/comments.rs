//! No edit that psl offers loses a comment: programs with slips and with comments and line ends between all tokens, and
//! every fix, refactoring, repair and filling of each.
//!
//! `CASES=n` tries n programs (default: 500), and `SEED=n` sets the first seed.

use std::{
    collections::{BTreeMap, HashSet},
    env, fs,
    ops::Range,
    path::{Path, PathBuf},
    sync::Arc,
};

use psl_ide::{ActionKind, WantedActions, code_actions};
use psl_program::{File, RunHistory};
use psl_search::{Operator, candidates, changes};
use psl_syntax::{
    Checked, Diagnostic, Span, check, declare,
    diagnostic::{DeclaringFix, Edit, Fix},
    fix, format,
    holes::holes,
    refactor::{extract_guard, into_list, split_same_cell},
    token::{Kind, tokenize},
};
use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng, seq::IndexedRandom};

/// Slips: tokens, and those in their place.
const SLIPS: [(&[&str], &[&str]); 30] = [
    (&["=="], &["="]),
    (&["=="], &["==="]),
    (&["=="], &["is"]),
    (&["=="], &["not", "=="]),
    (&["!="], &["<", ">"]),
    (&["="], &["=="]),
    (&["="], &[":", "="]),
    (&["and"], &["&&"]),
    (&["and"], &[","]),
    (&["and"], &["and", "and"]),
    (&["and"], &["or"]),
    (&["and"], &["or", "then"]),
    (&["]", ":"], &["]", "then"]),
    (&[":"], &["then", ":"]),
    (&[":"], &["{"]),
    (&[":"], &["and", ":"]),
    (&["where"], &["if"]),
    (&["where"], &["where", "not"]),
    (&["where"], &["where", "!"]),
    (&["where"], &["end", "where"]),
    (&["[", "N", "]"], &[]),
    (&["N"], &["N", "-", "1"]),
    (&["[", "N", "]", "="], &["[", "N", "]", "+", "="]),
    (&["]"], &["]", "and"]),
    (&["]"], &["]", ","]),
    (&["]"], &["]", ";"]),
    (&["]"], &["]", "+", "1"]),
    (&["in", "["], &["in", "("]),
    (&["NO_CHANGE"], &["NO_CHANGE", ":"]),
    (&["["], &["?", "["]),
];

/// The start of programs with refactorings, with those that errors prevent and those that resolve an error.
const REFACTORED: &str = "\
registers: {symbol: 's', position: 'p', mark: 'm', copy: 'c'}
constants: {A, B, C}
system: {symbol: symbol, position: position, output: mark}
where symbol[N] == A and copy[N] != B:
    mark[N] = C
where symbol[N] == B and copy[N] != B:
    mark[N] = C
where symbol[n] == A and copy[n] != C and mark[N] == A:
    mark[N] = C
where symbol[n] == A and copy[n] != C and mark[N] == B:
    mark[N] = B
";

const SAME_CELL: &str = "\
where position[n] == position[N] and symbol[N] == mark[N]:
    copy[N] = symbol[n]
where position[n] == position[N] and symbol[N] == mark[N]:
    copy[N] = symbol[n]
";

/// Programs that bring forth diagnostics, fixes and refactorings.
fn programs() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files: Vec<PathBuf> = Vec::new();
    for folder in ["examples", "tests/diagnostics", "tests/defects"] {
        psl_files(&root.join(folder), &mut files);
    }
    files.sort();
    let mut programs: Vec<String> = files.into_iter().filter_map(|file| fs::read_to_string(file).ok()).collect();
    let beginners = fs::read_to_string(root.join("psl-syntax/tests/syntax/beginners.txt")).expect("beginners.txt");
    let of_beginners =
        beginners.split("\n## ").skip(1).filter_map(|case| case.split_once('\n')?.1.split("\n> ").next());
    let start = "registers: {symbol: 's', position: 'p', mark: 'm', copy: 'c'} constants: {A, B, C}\n";
    programs.extend(of_beginners.map(|program| format!("{start}{program}")));
    programs.retain(|program| program.len() < 4000);
    programs.extend(vec![REFACTORED.to_owned(); 60]);
    programs.extend(vec![format!("{REFACTORED}{SAME_CELL}"); 10]);
    assert!(programs.len() > 150, "only {} programs", programs.len());
    programs
}

fn psl_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder").filter_map(Result::ok) {
        let path = entry.path();
        if path.is_dir() {
            psl_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "psl") {
            found.push(path);
        }
    }
}

/// The tokens of a program with up to three slips, and with comments and line ends in between.
fn scattered(program: &str, random: &mut ChaCha8Rng) -> String {
    let mut tokens: Vec<&str> = tokenize(program).code.iter().map(|token| token.span.of(program)).collect();
    for _ in 0..random.random_range(0..4) {
        let &(before, after) = SLIPS.choose(random).expect("slips");
        let places: Vec<Range<usize>> = tokens
            .windows(before.len())
            .enumerate()
            .filter(|(_, window)| *window == before)
            .map(|(at, _)| at..at + before.len())
            .collect();
        if let Some(place) = places.choose(random) {
            tokens.splice(place.clone(), after.iter().copied());
        }
    }
    let line_end = *["\n", "\r\n", "\r"].choose(random).expect("line ends");
    let rarely = *[1, 2, 4, 20, 100].choose(random).expect("rates");
    let mut text = String::new();
    for (index, token) in tokens.into_iter().enumerate() {
        // Most refactorings are for productions that start a line.
        if token == "where" && random.random_bool(0.8) {
            text.push_str(line_end);
        }
        text.push_str(token);
        let indent = " ".repeat(random.random_range(0..6));
        // Code that looks at the text instead of the tokens finds these.
        let nasty =
            *["", "@f", "[A", "]", "x[n] == A, ", "'", "\"", "{", ":", "# //", "/* */"].choose(random).expect("texts");
        let gap = match random.random_range(0..2 * rarely + 4) {
            0 => format!(" # {index} {nasty}{line_end}{indent}"),
            1 => format!("{line_end}{indent}// {index}{line_end}{line_end}{indent}"),
            2 => format!(" # {index}{line_end}{line_end}# {index} too{line_end}{indent}"),
            3 => format!("{line_end}{indent}"),
            _ => " ".to_owned(),
        };
        text.push_str(&gap);
    }
    text
}

/// The comments without the `#` or `//` at their start, which a fix is about.
fn comments(text: &str) -> Vec<&str> {
    let inside = |comment: Span| comment.of(text).trim_start_matches(['#', '/']).trim_end();
    tokenize(text).comments.into_iter().map(inside).collect()
}

/// Checks that the edits can be applied and that all comments are left, in their order unless the edits move code.
fn keeps(text: &str, title: &str, edits: &[Edit], moves: bool) {
    let mut edits = edits.to_vec();
    edits.sort_by_key(|edit| edit.span);
    let after = Edit::apply(&edits, text).unwrap_or_else(|| panic!("{title}: the edits overlap: {edits:?}\n{text}"));
    check_kept(text, title, &after, moves);
}

fn check_kept(text: &str, title: &str, after: &str, moves: bool) {
    let left = comments(after);
    if moves {
        let left: HashSet<&str> = left.into_iter().collect();
        let lost: Vec<&str> = comments(text).into_iter().filter(|comment| !left.contains(comment)).collect();
        assert_eq!(lost, [""; 0], "{title}\n--- before\n{text}\n--- after\n{after}");
    } else {
        // New comments may be in between.
        let mut left = left.into_iter();
        for comment in comments(text) {
            assert!(
                left.any(|other| other == comment),
                "{title}: `{comment}` is lost\n--- before\n{text}\n--- after\n{after}"
            );
        }
    }
}

/// The text with blanks in place of comments.
fn without_comments(text: &str) -> String {
    let mut plain = text.to_owned();
    for comment in tokenize(text).comments {
        plain.replace_range(comment.range(), &" ".repeat(comment.range().len()));
    }
    plain
}

/// Checks that a fix makes the same code with comments as without.
fn same_code(text: &str, fix: &Fix, plain: &str, of_plain: &[Diagnostic]) {
    // The comma before a removed last entry may stay.
    let code = |text: &str| {
        let tokens: Vec<&str> = tokenize(text).code.iter().map(|token| token.span.of(text)).collect();
        tokens.join(" ").replace(", }", "}")
    };
    let after = Edit::apply(&fix.edits, text).expect("edits that do not overlap");
    let others = of_plain.iter().flat_map(|found| &found.fixes).filter(|other| other.title == fix.title);
    let others: Vec<String> = others.filter_map(|other| Edit::apply(&other.edits, plain)).collect();
    let is_same = others.iter().any(|other| code(other) == code(&after));
    assert!(is_same || others.is_empty(), "{}\n--- before\n{text}\n--- after\n{after}", fix.title);
}

/// The number of edits that were checked, by their kind.
type Counts = BTreeMap<&'static str, usize>;

fn every_edit(text: &str, random: &mut ChaCha8Rng, counts: &mut Counts) {
    let checked = check(text);
    let mut count = |kind: &'static str, number: usize| *counts.entry(kind).or_default() += number;
    let plain = without_comments(text);
    let of_plain = check(&plain).diagnostics;
    for found in &checked.diagnostics {
        for fix in &found.fixes {
            keeps(text, &fix.title, &fix.edits, false);
            same_code(text, fix, &plain, &of_plain);
        }
        count("fixes", found.fixes.len());
        let split = split_same_cell(&checked, found.span);
        for fix in &split {
            keeps(text, &fix.title, &fix.edits, false);
        }
        count("split comparisons", split.len());
        let declared: Option<DeclaringFix> = declare(&checked, found.span.start);
        if let Some(it) = &declared {
            keeps(text, &it.fix.title, &it.fix.edits, false);
        }
        count("declarations", usize::from(declared.is_some()));
    }
    let diagnose = |text: &str| check(text).diagnostics;
    check_kept(text, "safe fixes", &fix(text, diagnose).text, false);
    count("texts with safe fixes", 1);
    if let Ok(formatted) = format(text) {
        check_kept(text, "formatting", &formatted.text, false);
        count("formatted texts", 1);
    }
    let tokens = &checked.tree.tokens.code;
    let cursors: Vec<Span> = (0..4).filter_map(|_| tokens.choose(random)).map(|token| token.span).collect();
    let productions = tokens.iter().filter(|token| matches!(token.kind, Kind::Where | Kind::WhereRm));
    for cursor in productions.map(|token| token.span).take(10) {
        let merged = into_list(&checked, cursor);
        if let Some(fix) = &merged {
            keeps(text, &fix.title, &fix.edits, false);
        }
        count("merged productions", usize::from(merged.is_some()));
        let extracted = extract_guard(&checked, cursor);
        for it in &extracted {
            keeps(text, &it.fix.title, &it.fix.edits, false);
        }
        count("extracted guards", extracted.len());
    }
    let of_repairs = changes(&checked);
    for change in &of_repairs {
        keeps(text, &change.description, &change.edits, change.operator == Operator::Order);
    }
    count("changes of repairs", of_repairs.len());
    fillings(text, &checked, &mut count);
    let file = File::new(text, Arc::default());
    let wanted = WantedActions { kinds: ActionKind::ALL.to_vec(), automatic: false, best: 3 };
    for cursor in cursors.into_iter().take(2) {
        let actions = code_actions(&file, None, &RunHistory::default(), None, cursor, &wanted);
        for action in &actions {
            keeps(text, &action.title, &action.edits, false);
        }
        count("actions", actions.len());
    }
}

fn fillings(text: &str, checked: &Checked, count: &mut impl FnMut(&'static str, usize)) {
    for hole in holes(&checked.tree).into_iter().take(1) {
        let parts = candidates(checked, hole).parts;
        for part in parts.iter().take(5) {
            keeps(text, part, &[Edit { span: hole.span, text: part.clone() }], false);
        }
        count("fillings", parts.len().min(5));
    }
}

#[test]
fn no_edit_loses_a_comment() {
    let number = |name: &str, default: u64| env::var(name).ok().map_or(default, |it| it.parse().expect("a number"));
    let (cases, first) = (number("CASES", 500), number("SEED", 0));
    let programs = programs();
    let mut counts = Counts::new();
    for seed in first..first + cases {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let text = scattered(programs.choose(&mut random).expect("programs"), &mut random);
        every_edit(&text, &mut random, &mut counts);
    }
    println!("{counts:#?}");
    for kind in [
        "fixes",
        "split comparisons",
        "declarations",
        "merged productions",
        "extracted guards",
        "changes of repairs",
        "formatted texts",
        "fillings",
        "actions",
    ] {
        assert!(cases < 500 || counts.get(kind).is_some_and(|count| *count > 2), "{kind}: {counts:?}");
    }
}

/// Checks the text after the only fix, with its title.
fn check_fix(before: &str, title: &str, after: &str) {
    let declared = "registers: {symbol: 's', position: 'p'}\nconstants: {A}\n";
    let (before, after) = (format!("{declared}{before}"), format!("{declared}{after}"));
    let checked = check(&before);
    let fixes = |found: &Diagnostic| found.fixes.clone();
    let fixes: Vec<_> = checked.diagnostics.iter().flat_map(fixes).collect();
    let [fix] = fixes.as_slice() else { panic!("{fixes:?}") };
    assert_eq!(fix.title, title);
    assert_eq!(Edit::apply(&fix.edits, &before).as_deref(), Some(after.as_str()));
}

#[test]
fn a_word_is_removed_between_comments() {
    check_fix(
        "where symbol[N] == A:\n    symbol[N] = A # keep me\n\n    # me too\n    and position[N] = A\n",
        "Remove `and`",
        "where symbol[N] == A:\n    symbol[N] = A # keep me\n\n    # me too\n    position[N] = A\n",
    );
    check_fix(
        "where symbol[N] == A # why\n    and\n    # more\n    :\n    symbol[N] = A\n",
        "Remove `and`",
        "where symbol[N] == A # why\n    # more\n    :\n    symbol[N] = A\n",
    );
}

#[test]
fn new_text_is_written_before_the_comment() {
    check_fix(
        "where ! symbol # why\n    [n] == A:\n    symbol[N] = A\n",
        "Replace with `symbol [n] !=`",
        "where symbol [n] != # why\n    A:\n    symbol[N] = A\n",
    );
    check_fix(
        "where symbol[N] == A # why\n{\n    symbol[N] = A\n}\n",
        "Replace the braces with `:`",
        "where symbol[N] == A: # why\n    symbol[N] = A\n",
    );
    check_fix(
        "where symbol[N] == A # why\nthen\n    symbol[N] = A\n",
        "Replace with `:`",
        "where symbol[N] == A: # why\n    symbol[N] = A\n",
    );
}
