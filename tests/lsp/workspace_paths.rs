//! Paths in a workspace that are not readable files: each is reported, nothing blocks, and all other files work.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    os::unix::{fs::symlink, net::UnixListener},
    path::Path,
    process::Command,
};

use serde_json::{Value, json};

use crate::{
    binary::{code, err, folder, out, psl_in},
    server::client::Client,
};

const SOUND: &str =
    "registers: {symbol: 's', position: 'p'}\nconstants: {A}\nwhere symbol[N] == A:\n    symbol[N] = A\n";
const SPARE: &str =
    "registers: {symbol: 's', position: 'p'}\nconstants: {A, B}\nwhere symbol[N] == A:\n    symbol[N] = A\n";
const LARGE: u64 = 400 << 20;

/// The kinds of paths in place of a file, with the reported reason.
const UNREADABLE: [(&str, &str); 6] = [
    ("pipe", "it is a named pipe, not a file"),
    ("socket", "it is a socket, not a file"),
    ("device", "it is a device, not a file"),
    ("loop", "Too many levels of symbolic links (os error 40)"),
    ("large", "it is larger than "),
    ("folder", "it is a folder, not a file"),
];

/// Creates something instead of a file.
fn put(what: &str, path: &Path) {
    match what {
        "pipe" => assert!(Command::new("mkfifo").arg(path).status().expect("mkfifo runs").success()),
        "socket" => drop(UnixListener::bind(path).expect("a socket")),
        "device" => symlink("/dev/zero", path).expect("a link"),
        "loop" => symlink(path, path).expect("a link"),
        "large" => File::create(path).and_then(|file| file.set_len(LARGE)).expect("a file with a hole"),
        "folder" => fs::create_dir(path).expect("a folder"),
        other => panic!("unknown kind {other}"),
    }
}

fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

/// The reports of the workspace's files, by path in the folder.
fn reports(client: &mut Client, folder: &Path, previous: &Value) -> BTreeMap<String, Value> {
    let answer = client.request("workspace/diagnostic", &json!({"previousResultIds": previous}));
    let mut answer = answer.expect("diagnostics");
    let Value::Array(items) = answer["items"].take() else { panic!("expected a list, found {answer}") };
    let start = uri(folder) + "/";
    let of_file = |item: Value| {
        let uri = item["uri"].as_str().expect("a URI");
        (uri.strip_prefix(&start).expect("a file in the folder").to_owned(), item)
    };
    items.into_iter().map(of_file).collect()
}

/// The messages of each report's diagnostics.
fn messages(reports: &BTreeMap<String, Value>) -> BTreeMap<&str, Vec<&str>> {
    reports
        .iter()
        .map(|(file, report)| {
            let items = report["items"].as_array().expect("a full report").iter();
            (file.as_str(), items.map(|found| found["message"].as_str().expect("a message")).collect())
        })
        .collect()
}

/// The previous results as a client sends them.
fn ids(reports: &BTreeMap<String, Value>) -> Value {
    let ids = reports.values().filter(|report| !report["resultId"].is_null());
    ids.map(|report| json!({"uri": report["uri"], "value": report["resultId"]})).collect()
}

fn symbols(client: &mut Client, folder: &Path, query: &str) -> Vec<String> {
    let found = client.request("workspace/symbol", &json!({"query": query})).expect("symbols");
    let start = uri(folder) + "/";
    let file = |symbol: &Value| {
        let uri = symbol["location"]["uri"].as_str().expect("a URI");
        uri.strip_prefix(&start).expect("a file in the folder").to_owned()
    };
    found.as_array().expect("a list").iter().map(file).collect()
}

#[test]
fn a_program_that_cannot_be_read_has_a_diagnostic_at_its_start() {
    let folder = folder(&[("sound.psl", SOUND), ("folder.psl/spare.psl", SPARE)]);
    let path = folder.path();
    for (what, _) in UNREADABLE.iter().filter(|(what, _)| *what != "folder") {
        put(what, &path.join(format!("{what}.psl")));
    }
    symlink("nowhere", path.join("nowhere.psl")).expect("a link");
    symlink("folder.psl", path.join("link.psl")).expect("a link");
    fs::write(path.join("latin1.psl"), b"# \xe9\n").expect("a file");
    let mut client = Client::in_folder(path);

    let found = reports(&mut client, path, &json!([]));
    let mut expected: BTreeMap<String, String> = UNREADABLE
        .iter()
        .filter(|(what, _)| *what != "folder")
        .map(|(what, why)| (format!("{what}.psl"), format!("cannot read this file: {why}")))
        .collect();
    expected.insert("nowhere.psl".to_owned(), "cannot read this file: No such file or directory".to_owned());
    expected.insert("latin1.psl".to_owned(), "byte 0xE9 is not UTF-8".to_owned());
    expected.insert("folder.psl/spare.psl".to_owned(), "constant `B` is never used".to_owned());
    let shown = messages(&found);
    assert_eq!(shown.len(), expected.len() + 1, "{shown:#?}");
    assert!(shown["sound.psl"].is_empty(), "{shown:#?}");
    for (file, why) in &expected {
        assert!(shown[file.as_str()][0].starts_with(why), "{file}: {shown:#?}");
    }
    let [diagnostic] = found["pipe.psl"]["items"].as_array().expect("a list").as_slice() else { panic!("{found:?}") };
    let start = json!({"line": 0, "character": 0});
    assert_eq!(diagnostic["range"], json!({"start": start, "end": start}));
    assert_eq!((&diagnostic["severity"], &diagnostic["source"]), (&json!(1), &json!("psl")));
    assert_eq!(symbols(&mut client, path, "position"), ["folder.psl/spare.psl", "sound.psl"]);

    // A path that has become a program is reported as one. Diagnostics of a path that is gone are cleared.
    fs::remove_file(path.join("pipe.psl")).expect("removed");
    fs::rename(path.join("sound.psl"), path.join("pipe.psl")).expect("moved");
    let now = reports(&mut client, path, &ids(&found));
    assert_eq!((&now["pipe.psl"]["items"], &now["sound.psl"]["items"]), (&json!([]), &json!([])));
    assert!(!now["pipe.psl"]["resultId"].is_null() && now["sound.psl"].get("resultId").is_none(), "{now:#?}");
    for (file, report) in now.iter().filter(|(file, _)| !["pipe.psl", "sound.psl"].contains(&file.as_str())) {
        assert_eq!(report["kind"], "unchanged", "{file}");
    }
    client.finish();
}

