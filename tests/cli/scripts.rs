//! The whole binary, as scripts and CI use it.

use std::{fs, path::PathBuf};

use serde_json::{Value, json};

use crate::{
    binary::{DECLARATIONS, code, err, golden, out, psl, psl_with, repository},
    command::psl as run,
};

const SWAP: &str = "Q B V D E A D E V B . Q F G H V K L A";

/// The `code: message` of each diagnostic that `psl check` finds in a text on standard input.
fn found(text: &[u8]) -> Vec<String> {
    let output = psl_with(&["check", "--format", "json", "-"], text);
    let lines: Vec<Value> =
        out(&output).lines().map(|line| serde_json::from_str(line).expect("a line is an object")).collect();
    assert_eq!(code(&output), i32::from(lines.iter().any(|line| line["severity"] == "error")), "{}", err(&output));
    let text = |value: &Value| value.as_str().expect("a string").to_owned();
    lines.iter().map(|line| format!("{}: {}", text(&line["code"]), text(&line["message"]))).collect()
}

#[test]
fn check_prints_one_object_a_line() {
    let text = "registers: {symbol: 's', position: 'p'}\nconstants: {A, \"é\"}\nwhere symbol[N] == \"é\" and symbl[N] == A:\n    symbol[N] = A\n";
    let output = psl_with(&["check", "--format", "json", "-"], text.as_bytes());
    let line: Value = serde_json::from_str(&out(&output)).expect("one object");
    let start = text.find("symbl").expect("the mistake");
    assert_eq!(
        line,
        json!({
            "file": "<stdin>",
            "code": "unknown-register",
            "severity": "error",
            "message": "unknown register `symbl`",
            "help": "did you mean `symbol`?",
            "start": {"line": 3, "column": 28, "offset": start},
            "end": {"line": 3, "column": 33, "offset": start + 5},
            "related": [],
            "fixes": [{
                "title": "Replace with `symbol`",
                "certain": false,
                "edits": [{
                    "start": {"line": 3, "column": 28, "offset": start},
                    "end": {"line": 3, "column": 33, "offset": start + 5},
                    "text": "symbol",
                }],
            }],
        })
    );
    assert_eq!((code(&output), err(&output).as_str()), (1, "checked 1 file: 1 error, 0 warnings\n"));
}

#[test]
fn check_shows_people_the_place() {
    let text = format!("{DECLARATIONS}where symbol[N] == A:\n    symbol[N] = A\n    symbol[N] = symbol[N]\n");
    let output = psl_with(&["check", "-"], text.as_bytes());
    let report = out(&output);
    for part in
        ["error[assigned-twice]: duplicate assignment to `symbol`", "<stdin>:5:5", "first assigned here", "  help: "]
    {
        assert!(report.contains(part), "no {part:?} in\n{report}");
    }
    assert!(!report.contains('\u{1b}'), "colors without a terminal");
    assert!(out(&psl_with(&["check", "--color", "always", "-"], text.as_bytes())).contains('\u{1b}'));
}

#[test]
fn odd_texts_are_diagnosed_and_never_more() {
    let program = fs::read_to_string(repository().join("examples/pargen.psl")).expect("PARGEN");
    let deep_parens = format!("{DECLARATIONS}where {}symbol[N] == A:\n    symbol[N] = A\n", "(".repeat(100_000));
    let deep_repeats = format!("{DECLARATIONS}{}", "repeat:\n".repeat(100_000));
    let garbage: Vec<u8> =
        (0..100_000_u32).map(|index| (index.wrapping_mul(2_654_435_761) >> 24) as u8 & 0x7f).collect();
    assert_eq!(found(b""), ["empty-program: the program has no production"]);
    assert_eq!(found(b"\0"), ["syntax: unexpected character `U+0000`"]);
    assert_eq!(found(b"# \xff"), ["syntax: byte 0xFF is not UTF-8"]);
    assert_eq!(found(b"lorem ipsum"), ["syntax: expected a declaration or a production, found `lorem`"]);
    assert_eq!(found(&garbage).len(), 1);
    assert_eq!(found(deep_parens.as_bytes()), ["nested-too-deep: parentheses are nested more than 256 levels deep"]);
    assert_eq!(found(deep_repeats.as_bytes()), ["nested-too-deep: repeat blocks are nested more than 256 levels deep"]);
    let usual = found(program.as_bytes());
    assert_eq!(found(program.replace('\n', "\r\n").as_bytes()), usual);
    assert_eq!(found(format!("\u{feff}{program}").as_bytes()), usual);
    let untested: String = program
        .split_inclusive('\n')
        .filter(|line| !line.starts_with("//@ test") && !line.starts_with("//@ law"))
        .collect();
    let productions = &untested[untested.find("# P0:").expect("P0")..];
    let copies = 10_000_000 / productions.len();
    let large = found(format!("{untested}{}", productions.repeat(copies)).as_bytes());
    assert_eq!(large.len(), usual.len() * (copies + 1));
    let other = large.iter().find(|found| !found.starts_with("non-causal: cell `N` may attend"));
    assert_eq!((other, large.is_empty()), (None, false));
}

