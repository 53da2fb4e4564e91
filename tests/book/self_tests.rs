//! Tests of the tests: each defect in a small book is reported with its page and line.

use std::fs;

use libtest_mimic::{Failed, Trial};
use tempfile::TempDir;

use super::{
    links::broken,
    pages::{Page, pages, unlisted},
    prose::words,
    run::run,
};

/// A program without diagnostics, of 6 lines.
const PROGRAM: &str = "\
<!-- file a.psl -->
```psl
registers: {symbol: 's', position: 'p'}
where position[n] == position[N]@pos_decrement:
    symbol[N] = symbol[n]
```
";

/// A session of the debugger, of 8 lines.
const DEBUGGED: &str = "\
```console
$ psl debug a.psl --prompt a
step 0, cell 1 (a), layer 1
  attends to no cell: nothing changes
> 2 | where position[n] == position[N]@pos_decrement:
(psl) symbol[1]
a
```
";

/// Pages, and the start of each line that the report has for them, `…` for an omission.
const PAGES: [(&str, &str, &str); 39] = [
    ("correct output", "PROGRAM\n```console\n$ psl run a.psl -p 'a b' --max-new 1 2>/dev/null\na\n```\n", ""),
    (
        "wrong output",
        "PROGRAM\n```console\n$ echo a\na\n$ echo b\nc\n```\n",
        "docs/page.md:11: the output differs (`UPDATE=1` rewrites it):\n@ 11\n- c\n+ b\n",
    ),
    (
        "output that changes",
        "```console\n$ seq 3\n```\n```console\n$ date +%N\n```\n",
        "docs/page.md:4: the output changes each time:\n@ 2\n- …",
    ),
    ("standard error", "```console\n$ echo a >&2 && echo b\na\nb\n```\n", ""),
    ("empty line at the end", "```console\n$ echo; echo a; echo\n\na\n```\n", ""),
    ("long command", "```console\n$ echo a \\\n    b\na b\n```\n", ""),
    ("debugger", "PROGRAM\nDEBUGGED\n```console\n(psl) symbol[1] == symbol[1]\ntrue: a == a\n(psl) quit\n```\n", ""),
    (
        "wrong output of the debugger",
        "PROGRAM\nDEBUGGED\n```console\n(psl) symbol[1]\nb\n```\n",
        "docs/page.md:17: the output differs (`UPDATE=1` rewrites it):\n@ 17\n- b\n+ a\n",
    ),
    ("debugger without a command", "```console\n(psl) next\n```\n", "docs/page.md:2: expected `$ COMMAND`"),
    ("failed command", "```console\n$ true\n$ false\n```\n", "docs/page.md:3: `false` ends with exit code 1, not 0:"),
    ("expected failure", "<!-- exit 3 -->\n```console\n$ true\n$ exit 3\n```\n", ""),
    (
        "missing failure",
        "<!-- exit 1 -->\n```console\n$ echo a\na\n```\n",
        "docs/page.md:3: `echo a` ends with exit code 0, not 1:",
    ),
    ("failed script", "text\n\n```sh\nfalse # no\ntrue\n```\n", "docs/page.md:3: the block ends with exit code 1:"),
    (
        "two directives",
        "<!-- exit 0 -->\n<!-- exit 0 -->\n```console\n$ true\n```\n",
        "docs/page.md:1: expected the directive on the line above a block, not indented",
    ),
    (
        "missing diagnostic of a file",
        "<!-- file a.psl, diagnostics: unused-constant -->\n```psl\nregisters: {symbol: 's', position: 'p'}\n\
         where symbol[N] == symbol[N]:\n    symbol[N] = symbol[N]\n```\n",
        "docs/page.md:2: `a.psl`: the diagnostic `unused-constant` is missing",
    ),
    (
        "diagnostic of a file",
        "PROGRAM\n<!-- append a.psl -->\n```psl\nwhere symbol[N] == A:\n    symbol[N] = symbol[N]\n```\n",
        "docs/page.md:9: `a.psl`: error[unknown-constant]: …",
    ),
    (
        "program that cannot be checked",
        "<!-- file psl.toml -->\n```toml\nother = 1\n```\nPROGRAM\n",
        "docs/page.md:6: `psl check a.psl` ends with exit code 2:",
    ),
    (
        "program in another language",
        "<!-- file a.psl -->\n```text\nregisters: {symbol: 's', position: 'p'}\n```\n",
        "docs/page.md:3: `a.psl`: error[empty-program]: …",
    ),
    ("part", "```psl\nwhere mark[n] == B and parse[N] == 1:\n    mark[N] = symbol[n]\n```\n", ""),
    ("declaration", "```psl\nregisters: {mark: 'm'}\n```\n", ""),
    ("condition", "```psl\nmark[n] == A and symbol[n] in [A, B]\nmark[N] != A\n```\n", ""),
    ("assignment", "```psl\nmark[N] = symbol[n]@pos_increment\n```\n", ""),
    ("wrong part", "```psl\nwhere mark[N] == A:\n    mark[n] = A\n```\n", "docs/page.md:3: error[assign-to-n]: …"),
    ("part with a diagnostic", "<!-- diagnostics: assign-to-n -->\n```psl\nmark[n] = A\n```\n", ""),
    (
        "part without a diagnostic",
        "<!-- diagnostics: assign-to-n -->\n```psl\nmark[N] = A\n```\n",
        "docs/page.md:3: the diagnostic `assign-to-n` is missing in the program",
    ),
    ("hover", "PROGRAM\n<!-- hover a.psl 1:13 -->\n```text\n```\n", "docs/page.md:9: the output differs …"),
    ("no hover", "PROGRAM\n<!-- hover a.psl 9:1 -->\n```text\n```\n", "docs/page.md:8: the file has no column 9:1"),
    ("unknown function", "<!-- computed a -->\n```text\n```\n", "docs/page.md:2: unknown function `a`"),
    ("unknown directive", "a\n\n<!-- flie a.psl -->\n```psl\n```\n", "docs/page.md:3: unknown directive …"),
    (
        "directive apart from its block",
        "<!-- file a.txt -->\n\n```text\n```\n",
        "docs/page.md:1: expected the directive on the line above a block, not indented",
    ),
    (
        "exercise",
        "PROGRAM\n<!-- exercise b.psl from a.psl -->\n```psl\n//@ max-new 1\n//@ test \"a b\" => \"b\"\n```\n\
         ```sh\nsed 's/@pos_decrement//' a.psl > b.psl\n```\n",
        "",
    ),
    (
        "exercise without tests",
        "PROGRAM\n<!-- exercise b.psl from a.psl -->\n```psl\n//@ max-new 1\n```\n",
        "docs/page.md:9: the exercise has no tests",
    ),
    (
        "exercise without work",
        "PROGRAM\n<!-- exercise b.psl from a.psl -->\n```psl\n//@ max-new 1\n//@ test \"a b\" => \"a\"\n```\n",
        "docs/page.md:9: `b.psl` is solved from the start",
    ),
    (
        "exercise without a solution",
        "<!-- exercise b.psl -->\n```psl\n//@ test \"a\" => \".\"\n```\n",
        "docs/page.md:2: `b.psl` is not solved on this page:",
    ),
    ("unknown language", "```pls\n```\n", "docs/page.md:1: unknown language `pls`"),
    ("invalid data", "```json\n{}\n{\n```\n", "docs/page.md:1: EOF while parsing …"),
    ("code in the text", "three\n``` s`` ``` and\n```` b ````\n", ""),
    ("indented block", "1. a\n\n   ```text\n   ```\n", "docs/page.md:3: expected the block at the start of the line"),
    ("block without an end", "```text\n", "docs/page.md:1: the block has no end"),
];

