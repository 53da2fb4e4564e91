//! The output of `psl check`: reports, SARIF, workflow commands, fixes, and levels from all sides.

use std::{fs, path::PathBuf};

use serde_json::{Value, json};
use unicode_width::UnicodeWidthStr;

use crate::binary::{DECLARATIONS, code, err, out, psl, psl_in, psl_with};

/// A folder with these files, empty before.
fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("psl-{name}-{}", std::process::id()));
    fs::remove_dir_all(&folder).ok();
    for (name, text) in files {
        let file = folder.join(name);
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        fs::write(file, text).expect("a file");
    }
    folder
}

/// A program with one warning, `unused-allow`, in line 3.
fn program() -> String {
    format!("{DECLARATIONS}//@ allow syntax\nwhere symbol[N] == A:\n    symbol[N] = A\n")
}

/// Checks that the report of a text's only error underlines exactly the text between `«` and `»`, and has its line and
/// column.
fn underlines(text: &str) {
    let start = text.find('«').expect("a mark");
    let end = text.find('»').expect("a mark");
    let marked = &text[start + '«'.len_utf8()..end];
    let line = text[..start].matches('\n').count() + 1;
    let column = text[..start].rsplit('\n').next().expect("a line").chars().count() + 1;
    let text = text.replace(['«', '»'], "");
    let reports = out(&psl_with(&["check", "-"], text.as_bytes()));
    let report = reports.split("\n\n").find(|report| report.starts_with("error[")).expect("an error");
    assert!(report.contains(&format!("<stdin>:{line}:{column} ")), "no {line}:{column} in\n{report}");
    let lines: Vec<&str> = report.lines().collect();
    let row = lines.iter().rposition(|line| line.contains('━')).expect("an underline");
    let (shown, carets) = (lines[row - 1], lines[row]);
    let first = carets.find('━').expect("an underline");
    let shown_before = shown[..shown.rfind(marked).expect("it is shown")].width();
    assert_eq!(carets[..first].width(), shown_before, "\n{report}");
    assert_eq!(carets[first..].trim_end().width(), marked.width(), "\n{report}");
}

#[test]
fn underlines_are_below_their_places() {
    for marked in
        ["«symbl»[N] == A", "symbol[N] == «\"日本語\"»", "symbol[N] == «\"e\u{301}e\u{301}\"»", "symbol[N] == «\"😀\"»"]
    {
        underlines(&format!("{DECLARATIONS}where {marked}:\n    symbol[N] = A\n"));
    }
    for before in [
        "",
        "日本語",
        "e\u{301}x\u{308}\u{323}",
        "😀🎉",
        "\u{200b}",
        "한국어",
        "ｗｉｄｅ",
        "a\tb",
        "👩\u{200d}🔬",
        "👨\u{200d}👩\u{200d}👧\u{200d}👦\t❤\u{fe0f}",
        "1\u{fe0f}\u{20e3}",
        "🇩🇪👍🏽",
        &"❤\u{fe0f}".repeat(500),
    ] {
        underlines(&format!(
            "registers: {{symbol: 's', position: 'p'}}\nconstants: {{A, \"x{before}\"}} where symbol[N] == A: symbol[N] = «BB»\n"
        ));
    }
    underlines(&format!("{DECLARATIONS}\t\twhere\tsymbol[N]\t==\t«BB»:\n\tsymbol[N] = A\n"));
}

#[test]
fn long_lines_are_shown_in_part() {
    let constants = (0..100_000).map(|index| format!("C{index}, ")).collect::<Vec<_>>().concat();
    underlines(&format!(
        "registers: {{symbol: 's', position: 'p'}} constants: {{{constants}A}} where symbol[N] == «BB»: symbol[N] = A\n"
    ));
    let text = format!(
        "registers: {{symbol: 's', position: 'p', symbol: 'q'}} constants: {{{constants}A, C7}}\n\nwhere symbol[N] == A: symbol[N] = A\n"
    );
    let report = out(&psl_with(&["check", "-"], text.as_bytes()));
    assert!(report.len() < 4_000, "{report}");
    assert!(report.lines().any(|line| line.contains("{C0, C1, ") && line.contains('…')), "{report}");
    assert!(report.contains(&format!("<stdin>:1:{} ", text.rfind("C7").expect("it is there") + 1)), "{report}");
}

