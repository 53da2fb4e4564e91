//! `psl import`: programs and examples of the reference implementation.

use std::{fmt::Write, fs, path::Path, process::Output};

use serde_json::Value;

use crate::{
    binary::{self, code, err, folder, out, psl_in, repository},
    cases::golden,
};

const DECLARATIONS: &str = "registers: {symbol: 's', position: 'p', mark: 'm'}\nconstants: {A, B, 1}\nwatch: [mark]\n";
const PRODUCTION: &str = "where symbol[N] == A:\n    mark[N] = A\n";

fn import(folder: &Path, args: &[&str]) -> Output {
    psl_in(folder, &[&["import"], args].concat(), b"")
}

/// Imports a program that has `DECLARATIONS`, and compares what is below them in the result.
#[track_caller]
fn check(yaml: &str, psl: &str) {
    let declared = format!("{DECLARATIONS}{yaml}");
    let folder = folder(&[("a.yaml", &declared)]);
    let imported = import(folder.path(), &["a.yaml"]);
    assert_eq!((code(&imported), err(&imported).as_str()), (0, ""), "{yaml}");
    assert_eq!(out(&imported), format!("{DECLARATIONS}{psl}"));
    same_qkvl(folder.path(), "a.yaml", &out(&imported));
}

/// The program as QKVL, with its labels.
fn qkvl(folder: &Path, program: &str) -> String {
    let compiled = psl_in(folder, &["compile", program], b"");
    assert_eq!(code(&compiled), 0, "{}", err(&compiled));
    out(&compiled)
}

#[track_caller]
fn same_qkvl(folder: &Path, yaml: &str, imported: &str) {
    fs::write(folder.join("imported.psl"), imported).expect("a file");
    assert_eq!(qkvl(folder, "imported.psl"), qkvl(folder, yaml), "{imported}");
}

/// Imports examples for a small program, and compares the lines above it and the notes. If `lines` is `None`, the
/// import fails, and the notes are its error.
#[track_caller]
fn check_examples(yaml: &str, lines: Option<&str>, notes: &str) {
    let program = format!("{DECLARATIONS}{PRODUCTION}");
    let folder = folder(&[("a.yaml", &program), ("e.yaml", yaml)]);
    let imported = import(folder.path(), &["a.yaml", "--examples", "e.yaml"]);
    assert_eq!(err(&imported), notes, "{yaml}");
    let expected = lines.map(|lines| format!("{lines}{program}"));
    assert_eq!((code(&imported), out(&imported)), (if lines.is_some() { 0 } else { 2 }, expected.unwrap_or_default()));
}

/// Examples as YAML in the style of the reference implementation.
fn examples<'a>(examples: impl IntoIterator<Item = (String, &'a str, &'a str)>) -> String {
    let mut yaml = "examples:\n".to_owned();
    for (name, prompt, gold) in examples {
        writeln!(yaml, "  {name}:  {{prompt: {prompt:?}, gold: {gold:?}}}").expect("a string");
    }
    yaml
}

#[test]
fn pargen_completes_the_imported_examples() {
    let tsv = fs::read_to_string(binary::golden("examples.tsv")).expect("the examples");
    let lines = tsv.lines().map(|line| {
        let fields: Vec<_> = line.split('\t').collect();
        let info: Value = serde_json::from_str(fields[2]).expect("JSON");
        (info["name"].as_str().expect("a name").to_owned(), fields[0], fields[1])
    });
    let yaml = examples(lines);
    let pargen = fs::read_to_string(binary::repository().join("examples/pargen.psl")).expect("PARGEN");
    let without_tests: String = pargen.split_inclusive('\n').filter(|line| !line.starts_with("//@")).collect();
    let folder = folder(&[("pargen.yaml", &without_tests), ("examples.yaml", &yaml)]);
    let imported = import(folder.path(), &["pargen.yaml", "--examples", "examples.yaml", "-o", "pargen.psl"]);
    assert_eq!((code(&imported), out(&imported), err(&imported)), (0, String::new(), String::new()));
    let tested = psl_in(folder.path(), &["test", "--machine", "all", "pargen.psl"], b"");
    assert_eq!(code(&tested), 0, "{}", out(&tested));
    assert!(out(&tested).ends_with("16 passed, 0 failed\n"), "{}", out(&tested));
    assert_eq!(qkvl(folder.path(), "pargen.psl"), qkvl(folder.path(), "pargen.yaml"));
    let checked = psl_in(folder.path(), &["check", "--deny", "not-portable", "pargen.psl"], b"");
    assert_eq!(code(&checked), 0, "{}", out(&checked));
}

