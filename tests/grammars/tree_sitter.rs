//! The tree-sitter grammar in `grammars/tree-sitter-psl`: its generated files and its trees.

use std::{
    collections::BTreeSet,
    fmt::Debug,
    fs, iter,
    ops::Range,
    path::{Path, PathBuf},
    sync::Arc,
};

use psl_ide::semantic_tokens;
use psl_program::File;
use psl_syntax::{
    Checked, Code, Diagnostic, Span, check,
    token::{Tokens, tokenize},
    tree::{Production, Statement},
};
use tree_sitter::{InputEdit, Language, Node, Parser, Point, Query, QueryCursor, StreamingIterator};
use tree_sitter_generate::{OptLevel, generate_parser_in_directory};

use crate::{
    cases::golden,
    corpus::{Case, cases, file},
    mutants::mutant,
    queries::{EDITORS, Known},
    table::{captures, table},
    texts::{in_form, texts},
};

/// The newest parser ABI that all editors support.
const ABI: usize = 14;

/// The files that are generated from the grammar.
const PARSER: [&str; 5] =
    ["node-types.json", "parser.c", "tree_sitter/alloc.h", "tree_sitter/array.h", "tree_sitter/parser.h"];

const PARGEN: &str = include_str!("../../examples/pargen.psl");
/// The template of the highlight queries, with the rows of the color table as captures.
const HIGHLIGHTS: &str = include_str!("../../grammars/highlights.scm");
/// A program with keywords as names wherever that is allowed.
const KEYWORDS: &str = include_str!("keywords.psl");
const LAWS: &str = include_str!("laws.psl");

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn grammar() -> PathBuf {
    root().join("grammars/tree-sitter-psl")
}

