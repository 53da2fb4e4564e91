//! The examples of each help, run in a folder with the files that they name.

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
};

use tempfile::TempDir;

use crate::binary::{code, err, folder, out, psl, repository};

/// Commands that wait for an editor.
const WAITING: [&str; 1] = ["lsp"];

/// An option that makes a command wait for Ctrl-C.
const WAITING_OPTION: &str = " --serve";

/// A program whose last constant should be `C`.
const UNFINISHED: &str = "//@ max-new 1\n//@ test \"C A\" => \"B\"\n//@ test \"A B\" => \"C\"\n\
    registers: {symbol: 's', position: 'p', mark: 'm'}\nconstants: {A, B, C}\n\
    system: {symbol: symbol, position: position, output: mark}\n\
    where symbol[N] == A:\n    mark[N] = B\nwhere symbol[N] == B:\n    mark[N] = LAST\n";

/// The names of the commands that the help of psl lists.
fn commands() -> Vec<String> {
    let help = out(&psl(&["--help"]));
    let (_, rest) = help.split_once("\nCommands:\n").expect("a list of commands");
    let names = rest.lines().take_while(|line| !line.is_empty()).filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

/// The example lines at the end of a help.
fn examples(args: &[&str]) -> Vec<String> {
    let help = out(&psl(&[args, &["--help"]].concat()));
    let (_, rest) = help.split_once("\nExamples:\n").unwrap_or_else(|| panic!("{args:?} has examples: {help}"));
    rest.lines().map(|line| line.trim().to_owned()).filter(|line| !line.starts_with('#')).collect()
}

/// A home with all files that the examples read.
fn home() -> TempDir {
    let pargen = fs::read_to_string(repository().join("examples/pargen.psl")).expect("PARGEN");
    let k_shot = fs::read_to_string(repository().join("examples/pargen_kshot.psl")).expect("k-shot PARGEN");
    let parity = fs::read_to_string(repository().join("examples/parity_log.psl")).expect("parity");
    let table = |name: &str| fs::read_to_string(repository().join("tests/turing").join(name)).expect("a table");
    let prompt = "Q a A a . Q b A";
    let folder = folder(&[
        ("pargen.psl", pargen.as_str()),
        ("old.psl", pargen.as_str()),
        ("pargen_kshot.psl", k_shot.as_str()),
        ("parity_log.psl", parity.as_str()),
        ("prompts.txt", &format!("{prompt}\n")),
        ("program.yaml", pargen.as_str()),
        ("examples.yaml", &format!("examples: {{echo: {{prompt: {prompt}, gold: b .}}}}\n")),
        ("increment.tm", &table("increment.tm")),
        ("beaver.tm", &table("beaver2.tm")),
        // The folders that users of bash, zsh and fish have.
        ("programs/.keep", ""),
        (".local/share/bash-completion/completions/.keep", ""),
        (".zfunc/.keep", ""),
        (".config/fish/completions/.keep", ""),
    ]);
    for line in [
        "psl new programs/first",
        "psl tgt --split test -o data.tsv",
        "psl nfe -o nfe.tsv",
        "psl compile pargen.psl -o pargen.json",
        "psl compile pargen.psl --emit weights --sparse -o edited.safetensors",
        "psl tgt --split test -o test.tsv",
        "psl tgt --split ood_lexical -o ood.tsv",
        "psl run --machine psm --trace psm.jsonl -p \"Q a A a\"",
        "psl run --machine dat --trace dat.jsonl -p \"Q a A a\"",
    ] {
        let (code, errors) = run(folder.path(), line);
        assert_eq!(code, 0, "{line}: {errors}");
    }
    folder
}

/// The exit code of a line of shell, and its errors.
fn run(home: &Path, line: &str) -> (i32, String) {
    let folder = Path::new(env!("CARGO_BIN_EXE_psl")).parent().expect("a folder");
    let output = Command::new("bash")
        .args(["-o", "pipefail", "-c", line])
        .current_dir(home)
        .env("HOME", home)
        .env("PATH", format!("{}:/usr/local/bin:/usr/bin:/bin", folder.display()))
        // A browser that opens every page.
        .env("BROWSER", "true")
        .stdin(Stdio::null())
        .output()
        .expect("bash runs");
    (code(&output), err(&output))
}

#[test]
fn every_example_runs() {
    let commands = commands();
    assert!(commands.len() > 12, "{commands:?}");
    let lines = commands
        .iter()
        .filter(|name| !WAITING.contains(&name.as_str()))
        .flat_map(|name| examples(&[name]))
        .chain(examples(&[]))
        .filter(|line| !line.contains(WAITING_OPTION))
        // man is not on every machine.
        .map(|line| line.replace("man -l -", "cat"));
    let files = home();
    let mut count = 0;
    for line in lines {
        let home = folder(&[]);
        let (code, errors) = run(files.path(), &format!("cp -R . '{}'", home.path().display()));
        assert_eq!(code, 0, "{errors}");
        // Other commands check all programs in the folder.
        if ["psl fill", "psl repair", "psl minimize"].iter().any(|command| line.starts_with(command)) {
            for (name, content) in [
                ("draft.psl", UNFINISHED.replace("LAST", "?")),
                ("broken.psl", UNFINISHED.replace("LAST", "A")),
                ("more.tsv", "B B\tC\n".to_owned()),
            ] {
                fs::write(home.path().join(name), content).expect("a file");
            }
        }
        let (code, errors) = run(home.path(), &line);
        assert_eq!(code, 0, "{line}: {errors}");
        count += 1;
    }
    assert!(count > 40, "{count} examples");
}

#[test]
fn the_man_page_has_the_examples_of_the_help() {
    let page = out(&psl(&["man"]));
    let (_, section) = page.split_once(".SH EXAMPLES\n.nf\n").expect("a section of examples");
    let lines: Vec<_> =
        section.lines().take_while(|line| *line != ".fi").map(|line| line.replace("\\-", "-")).collect();
    assert_eq!(lines, examples(&[]));
}