#[test]
fn the_example_of_the_readme_has_tests_and_a_comment() {
    let folder = repository().join("tests/import");
    let imported = import(&folder, &["followed.yaml", "--examples", "examples.yaml"]);
    let renamed = "note: examples.yaml:4:3: renamed the example `last one` to `last_one`\n";
    assert_eq!((code(&imported), err(&imported).as_str()), (0, renamed));
    golden::compare(&folder.join("followed.psl"), &out(&imported)).unwrap_or_else(|changes| panic!("{changes}"));
    let tested = psl_in(&folder, &["test", "followed.psl"], b"");
    assert!(out(&tested).ends_with("3 passed, 0 failed\n"), "{}", out(&tested));
}

#[test]
fn golden_programs_keep_their_qkvl_and_pass_imported_tests() {
    let mut count = 0;
    for entry in fs::read_dir(binary::golden("programs")).expect("the golden programs") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a name");
        let states = fs::read_to_string(binary::golden(&format!("states/{name}.json"))).expect("the states");
        let states: Value = serde_json::from_str(&states).expect("JSON");
        let runs = states["runs"].as_array().expect("runs");
        let golds: Vec<String> = runs
            .iter()
            .map(|run| {
                let symbols = run["continuation"].as_array().expect("a continuation");
                symbols.iter().map(|symbol| symbol.as_str().unwrap_or("∅")).collect::<Vec<_>>().join(" ")
            })
            .collect();
        let prompts = runs.iter().map(|run| run["prompt"].as_str().expect("a prompt"));
        let named =
            prompts.zip(&golds).enumerate().map(|(at, (prompt, gold))| (format!("run{at}"), prompt, gold.as_str()));
        let yaml = examples(named);
        let program = fs::read_to_string(&path).expect("a program");
        let folder = folder(&[("a.yaml", &program), ("examples.yaml", &yaml)]);
        let imported = import(folder.path(), &["a.yaml", "--examples", "examples.yaml", "-o", "a.psl"]);
        assert_eq!((code(&imported), err(&imported).as_str()), (0, ""), "{name}");
        assert_eq!(qkvl(folder.path(), "a.psl"), qkvl(folder.path(), "a.yaml"), "{name}");
        let tested = psl_in(folder.path(), &["test", "a.psl"], b"");
        assert_eq!(code(&tested), 0, "{name}: {}", out(&tested));
        assert!(out(&tested).ends_with(&format!("{} passed, 0 failed\n", runs.len())), "{}", out(&tested));
        count += 1;
    }
    assert!(count >= 16, "{count} programs");
}

#[test]
fn a_program_without_differences_stays_as_it_is() {
    let program = "\n#  label\nwhere symbol[N]==A :   # trailing\n  mark[N]=A\n\n\n";
    check(program, program);
}

#[test]
fn a_lost_condition_has_a_comment() {
    check(
        "
where symbol[N] != A and symbol[N] != B:
    mark[N] = A
where symbol[N] != A and
      symbol[N] != B:
    mark[N] = B
",
        "
// The reference compiler keeps only the last condition on `symbol[N]`.

where symbol[N] != A and symbol[N] != B:
    mark[N] = A
where symbol[N] != A and
      // The reference compiler keeps only the last condition on `symbol[N]`.
      symbol[N] != B:
    mark[N] = B
",
    );
}

#[test]
fn a_comment_is_above_the_label_of_a_production() {
    check(
        "
# one
# two
//@ allow never-fires
where symbol[N] == A and symbol[N] == B:
    mark[N] = A
//@ allow never-fires
where symbol[N] == A and symbol[N] == B:
    mark[N] = B
",
        "
// The reference compiler keeps only the last condition on `symbol[N]`.
# one
# two
//@ allow never-fires
where symbol[N] == A and symbol[N] == B:
    mark[N] = A
// The reference compiler keeps only the last condition on `symbol[N]`.

//@ allow never-fires
where symbol[N] == A and symbol[N] == B:
    mark[N] = B
",
    );
}

#[test]
fn a_misread_comment_has_a_comment() {
    check(
        "
# see http://example.org
where symbol[N] == A: # a
    mark[N] = A # a // b
",
        "
// The reference compiler ends this line at the first `//` and reads this `#` as code.
# see http://example.org
where symbol[N] == A: # a
    // The reference compiler ends this line at the first `//` and reads this `#` as code.
    mark[N] = A # a // b
",
    );
}

