//! Tests that only changed files are computed again. Each program that is read asks its host for the prompt of its
//! test, which is counted.

use std::{
    collections::BTreeSet,
    fs,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use gen_lsp_types::PreviousResultId;
use psl_program::{Config, Progress, config::ConfigError};
use psl_syntax::{Code, glossary::Section};

use super::Workspace;
use crate::{
    config_problem::UnusableConfig,
    disk::Disk,
    host::Host,
    session::Session,
    settings::Settings,
    uri::Url,
    workspace::{answer::Answer, file_report::FileReport, tests_answer::TestsAnswer},
};

/// A program with one warning, and one about the prompt of its test.
const PROGRAM: &str = "//@ test json \"a.json\" => \"A\"\n//@ max-new 1\nregisters: {symbol: 's', position: 'p'}\n\
                       constants: {A, B}\nwhere symbol[N] == A:\n    symbol[N] = A\n";

#[derive(Default)]
struct Counting {
    disk: Disk,
    reads: AtomicUsize,
}

impl Host for Counting {
    fn config(&self, document: &Url) -> Result<Arc<Config>, Arc<UnusableConfig>> {
        self.disk.config(document)
    }

    fn check_config(&self, config: &Url, text: &str) -> Vec<ConfigError> {
        self.disk.check_config(config, text)
    }

    fn read(&self, document: &Url, path: &str) -> Result<String, String> {
        self.reads.fetch_add(1, Ordering::Relaxed);
        self.disk.read(document, path)
    }

    fn locate(&self, _: &Url, _: &str) -> Option<Url> {
        None
    }

    fn diagnostic_docs(&self, _: Code) -> Option<Url> {
        None
    }

    fn reference(&self, _: Section) -> Option<Url> {
        None
    }

    fn clock(&self) -> Duration {
        Duration::ZERO
    }
}

struct Setup {
    folder: tempfile::TempDir,
    host: Arc<Counting>,
    session: Session,
    workspace: Workspace,
}

impl Setup {
    /// Creates a workspace with three programs, each in its own folder.
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["a", "b", "c"] {
            fs::create_dir(folder.path().join(name)).expect("a folder");
            fs::write(folder.path().join(name).join("a.psl"), PROGRAM).expect("a file");
        }
        let host = Arc::<Counting>::default();
        let session = Session::new(host.clone());
        let workspace = Workspace::default();
        workspace.change([Url::from_file_path(folder.path()).expect("a URI")], []);
        Self { folder, host, session, workspace }
    }

    fn write(&self, path: &str, text: &str) {
        fs::write(self.folder.path().join(path), text).expect("a file");
    }

    /// The number of programs that are read for a request of all diagnostics, and the number of diagnostics.
    fn asked(&self) -> (usize, usize) {
        // Files that have just changed are read again.
        thread::sleep(Duration::from_millis(50));
        let before = self.host.reads.load(Ordering::Relaxed);
        let answer = self.workspace.diagnostics(&self.session, Vec::new(), &Progress::default());
        assert!(answer.problems.is_empty() && answer.left_out.is_none(), "{answer:?}");
        let items = serde_json::to_value(&answer.items).expect("JSON");
        let found = items.as_array().expect("a list").iter().map(|item| item["items"].as_array().map_or(0, Vec::len));
        (self.host.reads.load(Ordering::Relaxed) - before, found.sum())
    }
}

