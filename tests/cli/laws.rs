//! Laws, as `psl test` and the commands that open a test run them.

use std::{fs, path::PathBuf};

use serde_json::{Value, json};

use crate::binary::{code, err, out, psl, psl_with};

/// A program with this line, which generates one symbol: that of the last cell, but `B` where that is `A`.
fn program(line: &str) -> String {
    format!(
        "{line}\n//@ max-new 1\nregisters: {{symbol: 's', position: 'p'}}\nconstants: {{A, B}}\n\
         system: {{symbol: symbol, position: position, output: symbol}}\nwhere symbol[N] == A:\n    symbol[N] = B\n"
    )
}

/// Checks what `psl test` prints about the first line of a program.
fn check_program(program: &str, expected: &str) {
    let done = psl_with(&["test", "-"], program.as_bytes());
    let found = out(&done);
    assert_eq!(
        found.rsplit_once('\n').and_then(|(all, _)| all.rsplit_once('\n')).map_or("", |(found, _)| found),
        expected
    );
    assert_eq!(code(&done), i32::from(expected.starts_with("FAILED")), "{}", err(&done));
}

fn check(line: &str, expected: &str) {
    check_program(&program(line), expected);
}

#[test]
fn a_law_that_holds_names_its_symbols() {
    let same = r#"//@ law same "x $a..2 $b" => "$b""#;
    check(same, "ok <stdin>:1:1: same: holds for all different symbols but `.`, `A` and `x`");
    check(r#"//@ law any "$a A" => "B""#, "ok <stdin>:1:1: test 1: holds for all symbols");
}

#[test]
fn a_broken_law_shows_its_symbols_and_what_breaks_it() {
    let broken = "FAILED <stdin>:1:1: test 1: symbol 1 is `B`, not `A`\n  prompt    a A\n  expected  A\n  got       B\n            ^\n  \
                  breaks    if `$b` is `A`\n  why       layer 1 (line 6) wrote it in cell 2";
    check(r#"//@ law any "$a $b" => "$b""#, broken);
    let different = "FAILED <stdin>:1:1: test 1: symbol 1 is `b2`, not `b1`\n  prompt    a b1 b2\n  expected  b1 b2\n  got       b2\n            \
                     ^\n  why       no layer wrote `symbol` of cell 3, which had it in the prompt";
    check(r#"//@ law "$a $b..2" => "$b""#, different);
}

#[test]
fn numbers_that_are_met_are_left_out() {
    let increment = program(r#"//@ law any "$a $b" => "$b""#)
        .replace("    symbol[N] = B", "    symbol[N] = symbol[N]@pos_increment");
    let increment = increment.replace("== A", "!= A");
    check_program(&increment, "ok <stdin>:1:1: test 1: holds for all symbols but the numbers 0 to 4");
}

#[test]
fn null_is_not_the_symbol_that_looks_like_it() {
    let null =
        program(r#"//@ law "$a" => "∅""#).replace("output: symbol", "output: next").replace("'p'}", "'p', next: 'n'}");
    check_program(&null, "ok <stdin>:1:1: test 1: holds for all different symbols but `A`");
    let symbol = null
        .replace("where symbol[N] == A:\n    symbol[N] = B", "where position[N] == position[N]:\n    next[N] = '∅'")
        .replace("{A,", "{'∅', A,");
    let done = psl_with(&["test", "-"], symbol.as_bytes());
    assert!(out(&done).starts_with("FAILED"), "{}{}", out(&done), err(&done));
}

#[test]
fn a_law_runs_on_all_machines() {
    let text = program("//@ law one \"$a $b..2 A\" => \"B\"\n//@ law other any \"$a $b\" => \"$b\"");
    let done = psl_with(&["test", "--machine", "all", "--format", "json", "-"], text.as_bytes());
    let found: Vec<Value> = out(&done).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(found.len(), 8, "{found:?}");
    for run in &found[..4] {
        assert_eq!((&run["kind"], &run["runs"], &run["passed"]), (&json!("law"), &json!(2), &json!(true)));
        assert_eq!(run["holds"], "holds for all different symbols but `.`, `A` and `B`");
    }
    for run in &found[4..] {
        assert_eq!((&run["symbols"], &run["breaks_if"]), (&json!({"a": "a", "b": "A"}), &json!(["`$b` is `A`"])));
        assert_eq!((&run["prompt"], &run["gold"], &run["got"]), (&json!("a A"), &json!("A"), &json!("B")));
    }
}

/// A folder that is removed when it is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("psl-laws-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        Self(folder)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok();
    }
}

#[test]
fn a_law_takes_the_symbols_of_weights() {
    let folder = Folder::new("weights");
    let (file, weights) = (folder.file("p.psl"), folder.file("p.safetensors"));
    let laws = "//@ test \"u u v\" => \"v\"\n//@ law two \"$a $b\" => \"$b\"\n//@ law nine \"$a $b $c $d $e $f $g $h $i\" => \"$i\"";
    let text = program(laws).replace("symbol[N] == A", "symbol[N] == position[N]");
    fs::write(&file, text).expect("a file");
    let compiled = psl(&["compile", &file, "--emit", "weights", "-o", &weights]);
    assert_eq!(code(&compiled), 0, "{}", err(&compiled));
    let done = psl(&["test", &file, "--weights", &weights]);
    let text = out(&done);
    assert!(text.contains("for all different symbols but the numbers 0 to 5"), "{text}");
    assert!(
        text.contains("nine: too few symbols: the law needs 9 symbols that the weights do not compare, and they have "),
        "{text}"
    );
}

#[test]
fn other_commands_open_the_prompt_that_breaks_a_law() {
    let folder = Folder::new("open");
    let (file, page) = (folder.file("p.psl"), folder.file("p.html"));
    fs::write(&file, program("//@ law keeps any \"$a $b\" => \"$b\"")).expect("a file");
    let debugged = psl_with(&["debug", &file, "--test", "keeps"], b"cell 2\n");
    assert!(out(&debugged).contains("cell 2 (A)"), "{}{}", out(&debugged), err(&debugged));
    let explored = psl(&["explore", &file, "--test", "keeps", "-o", &page]);
    assert_eq!(code(&explored), 0, "{}", err(&explored));
    let page = fs::read_to_string(&page).expect("a page");
    assert!(page.contains(r#""open":"a A","gold":"A""#), "{}", &page[page.len() - 2000..]);
}

#[test]
fn junit_names_the_symbols_that_break_a_law() {
    let text = program("//@ law keeps any \"$a $b\" => \"$b\"\n//@ law one \"$a A\" => \"B\"");
    let done = psl_with(&["test", "--format", "junit", "-"], text.as_bytes());
    let report = quick_junit::Report::deserialize_from_str(&out(&done)).expect("JUnit's XML");
    let [keeps, one] = report.test_suites[0].test_cases.as_slice() else { panic!("two cases") };
    assert!(matches!(one.status, quick_junit::TestCaseStatus::Success { .. }), "{one:?}");
    let quick_junit::TestCaseStatus::NonSuccess { message, description, .. } = &keeps.status else {
        panic!("{keeps:?}")
    };
    assert_eq!(
        message.as_deref(),
        Some("expected `A`, got `B`; symbol 1 is `B`, not `A`: layer 1 (line 7) wrote it in cell 2")
    );
    assert!(description.as_deref().is_some_and(|rows| rows.contains("breaks    if `$b` is `A`")), "{description:?}");
}

#[test]
fn a_program_that_never_ends_breaks_its_laws() {
    let block = "repeat:\n    where symbol[N] != A:\n        symbol[N] = copy[N]\n        copy[N] = symbol[N]\nuntil NO_CHANGE\n";
    let text = program("//@ law \"$a\" => \"$a\"").replace("where symbol[N] == A:\n    symbol[N] = B\n", block);
    let text = text.replace("'p'}", "'p', copy: 'c'}");
    let text = text.replace("repeat:", "where symbol[N] != A:\n    copy[N] = B\nrepeat:");
    let done = psl_with(&["test", "-"], text.as_bytes());
    assert!(out(&done).contains("never stops"), "{}{}", out(&done), err(&done));
    assert_eq!(code(&done), 1);
}

#[test]
fn a_law_in_a_program_with_holes_does_not_run() {
    let text = program("//@ law \"$a\" => \"$a\"").replace("== A", "== ?");
    let done = psl_with(&["test", "-"], text.as_bytes());
    assert!(out(&done).contains("the program has holes"), "{}{}", out(&done), err(&done));
}

/// The law of the paper's example, with all that breaks it.
#[test]
fn pargen_exchanges_constituents_unless_symbols_coincide() {
    let example =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/pargen.psl")).expect("an example");
    let text = format!(
        "{example}\n//@ law coincide any \"Q $a.. d $b.. A $b.. e $a.. . Q $c.. d $d.. A\" => \"$d.. e $c.. .\"\n"
    );
    let done = psl_with(&["test", "--test", "exchange", "--format", "json", "-"], text.as_bytes());
    let found: Value = serde_json::from_str(out(&done).lines().next().expect("a law")).expect("JSON");
    assert_eq!((&found["runs"], &found["passed"]), (&json!(81), &json!(true)));
    let done = psl_with(&["test", "--test", "coincide", "--format", "json", "-"], text.as_bytes());
    let found: Value = serde_json::from_str(out(&done).lines().next().expect("a law")).expect("JSON");
    assert_eq!(found["runs"], 9099);
    assert_eq!(
        found["breaks_if"],
        json!([
            "a symbol of `$a` is `.`, `A`, `Q`, `d`, `e`, one of `$b`, one of `$c` or one of `$d`",
            "a symbol of `$b` is `.`, `A`, `Q`, `d`, `e`, one of `$c` or one of `$d`",
            "a symbol of `$c` is `.`, `A`, `Q` or `d`",
            "two symbols of `$c` are equal",
            "a symbol of `$d` is `.`, `A`, `Q` or `d`",
            "two symbols of `$d` are equal",
        ])
    );
}