#[test]
fn labels_far_away_keep_their_lines_and_cost_nothing() {
    for lines in [0, 1, 5, 95, 100_000] {
        let text = format!(
            "{DECLARATIONS}{}registers: {{prev: 'r', symbol: 't'}}\nwhere symbol[N] == A:\n    symbol[N] = A\n",
            "# x\n".repeat(lines)
        );
        let reports = out(&psl_with(&["check", "-"], text.as_bytes()));
        let report = reports.split("\n\n").find(|report| report.contains("duplicate register")).expect("a report");
        assert!(report.contains(&format!("<stdin>:{}:24 ", lines + 3)), "{report}");
        let numbered = |number: usize| format!(" {number} │ registers: {{");
        assert!(report.contains(&numbered(1)) && report.contains(&numbered(lines + 3)), "{report}");
        let rows: Vec<&str> = report.lines().filter(|row| row.contains(['│', '╭'])).collect();
        assert!((2..12).contains(&rows.len()), "{report}");
        // All frames are aligned.
        let columns = rows.iter().filter_map(|row| row.find(['│', '╭']).map(|at| row[..at].width()));
        assert!(columns.clone().all(|column| Some(column) == columns.clone().next()), "{report}");
    }
}

#[test]
fn the_short_format_is_a_line_for_each() {
    let text = format!("//@ tset\n{DECLARATIONS}where symbl[N] == A:\n    symbol[N] = A\n");
    let output = psl_with(&["check", "--format", "short", "-"], text.as_bytes());
    let (found, rest) =
        out(&output).split_once('\n').map(|(first, rest)| (first.to_owned(), rest.to_owned())).expect("two");
    assert!(found.starts_with("<stdin>:1:5: warning[unknown-directive]: "), "{found}");
    assert_eq!(rest, "<stdin>:4:7: error[unknown-register]: unknown register `symbl`\n");
    assert_eq!(code(&output), 1);
}

#[test]
fn as_many_are_printed_as_asked_for_the_worst_first() {
    let warned = "//@ tset\n".repeat(1_500);
    let folder =
        folder("many", &[("a.psl", &format!("{warned}{}", program())), ("b.psl", "where\n"), ("c.psl", &warned)]);
    let check = |args: &[&str]| psl_in(&folder, &[&["check", "--format", "short"], args].concat(), b"");
    let summary = "checked 3 files: 3 errors, 3001 warnings\n";
    for (args, printed, left_out) in [
        (&[][..], 1_000, "2004 diagnostics not printed; --max-diagnostics 3004 prints all\n"),
        (&["--max-diagnostics", "4"], 4, "3000 diagnostics not printed; --max-diagnostics 3004 prints all\n"),
        (&["--max-diagnostics", "2"], 2, "3002 diagnostics not printed; --max-diagnostics 3004 prints all\n"),
        (&["--max-diagnostics", "0"], 0, "3004 diagnostics not printed; --max-diagnostics 3004 prints all\n"),
        (&["--max-diagnostics", "3004"], 3_004, ""),
    ] {
        let output = check(args);
        assert_eq!((code(&output), err(&output)), (1, format!("{summary}{left_out}")), "{args:?}");
        assert_eq!(out(&output).lines().count(), printed);
        assert_eq!(out(&output).matches(": error[").count(), printed.min(3), "{args:?}");
        let human = psl_in(&folder, &[&["check"], args].concat(), b"");
        assert_eq!(out(&human).matches("[ ").count(), printed);
    }
    let pargen = psl(&["check", "--format", "short", "--max-diagnostics", "3", "examples/pargen.psl"]);
    let severities: Vec<String> =
        out(&pargen).lines().filter_map(|line| Some(line.split(": ").nth(1)?.split('[').next()?.to_owned())).collect();
    assert_eq!(severities, ["warning", "hint", "warning"], "in the order of the text");
    let json = psl_in(&folder, &["check", "--format", "json", "--max-diagnostics", "1"], b"");
    assert_eq!(out(&json).lines().count(), 3_004, "other tools get all");
    fs::remove_dir_all(&folder).expect("the folder goes");
}