#[test]
fn only_changed_files_are_computed_again() {
    let setup = Setup::new();
    assert_eq!(setup.asked(), (3, 6));
    assert_eq!(setup.asked(), (0, 6));
    setup.write("b/a.psl", &PROGRAM.replace("{A, B}", "{A, B, C}"));
    assert_eq!(setup.asked(), (1, 7));
    // Written again without a change.
    setup.write("b/a.psl", &PROGRAM.replace("{A, B}", "{A, B, C}"));
    assert_eq!(setup.asked(), (0, 7));
    // The file with a test's prompt is created, then changed to a prompt on which nothing fires.
    setup.write("a/a.json", "[{\"symbol\": \"A\"}]");
    assert_eq!(setup.asked(), (1, 6));
    setup.write("a/a.json", "[{\"symbol\": \"x\"}]");
    assert_eq!(setup.asked(), (1, 8));
    // A configuration is added, changed, broken (which is a diagnostic without a page) and removed.
    setup.write("c/psl.toml", "[severity]\nunused-constant = 'off'\n");
    assert_eq!(setup.asked(), (1, 7));
    setup.write("c/psl.toml", "[severity]\nunused-constant = 'info'\n");
    assert_eq!(setup.asked(), (1, 8));
    setup.write("c/psl.toml", "[severity]\nunused-constant = 1\n");
    assert_eq!(setup.asked(), (1, 9));
    fs::remove_file(setup.folder.path().join("c/psl.toml")).expect("removed");
    assert_eq!(setup.asked(), (1, 8));
    // Settings apply to all files, and a file that is gone has no diagnostics.
    let mut settings = Settings::default();
    settings.levels.set(Code::UnusedConstant, None);
    assert!(setup.session.set_settings(settings));
    assert_eq!(setup.asked(), (3, 4));
    fs::remove_file(setup.folder.path().join("a/a.psl")).expect("removed");
    assert_eq!(setup.asked(), (0, 2));
    assert_eq!(setup.asked(), (0, 2));
}

#[test]
fn an_open_document_replaces_its_file() {
    let setup = Setup::new();
    assert_eq!(setup.asked(), (3, 6));
    let uri = Url::from_file_path(setup.folder.path().join("a/a.psl")).expect("a URI");
    setup.session.open(uri.clone(), 1, "registers: {elsewhere: 'e'}");
    let found = |query| setup.workspace.symbols(&setup.session, query, &Progress::default().cancelled);
    let places: Vec<_> = found("elsewhere").into_iter().map(|found| found.location.uri).collect();
    assert_eq!(places, [uri]);
    assert_eq!(found("position").len(), 2);
    setup.session.open(Url::parse("untitled:1").expect("a URI"), 1, PROGRAM);
    assert_eq!(found("position").len(), 3);
}

#[test]
fn a_file_among_the_folders_is_found_in_its_folder() {
    let setup = Setup::new();
    let [folder, file] =
        [".", "a/a.psl"].map(|path| Url::from_file_path(setup.folder.path().join(path)).expect("a URI"));
    let root = Url::from_file_path(setup.folder.path()).expect("a URI");
    setup.workspace.change([file, folder], [root]);
    assert_eq!(setup.asked(), (3, 6));
}

#[test]
fn diagnostics_of_a_closed_document_are_cleared() {
    let setup = Setup::new();
    let elsewhere = Url::parse("vfs:/other.psl").expect("a URI");
    let there = uri(setup.folder.path(), "a/a.psl");
    let gone = uri(setup.folder.path(), "gone.psl");
    for closed in [&elsewhere, &there, &gone] {
        setup.session.open(closed.clone(), 1, PROGRAM);
        setup.session.close(closed);
        setup.workspace.closed(closed);
    }
    let reopened = uri(setup.folder.path(), "reopened.psl");
    setup.workspace.closed(&reopened);
    setup.session.open(reopened, 1, PROGRAM);
    let answer = setup.workspace.diagnostics(&setup.session, Vec::new(), &Progress::default());
    let items = serde_json::to_value(&answer.items).expect("JSON");
    let reported = |uri: &Url| {
        let reported = items.as_array().expect("a list").iter().filter(|item| item["uri"] == uri.as_str());
        reported.map(|item| item["items"].as_array().expect("a full report").len()).collect::<Vec<_>>()
    };
    assert_eq!([&elsewhere, &gone, &there].map(reported), [vec![0], vec![0], vec![2]], "{items}");
    assert_eq!(items.as_array().map(Vec::len), Some(5), "an open one is requested separately: {items}");
}