#[test]
fn a_configuration_that_cannot_be_used_has_a_diagnostic_and_its_programs_are_checked() {
    let folder = folder(&[("sound/a.psl", SPARE), ("wrong/psl.toml", "# é😀\nstop = 1\n"), ("wrong/sub/a.psl", SPARE)]);
    let path = folder.path();
    for (what, _) in UNREADABLE {
        fs::create_dir(path.join(what)).expect("a folder");
        put(what, &path.join(what).join("psl.toml"));
        fs::write(path.join(what).join("a.psl"), SPARE).expect("a file");
    }
    fs::create_dir(path.join("latin1")).expect("a folder");
    fs::write(path.join("latin1/psl.toml"), b"# \xe9\n").expect("a file");
    fs::write(path.join("latin1/a.psl"), SPARE).expect("a file");
    let mut client = Client::in_folder(path);

    let found = reports(&mut client, path, &json!([]));
    let shown = messages(&found);
    let mut expected: BTreeMap<String, String> = UNREADABLE
        .iter()
        .map(|(what, why)| (format!("{what}/psl.toml"), format!("cannot read this file: {why}")))
        .collect();
    expected.insert("latin1/psl.toml".to_owned(), "cannot read this file: it is not UTF-8".to_owned());
    expected.insert("wrong/psl.toml".to_owned(), "`stop` must be one symbol, such as `stop = \".\"`".to_owned());
    for (file, why) in &expected {
        assert!(shown[file.as_str()][0].starts_with(why), "{file}: {shown:#?}");
    }
    let programs: Vec<_> = shown.iter().filter(|(file, _)| file.ends_with("/a.psl")).collect();
    assert_eq!((programs.len(), shown.len()), (UNREADABLE.len() + 3, programs.len() + expected.len()), "{shown:#?}");
    assert!(programs.iter().all(|(_, found)| found.len() == 1), "checked with defaults: {programs:#?}");
    let range = &found["wrong/psl.toml"]["items"][0]["range"];
    let place = |line: u64, character: u64| json!({"line": line, "character": character});
    assert_eq!(*range, json!({"start": place(1, 7), "end": place(1, 8)}));
    assert_eq!(symbols(&mut client, path, "position").len(), programs.len());

    // A fixed configuration applies at once.
    fs::write(path.join("wrong/psl.toml"), "[severity]\nunused-constant = 'off'\n").expect("a file");
    let now = reports(&mut client, path, &ids(&found));
    let empty = json!([]);
    assert_eq!((&now["wrong/psl.toml"]["items"], &now["wrong/sub/a.psl"]["items"]), (&empty, &empty));
    assert_eq!(now["pipe/psl.toml"]["kind"], "unchanged");
    client.finish();
}

#[test]
fn a_configuration_that_cannot_be_used_is_published_while_an_open_document_uses_it() {
    for (what, why) in UNREADABLE {
        let folder = folder(&[("sub/a.psl", SPARE), ("sub/b.psl", SPARE)]);
        let path = folder.path();
        put(what, &path.join("psl.toml"));
        let mut client = Client::in_folder(path);
        let toml = uri(&path.join("psl.toml"));
        let of_toml = |message: &Value| {
            message["method"] == "textDocument/publishDiagnostics" && message["params"]["uri"] == toml.as_str()
        };
        let (a, b) = (uri(&path.join("sub/a.psl")), uri(&path.join("sub/b.psl")));
        client.open(&a, SPARE);
        assert_eq!(client.published(&a, 1).len(), 1, "checked with defaults");
        client.open(&b, SPARE);
        assert_eq!(client.published(&b, 1).len(), 1);
        let published = client.wait(of_toml);
        let message = published["params"]["diagnostics"][0]["message"].as_str().expect("a message");
        assert!(message.starts_with(&format!("cannot read this file: {why}")), "{what}: {message}");
        let hover = json!({"textDocument": {"uri": a}, "position": {"line": 2, "character": 8}});
        assert!(client.request("textDocument/hover", &hover).expect("an answer").is_object());
        client.close(&a);
        if what == "folder" {
            fs::remove_dir(path.join("psl.toml")).expect("removed");
        } else {
            fs::remove_file(path.join("psl.toml")).expect("removed");
        }
        client.notify("workspace/didChangeWatchedFiles", &json!({"changes": [{"uri": toml, "type": 3}]}));
        assert_eq!(client.wait(of_toml)["params"]["diagnostics"], json!([]));
        client.finish();
    }
}