#[test]
fn a_program_cannot_write_over_its_report() {
    let text =
        format!("{DECLARATIONS}where symbol[N] == \"\u{1b}[2J\u{202e}\u{85}\u{2028}\u{b}\":\n    symbol[N] = A\n");
    let report = out(&psl_with(&["check", "-"], text.as_bytes()));
    assert!(report.contains("<stdin>:3:20 "), "{report}");
    assert!(!report.contains(['\u{1b}', '\u{202e}', '\u{85}', '\u{2028}', '\u{b}']), "{report:?}");
}

#[test]
fn every_place_of_a_text_can_be_reported() {
    for text in
        ["", "\u{feff}", "where", "where symbol[N]", "registers: {", "\r\rwhere 日\r\n", "repeat:\n", "'", "// x"]
    {
        let report = out(&psl_with(&["check", "-"], text.as_bytes()));
        let lines = out(&psl_with(&["check", "--format", "json", "-"], text.as_bytes()));
        assert!(!lines.is_empty(), "nothing is found in {text:?}");
        for line in lines.lines() {
            let line: Value = serde_json::from_str(line).expect("an object");
            let place = format!("<stdin>:{}:{} ", line["start"]["line"], line["start"]["column"]);
            assert!(report.contains(&place), "no {place} in\n{report}");
        }
    }
}

#[test]
fn workflow_commands_are_escaped() {
    let folder = folder("github", &[("a,b:100%.psl", "where symbol[N] == A")]);
    let output = psl_in(&folder, &["check", "--format", "github"], b"");
    let lines = out(&output);
    let first = lines.lines().next().expect("a line");
    assert_eq!(
        first,
        "::error file=a%2Cb%3A100%25.psl,line=1,endLine=1,col=1,endColumn=6,title=missing-role::the program declares no registers%0Ahelp: add `registers: {symbol: 's', position: 'p'}` at the start: the machine writes the prompt to these"
    );
    fs::remove_dir_all(&folder).expect("the folder goes");
}