pub fn trials() -> Vec<Trial> {
    let mut trials: Vec<_> = PAGES
        .into_iter()
        .map(|(name, text, expected)| {
            let text = text.replace("PROGRAM", PROGRAM.trim_end()).replace("DEBUGGED", DEBUGGED.trim_end());
            Trial::test(format!("harness/{name}"), move || reports(&text, expected))
        })
        .collect();
    let others: [(&str, fn()); 6] = [
        ("harness/later pages of a folder", pages_share_a_folder),
        ("harness/new output", new_output_changes_nothing_else),
        ("harness/unlisted page", pages_are_listed),
        ("harness/broken links", broken_links_are_found),
        ("harness/words", words_outside_of_blocks_count),
        ("python/harness", python_runs_and_prints),
    ];
    trials.extend(others.into_iter().map(|(name, test)| {
        let run = move || {
            test();
            Ok(())
        };
        Trial::test(name, run).with_ignored_flag(name.starts_with("python/"))
    }));
    trials
}

fn page(text: &str) -> Page {
    Page { name: "page".to_owned(), path: "page.md".into(), text: text.to_owned() }
}

fn outcomes(texts: &[&str], with_python: bool) -> Vec<(String, Vec<String>)> {
    let pages: Vec<_> = texts.iter().map(|text| page(text)).collect();
    let around = TempDir::new().expect("a folder");
    let outcomes = run(&pages, &[around.path().join("examples")], with_python);
    outcomes.into_iter().zip(pages).map(|(outcome, page)| (outcome.text.clone(), outcome.report(&page))).collect()
}