#[test]
fn each_line_has_each_comment_once() {
    check(
        "
repeat:
    where\tsymbol[N] == A and\tmark[N] == A and position[N] == 1:
        mark[N] = A
until mark[N] == A
",
        "
repeat:
    // The reference compiler may read a cell other than `N` here.
    // The reference compiler rejects a tab inside a line.

    where\tsymbol[N] == A and\tmark[N] == A and position[N] == 1:
        mark[N] = A
// The reference implementation ignores the conditions of `until`.
until mark[N] == A
",
    );
}

#[test]
fn declarations_have_comments() {
    let program = "# title\nregisters {symbol: 's', position: 'p', mark: 'm'}\nconstants: {A: 'a', slash: '//'}\n\
                   where symbol[N] == A:\n    mark[N] = slash\n";
    let folder = folder(&[("a.yaml", program)]);
    let imported = import(folder.path(), &["a.yaml"]);
    assert_eq!((code(&imported), err(&imported).as_str()), (0, ""));
    assert_eq!(
        out(&imported),
        "# title\n// The reference compiler rejects `registers` without a colon.\n\
         registers {symbol: 's', position: 'p', mark: 'm'}\n\
         // The reference compiler ends this line at `//`, even inside a string.\n\
         // The reference implementation reads the value `a` as a register.\n\
         constants: {A: 'a', slash: '//'}\nwhere symbol[N] == A:\n    mark[N] = slash\n"
    );
    same_qkvl(folder.path(), "a.yaml", &out(&imported));
}

#[test]
fn tests_are_below_the_first_comment_or_the_last_test() {
    let yaml = "examples: {a: {prompt: x, gold: y .}, b: {prompt: x, gold: z .}}";
    let tests = "//@ test a \"x\" => \"y .\"\n//@ test b \"x\" => \"z .\"\n";
    let program = format!("{DECLARATIONS}{PRODUCTION}");
    for (above, expected) in [
        ("", format!("{tests}\n")),
        ("\n", format!("{tests}\n")),
        ("# title\n", format!("# title\n\n{tests}\n")),
        ("# title\n# by me\n\n# registers\n", format!("# title\n# by me\n\n{tests}\n# registers\n")),
        ("# title\n//@ test c \"x\" => \"y\"\n\n", format!("# title\n//@ test c \"x\" => \"y\"\n{tests}\n")),
    ] {
        let folder = folder(&[("a.yaml", &format!("{above}{program}")), ("e.yaml", yaml)]);
        let imported = import(folder.path(), &["a.yaml", "--examples", "e.yaml"]);
        assert_eq!((code(&imported), out(&imported)), (0, format!("{expected}{program}")), "{above:?}");
    }
}

#[test]
fn line_ends_stay_and_a_byte_order_mark_goes() {
    for end in ["\r\n", "\r"] {
        let ended = |text: &str| text.replace('\n', end);
        let program = ended(&format!("# title\n{DECLARATIONS}{PRODUCTION}"));
        let yaml = ended("\u{feff}examples:\n  a:\n    prompt: x\n    gold: y .\n");
        let folder = folder(&[("a.yaml", &format!("\u{feff}{program}")), ("e.yaml", &yaml)]);
        let imported = import(folder.path(), &["a.yaml", "--examples", "e.yaml"]);
        let expected = format!("# title\n\n//@ test a \"x\" => \"y .\"\n\n{DECLARATIONS}{PRODUCTION}");
        assert_eq!((code(&imported), out(&imported), err(&imported)), (0, ended(&expected), String::new()));
    }
}