#[test]
fn sarif_is_one_log_of_all_files() {
    let folder = folder(
        "sarif",
        &[("a b.psl", &program()), ("sub/é.psl", "where"), ("fine.psl", &program().replace("//@ allow syntax\n", ""))],
    );
    let output = psl_in(&folder, &["check", "--format", "sarif"], b"");
    let log: Value = serde_json::from_str(&out(&output)).expect("one object");
    let run = &log["runs"][0];
    assert_eq!((code(&output), &log["version"], &run["columnKind"]), (1, &json!("2.1.0"), &json!("unicodeCodePoints")));
    let result = &run["results"][0];
    assert_eq!(result["ruleId"], "unused-allow");
    let rule = &run["tool"]["driver"]["rules"]
        [usize::try_from(result["ruleIndex"].as_u64().expect("an index")).expect("a small one")];
    assert_eq!((&rule["id"], &rule["defaultConfiguration"]["level"]), (&json!("unused-allow"), &json!("warning")));
    assert_eq!(
        result["locations"],
        json!([{"physicalLocation": {
            "artifactLocation": {"uri": "a%20b.psl"},
            "region": {"startLine": 3, "startColumn": 11, "endLine": 3, "endColumn": 17},
        }}])
    );
    let change = &result["fixes"][0]["artifactChanges"][0];
    assert_eq!(
        change["replacements"],
        json!([{
            "deletedRegion": {"startLine": 3, "startColumn": 1, "endLine": 4, "endColumn": 1},
            "insertedContent": {"text": ""},
        }])
    );
    let files: Vec<&Value> = run["results"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|result| &result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"])
        .collect();
    assert!(files[1..].iter().all(|file| *file == "sub/%C3%A9.psl") && files.len() > 1, "{files:?}");
    let whole = psl_in(&folder, &["check", "--format", "sarif", folder.join("sub").to_str().expect("UTF-8")], b"");
    let uri = format!("\"uri\":\"file://{}/sub/%C3%A9.psl\"", folder.display());
    assert!(out(&whole).contains(&uri), "{}", out(&whole));
    fs::remove_dir_all(&folder).expect("the folder goes");
}

#[test]
fn fix_applies_what_is_certain_and_says_how_much() {
    let misspelled = program().replace("where symbol", "where symbl");
    let folder =
        folder("fix", &[("a.psl", &program()), ("b.psl", &misspelled), ("c.psl", &program().replace('\n', "\r\n"))]);
    fs::write(folder.join("d.psl"), b"# \xff").expect("a file");
    let output = psl_in(&folder, &["check", "--fix", "--format", "json"], b"");
    assert_eq!((code(&output), err(&output).as_str()), (1, "checked 4 files: 2 errors, 0 warnings, 3 fixed\n"));
    let read = |name: &str| fs::read_to_string(folder.join(name)).expect("the file");
    assert_eq!(read("a.psl"), program().replace("//@ allow syntax\n", ""));
    assert_eq!(read("b.psl"), misspelled.replace("//@ allow syntax\n", ""));
    assert_eq!(read("c.psl"), program().replace("//@ allow syntax\n", "").replace('\n', "\r\n"));
    assert_eq!(fs::read(folder.join("d.psl")).expect("the file"), b"# \xff");
    let left: Value = serde_json::from_str(out(&output).lines().next().expect("a line")).expect("an object");
    assert_eq!((&left["code"], &left["start"]["line"]), (&json!("unknown-register"), &json!(3)));
    let again = psl_in(&folder, &["check", "--fix"], b"");
    let summary = "\nchecked 4 files: 2 errors, 0 warnings, 0 fixed\nmore about a code: psl explain unknown-register\n";
    assert_eq!(err(&again), summary);
    assert_eq!(fs::read_dir(&folder).expect("the folder").count(), 4, "nothing else remains");
    fs::remove_dir_all(&folder).expect("the folder goes");
}

#[cfg(unix)]
#[test]
fn a_fixed_file_keeps_its_permissions_and_its_links() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = folder("fix-link", &[("sub/a.psl", &program())]);
    let file = folder.join("sub/a.psl");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).expect("permissions");
    symlink(&file, folder.join("link.psl")).expect("a link");
    assert!(err(&psl_in(&folder, &["check", "--fix", "link.psl"], b"")).ends_with("1 fixed\n"));
    assert!(folder.join("link.psl").is_symlink());
    assert_eq!(fs::metadata(&file).expect("the file").permissions().mode() & 0o777, 0o640);
    assert_eq!(fs::read_to_string(&file).expect("the file"), program().replace("//@ allow syntax\n", ""));
    fs::write(&file, program()).expect("the file");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o440)).expect("permissions");
    let output = psl_in(&folder, &["check", "--fix", "sub/a.psl"], b"");
    let expected = "psl: cannot write sub/a.psl: permission denied\nchecked 0 files: 0 errors, 0 warnings, 0 fixed\n";
    assert_eq!((code(&output), err(&output).as_str()), (2, expected));
    fs::remove_dir_all(&folder).expect("the folder goes");
}

#[test]
fn standard_input_is_fixed_to_standard_output() {
    let output = psl_with(&["check", "--fix", "-"], program().replace("== A", "== B").as_bytes());
    assert_eq!(out(&output), program().replace("== A", "== B").replace("//@ allow syntax\n", ""));
    assert_eq!(code(&output), 1);
    assert!(
        err(&output).contains("error[unknown-constant]") && err(&output).contains(", 1 fixed\n"),
        "{}",
        err(&output)
    );
    let plain = psl_with(&["check", "--fix", "-"], DECLARATIONS.as_bytes());
    assert_eq!(out(&plain), DECLARATIONS);
}