#[test]
fn check_searches_folders_and_knows_what_to_deny() {
    let folder = std::env::temp_dir().join(format!("psl-check-{}", std::process::id()));
    fs::create_dir_all(folder.join("sub/ignored")).expect("a folder");
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).expect("a file");
    let program = format!("//@ tset\n{DECLARATIONS}where symbol[N] == A:\n    symbol[N] = A\n");
    write("sub/a.psl", &program);
    write("sub/ignored/b.psl", "broken");
    write("sub/c.txt", "broken");
    write(".gitignore", "ignored\n");
    let path = folder.to_str().expect("UTF-8");
    let plain = psl(&["check", path]);
    assert_eq!(
        (code(&plain), err(&plain).as_str()),
        (0, "\nchecked 1 file: 0 errors, 1 warning\nmore about a code: psl explain unknown-directive\n")
    );
    assert_eq!(code(&psl(&["check", "--deny", "warnings", path])), 1);
    assert_eq!(code(&psl(&["check", "--deny", "unknown-directive", path])), 1);
    let allowed = psl(&["check", "--allow", "unknown-directive", "--deny", "warnings", path]);
    assert_eq!((code(&allowed), out(&allowed).as_str()), (0, ""));
    fs::remove_dir_all(&folder).expect("the folder goes");
}

const UNFORMATTED: &str = "registers {symbol:'s',position:'p'}\nconstants:{A,}\n\n\n#@ allow-file always-true\nwhere symbol[N]==A: symbol[N]=A";
const FORMATTED: &str = "registers: {symbol: 's', position: 'p'}\nconstants: {A}\n\n//@ allow-file always-true\nwhere symbol[N] == A:\n    symbol[N] = A\n";