#[test]
fn a_cancelled_request_ends_at_once() {
    let setup = Setup::new();
    let progress = Progress::default();
    progress.cancelled.store(true, Ordering::Relaxed);
    let previous = PreviousResultId { uri: uri(setup.folder.path(), "gone.psl"), value: "1".to_owned() };
    let answer = setup.workspace.diagnostics(&setup.session, vec![previous], &progress);
    assert!(answer.items.is_empty(), "no file is known to be gone: {answer:?}");
    assert!(setup.workspace.symbols(&setup.session, "", &progress.cancelled).is_empty());
    for run in [true, false] {
        assert_eq!(setup.workspace.tests(&setup.session, run, &progress).expect("an answer").json, "[]");
    }
    assert_eq!(setup.host.reads.load(Ordering::Relaxed), 0);
}

fn uri(folder: &Path, name: &str) -> Url {
    Url::from_file_path(folder.join(name)).expect("a URI")
}

#[test]
fn reports_that_do_not_fit_follow_in_the_next_answer() {
    let folder = Path::new("/folder");
    let report = FileReport::unreadable("it is only a test");
    let names = ["a", "b", "c", "d", "e"];
    let asked = |previous: Vec<PreviousResultId>, most| {
        let mut answer = Answer::new(previous, [], most, Arc::<Counting>::default());
        for name in names {
            answer.add(&uri(folder, name), None, &report);
        }
        let answer = answer.end(BTreeSet::default());
        let items = serde_json::to_value(&answer.items).expect("JSON");
        let shown = items.as_array().expect("a list").iter().map(|item| {
            let name = item["uri"].as_str().and_then(|uri| uri.rsplit('/').next());
            format!("{} {}", name.unwrap_or_default(), item["kind"].as_str().unwrap_or_default())
        });
        (shown.collect::<Vec<_>>(), answer.left_out.is_some())
    };
    let has = |names: &[&str]| -> Vec<PreviousResultId> {
        names.iter().map(|name| PreviousResultId { uri: uri(folder, name), value: report.id.to_string() }).collect()
    };
    assert_eq!(asked(Vec::new(), 0), (Vec::new(), true));
    assert_eq!(asked(Vec::new(), 1), (vec!["a full".to_owned()], true));
    assert_eq!(asked(Vec::new(), 300).0, ["a full", "b full"]);
    let next = ["a unchanged", "b unchanged", "c full", "d full"].map(str::to_owned).to_vec();
    assert_eq!(asked(has(&["a", "b"]), 300), (next, false), "reported once");
    let rest = ["a unchanged", "b unchanged", "c unchanged", "d unchanged", "e full"].map(str::to_owned).to_vec();
    assert_eq!(asked(has(&["a", "b", "c", "d"]), 300), (rest, false));
}

#[test]
fn tests_that_do_not_fit_are_left_out() {
    let setup = Setup::new();
    let tests = |run| setup.workspace.tests(&setup.session, run, &Progress::default()).expect("an answer");
    let whole = tests(false);
    let programs: Vec<serde_json::Value> = serde_json::from_str(&whole.json).expect("JSON");
    assert_eq!((programs.len(), whole.left_out), (3, None));
    let counts = tests(true).counts;
    assert_eq!((counts.passed, counts.failed), (0, 3), "the file with their prompt is missing");

    let mut answer = TestsAnswer::new(100);
    let mut added = 0;
    while !answer.is_full() {
        answer.add(&uri(setup.folder.path(), "a.psl"), &["a test".into()], counts).expect("JSON");
        added += 1;
    }
    let answer = answer.end(7, BTreeSet::default());
    let programs: Vec<serde_json::Value> = serde_json::from_str(&answer.json).expect("JSON");
    assert_eq!((programs.len(), answer.counts.failed), (added, 3 * added));
    assert!(answer.json.len() >= 100 && answer.left_out.is_some_and(|words| words.contains(" 7 more programs ")));
}