#[test]
fn levels_come_from_the_table_the_configuration_the_command_line_and_the_text() {
    let text = program().replace("symbol[N] == A:", "symbol[N] == A: //@ tset");
    let folder = folder(
        "levels",
        &[
            ("a.psl", &text),
            ("psl.toml", "[severity]\nunused-allow = \"info\"\nunknown-directive = \"error\"\n"),
            ("sub/a.psl", &text),
            ("sub/psl.toml", "[severity]\nunused-allow = \"off\"\n"),
            ("sub/deep/a.psl", &format!("//@ allow-file unknown-directive\n{text}")),
        ],
    );
    let check = |args: &[&str]| {
        let output = psl_in(&folder, &[&["check", "--format", "json"], args].concat(), b"");
        let shown: Vec<String> = out(&output)
            .lines()
            .map(|line| {
                let line: Value = serde_json::from_str(line).expect("an object");
                format!("{} {} {}", line["file"], line["severity"], line["code"]).replace('"', "")
            })
            .collect();
        (code(&output), shown)
    };
    let with = |code: i32, shown: &[&str]| (code, shown.iter().map(|&shown| shown.to_owned()).collect::<Vec<_>>());
    assert_eq!(
        check(&[]),
        with(1, &["a.psl info unused-allow", "a.psl error unknown-directive", "sub/a.psl warning unknown-directive"])
    );
    assert_eq!(
        check(&["--allow", "unknown-directive", "--deny", "unused-allow"]),
        with(1, &["a.psl error unused-allow", "sub/a.psl error unused-allow", "sub/deep/a.psl error unused-allow"])
    );
    assert_eq!(check(&["--deny", "warnings", "sub"]), with(1, &["sub/a.psl error unknown-directive"]));
    assert_eq!(check(&["--deny", "warnings", "--deny", "unknown-directive", "sub/deep"]), with(0, &[]));
    assert_eq!(code(&psl(&["check", "--allow", "syntax"])), 2);
    fs::remove_dir_all(&folder).expect("the folder goes");
}

#[test]
fn the_configuration_says_which_files_and_which_stop_symbol() {
    let text =
        format!("{DECLARATIONS}constants: {{B}}\n//@ test \"A\" => \"B\"\nwhere symbol[N] == A:\n    symbol[N] = B\n");
    let folder = folder(
        "paths",
        &[
            ("psl.toml", "stop = \"B\"\n[paths]\ninclude = [\"programs/\"]\nexclude = [\"old/\", \"*.draft.psl\"]\n"),
            ("programs/a.psl", &text),
            ("programs/old/b.psl", "where"),
            ("programs/c.draft.psl", "where"),
            ("elsewhere/d.psl", "where"),
        ],
    );
    let run = |args: &[&str], input: &str| {
        let output = psl_in(&folder, args, input.as_bytes());
        (code(&output), out(&output), err(&output))
    };
    assert_eq!(run(&["check"], ""), (0, String::new(), "checked 1 file: 0 errors, 0 warnings\n".to_owned()));
    assert_eq!(run(&["check", "elsewhere/d.psl"], "").0, 1, "a file that is named is checked");
    assert_eq!(run(&["check", "programs/old/../../elsewhere"], "").0, 0);
    let passed = "ok programs/a.psl:4:1: test 1\n1 passed, 0 failed\n";
    assert_eq!(run(&["test"], ""), (0, passed.to_owned(), String::new()));
    assert_eq!(run(&["run", "programs/a.psl", "--prompt", "A"], ""), (0, "B\n".to_owned(), String::new()));
    assert_eq!(run(&["run", "-", "--prompt", "A"], &text).1, "B\n", "standard input is of this folder");
    assert_eq!(run(&["run", "-", "--prompt", "A", "--max-new", "2"], &format!("//@ stop \"C\"\n{text}")).1, "B B\n");
    assert_eq!(run(&["run", "programs/a.psl", "--prompt", "A", "--stop", "C", "--max-new", "2"], "").1, "B B\n");
    assert_eq!(run(&["eval", "programs/a.psl", "-"], "A\tB\n").0, 0);
    fs::remove_dir_all(&folder).expect("the folder goes");
}