#[test]
fn fmt_changes_files_in_place_and_only_those_that_need_it() {
    let folder = std::env::temp_dir().join(format!("psl-fmt-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let path = |name: &str| folder.join(name);
    let shown = |name: &str| path(name).display().to_string();
    let write = |name: &str, text: &[u8]| fs::write(path(name), text).expect("a file");
    let read = |name: &str| fs::read(path(name)).expect("a file");
    write("a.psl", UNFORMATTED.as_bytes());
    write("b.psl", FORMATTED.as_bytes());
    write("broken.psl", b"where  symbol[N]");
    write("latin1.psl", b"# \xe9");
    let folder_name = folder.to_str().expect("UTF-8");

    let check = psl(&["fmt", "--check", folder_name]);
    assert_eq!((code(&check), out(&check)), (1, format!("{}\n", shown("a.psl"))));
    assert!(err(&check).ends_with("4 files: 1 to format, 1 already formatted, 2 broken\n"), "{}", err(&check));
    assert_eq!(read("a.psl"), UNFORMATTED.as_bytes());

    let unchanged_since = fs::metadata(path("b.psl")).and_then(|file| file.modified()).expect("a time");
    let first = psl(&["fmt", folder_name]);
    assert_eq!((code(&first), out(&first).as_str()), (1, ""));
    for part in ["error[syntax]", "broken.psl:1:", "byte 0xE9 is not UTF-8"] {
        assert!(err(&first).contains(part), "no {part:?} in\n{}", err(&first));
    }
    assert!(err(&first).ends_with("4 files: 1 formatted, 1 left unchanged, 2 broken\n"), "{}", err(&first));
    assert_eq!(read("a.psl"), FORMATTED.as_bytes());
    assert_eq!(fs::metadata(path("b.psl")).and_then(|file| file.modified()).expect("a time"), unchanged_since);
    assert_eq!(
        (read("broken.psl").as_slice(), read("latin1.psl").as_slice()),
        (&b"where  symbol[N]"[..], &b"# \xe9"[..])
    );

    fs::remove_file(path("broken.psl")).expect("the file goes");
    fs::remove_file(path("latin1.psl")).expect("the file goes");
    for args in [&["fmt", folder_name][..], &["fmt", "--check", folder_name], &["fmt", "--diff", folder_name]] {
        assert_eq!((code(&psl(args)), out(&psl(args)).as_str()), (0, ""), "{args:?}");
    }
    assert_eq!(fs::read_dir(&folder).expect("the folder").count(), 2, "no file is left behind");
    fs::remove_dir_all(&folder).expect("the folder goes");
}

#[cfg(unix)]
#[test]
fn fmt_keeps_permissions_and_links() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let folder = std::env::temp_dir().join(format!("psl-fmt-links-{}", std::process::id()));
    fs::create_dir_all(folder.join("sub")).expect("a folder");
    let (file, link) = (folder.join("sub/file.psl"), folder.join("link.psl"));
    fs::write(&file, UNFORMATTED).expect("a file");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).expect("permissions");
    symlink("sub/file.psl", &link).expect("a link");
    assert_eq!(code(&psl(&["fmt", link.to_str().expect("UTF-8")])), 0);
    assert!(fs::symlink_metadata(&link).expect("the link").is_symlink());
    assert_eq!(fs::read_to_string(&file).expect("the file"), FORMATTED);
    assert_eq!(fs::metadata(&file).expect("the file").permissions().mode() & 0o777, 0o640);

    fs::write(&file, UNFORMATTED).expect("a file");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o440)).expect("permissions");
    let output = psl(&["fmt", file.to_str().expect("UTF-8")]);
    assert_eq!(code(&output), 2);
    assert!(err(&output).contains("cannot write"), "{}", err(&output));
    assert_eq!(fs::read_to_string(&file).expect("the file"), UNFORMATTED);
    fs::remove_dir_all(&folder).expect("the folder goes");
}

#[test]
fn fmt_filters_standard_input() {
    run("fmt -").input(UNFORMATTED).prints(FORMATTED);
    run("fmt -").input(FORMATTED).prints(FORMATTED);
    run("fmt -").input("where").code(1).mentions("error[syntax]").prints("");
    run("fmt -").input("where x[N]==A:y[N]=B").prints("where x[N] == A:\n    y[N] = B\n");
    run("fmt --check -").input(UNFORMATTED).code(1).prints("<stdin>\n");
}

#[test]
fn fmt_diff_shows_what_would_change() {
    let expected = "\
--- <stdin>
+++ <stdin>
@@ -1,6 +1,6 @@
-registers {symbol:'s',position:'p'}
-constants:{A,}
+registers: {symbol: 's', position: 'p'}
+constants: {A}
 
-
-#@ allow-file always-true
-where symbol[N]==A: symbol[N]=A
\\ No newline at end of file
+//@ allow-file always-true
+where symbol[N] == A:
+    symbol[N] = A
";
    run("fmt --diff -").input(UNFORMATTED).code(1).prints(expected);
    run("fmt --diff -").input("\n\n").code(1).prints("--- <stdin>\n+++ <stdin>\n@@ -1,2 +0,0 @@\n-\n-\n");
}