#[test]
fn any_text_of_an_example_becomes_a_test() {
    check_examples(
        r#"
examples:
  quotes: {prompt: 'say "hi" it''s', gold: "\"\\ ."}
  arrow: {prompt: x => y // z, gold: "=> # // ."}
  number: {prompt: 101, gold: 1.0 .}
  words: {prompt: yes null, gold: ~ no .}
  lines:
    prompt: |
      Q  a
      b  A
    gold: >
      b
      .
  anchor: {prompt: &p A B, gold: &g "B ."}
  alias: {gold: *g, prompt: *p}
  é∅: {prompt: "\u00e9 \t ∅", gold: ∅ .}
"#,
        Some(
            r#"//@ test quotes "say \"hi\" it's" => "\"\\ ."
//@ test arrow "x => y // z" => "=> # // ."
//@ test number "101" => "1.0 ."
//@ test words "yes null" => "~ no ."
//@ test lines "Q a b A" => "b ."
//@ test anchor "A B" => "B ."
//@ test alias "A B" => "B ."
//@ test é∅ "é ∅" => "∅ ."

"#,
        ),
        "",
    );
}

#[test]
fn a_name_that_a_test_cannot_have_is_changed() {
    check_examples(
        r#"
examples:
  a b: {prompt: x, gold: .}
  'a"b': {prompt: x, gold: .}
  a_b: {prompt: x, gold: .}
  json: {prompt: x, gold: .}
  '': {prompt: x, gold: .}
"#,
        Some(
            r#"//@ test a_b_2 "x" => "."
//@ test a_b_3 "x" => "."
//@ test a_b "x" => "."
//@ test json_ "x" => "."
//@ test example "x" => "."

"#,
        ),
        r#"note: e.yaml:3:3: renamed the example `a b` to `a_b_2`
note: e.yaml:4:3: renamed the example `a"b` to `a_b_3`
note: e.yaml:6:3: renamed the example `json` to `json_`
note: e.yaml:7:3: renamed the example `` to `example`
"#,
    );
}

#[test]
fn an_example_that_cannot_be_a_test_is_left_out() {
    check_examples(
        "
examples:
  a: {prompt: x}
  b: {prompt: x, gold: ''}
  c: {gold: y}
  d: {prompt: ~, gold: y}
  e: {prompt: x, gold: .}
",
        Some("//@ test e \"x\" => \".\"\n\n"),
        "note: e.yaml:3:3: left out the example `a`: it has no gold
note: e.yaml:4:3: left out the example `b`: it has no gold
note: e.yaml:5:3: left out the example `c`: it has no prompt
note: e.yaml:6:3: left out the example `d`: it has no prompt
",
    );
    check_examples("examples: {}\n", Some(""), "");
}

#[test]
fn a_key_without_meaning_is_ignored() {
    check_examples(
        "# data\nversion: [1, {a: [b]}]\nexamples:\n  a: {prompt: x, gold: ., level: {hard: yes}}\n",
        Some("//@ test a \"x\" => \".\"\n\n"),
        "note: e.yaml:2:1: ignored the key `version`\nnote: e.yaml:4:27: ignored the key `level`\n",
    );
}

#[test]
fn a_long_gold_gets_a_max_new() {
    let long = "y ".repeat(16);
    check_examples(
        &format!("examples: {{a: {{prompt: x, gold: {long}.}}, b: {{prompt: x, gold: z .}}}}"),
        Some(&format!("//@ max-new 17\n//@ test a \"x\" => \"{long}.\"\n//@ test b \"x\" => \"z .\"\n\n")),
        "",
    );
    check_examples(
        "examples: {a: {prompt: x, gold: y z}, b: {prompt: x, gold: y .}}",
        Some("//@ max-new 2\n//@ test a \"x\" => \"y z\"\n//@ test b \"x\" => \"y .\"\n\n"),
        "",
    );
}

#[test]
fn a_gold_that_cannot_be_generated_has_a_note() {
    check_examples(
        "examples:\n  a: {prompt: x, gold: y}\n  b: {prompt: x, gold: y y}\n  c: {prompt: x, gold: y . y .}\n",
        Some(
            "//@ max-new 2\n//@ test a \"x\" => \"y\"\n//@ test b \"x\" => \"y y\"\n//@ test c \"x\" => \"y . y .\"\n\n",
        ),
        "note: e.yaml:2:3: the test `a` cannot pass: its gold does not end with the stop symbol `.`\n\
         note: e.yaml:4:3: the test `c` cannot pass: its gold continues after the stop symbol `.`\n",
    );
    let program = format!("//@ max-new 1\n//@ stop \"!\"\n{DECLARATIONS}{PRODUCTION}");
    let folder =
        folder(&[("a.yaml", &program), ("e.yaml", "examples: {a: {prompt: x, gold: y !}, b: {prompt: x, gold: .}}")]);
    let imported = import(folder.path(), &["a.yaml", "--examples", "e.yaml"]);
    assert_eq!(out(&imported).matches("max-new").count(), 1);
    assert_eq!(
        (code(&imported), err(&imported).as_str()),
        (0, "note: e.yaml:1:12: the test `a` cannot pass: its gold has 2 symbols, and `max-new` is 1\n")
    );
}

#[test]
fn broken_examples_are_reported_with_their_place() {
    let check = |yaml: &str, error: &str| check_examples(yaml, None, &format!("psl: e.yaml:{error}\n"));
    let form = "write `examples: {NAME: {prompt: \"…\", gold: \"…\"}}`";
    check("", &format!("1:1: expected a map with the key `examples`, found the end: {form}"));
    check("\n- a\n", &format!("2:1: expected a map with the key `examples`, found a list: {form}"));
    check("swap: {prompt: x, gold: y}", &format!("1:1: `examples` is missing: {form}"));
    check("examples:\n", &format!("1:9: expected a map of examples, found nothing: {form}"));
    check("examples: [a]\n", &format!("1:11: expected a map of examples, found a list: {form}"));
    let pair = "write `{prompt: \"…\", gold: \"…\"}`";
    check("examples: {a: x}", &format!("1:15: expected a prompt and a gold, found text: {pair}"));
    check(
        "examples: {a: &a {prompt: x, gold: .}, b: *a}",
        &format!("1:43: expected a prompt and a gold, found an alias: {pair}"),
    );
    check("examples: {[a]: {}}", "1:12: expected a key, found a list: write it as text");
    check(
        "examples:\n  é: {prompt: [x]}\n",
        "2:15: expected text, found a list: separate symbols by spaces, as in `\"Q a b A\"`",
    );
    check(
        "examples:\n  a: {}\n  b: {}\n  a: {}\n",
        "4:3: duplicate key `a`: rename or remove this one or the one on line 2",
    );
    check(
        "examples: {}\n---\na: b\n",
        "2:1: expected one document, found a second one: move its examples to the first one",
    );
    check("examples: {a: {prompt: *p}}", "1:24: while parsing node, found unknown anchor");
    check("examples: {a: {prompt: 'x}}\n", "1:24: while scanning a quoted scalar, found unexpected end of stream");
    check("examples:\n\ta: {}\n", "2:2: tabs disallowed within this context (block indentation)");
}

#[test]
fn aliases_and_nesting_stay_small() {
    let program = format!("{DECLARATIONS}{PRODUCTION}");
    let errors = |yaml: &str| {
        let folder = folder(&[("a.yaml", &program), ("e.yaml", yaml)]);
        let refused = import(folder.path(), &["a.yaml", "--examples", "e.yaml"]);
        assert_eq!((code(&refused), out(&refused)), (2, String::new()));
        err(&refused)
    };
    let mut yaml = format!("examples:\n  a: {{prompt: &a {}, gold: .}}\n", "x".repeat(1 << 20));
    for at in 0..100 {
        writeln!(yaml, "  e{at}: {{prompt: *a, gold: .}}").expect("a string");
    }
    assert_eq!(errors(&yaml), "psl: e.yaml:19:17: the aliases stand for more than 16777216 bytes: use fewer\n");
    for deep in ["[", "{a: ", "- ", "? "] {
        let errors = errors(&format!("a:\n {}", deep.repeat(10_000)));
        assert!(errors.starts_with("psl: e.yaml:"), "{deep}: {errors}");
    }
}

#[test]
fn a_program_with_errors_is_not_imported() {
    let program = format!(
        "{DECLARATIONS}where position[n]@pos_increment == position[N] and symbol[N] not == A:\n    mark[N] = A\n    mark[N] = B\n\
         where position[n] == position[N]@pos_decrement and symbol[N] == mark[N]:\n    mark[N] = symbol[n]\n\
         where symbol[N] == B and \\\n      position[N] == position[N]:\n    mark[N] = B\n"
    );
    let folder = folder(&[("a.yaml", &program)]);
    let refused = import(folder.path(), &["a.yaml", "-o", "a.psl"]);
    assert_eq!((code(&refused), out(&refused)), (1, String::new()));
    assert!(!folder.path().join("a.psl").exists());
    let errors = err(&refused);
    for (place, reading) in [
        ("a.yaml:4:18", "the reference compiler drops the function"),
        ("a.yaml:4:62", "the reference compiler ignores this `not`"),
        ("a.yaml:6:5", "the reference compiler keeps only the last assignment"),
        ("a.yaml:7:52", "the reference compiler compares a register of `n` with one of `N`"),
        ("a.yaml:9:26", "the reference compiler skips this backslash"),
    ] {
        let (_, excerpt) = errors.split_once(place).unwrap_or_else(|| panic!("no {place} in {errors}"));
        let excerpt = excerpt.split("\nerror[").next().expect("an excerpt");
        let words: Vec<_> = excerpt.split_whitespace().filter(|word| *word != "│").collect();
        assert!(words.join(" ").contains(reading), "{place}: {errors}");
    }
}

#[test]
fn entries_that_the_reference_replaces_are_labeled() {
    let program =
        "registers: {symbol: 's', position: 'p', mark: 'm', mark: 'k', copy: 's'}\nconstants: {A, A}\nwatch: [mark]\n";
    let folder = folder(&[("a.yaml", &format!("{program}{PRODUCTION}"))]);
    let refused = import(folder.path(), &["a.yaml"]);
    assert_eq!((code(&refused), out(&refused)), (1, String::new()));
    let words: Vec<_> = err(&refused).split_whitespace().filter(|word| *word != "│").map(str::to_owned).collect();
    let errors = words.join(" ");
    assert_eq!(errors.matches("the reference compiler keeps only the last entry").count(), 2, "{errors}");
    assert_eq!(errors.matches("the reference compiler treats the registers as one").count(), 1, "{errors}");
}

#[test]
fn the_output_is_written_whole_or_not_at_all() {
    let program = format!("{DECLARATIONS}{PRODUCTION}");
    let folder = folder(&[("a.yaml", &program), ("a.psl", "mine"), ("broken.yaml", "examples: ["), ("latin.yaml", "")]);
    fs::write(folder.path().join("latin.yaml"), b"# \xe9\n").expect("a file");
    let psl = || fs::read_to_string(folder.path().join("a.psl")).expect("the file");
    for (args, exit, error) in [
        (["a.yaml", "--examples", "broken.yaml", "-o", "a.psl"], 2, "psl: broken.yaml:"),
        (["a.yaml", "--examples", "none.yaml", "-o", "a.psl"], 2, "psl: cannot read none.yaml: "),
        (
            ["a.yaml", "--examples", "latin.yaml", "-o", "a.psl"],
            2,
            "psl: cannot read latin.yaml: byte 0xE9 is not UTF-8",
        ),
        (["latin.yaml", "--examples", "broken.yaml", "-o", "a.psl"], 1, "error[syntax]: byte 0xE9 is not UTF-8"),
        (["none.yaml", "--examples", "broken.yaml", "-o", "a.psl"], 2, "psl: cannot read none.yaml: "),
    ] {
        let refused = import(folder.path(), &args);
        assert_eq!((code(&refused), out(&refused), psl().as_str()), (exit, String::new(), "mine"), "{args:?}");
        assert!(err(&refused).starts_with(error), "{args:?}: {}", err(&refused));
    }
    assert_eq!(code(&import(folder.path(), &["a.yaml", "-o", "a.psl"])), 0);
    assert_eq!(psl(), program);
}

#[test]
fn one_file_can_come_from_standard_input() {
    let program = format!("{DECLARATIONS}{PRODUCTION}");
    let yaml = "examples: {a: {prompt: x, gold: .}}";
    let folder = folder(&[("a.yaml", &program), ("e.yaml", yaml)]);
    let from = |args: &[&str], input: &str| psl_in(folder.path(), &[&["import"], args].concat(), input.as_bytes());
    let expected = format!("//@ test a \"x\" => \".\"\n\n{program}");
    for (args, input) in [(["-", "--examples", "e.yaml"], program.as_str()), (["a.yaml", "--examples", "-"], yaml)] {
        let imported = from(&args, input);
        assert_eq!((code(&imported), out(&imported), err(&imported)), (0, expected.clone(), String::new()), "{args:?}");
    }
    let broken = from(&["a.yaml", "--examples", "-"], "- a");
    assert!(err(&broken).starts_with("psl: <stdin>:1:1: "), "{}", err(&broken));
    let both = from(&["-", "--examples", "-"], "");
    let message =
        "psl: the program and the examples cannot both come from standard input: give the examples by a file\n";
    assert_eq!((code(&both), err(&both).as_str()), (2, message));
}

#[test]
fn a_long_line_has_each_comment_once() {
    let line = "where symbol[N] != A and symbol[N] != B: mark[N] = A ".repeat(20_000);
    check(
        &line,
        &format!(
            "// The reference compiler does not recognize this assignment: its line is not indented below its `where`.\n\
             // The reference compiler keeps only the last condition on `symbol[N]`.\n\n{line}"
        ),
    );
}
