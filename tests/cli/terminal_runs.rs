//! The text that `psl run --table`, `psl test` and `psl eval` print for people, in `tests/terminal`.

use std::{
    env, fs,
    path::Path,
    process::{Command, Stdio},
};

use tempfile::TempDir;
use unicode_width::UnicodeWidthStr;

use crate::{
    binary::{code, err, folder, out, repository},
    cases::golden,
};

const SWAP: &str = "Q B V D E A D E V B . Q F G H V K L A";

/// The widths of terminals.
const WIDTHS: [&str; 3] = ["80", "120", "200"];

/// Cells that set a register to be generated.
const ECHO: &str = "registers: {symbol: 's', position: 'p', answer: 'r', output: 'x'}\nconstants: {'.'}\n\
                    system: {symbol: symbol, position: position, output: output}\n\
                    where answer[N] == answer[N]:\n    output[N] = answer[N]\n";

/// Standard output, standard error and exit code of a command in a folder, for a terminal of this width.
fn printed(folder: &Path, columns: Option<&str>, args: &[&str]) -> (String, String, i32) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_psl"));
    command.args(args).current_dir(folder).env_remove("COLUMNS").stdin(Stdio::null());
    if let Some(columns) = columns {
        command.env("COLUMNS", columns);
    }
    let output = command.output().expect("psl runs");
    (out(&output), err(&output), code(&output))
}

/// Compares a command's output with the files of all widths. Lines fit, except commands to copy and summaries.
fn hold(name: &str, folder: &Path, args: &[&str]) {
    for columns in WIDTHS {
        let (out, _, code) = printed(folder, Some(columns), args);
        let lines = out.lines().filter(|line| !line.starts_with("  more ") && !line.starts_with("FAILED "));
        let width: usize = columns.parse().expect("a number");
        assert_eq!(lines.map(UnicodeWidthStr::width).filter(|found| *found > width).count(), 0, "{columns}: {out}");
        // Times vary.
        let timed = |line: &str| {
            line.split_once(" s, ").map(|(before, _)| before.rsplit_once(", ").expect("a time").0.to_owned())
        };
        let lines: Vec<String> = out
            .lines()
            .map(|line| if line.ends_with(" prompts/s") { timed(line).expect("a time") } else { line.to_owned() })
            .collect();
        let text = format!("{}\n\nexit code {code}\n", lines.join("\n"));
        let path = repository().join(format!("tests/terminal/{name}-{columns}.txt"));
        golden::compare(&path, &text).unwrap_or_else(|problem| panic!("{problem}"));
    }
}

fn pargen() -> String {
    fs::read_to_string(repository().join("examples/pargen.psl")).expect("PARGEN")
}