#[test]
fn wrong_usage_and_unreadable_files_exit_with_2() {
    for args in [
        &["fmt", "no/such/file.psl"][..],
        &["fmt", "--wrong"],
        &["check", "no/such/file.psl"],
        &["check", "--deny", "nonsense"],
        &["explain", "nonsense"],
        &["run", "--machine", "abacus"],
        &["run", "--embedding", "local", "--machine", "dat"],
        &["run", "--embedding", "local", "--verify"],
        &["run", "--seed", "1"],
        &["eval", "examples/pargen.psl", "no/such/file.tsv"],
        &["run", "-"],
        &["eval", "-", "-"],
        &["nonsense"],
    ] {
        let output = psl(args);
        assert_eq!(code(&output), 2, "{args:?}: {}", err(&output));
        assert!(!err(&output).is_empty(), "{args:?} says why");
    }
}

#[test]
fn run_completes_a_prompt_or_each_line() {
    let one = psl(&["run", "--prompt", SWAP]);
    assert_eq!((code(&one), out(&one).as_str(), err(&one).as_str()), (0, "K L V F G H .\n", ""));
    let lines = psl_with(&["run", "examples/pargen.psl"], format!("{SWAP}\n{SWAP}\n").as_bytes());
    assert_eq!(out(&lines), "K L V F G H .\nK L V F G H .\n");
    let json = psl(&["run", "--prompt", SWAP, "--format", "json", "--max-new", "2"]);
    let object: Value = serde_json::from_str(&out(&json)).expect("an object");
    assert_eq!(object, json!({"prompt": SWAP, "continuation": "K L", "stopped": "max-new"}));
    let stopped = psl(&["run", "--prompt", SWAP, "--stop", "V"]);
    assert_eq!(out(&stopped), "K L V\n");
    let bounded = psl(&["run", "--prompt", SWAP, "--max-new", "2"]);
    assert_eq!((code(&bounded), out(&bounded).as_str()), (0, "K L\n"));
    assert!(err(&bounded).starts_with("note: stopped after 2 symbols"), "{}", err(&bounded));
    let empty = psl(&["run", "--prompt", " "]);
    assert_eq!(code(&empty), 1);
    assert!(err(&empty).contains("the prompt is empty"), "{}", err(&empty));
}

#[test]
fn a_prompt_may_start_with_a_hyphen() {
    let program = format!("{DECLARATIONS}//@ max-new 1\nwhere symbol[N] == A:\n    symbol[N] = A\n");
    for args in [["--prompt", "-1 A"], ["-p", "-1 A"], ["-p", "--prompt A"], ["-p", "- -"]] {
        let output = psl_with(&[&["run", "-"][..], &args].concat(), program.as_bytes());
        let last = args[1].rsplit(' ').next().expect("a symbol");
        assert_eq!((code(&output), out(&output)), (0, format!("{last}\n")), "{args:?}: {}", err(&output));
    }
    let stopped = psl_with(&["run", "-", "-p", "A -1", "--stop", "-1", "--max-new", "9"], program.as_bytes());
    assert_eq!((code(&stopped), out(&stopped).as_str()), (0, "-1\n"));
}

#[test]
fn run_takes_an_embedding() {
    for arguments in [&["local"][..], &["semi-local"], &["distributed", "--seed", "7", "--machine", "full-dat"]] {
        let output = psl(&[&["run", "--prompt", SWAP, "--embedding"], arguments].concat());
        assert_eq!((code(&output), out(&output).as_str(), err(&output).as_str()), (0, "K L V F G H .\n", ""));
    }
}

#[test]
fn run_names_the_block_that_never_ends() {
    let program = format!(
        "{DECLARATIONS}constants: {{B}}\nrepeat:\n    where symbol[N] == A:\n        symbol[N] = B\n    where symbol[N] == B:\n        symbol[N] = A\n    where symbol[N] == A:\n        symbol[N] = B\nuntil symbol[N] == A\n"
    );
    for machine in ["psm", "qkvm", "dat", "full-dat"] {
        let output = psl_with(&["run", "-", "--prompt", "A", "--machine", machine], program.as_bytes());
        assert_eq!(code(&output), 1);
        assert!(err(&output).contains("<stdin>:4:1: repeat block 1 never stops"), "{}", err(&output));
    }
}