/// Compares the generated files with those that a grammar, of JavaScript or JSON, generates.
fn check_generated(source: &str, files: &[&str]) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut warnings = Vec::new();
    generate_parser_in_directory(
        grammar(),
        Some(folder.path()),
        Some(grammar().join(source)),
        ABI,
        None,
        Some("node"),
        true,
        OptLevel::default(),
        &mut warnings,
    )
    .unwrap_or_else(|error| panic!("no parser can be generated: {error}"));
    assert!(warnings.is_empty(), "{}", warnings.iter().map(ToString::to_string).collect::<String>());
    let wrong: Vec<_> = files
        .iter()
        .filter_map(|name| {
            let generated = fs::read_to_string(folder.path().join(name)).expect("a generated file");
            golden::compare(&grammar().join("src").join(name), &generated).err()
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_parser_is_generated_from_the_grammar() {
    check_generated("src/grammar.json", &PARSER);
}

#[test]
#[ignore = "needs Node.js: tests/run has it"]
fn the_parser_is_generated_from_the_grammar_in_javascript() {
    check_generated("grammar.js", &[&["grammar.json"], &PARSER[..]].concat());
}

/// Messages of psl about texts that the grammar accepts, with the reason for the difference.
const ONLY_PSL: [(&str, &str); 2] = [
    ("duplicate role", "the grammar does not compare the names of roles"),
    ("nested more than", "the grammar has no limit on nesting"),
];

fn parser() -> Parser {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_psl::LANGUAGE.into()).expect("a supported ABI");
    parser
}

/// Compares psl and the grammar on a text: whether it is broken and, if not, the spans of its labels and directives.
/// Returns whether it is broken, and the index of its exception in [`ONLY_PSL`].
fn compared(text: &str) -> Result<(bool, Option<usize>), String> {
    let Checked { tree, diagnostics, .. } = check(text);
    let parsed = parser().parse(text, None).expect("a tree");
    let is_syntax = |found: &&Diagnostic| matches!(found.code, Code::Syntax | Code::NestedTooDeep);
    let exception = |found: &Diagnostic| ONLY_PSL.iter().position(|(part, _)| found.message.contains(part));
    let (excepted, reported): (Vec<_>, Vec<_>) =
        diagnostics.iter().filter(is_syntax).partition(|found| exception(found).is_some());
    let broken = !reported.is_empty();
    if parsed.root_node().has_error() != broken {
        let reported = reported.first().map(|found| (&found.message, around(text, found.span.start as usize)));
        let error = starts(parsed.root_node(), "ERROR").first().map(|at| around(text, *at));
        return Err(format!("psl reports {reported:?}, and tree-sitter {error:?}"));
    }
    if !broken {
        let mut labels = Vec::new();
        collect_labels(&tree.statements, &mut labels);
        labels.sort_unstable();
        assert_eq!(starts(parsed.root_node(), "label"), labels, "the labels of {text}");
        let directives = tree.directives.iter().map(|directive| directive.span);
        let mut directives: Vec<_> =
            directives.chain(in_form(text, &diagnostics)).map(|span| span.start as usize).collect();
        directives.sort_unstable();
        assert_eq!(starts(parsed.root_node(), "directive"), directives, "the directives of {text}");
    }
    Ok((broken, excepted.first().and_then(|found| exception(found))))
}

/// The text around an offset.
fn around(text: &str, at: usize) -> &str {
    let (start, end) = (text.floor_char_boundary(at.saturating_sub(30)), text.ceil_char_boundary(at + 30));
    text.get(start..end).unwrap_or_default()
}

fn collect_labels(statements: &[Statement], labels: &mut Vec<usize>) {
    for statement in statements {
        match statement {
            Statement::CausalAttn(_) => {}
            Statement::Production(production) => labels.extend(production.label.map(|label| label.start as usize)),
            Statement::Repeat(repeat) => {
                labels.extend(repeat.label.map(|label| label.start as usize));
                collect_labels(&repeat.body, labels);
            }
        }
    }
}

/// The sorted start offsets of the nodes of a kind.
fn starts(root: Node<'_>, kind: &str) -> Vec<usize> {
    let mut cursor = root.walk();
    let mut found = Vec::new();
    let mut pending = vec![root];
    while let Some(node) = pending.pop() {
        if node.kind() == kind {
            found.push(node.start_byte());
        }
        pending.extend(node.children(&mut cursor));
    }
    found.sort_unstable();
    found
}

#[test]
fn psl_and_the_grammar_agree_on_broken_texts() {
    const MUTANTS: u64 = 3_000;
    const ENOUGH: usize = 600;
    let mutants = (0..MUTANTS).map(|seed| (format!("PARGEN's mutant {seed}"), mutant(PARGEN, seed)));
    let odd = (0..MUTANTS).map(|seed| (format!("the keywords' mutant {seed}"), mutant(KEYWORDS, seed)));
    let labeled = "# label\nwhere a[N] == A: a[N] = B\n".to_owned();
    let lines = [PARGEN.replace('\n', "\r\n"), PARGEN.replace('\n', "\r"), format!("\u{feff}{labeled}"), labeled];
    let lines = lines.into_iter().map(|text| ("other line ends or a byte order mark".to_owned(), text));
    let (mut broken, mut sound, mut shown, mut wrong) = (0, 0, BTreeSet::new(), Vec::new());
    for (name, text) in texts().into_iter().chain(lines).chain(mutants).chain(odd) {
        match compared(&text) {
            Ok((is_broken, exception)) => {
                *if is_broken { &mut broken } else { &mut sound } += 1;
                shown.extend(exception);
            }
            Err(difference) => wrong.push(format!("{name}: {difference}")),
        }
    }
    println!("{broken} broken texts, {sound} valid texts");
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(broken >= ENOUGH && sound >= ENOUGH, "{broken} broken texts, {sound} valid texts");
    assert_eq!(shown.len(), ONLY_PSL.len(), "an exception no longer happens: {shown:?}");
}

/// The captures of the highlight template in a text, in order.
fn highlights(text: &str) -> Vec<(Range<usize>, String)> {
    let language = Language::new(tree_sitter_psl::LANGUAGE);
    let query = Query::new(&language, HIGHLIGHTS).expect("a query of this grammar");
    let tree = parser().parse(text, None).expect("a tree");
    let (mut cursor, mut found) = (QueryCursor::new(), Vec::new());
    let mut captures = cursor.captures(&query, tree.root_node(), text.as_bytes());
    while let Some((matched, index)) = captures.next() {
        let capture = matched.captures()[*index];
        let range = capture.node.byte_range();
        // A missing node has no text.
        if range.is_empty() {
            continue;
        }
        found.push((range, query.capture_names()[capture.index as usize].to_owned()));
    }
    found.sort_by_key(|(range, _)| (range.start, range.end));
    found
}

/// The productions of a program, including those in blocks: the range from the label to the last assignment, and the
/// start of the keyword.
fn productions(statements: &[Statement]) -> Vec<(Range<usize>, usize)> {
    let mut found = Vec::new();
    for statement in statements {
        match statement {
            Statement::CausalAttn(_) => {}
            Statement::Production(Production { span, label, .. }) => {
                let start = label.unwrap_or(*span).start as usize;
                found.push((start..span.end as usize, span.start as usize));
            }
            Statement::Repeat(repeat) => found.append(&mut productions(&repeat.body)),
        }
    }
    found
}

#[test]
fn an_unfinished_production_does_not_affect_the_next_one() {
    const BEGUN: [&str; 9] = [
        "where",
        "where region",
        "where (region[N] == XQ",
        "where region[N] ==",
        "where region[N] == \"XQ",
        "where region[N] in [",
        "where region[N] not",
        "where region[N] == XQ and",
        "where region[N] == XQ:\n    type",
    ];
    let sound = highlights(PARGEN);
    let mut wrong = Vec::new();
    for begun in BEGUN {
        for (range, _) in productions(&check(PARGEN).tree.statements) {
            let mut text = PARGEN.to_owned();
            text.insert_str(range.start, &format!("{begun}\n\n"));
            assert!(parser().parse(&text, None).expect("a tree").root_node().has_error(), "{begun}");
            if after(&highlights(&text), range.start + begun.len() + 2) != after(&sound, range.start) {
                wrong.push(format!("{begun}, before {}", &PARGEN[range.start..range.start + 20]));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_broken_production_affects_only_its_own_colors() {
    type Breakage = (&'static str, fn(&str) -> String);
    const BREAKAGES: [Breakage; 16] = [
        ("no colon", |text| text.replacen(':', "", 1)),
        ("no closing bracket", |text| text.replacen(']', "", 1)),
        ("no opening bracket", |text| text.replacen('[', "", 1)),
        ("an unclosed parenthesis", |text| text.replacen("where ", "where (", 1)),
        ("an unclosed string", |text| text.replacen("== ", "== \"", 1)),
        ("a bad character", |text| text.replacen("[N]", "[§]", 1)),
        ("a stray word", |text| text.replacen(":\n", ":\n    stray\n", 1)),
        ("another word for `and`", |text| text.replacen(" and ", " or ", 1)),
        ("no keyword", |text| text.replacen("where ", "", 1)),
        ("a misspelled keyword", |text| text.replacen("where", "wehre", 1)),
        ("only a keyword", |_| "where".to_owned()),
        ("an unfinished condition", |text| text.replacen(':', " and re:", 1)),
        ("an unfinished comparison", |text| text.replacen(':', " and region[N] ==:", 1)),
        ("no operator", |text| text.replacen(" == ", " ", 1).replacen(" != ", " ", 1)),
        ("no right side", |text| {
            let (before, source) = text.split_once("] = ").expect("an assignment");
            format!("{before}] ={}", source.find('\n').map_or("", |end| &source[end..]))
        }),
        ("an unfinished assignment", |text| format!("{text}\n    region[N] =")),
    ];
    let directive = "//@ allow never-fires: it does";
    let directed = ["\n", "\n    "].iter().fold(PARGEN.to_owned(), |text, start| {
        text.replace(&format!("{start}where "), &format!("{start}{directive}{start}where "))
    });
    let mut wrong = Vec::new();
    for program in [PARGEN, &directed] {
        let sound = highlights(program);
        let productions = productions(&check(program).tree.statements);
        assert_eq!(productions.len(), 31, "all of PARGEN's productions");
        for ((name, break_it), (range, keyword)) in
            BREAKAGES.iter().flat_map(|breakage| productions.iter().map(move |production| (breakage, production)))
        {
            let broken = break_it(&program[*keyword..range.end]);
            let mut text = program.to_owned();
            text.replace_range(*keyword..range.end, &broken);
            assert!(parser().parse(&text, None).expect("a tree").root_node().has_error(), "{name}: {broken}");
            let found = highlights(&text);
            let before = |(it, _): &&(Range<usize>, String)| it.end <= range.start;
            let same_before = found.iter().filter(before).eq(sound.iter().filter(before));
            if !same_before || after(&found, keyword + broken.len()) != after(&sound, range.end) {
                wrong.push(format!("{name}: {broken}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} affect more:\n{}", wrong.len(), wrong.join("\n"));
}

/// The highlights after an offset, relative to it.
fn after(highlights: &[(Range<usize>, String)], from: usize) -> Vec<(usize, usize, &str)> {
    let after = highlights.iter().filter(|(range, _)| range.start >= from);
    after.map(|(range, name)| (range.start - from, range.end - from, name.as_str())).collect()
}

#[test]
fn the_highlight_queries_are_generated_from_the_table() {
    let (_, patterns) = HIGHLIGHTS.split_once("\n\n").expect("a head and patterns");
    let columns = ["tree-sitter", "nvim", "helix", "zed"];
    for ((folder, _), column) in EDITORS.iter().zip(columns) {
        let query = captures(patterns, &table(), column);
        let query = format!("; Generated from grammars/highlights.scm and grammars/colors.toml.\n\n{query}");
        golden::compare(&root().join(folder).join("highlights.scm"), &query).unwrap_or_else(|wrong| panic!("{wrong}"));
    }
}

#[test]
fn the_queries_use_captures_that_their_editors_support() {
    let language = Language::new(tree_sitter_psl::LANGUAGE);
    for (folder, files) in EDITORS {
        let there = fs::read_dir(root().join(folder)).expect("the folder").map(|entry| entry.expect("an entry").path());
        let there = there.filter(|path| path.extension().is_some_and(|extension| extension == "scm")).count();
        assert_eq!(there, files.len(), "the query files in {folder}");
        for Known { file, captures } in files {
            let path = root().join(folder).join(file).with_extension("scm");
            let name = path.display();
            let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
            let query = Query::new(&language, &text).unwrap_or_else(|error| panic!("{name}: {error}"));
            for capture in query.capture_names() {
                let is_known = |known: &&str| {
                    capture.strip_prefix(*known).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
                };
                assert!(captures.iter().any(is_known), "{name}: unsupported capture @{capture}");
            }
            let unused: Vec<_> = (0..query.pattern_count()).filter(|pattern| !matches(&query, *pattern)).collect();
            assert_eq!(unused, [0; 0], "indices of patterns in {name} that never match");
        }
    }
}

/// Whether a pattern of a query matches anything in two programs.
fn matches(query: &Query, pattern: usize) -> bool {
    [PARGEN, KEYWORDS].iter().any(|text| {
        let tree = parser().parse(text, None).expect("a tree");
        let mut cursor = QueryCursor::new();
        let mut found = cursor.matches(query, tree.root_node(), text.as_bytes());
        iter::from_fn(|| found.next().map(|found| found.pattern_index)).any(|found| found == pattern)
    })
}

#[test]
fn each_word_has_one_color() {
    for text in [PARGEN, KEYWORDS] {
        let highlights = highlights(text);
        for pair in highlights.windows(2) {
            assert!(pair[0].0.end <= pair[1].0.start, "{pair:?} overlap in {:?}", &text[pair[0].0.clone()]);
        }
        let Tokens { code, comments } = tokenize(text);
        for span in code.iter().map(|token| token.span).chain(comments) {
            let covered = |(range, _): &&(Range<usize>, String)| {
                range.start <= span.start as usize && span.start < range.end as u32
            };
            assert_eq!(highlights.iter().filter(covered).count(), 1, "{:?}", span.of(text));
        }
    }
}

#[test]
fn the_corpus() {
    let folder = grammar().join("test/corpus");
    let mut names: Vec<_> =
        fs::read_dir(&folder).expect("the corpus").map(|entry| entry.expect("an entry").path()).collect();
    names.sort();
    assert!(names.len() >= 6, "{} has {} files", folder.display(), names.len());
    let mut wrong = Vec::new();
    for path in names {
        let cases = cases(&fs::read_to_string(&path).expect("a text"));
        assert!(cases.len() >= 2, "{} has {} cases", path.display(), cases.len());
        let tree = |case: &Case| parser().parse(&case.text, None).expect("a tree").root_node().to_sexp();
        let found = file(cases.iter().map(|case| (case, tree(case))));
        wrong.extend(golden::compare(&path, &found).err());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn an_edited_tree_equals_the_tree_of_the_new_text() {
    const MUTANTS: u64 = 500;
    let mut wrong = Vec::new();
    for (program, seed) in
        [PARGEN, KEYWORDS].into_iter().flat_map(|program| (0..MUTANTS).map(move |seed| (program, seed)))
    {
        let text = mutant(program, seed);
        let mut tree = parser().parse(program, None).expect("a tree");
        tree.edit(&edit(program, &text));
        let edited = parser().parse(&text, Some(&tree)).expect("a tree").root_node().to_sexp();
        let fresh = parser().parse(&text, None).expect("a tree").root_node().to_sexp();
        if edited != fresh {
            wrong.push(seed);
        }
    }
    assert!(wrong.is_empty(), "{} differ: {wrong:?}", wrong.len());
}

/// The edit between two texts, from the first to the last different byte.
fn edit(old: &str, new: &str) -> InputEdit {
    let same = |(old, new): &(u8, u8)| old == new;
    let start_byte = old.bytes().zip(new.bytes()).take_while(same).count();
    let rest = |text: &str| text.len() - start_byte;
    let suffix = old.bytes().rev().zip(new.bytes().rev()).take_while(same).count().min(rest(old)).min(rest(new));
    let point = |text: &str, byte: usize| {
        let lines: Vec<_> = text.as_bytes()[..byte].split(|byte| *byte == b'\n').collect();
        Point::new(lines.len() - 1, lines[lines.len() - 1].len())
    };
    let (old_end_byte, new_end_byte) = (old.len() - suffix, new.len() - suffix);
    InputEdit {
        start_byte,
        old_end_byte,
        new_end_byte,
        start_position: point(old, start_byte),
        old_end_position: point(old, old_end_byte),
        new_end_position: point(new, new_end_byte),
    }
}

#[test]
fn the_colors_are_those_of_the_server() {
    let table = table();
    let mut compared = 0;
    for (name, text) in texts().into_iter().chain([("the laws".to_owned(), LAWS.to_owned())]) {
        let checked = check(&text);
        if !checked.compiles() {
            continue;
        }
        let (mut here, mut there) = (vec![None; text.len()], vec![None; text.len()]);
        let file = File::new(text.as_str(), Arc::default());
        for token in semantic_tokens(&file, Span::new(0, text.len() as u32)) {
            let modifier = token.modifier.map_or_else(String::new, |modifier| format!(".{}", protocol_name(modifier)));
            let color = protocol_name(token.kind) + &modifier;
            there[token.span.start as usize..token.span.end as usize].fill(Some(color));
        }
        for (range, row) in highlights(&text) {
            match table.get(&row) {
                Some(row) => here[range].fill(Some(row["token"].clone())),
                // The server has no tokens for punctuation.
                None => there[range].fill(None),
            }
        }
        for law in in_form(&text, &checked.diagnostics) {
            let law = law.start as usize..law.end as usize;
            here[law.clone()].fill(None);
            there[law].fill(None);
        }
        for at in (0..text.len()).filter(|at| !text.as_bytes()[*at].is_ascii_whitespace()) {
            assert_eq!(here[at], there[at], "{name}: {:?}", around(&text, at));
            compared += usize::from(here[at].is_some());
        }
    }
    assert!(compared > 10_000, "{compared} characters compared");
}

/// The name of a token type or modifier in the protocol.
fn protocol_name(variant: impl Debug) -> String {
    let name = format!("{variant:?}");
    name[..1].to_lowercase() + &name[1..]
}