#[test]
fn a_prompt_file_that_cannot_be_read_fails_its_test() {
    let names: Vec<_> = UNREADABLE.iter().map(|(what, _)| format!("{what}.json")).chain(["x".repeat(300)]).collect();
    let tests: Vec<_> = names.iter().map(|name| format!("//@ test json \"{name}\" => \"A\"\n")).collect();
    let program = tests.concat() + SOUND + "//@ test \"A\" => \"A\"\n//@ max-new 1\n";
    let folder = folder(&[("a.psl", &program)]);
    let path = folder.path();
    for (what, _) in UNREADABLE {
        put(what, &path.join(format!("{what}.json")));
    }
    let mut client = Client::in_folder(path);
    let found = reports(&mut client, path, &json!([]));
    let failing: Vec<_> = messages(&found)["a.psl"].iter().map(ToString::to_string).collect();
    assert_eq!(failing.len(), names.len(), "{failing:#?}");
    for (name, message) in names.iter().zip(&failing) {
        assert!(message.contains(&format!("the prompt in {name}: ")), "{message}");
    }
    let open = uri(&path.join("a.psl"));
    client.open(&open, &program);
    let answer =
        client.request("workspace/executeCommand", &json!({"command": "psl.tests", "arguments": [{"uri": open}]}));
    let passed: Vec<_> =
        answer.expect("the tests run").as_array().expect("a list").iter().map(|it| it["passed"] == true).collect();
    assert_eq!(passed.iter().filter(|passed| **passed).count(), 1, "{passed:?}");
    client.finish();
}

#[test]
fn an_ignore_file_that_cannot_be_read_fails_alone() {
    let folder = folder(&[("a.psl", SOUND), ("sub/b.psl", SOUND), ("sub/c/d.psl", SOUND), ("left/e.psl", SOUND)]);
    let path = folder.path();
    fs::write(path.join(".gitignore"), "left/\n").expect("a file");
    put("pipe", &path.join("sub/.gitignore"));
    let mut client = Client::in_folder(path);
    let found = reports(&mut client, path, &json!([]));
    assert_eq!(found.keys().collect::<Vec<_>>(), ["a.psl", "sub/b.psl", "sub/c/d.psl"]);
    let message = client.wait(|message| message["method"] == "window/showMessage");
    let message = message["params"]["message"].as_str().expect("a message");
    assert!(message.ends_with("sub/.gitignore: it is a named pipe, not a file"), "{message}");
    client.finish();
}

#[test]
fn the_command_line_blocks_only_on_named_files() {
    let folder = folder(&[("a.psl", SOUND), ("z.psl", SOUND), ("sub/b.psl", SOUND), ("folder.psl/c.psl", SOUND)]);
    let path = folder.path();
    for (what, _) in UNREADABLE.iter().filter(|(what, _)| *what != "folder") {
        put(what, &path.join(format!("{what}.psl")));
    }
    put("pipe", &path.join("sub/psl.toml"));
    for command in ["check", "fmt", "test"] {
        let output = psl_in(path, &[command], b"");
        let errors = err(&output);
        assert_eq!(code(&output), 2, "{command}: {errors}");
        for (what, why) in UNREADABLE.iter().filter(|(what, _)| *what != "folder") {
            assert_eq!(
                errors.matches(&format!("psl: cannot read {what}.psl: {why}")).count(),
                1,
                "{command}: {errors}"
            );
        }
        assert_eq!(errors.matches("sub/psl.toml: it is a named pipe, not a file\n").count(), 1, "{command}: {errors}");
    }
    let output = psl_in(path, &["check", "--format", "json"], b"");
    assert!(err(&output).ends_with("checked 3 files: 0 errors, 0 warnings\n"), "{}", err(&output));
    assert_eq!(out(&output), "");

    // Files that a user names may block.
    let script = format!(
        "cat a.psl > pipe.psl & '{0}' check pipe.psl && cat a.psl | '{0}' check /dev/stdin",
        env!("CARGO_BIN_EXE_psl")
    );
    let output = Command::new("bash").args(["-c", &script]).current_dir(path).output().expect("bash runs");
    assert_eq!((code(&output), err(&output).matches("checked 1 file: 0 errors").count()), (0, 2), "{}", err(&output));
}