/// Programs with tests that fail in different ways.
fn failing() -> TempDir {
    let swap = pargen().replace("\"K L V F G H .\"", "\"K L V G F H .\"");
    let long = format!(
        "//@ max-new 90\n//@ test long \"A\" => \"{}B {}\"\nregisters: {{symbol: 's', position: 'p'}}\nconstants: {{A}}\n\
         // stay with A\nwhere symbol[N] == A:\n    symbol[N] = A\n",
        "A ".repeat(60),
        "A ".repeat(28)
    );
    let cells =
        format!("//@ max-new 2\n//@ test \"A\" => \"A .\"\n//@ test dot json \"cells/dot's.json\" => \"世界\"\n{ECHO}");
    let endless = "//@ test \"A\" => \"B\"\nregisters: {symbol: 's', position: 'p', old: 'o'}\nconstants: {A, B}\n\
                   repeat:\n    where symbol[N] == symbol[N]:\n        old[N] = symbol[N]\n    where old[N] == A:\n        \
                   symbol[N] = B\n    where old[N] == B:\n        symbol[N] = A\nuntil NO_CHANGE\n";
    folder(&[
        (
            "broken.psl",
            "registers: {symbol: 's', position: 'p'}\nconstants: {A}\n//@ test \"A\" => \"B\"\n//@ test \"B\" => \"B\"\nwhere symbl[N] == A:\n    symbol[N] = A\n",
        ),
        ("endless.psl", endless),
        ("long.psl", &long),
        ("sub dir/cells.psl", &cells),
        ("sub dir/cells/dot's.json", r#"[{"symbol": "A"}, {"symbol": "A", "answer": "世 界"}]"#),
        ("swap.psl", &swap),
    ])
}

#[test]
fn a_run_as_a_table() {
    let run = |name, args: &[&str]| hold(name, &repository(), &[&["run", "--table", "--prompt", SWAP], args].concat());
    run("run-table", &[]);
    run("run-layers", &["--layers", "20-27"]);
    run("run-cells", &["--cells", "12-", "--registers", "region,f", "--layers", "-14"]);
}

#[test]
fn failed_tests() {
    hold("test-failures", failing().path(), &["test"]);
}

#[test]
fn failed_lines_of_data() {
    let lines = ["A B C", &"x ".repeat(120), "世 界 世 界", ""].map(|prompt| format!("{prompt}\tA B C\n"));
    let data = format!("{SWAP}\tK L V F G H .\n{SWAP}\tK L V G F H .\nno tab\n{}", lines.concat());
    let folder = folder(&[("pargen.psl", &pargen()), ("data.tsv", &data)]);
    hold("eval-failures", folder.path(), &["eval", "pargen.psl", "data.tsv"]);
}

#[test]
fn a_table_has_one_block_a_layer_where_nobody_sees_it() {
    let (text, _, _) = printed(&repository(), None, &["run", "--table", "--prompt", SWAP]);
    assert!(text.lines().any(|line| line.width() > 100), "{text}");
    let layers = text.matches("\nlayer ").count() + 1;
    assert_eq!(text.matches("\ncell ").count(), layers, "{text}");
    assert!(!text.contains("unchanged"), "{text}");
}

#[test]
fn colors_change_nothing_else() {
    let folder = failing();
    for (folder, args) in [
        (repository(), ["run", "--table", "--layers", "27", "--prompt", SWAP].as_slice()),
        (folder.path().to_owned(), &["test"]),
    ] {
        let (plain, _, _) = printed(&folder, Some("100"), args);
        let (colored, _, _) = printed(&folder, Some("100"), &[args, &["--color", "always"]].concat());
        assert!(!plain.contains('\u{1b}') && colored.contains('\u{1b}'), "{colored}");
        let mut parts = colored.split('\u{1b}');
        let first = parts.next().expect("a start").to_owned();
        let rest = parts.map(|part| part.split_once('m').expect("an end of the color").1);
        assert_eq!(first + &rest.collect::<String>(), plain);
    }
}

#[test]
fn the_command_that_shows_more_runs_as_printed() {
    let folder = failing();
    let (text, _, _) = printed(folder.path(), None, &["test", "--machine", "psm"]);
    let commands: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("  more ")).map(str::trim).collect();
    assert_eq!(commands.len(), 5, "{text}");
    let binary = Path::new(env!("CARGO_BIN_EXE_psl")).parent().expect("a folder").display().to_string();
    let path = format!("{binary}:{}", env::var("PATH").expect("PATH"));
    let shell = |command: &str| {
        let output = Command::new("sh").args(["-c", command]).current_dir(folder.path()).env("PATH", &path).output();
        output.expect("a shell")
    };
    for command in commands {
        let output = shell(command);
        assert!(command.contains(" --machine psm "), "{command}");
        let failed = command.contains("endless.psl");
        let result = (code(&output), err(&output).starts_with("psl:"));
        assert_eq!(result, (i32::from(failed), false), "{command}: {}", err(&output));
        let layer = command.split_once("--layers ").map(|(_, rest)| rest.split(' ').next().expect("a number"));
        let expected = layer.map_or_else(|| "layer ".to_owned(), |layer| format!("layer {layer} "));
        let shown = out(&output);
        let unchanged = "no layer changed a register of the table\n";
        assert!(shown.starts_with(&expected) || shown.starts_with(unchanged), "{command}: {shown}");
    }
}

#[test]
fn a_wrong_selection_is_wrong_usage() {
    for (args, expected) in [
        (["--table", "--layers", "99"].as_slice(), "psl: layer 99 is out of range: the program has 31 layers\n"),
        (&["--table", "--cells", "40-"], "psl: cell 40 is out of range: the run has 25 cells\n"),
        (&["--table", "--registers", "region,feild"], "psl: unknown register `feild`; did you mean `field`?\n"),
        (&["--table", "--layers", "5-3"], "`5-3` is empty: write `3-5`"),
        (&["--cells", "3"], "the following required arguments were not provided:\n  --table"),
    ] {
        let (out, err, code) = printed(&repository(), None, &[&["run", "--prompt", SWAP], args].concat());
        assert_eq!((out.as_str(), code), ("", 2), "{args:?}");
        assert!(err.contains(expected), "{args:?}: {err}");
    }
}