#[test]
fn an_invalid_configuration_is_wrong_usage() {
    let folder = folder("wrong", &[("psl.toml", "[severity]\nunused-alow = \"off\"\n"), ("a.psl", &program())]);
    for args in [&["check"][..], &["check", "a.psl"], &["test"], &["run", "a.psl", "--prompt", "A"], &["check", "-"]] {
        let output = psl_in(&folder, args, b"");
        assert_eq!(code(&output), 2, "{args:?}");
        let expected = "psl.toml:2:1: unknown diagnostic `unused-alow`; did you mean `unused-allow`?\n";
        assert_eq!(err(&output).matches(expected).count(), 1, "{}", err(&output));
    }
    fs::remove_dir_all(&folder).expect("the folder goes");
}

#[test]
fn the_last_of_deny_and_allow_wins() {
    for (options, code_expected, found) in [
        (&["--deny", "unused-allow", "--allow", "unused-allow"][..], 0, ""),
        (&["--allow", "unused-allow", "--deny", "unused-allow"], 1, "error[unused-allow]"),
        (&["--allow", "unused-allow", "--deny", "unused-allow", "--allow", "unused-allow"], 0, ""),
        (&["--deny", "warnings", "--allow", "unused-allow"], 0, ""),
        (&["--allow", "unused-allow", "--deny", "never-read", "--allow", "never-read"], 0, ""),
    ] {
        let output = psl_with(&[&["check", "--format", "short", "-"], options].concat(), program().as_bytes());
        assert_eq!(code(&output), code_expected, "{options:?}");
        assert!(out(&output).contains(found) && out(&output).is_empty() == found.is_empty(), "{options:?}");
    }
}

#[test]
fn standard_input_can_have_the_name_of_a_file() {
    let folder = folder(
        "stdin-filename",
        &[
            ("sub/psl.toml", "[severity]\nunused-allow = 'error'\n"),
            ("sub/cells.json", r#"[{"symbol": "A"}]"#),
            (".git/HEAD", ""),
        ],
    );
    let rules = program().replace("allow syntax", "allow stale-prev");
    let text = format!("//@ max-new 1\n//@ test json \"cells.json\" => \"A\"\n{rules}");
    let run = |args: &[&str]| psl_in(&folder, args, text.as_bytes());
    let check = |args: &[&str]| run(&[&["check", "-", "--stdin-filename", "sub/new.psl"], args].concat());
    let short = check(&["--format", "short"]);
    assert_eq!((code(&short), err(&short).as_str()), (1, "checked 1 file: 1 error, 0 warnings\n"), "{}", out(&short));
    assert!(out(&short).starts_with("sub/new.psl:5:11: error[unused-allow]: "), "{}", out(&short));
    assert!(out(&check(&["--format", "github"])).contains("file=sub/new.psl,line=5,"));
    let fixed = check(&["--fix"]);
    assert_eq!((code(&fixed), out(&fixed)), (0, text.replace("//@ allow stale-prev\n", "")));
    let unformatted = psl_in(&folder, &["fmt", "--check", "-", "--stdin-filename", "sub/new.psl"], b"where");
    assert!(err(&unformatted).contains("sub/new.psl:1:1"), "{}", err(&unformatted));
    let formatted = run(&["fmt", "-", "--stdin-filename", "sub/new.psl"]);
    assert_eq!((code(&formatted), out(&formatted).contains("where symbol")), (0, true));
    for command in ["check", "fmt"] {
        let refused = run(&[command, "sub", "--stdin-filename", "sub/new.psl"]);
        let message = "psl: `--stdin-filename` names standard input: give `-` as a path, too\n";
        assert_eq!((code(&refused), err(&refused).as_str()), (2, message));
    }
    assert!(!folder.join("sub/new.psl").exists(), "it is not written");
    fs::remove_dir_all(&folder).expect("the folder goes");
}