#[test]
fn run_bounds_the_passes() {
    let output = psl(&["run", "--max-passes", "3", "--prompt", SWAP]);
    assert_eq!((code(&output), out(&output).as_str()), (1, "\n"));
    let expected = "repeat block 1 (# P2a: spread XQ) did not stop within 3 passes; raise the limit, or change its productions so that it stops";
    assert!(err(&output).contains(expected), "{}", err(&output));
}

#[test]
fn a_trace_has_a_line_for_every_cell_of_every_layer() {
    let file = std::env::temp_dir().join(format!("psl-trace-{}.jsonl", std::process::id()));
    let output = psl(&["run", "examples/induction.psl", "--prompt", "a b a", "--trace", file.to_str().expect("UTF-8")]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    let text = fs::read_to_string(&file).expect("the trace");
    fs::remove_file(&file).expect("the trace goes");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
    let prompt_pass = lines.iter().filter(|line| line["step"] == 0);
    let places: Vec<_> = prompt_pass.map(|line| (line["layer"].as_u64(), line["cell"].as_u64())).collect();
    let expected: Vec<_> = (1..=3).flat_map(|layer| (1..=3).map(move |cell| (Some(layer), Some(cell)))).collect();
    assert_eq!(places, expected);
    assert_eq!(lines[1]["attends"], 1);
    assert_eq!(lines[1]["set"], json!({"prev_symbol": "a"}));
    assert_eq!(lines[1]["state"]["symbol"], "b");
}

/// Generates the symbol of the first marked cell.
const MARKED: &str = "registers: {symbol: 's', position: 'p', eop: 'z', mark: 'm', output: 'o'}
constants: {1, EOP}
system: {symbol: symbol, position: position, output: output, eop: eop}
where eop[N] == EOP and mark[n] == 1:
    output[N] = symbol[n]
";

#[test]
fn a_structured_prompt_sets_further_registers() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("marked.psl");
    fs::write(&program, MARKED).expect("a program");
    let program = program.to_str().expect("UTF-8");
    let run = |cells: &str, args: &[&str]| {
        psl_with(&[&["run", program, "--prompt-json", "-", "--max-new", "1"], args].concat(), cells.as_bytes())
    };
    let cells = r#"[{"symbol": "a b"}, {"symbol": "new", "mark": 1}, {"symbol": "A", "mark": "other"}]"#;
    for args in [&["--machine", "psm"][..], &["--machine", "qkvm"], &["--machine", "dat"], &["--verify"]] {
        let output = run(cells, args);
        assert_eq!((code(&output), out(&output).as_str()), (0, "new\n"), "{args:?}: {}", err(&output));
    }
    let json: Value = serde_json::from_str(&out(&run(cells, &["--format", "json"]))).expect("an object");
    let prompt = json!([{"symbol": "a b"}, {"symbol": "new", "mark": "1"}, {"symbol": "A", "mark": "other"}]);
    assert_eq!(json, json!({"prompt": prompt, "continuation": "new", "stopped": "max-new"}));
    // A cell's own value of a role wins. A cell may lack a symbol.
    assert_eq!(out(&run(r#"[{"symbol": "a", "mark": 1}, {"eop": "no"}]"#, &[])), "∅\n");
    assert_eq!(out(&run(r#"[{"mark": 1}, {"symbol": "b", "mark": 1}]"#, &[])), "∅\n");

    for (cells, expected) in [
        ("[", "cell 1: the JSON ends in the middle of a list at line 1 column 1"),
        ("{}", "found an object, expected a list of cells at line 1 column 0"),
        (
            r#"[{}, "a"]"#,
            "cell 2: invalid type: string \"a\", expected an object of registers and their values at line 1 column 8",
        ),
        (r#"[{"mark": [1]}]"#, "cell 1: `mark`: expected a string or a whole number at line 1 column 14"),
        (r#"[{}, {"marc": 1}]"#, "cell 2: unknown register `marc`; did you mean `mark`?"),
        (r#"[{"m": 1}]"#, "cell 1: unknown register `m`; did you mean `mark`?"),
        (r#"[{"mark": 1, "mark": 2}]"#, "cell 1: duplicate register `mark`; remove one of the two"),
        (
            r#"[{}, {"position": 7}]"#,
            "cell 2 of the prompt sets the position, which the machine sets: remove that register",
        ),
        ("[]", "the prompt is empty: give at least one symbol"),
    ] {
        let output = run(cells, &[]);
        assert_eq!((code(&output), err(&output)), (1, format!("error: <stdin>: {expected}\n")), "{cells}");
    }
}

#[test]
fn a_universal_turing_machine_adds_one() {
    let run = ["run", "tests/programs/turing.psl", "--prompt-json", "tests/programs/turing.json"];
    let output = psl(&[&run[..], &["--verify"]].concat());
    assert_eq!((code(&output), out(&output).as_str()), (0, "_ 1 1 0 0 .\n"), "{}", err(&output));
}

#[test]
fn every_machine_completes_the_paper_s_examples() {
    for machine in ["psm", "qkvm", "dat"] {
        let data = golden("examples.tsv");
        let output = psl(&[
            "eval",
            "examples/pargen.psl",
            data.to_str().expect("UTF-8"),
            "--machine",
            machine,
            "--format",
            "json",
        ]);
        let score: Value = serde_json::from_str(&out(&output)).expect("an object");
        assert_eq!((code(&output), &score["correct"], &score["total"]), (0, &json!(16), &json!(16)), "{score}");
    }
}

#[test]
fn every_split_of_templatic_generation_is_complete() {
    let splits: Vec<PathBuf> = fs::read_dir(golden(""))
        .expect("the golden data")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("tgt-")))
        .collect();
    assert_eq!(splits.len(), 6);
    for split in splits {
        let output = psl(&["eval", "examples/pargen.psl", split.to_str().expect("UTF-8")]);
        assert!(out(&output).starts_with("100 of 100 correct (100.00 %)"), "{}: {}", split.display(), out(&output));
    }
}

#[test]
fn eval_lists_what_is_wrong() {
    let data = format!("{SWAP}\tK L V F G H .\tinfo\n{SWAP}\tK L .\nno tab\n\n");
    let args = ["eval", "examples/pargen.psl", "-", "--format", "json", "--jobs", "1"];
    let output = psl_with(&args, data.as_bytes());
    let score: Value = serde_json::from_str(&out(&output)).expect("an object");
    assert_eq!((code(&output), &score["total"], &score["correct"]), (1, &json!(3), &json!(1)));
    assert_eq!(score["failures"][0], json!({"line": 2, "prompt": SWAP, "gold": "K L .", "got": "K L V F G H ."}));
    let error = "malformed line: expected PROMPT<TAB>GOLD, found no tab";
    let malformed = json!({"line": 3, "prompt": "no tab", "gold": null, "got": null, "error": error});
    assert_eq!((&score["failures"][1], &score["malformed"]), (&malformed, &json!(1)));
    let many = psl_with(&["eval", "examples/pargen.psl", "-"], "A\tB\n".repeat(25).as_bytes());
    assert_eq!(out(&many).matches("<stdin>:").count(), 20, "{}", out(&many));
    assert!(out(&many).contains(
        "5 more wrong lines not shown (`--show failures` lists all)\n0 of 25 tokens correct (0.00 %)\n0 of 25 correct"
    ));
    let limited = psl_with(&["eval", "examples/pargen.psl", "-", "--limit", "1"], data.as_bytes());
    assert!(out(&limited).starts_with("1 of 1 correct"), "{}", out(&limited));
}

#[test]
fn test_runs_the_tests_of_programs() {
    let output = psl(&["test", "examples", "tests/programs"]);
    assert_eq!(code(&output), 0, "{}", out(&output));
    assert!(out(&output).ends_with(" passed, 0 failed\n"), "{}", out(&output));
    let failing = format!(
        "//@ max-new 1\n//@ test mine \"A\" => \"B\"\n{DECLARATIONS}where symbol[N] == A:\n    symbol[N] = A\n"
    );
    let output = psl_with(&["test", "-"], failing.as_bytes());
    assert_eq!(code(&output), 1);
    assert_eq!(
        out(&output),
        "FAILED <stdin>:2:1: mine: symbol 1 is `A`, not `B`\n  prompt    A\n  expected  B\n  got       A\n            ^\n  \
         why       layer 1 (line 5) wrote it in cell 1\n0 passed, 1 failed\n"
    );
}

#[test]
fn compile_writes_qkvl() {
    let read = |text: &str| serde_json::from_str::<Value>(text).expect("JSON");
    let expected = read(&fs::read_to_string(golden("qkvl/repeat_block.json")).expect("the golden file"));
    let program = golden("programs/repeat_block.psl");
    let program = program.to_str().expect("UTF-8");
    assert_eq!(read(&out(&psl(&["compile", program]))), expected);
    let file = std::env::temp_dir().join(format!("psl-compile-{}.json", std::process::id()));
    assert_eq!(code(&psl(&["compile", program, "--emit", "qkvl", "-o", file.to_str().expect("UTF-8")])), 0);
    assert_eq!(read(&fs::read_to_string(&file).expect("the output")), expected);
    fs::remove_file(&file).expect("the output goes");
    let broken = psl_with(&["compile", "-"], b"where");
    assert_eq!((code(&broken), out(&broken).as_str()), (1, ""));
    assert!(err(&broken).contains("error[syntax]"), "{}", err(&broken));
}

#[test]
fn explain_knows_every_code_and_every_word_of_the_language() {
    let list = out(&psl(&["explain"]));
    let words: Vec<&str> = list
        .lines()
        .filter_map(|line| line.strip_prefix("  ")?.split("  ").next())
        .filter(|word| !word.is_empty())
        .collect();
    let find = |line: &str| list.find(line).unwrap_or_else(|| panic!("no {line:?} in\n{list}"));
    assert!(find("text:\n") < find("  syntax ") && find("  syntax ") < find("\ndeclarations:\n"), "{list}");
    assert!(find("\nrole:\n") < find("  eop ") && find("  eop ") < find("\ndirective:\n"), "{list}");
    let missing = psl_syntax::Code::ALL.iter().find(|code| !words.contains(&code.as_str()));
    assert_eq!(missing, None, "{words:?}");
    for word in words {
        let explained = out(&psl(&["explain", word]));
        assert!(explained.starts_with(&format!("# {}\n\n**", word.trim())), "{word}: {explained}");
    }
    let explained = |word: &str| out(&psl(&["explain", word]));
    assert!(explained("n").contains("**cell**: The cell attended to"));
    assert_eq!(explained("@pos_increment"), explained("pos_increment"));
    assert_eq!(explained("//@ allow"), explained("allow"));
    for (word, suggestion) in [
        ("repaet", "did you mean `repeat`?"),
        ("unkown-register", "did you mean `unknown-register` or `unused-register`?"),
        ("unused", "did you mean `unused-register`, `unused-constant` or `unused-allow`?"),
        ("xyzzy", "`psl explain` lists all words"),
    ] {
        let output = psl(&["explain", word]);
        let message = format!("psl: unknown word `{word}`; {suggestion}\n");
        assert_eq!((code(&output), err(&output)), (2, message));
    }
}

#[test]
fn the_example_of_a_failing_test_fails_and_its_repair_passes() {
    let entry = psl_syntax::Code::FailingTest.entry();
    assert_eq!(code(&psl_with(&["test", "-"], entry.example_program().as_bytes())), 1);
    assert_eq!(code(&psl_with(&["test", "-"], entry.repair_program().as_bytes())), 0);
}

#[test]
fn the_demo_passes() {
    let output = psl(&["demo"]);
    let shown = out(&output);
    assert_eq!(code(&output), 0, "{shown}");
    for part in [
        "  where_rm previous[n] == symbol[N]:\n      symbol[N] = symbol[n]\n",
        "  run      one two three . one => two three .\n",
        "  why      symbol[5] = two: layer 2 copies it\n           symbol[2] = two: the prompt has it\n",
        "parameters: equal to the program on 1 prompt\n",
        "  test     10 of 10 prompts right, in ",
        "  verify   psm = qkvm = dat = full-dat in every register",
    ] {
        assert!(shown.contains(part), "{part}{shown}");
    }
}

#[test]
fn completions_are_scripts() {
    assert!(out(&psl(&["completions", "bash"])).contains("_psl()"));
}
