//! The output of `psl check` and `psl explain` on a terminal, byte for byte, in `tests/terminal/`. `UPDATE=1` rewrites
//! the files.

use std::{
    path::Path,
    process::{Command, Output, Stdio},
};

use unicode_width::UnicodeWidthStr;

use crate::{
    binary::{DECLARATIONS, code, err, folder, out, repository},
    cases::golden::compare,
};

/// The widths of the golden sessions, in columns.
const WIDTHS: [usize; 3] = [80, 120, 200];

/// The escape sequence that ends a color.
const PLAIN: &str = "\u{1b}[0m";

/// Runs `psl` in a folder, for a terminal of this width.
fn psl(folder: &Path, columns: usize, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_psl"))
        .args(args)
        .current_dir(folder)
        .env("COLUMNS", columns.to_string())
        .stdin(Stdio::null())
        .output()
        .expect("psl runs")
}

/// The command, its output and its exit code, as on a terminal.
fn session(folder: &Path, columns: usize, args: &[&str]) -> String {
    let output = psl(folder, columns, args);
    format!("$ psl {}\n{}{}[{}]\n", args.join(" "), out(&output), err(&output), code(&output))
}

/// Compares a session at each of the [`WIDTHS`] with `tests/terminal/NAME-WIDTH.txt`, and checks that no line is wider.
fn expect_at_widths(name: &str, session: impl Fn(usize) -> String) {
    for columns in WIDTHS {
        let found = session(columns);
        assert!(widest(&found) <= columns, "{found}");
        expect(&format!("{name}-{columns}.txt"), &found);
    }
}

fn expect(name: &str, found: &str) {
    let file = repository().join("tests/terminal").join(name);
    compare(&file, found).unwrap_or_else(|difference| panic!("{difference}"));
}

fn without_colors(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |all, part| all + part.split_once('m').expect("a color").1)
}

fn widest(text: &str) -> usize {
    text.lines().map(UnicodeWidthStr::width).max().unwrap_or_default()
}

/// A program with an error, a register that is misspelled twice.
fn misspelled() -> String {
    format!("{DECLARATIONS}where symbl[N] == A:\n    symbol[N] = A\n    symbl[N] = A\n")
}

/// A program with a warning that `--fix` removes.
fn fixable() -> String {
    format!(
        "{DECLARATIONS}//@ allow non-causal: nothing here attends to another cell\nwhere symbol[N] == A:\n    symbol[N] = A\n"
    )
}

#[test]
fn an_error() {
    let folder = folder(&[("copy.psl", &misspelled())]);
    expect_at_widths("error", |columns| session(folder.path(), columns, &["check"]));
}

#[test]
fn a_warning_far_to_the_right_and_on_a_narrow_terminal() {
    let names = (0..20).map(|number| format!("NAME_{number}")).collect::<Vec<_>>().join(", ");
    let text = format!(
        "registers: {{symbol: 's', position: 'p'}}\nconstants: {{A, {names}, A}}\n//@ tset\nwhere symbol[N] in [{names}]:\n    symbol[N] = A\n"
    );
    let folder = folder(&[("wide.psl", &text)]);
    expect_at_widths("warning", |columns| session(folder.path(), columns, &["check"]));
    let narrow = session(folder.path(), 60, &["check"]);
    assert!(widest(&narrow) <= 60, "{narrow}");
    expect("warning-60.txt", &narrow);
}

#[test]
fn a_fix() {
    expect_at_widths("fix", |columns| {
        let folder = folder(&[("fix.psl", &fixable())]);
        let commands = [&["check"][..], &["check", "--fix"], &["check"]];
        commands.map(|args| session(folder.path(), columns, args)).join("\n")
    });
}

#[test]
fn many_files() {
    let fine = fixable().replace("//@ allow", "# no");
    let folder =
        folder(&[("a/fix.psl", &fixable()), ("a/fine.psl", &fine), ("b/copy.psl", &misspelled()), ("c.psl", "where")]);
    expect_at_widths("many-files", |columns| session(folder.path(), columns, &["check"]));
    expect("short.txt", &session(folder.path(), 80, &["check", "--format", "short"]));
}

#[test]
fn the_warnings_of_pargen_take_a_screen() {
    let found = session(&repository(), 80, &["check", "examples/pargen.psl"]);
    let lines = found.lines().count() - ["the command", "the exit code"].len();
    assert!(lines <= 24 && widest(&found) <= 80, "{lines} lines:\n{found}");
    expect_at_widths("pargen", |columns| session(&repository(), columns, &["check", "examples/pargen.psl"]));
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    for columns in [40, 80, 200] {
        let output = out(&psl(&repository(), columns, &["check", "tests/diagnostics", "examples"]));
        let too_wide = output.lines().find(|line| {
            // Paths that terminals link are never broken.
            let is_place = line.contains("tests/diagnostics/") || line.contains("examples/");
            line.width() > columns && !is_place && line.trim().contains(' ')
        });
        assert_eq!(too_wide, None, "{columns} columns");
        let prose = output.lines().filter(|line| !line.contains(['│', '╭']));
        assert!(prose.map(UnicodeWidthStr::width).max() <= Some(120));
        assert!(output.contains("error[") && output.contains("warning[") && output.contains("hint["));
    }
}

#[test]
fn explanations() {
    let explained =
        |columns, args: &[&str]| out(&psl(&repository(), columns, &[&["explain", "--color", "always"], args].concat()));
    for columns in [80, 120, 200] {
        let all = [&["non-causal"][..], &["repeat"], &["s`"], &["allow"], &[]].map(|args| {
            let title =
                args.first().map_or_else(|| "$ psl explain".to_owned(), |word| format!("$ psl explain '{word}'"));
            format!("{title}\n{}", without_colors(&explained(columns, args)))
        });
        let all = all.join("\n");
        let is_code = |line: &&str| line.starts_with("    ") && !line.starts_with("     ");
        let prose: Vec<&str> = all.lines().filter(|line| !is_code(line)).collect();
        assert!(widest(&prose.join("\n")) <= columns.min(120), "{all}");
        expect(&format!("explain-{columns}.txt"), &all);
    }
    let where_clause = explained(80, &["where"]);
    assert!(where_clause.contains(&format!("\u{1b}[35mwhere{PLAIN} position[n]")), "{where_clause:?}");
}

#[test]
fn a_pipe_gets_markdown_and_a_terminal_gets_text() {
    let piped = out(&psl(&repository(), 80, &["explain", "repeat"]));
    assert!(piped.starts_with("# repeat\n\n**keyword**: ") && piped.contains("\n```psl\n"), "{piped}");
    assert!(piped.ends_with("\n\nReference: Repeat blocks, `psl explain reference/repeat`\n"), "{piped}");
    let command = format!("stty columns 60 rows 24; {} explain repeat", env!("CARGO_BIN_EXE_psl"));
    let terminal = Command::new("script")
        .args(["-qec", &command, "/dev/null"])
        .env_remove("COLUMNS")
        .env_remove("NO_COLOR")
        .stdin(Stdio::null())
        .output()
        .expect("script runs");
    let shown = out(&terminal).replace("\r\n", "\n");
    let expected = out(&psl(&repository(), 60, &["explain", "repeat", "--color", "always"]));
    assert!(shown.contains(&expected), "{shown:?}\n{expected:?}");
}
