//! Runs every program and command in `docs`, and compares the output that the pages show. `UPDATE=1` rewrites it.
//! `book/mod.rs` has the form of a page. The tests `python/PAGE` are ignored: they need the environment that
//! `tests/run` installs.

#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail by panic")]

#[path = "book/mod.rs"]
mod book;
#[path = "cases/diff.rs"]
mod diff;

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::{
        Arc, LazyLock,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
};

use book::{
    links::broken,
    pages::{Page, pages, unlisted},
    prose,
    run::{Outcome, run},
    self_tests,
};
use libtest_mimic::{Arguments, Failed, Trial};

/// The pages in this folder run one after another in the same folder.
const SHARED: &str = "tutorial/";

/// The tests of `psl-syntax` run the programs in `diagnostics`, `tests/cli/readme.rs` and
/// `tests/clients/test_package.py` run the commands of `install`, and `python/tests_long` the `notebooks`.
const ELSEWHERE: [&str; 3] = ["diagnostics", "install", "notebooks"];

/// `tests/engines/test_page.py` runs the programs in Python of this page, which need PyTorch.
const ENGINES: &str = "how-to/transformers";

/// The results of pages that run together.
type Outcomes = Arc<LazyLock<Vec<Outcome>, Box<dyn FnOnce() -> Vec<Outcome> + Send>>>;

static BLOCKS: AtomicUsize = AtomicUsize::new(0);
static COMMANDS: AtomicUsize = AtomicUsize::new(0);
static LINKS: AtomicUsize = AtomicUsize::new(0);

fn main() -> ExitCode {
    let pages = pages(&docs());
    let mut trials = self_tests::trials();
    trials.push(Trial::test("links", every_link_leads_somewhere));
    trials.push(Trial::test("summary", || none(&unlisted(&docs()))));
    let runnable: Vec<_> =
        pages.iter().filter(|page| !ELSEWHERE.iter().any(|start| page.name.starts_with(start))).cloned().collect();
    for group in runnable.chunk_by(|a, b| a.name.starts_with(SHARED) && b.name.starts_with(SHARED)) {
        trials.extend(trials_of(group, "page", false));
        if group.iter().any(|page| page.name != ENGINES && page.text.contains("\n```python\n")) {
            trials.extend(trials_of(group, "python", true).map(|trial| trial.with_ignored_flag(true)));
        }
    }
    let arguments = Arguments::from_args();
    let conclusion = libtest_mimic::run(&arguments, trials);
    if arguments.list {
        return conclusion.exit_code();
    }
    let tutorial: usize =
        pages.iter().filter(|page| page.name.starts_with(SHARED)).map(|page| prose::words(&page.text)).sum();
    println!(
        "book: {} pages, {} blocks checked, {} commands run, {} links followed; tutorial: {tutorial} words, {} minutes",
        pages.len(),
        BLOCKS.load(Relaxed),
        COMMANDS.load(Relaxed),
        LINKS.load(Relaxed),
        tutorial.div_ceil(prose::PER_MINUTE),
    );
    conclusion.exit_code()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn docs() -> PathBuf {
    root().join("docs")
}

/// A test for each page of a group, which runs as a whole and once.
fn trials_of<'a>(group: &'a [Page], kind: &'a str, with_python: bool) -> impl Iterator<Item = Trial> + 'a {
    let pages = group.to_vec();
    let linked = ["examples", "tests"].map(|folder| dunce::canonicalize(root().join(folder)).expect("a folder"));
    let all = move || run(&pages, &linked, with_python);
    let outcomes: Outcomes = Arc::new(LazyLock::new(Box::new(all)));
    group.iter().cloned().enumerate().map(move |(index, page)| {
        let outcomes = Arc::clone(&outcomes);
        Trial::test(format!("{kind}/{}", page.name), move || checked(&page, &outcomes[index]))
    })
}

/// Compares a page with its result, or rewrites its output.
fn checked(page: &Page, outcome: &Outcome) -> Result<(), Failed> {
    BLOCKS.fetch_add(outcome.blocks, Relaxed);
    COMMANDS.fetch_add(outcome.commands, Relaxed);
    let mut page = page.clone();
    if env::var_os("UPDATE").is_some() && outcome.text != page.text {
        page.text.clone_from(&outcome.text);
        fs::write(&page.path, &page.text).expect("the page can be written");
    }
    none(&outcome.report(&page))
}

fn every_link_leads_somewhere() -> Result<(), Failed> {
    let mut paths: Vec<_> = pages(&docs()).into_iter().map(|page| page.path).collect();
    paths.extend(["README.md", "examples/README.md", "docs/SUMMARY.md"].map(|page| root().join(page)));
    let mut found = Vec::new();
    for path in paths {
        let (broken, followed) = broken(&path);
        LINKS.fetch_add(followed, Relaxed);
        let name = path.strip_prefix(root()).expect("a page of the repository").display();
        found.extend(broken.into_iter().map(|(line, problem)| format!("{name}:{line}: {problem}")));
    }
    none(&found)
}

/// Fails with these lines, if any.
fn none(found: &[String]) -> Result<(), Failed> {
    if found.is_empty() { Ok(()) } else { Err(found.join("\n").into()) }
}