/// Checks that a page has one failure that starts like this, or none.
fn reports(text: &str, expected: &str) -> Result<(), Failed> {
    let (_, report) = outcomes(&[text], false).remove(0);
    let matches = match report.as_slice() {
        [] => expected.is_empty(),
        [failure] => !expected.is_empty() && failure.starts_with(expected.trim_end_matches('…')),
        _ => false,
    };
    if matches { Ok(()) } else { Err(format!("expected {expected}\nfound {report:#?}").into()) }
}

fn pages_share_a_folder() {
    let pages =
        ["<!-- file a/b.txt -->\n```text\none\n```\n", "```console\n$ cat a/b.txt\none\n$ ls\na\nexamples\n```\n"];
    assert_eq!(outcomes(&pages, false), pages.map(|page| (page.to_owned(), Vec::new())));
    let (_, alone) = outcomes(&pages[1..], false).remove(0);
    assert!(alone[0].starts_with("docs/page.md:2: `cat a/b.txt` ends with exit code 1"), "{alone:?}");
}

fn python_runs_and_prints() {
    let before = "```python\nprint(1)\na = 2\n```\n```python\nprint(a)\n```\n<!-- prints -->\n```text\n3\n```\n";
    assert_eq!(outcomes(&[before], true)[0].0, before.replace("\n3\n", "\n2\n"));
    assert_eq!(outcomes(&[before], false), [(before.to_owned(), Vec::new())]);
    let (_, report) = outcomes(&["```python\nprint(b)\n```\n"], true).remove(0);
    assert!(report.len() == 1 && report[0].starts_with("docs/page.md:1: the program fails:"), "{report:?}");
}

fn new_output_changes_nothing_else() {
    let before = "# A\n\n```console\n$ echo a\nold\nold\n$ echo b\n$ true\n```\n\nBlock:\n\n```text\nold\n```\n";
    let after = "# A\n\n```console\n$ echo a\na\n$ echo b\nb\n$ true\n```\n\nBlock:\n\n```text\nold\n```\n";
    assert_eq!(outcomes(&[before], false)[0].0, after);
    let unstable = "```console\n$ date +%N\n$ echo a\n```\n";
    assert_eq!(outcomes(&[unstable], false)[0].0, unstable);
}

/// A book with these files.
fn book(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().expect("a folder");
    fs::create_dir(folder.path().join("part")).expect("a folder");
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("a file");
    }
    folder
}

fn pages_are_listed() {
    let summary = "# Summary\n\n- [B](part/b.md)\n- [A](a.md)\n- [A](a.md)\n- [C](c.md)\n";
    let folder = book(&[("SUMMARY.md", summary), ("a.md", ""), ("part/b.md", ""), ("part/d.md", "```psl\n```\n")]);
    let names: Vec<_> = pages(folder.path()).into_iter().map(|page| page.name).collect();
    assert_eq!(names, ["part/b", "a", "part/d"], "a page that is not listed runs too");
    let mut found = unlisted(folder.path());
    found.sort();
    let missing = format!("docs/SUMMARY.md:6: {} does not exist", folder.path().join("c.md").display());
    let a = "docs/a.md:1: docs/SUMMARY.md lists the page 2 times";
    let d = "docs/part/d.md:1: docs/SUMMARY.md lists the page 0 times";
    assert_eq!(found, [missing.as_str(), a, d]);
}

fn broken_links_are_found() {
    let page = "# One `two`, three\n\n[a](#one-two-three) [b](part/b.md#c-1)\n[c](#one)\n[d](part/b.md#d)\n\
                | [e](e.md) |\n|---|\n[f](https://example.org/)\n";
    let folder = book(&[("a.md", page), ("part/b.md", "# C\n# C\n```text\n# D\n```\n")]);
    let (found, followed) = broken(&folder.path().join("a.md"));
    let found: Vec<_> = found.iter().map(|(line, message)| (*line, message.as_str())).collect();
    let expected = [
        (4, "`#one` has no heading for its anchor"),
        (5, "`part/b.md#d` has no heading for its anchor"),
        (6, "`e.md` does not exist"),
    ];
    assert_eq!((found.as_slice(), followed), (expected.as_slice(), 5));
}

fn words_outside_of_blocks_count() {
    assert_eq!(words("# One\n\nTwo, three: `four five` six.\n\n```text\nno\n```\n\n| seven |\n|---|\n| - |\n"), 6);
}
