//! The server's commands beyond one open document: files that are not open, all programs, and output that equals that
//! of the command line.

use std::{fs, path::Path, time::Duration};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{
    binary::{code, err, folder, out, psl_in},
    server::client::{Client, full},
};

/// One test passes, the other fails.
const PROGRAM: &str = "//@ test one \"A\" => \"B .\"\n//@ test \"B\" => \"A .\"\nregisters: {symbol: 's', position: 'p'}\n\
                       constants: {A, B, '.'}\nwhere symbol[N] == B:\n    symbol[N] = '.'\nwhere symbol[N] == A:\n    \
                       symbol[N] = B\n";
const BROKEN: &str =
    "//@ test \"A\" => \"B\"\nregisters: {symbol: 's', position: 'p'}\nwhere symbol[N] == A:\n    symbol[N] = A\n";

fn uri(folder: &TempDir, file: &str) -> String {
    format!("file://{}", folder.path().join(file).display())
}

/// The result of a command, or the message of its error.
fn command(client: &mut Client, name: &str, argument: &Value) -> Result<Value, String> {
    let answer = client.request("workspace/executeCommand", &json!({"command": name, "arguments": [argument]}));
    answer.map_err(|error| error["message"].as_str().expect("words").to_owned())
}

/// The error that keeps the tests of [`BROKEN`] from running.
fn broken_message() -> String {
    format!("line 3: {}", psl_syntax::check(BROKEN).diagnostics[0].message)
}

/// Some fields of tests, each as JSON.
fn fields(tests: &Value, names: &[&str]) -> Vec<Value> {
    let field = |test: &Value| names.iter().map(|name| test[name].clone()).collect();
    tests.as_array().expect("a list").iter().map(field).collect()
}

#[test]
fn tests_are_listed_with_known_results_without_a_run() {
    let folder = folder(&[("a.psl", PROGRAM)]);
    let uri = uri(&folder, "a.psl");
    let mut client = Client::in_folder(folder.path());
    let listed = |client: &mut Client| command(client, "psl.tests", &json!({"uri": uri, "run": false})).expect("tests");
    let known = ["index", "name", "passed", "continuation", "stopped", "missed", "error", "seconds"];
    // Results for a file that is not open are not kept.
    let ran = command(&mut client, "psl.tests", &json!({"uri": uri})).expect("tests");
    assert_eq!(fields(&ran, &["passed"]), [json!([true]), json!([false])]);
    let nothing = json!([0, "one", null, null, null, null, null, null]);
    assert_eq!(fields(&listed(&mut client), &known)[0], nothing);
    // The results of the tests that run after an edit.
    client.open(&uri, PROGRAM);
    client.wait(|message| message["params"]["diagnostics"][0]["code"] == "failing-test");
    let missed = json!({"start": {"line": 1, "character": 17}, "end": {"line": 1, "character": 18}});
    let failed = json!([1, null, false, ".", "stop-symbol", missed, null, null]);
    let passed = json!([0, "one", true, "B .", "stop-symbol", null, null, null]);
    assert_eq!(fields(&listed(&mut client), &known), [passed.clone(), failed]);
    assert_eq!(listed(&mut client)[1]["related"][0]["message"], "`symbol` of cell 1 is set to `.` here");
    // Results stay while the compiled program is the same, with the spans of the new text.
    command(&mut client, "psl.tests", &json!({"uri": uri})).expect("tests");
    client.change(&uri, 2, &[json!({"text": format!("# above\n{PROGRAM}")})]);
    let now = listed(&mut client);
    assert_eq!(fields(&now, &known)[0], passed);
    assert_eq!(now[1]["missed"]["start"], json!({"line": 2, "character": 17}));
    assert_eq!(now[1]["related"][0]["location"]["range"]["start"], json!({"line": 5, "character": 0}));
    assert!(now[1]["explanation"].as_str().expect("words").contains("layer 1 (line 6)"), "{now}");
    // A program that does not compile has no results except its error.
    client.change(&uri, 3, &[json!({"text": BROKEN})]);
    let broken = json!([0, null, null, null, null, null, broken_message(), null]);
    assert_eq!(fields(&listed(&mut client), &known), [broken]);
    client.finish();
}

#[test]
fn the_tests_of_all_programs_are_listed_and_run() {
    let folder = folder(&[
        ("a.psl", PROGRAM),
        ("sub/broken.psl", BROKEN),
        ("sub/none.psl", &PROGRAM.replace("//@ test", "//")),
        ("latin1.psl", ""),
        ("open.psl", "where"),
        ("ignored/a.psl", PROGRAM),
        ("left-out/a.psl", PROGRAM),
        (".gitignore", "ignored\n"),
        ("psl.toml", "[paths]\nexclude = ['left-out']\n"),
    ]);
    fs::write(folder.path().join("latin1.psl"), b"//@ test \"\xe9\" => \"B\"\n").expect("a file");
    let mut client = Client::in_folder(folder.path());
    client.open(&uri(&folder, "open.psl"), &PROGRAM.replace("one", "open"));
    client.wait(|message| message["params"]["diagnostics"][0]["code"] == "failing-test");
    let mut tests = |argument: Value| {
        let programs = command(&mut client, "psl.tests", &argument).expect("tests");
        let start = uri(&folder, "");
        let program = |program: &Value| {
            let file = program["uri"].as_str().and_then(|uri| uri.strip_prefix(&start)).expect("a file in the folder");
            (file.to_owned(), fields(&program["tests"], &["name", "passed", "error"]))
        };
        programs.as_array().expect("a list").iter().map(program).collect::<Vec<_>>()
    };
    let expected = |ran: [Value; 2]| {
        let [first, second] = ran;
        [
            ("a.psl".to_owned(), vec![json!(["one", first, null]), json!([null, second, null])]),
            ("latin1.psl".to_owned(), vec![json!([null, null, "line 1: byte 0xE9 is not UTF-8"])]),
            ("open.psl".to_owned(), vec![json!(["open", true, null]), json!([null, false, null])]),
            ("sub/broken.psl".to_owned(), vec![json!([null, null, broken_message()])]),
        ]
    };
    assert_eq!(tests(json!({"run": false})), expected([Value::Null, Value::Null]));
    assert_eq!(tests(json!({})), expected([json!(true), json!(false)]));
    client.wait(|message| message["params"]["message"] == "2 passed, 4 failed");
    // The edit applies to the editor's buffer.
    let save = json!({"uri": uri(&folder, "a.psl"), "prompt": "x", "continuation": "x"});
    let refusal = command(&mut client, "psl.saveTest", &save).expect_err("a refusal");
    assert!(refusal.ends_with("a.psl is not open in the editor"), "{refusal}");
    client.finish();
}

#[test]
fn a_run_of_all_tests_shows_progress_and_can_be_cancelled() {
    let endless = format!("//@ stop \"none\"\n//@ max-new 900000\n{PROGRAM}");
    let folder = folder(&[("a.psl", PROGRAM), ("b.psl", &endless)]);
    let mut client = Client::in_folder(folder.path());
    let run = json!({"command": "psl.tests", "arguments": [{}], "workDoneToken": "all"});
    let request = client.begin("workspace/executeCommand", &run);
    client.wait(|message| message["params"]["token"] == "all" && message["params"]["value"]["kind"] == "begin");
    client.wait(|message| message["params"]["value"]["message"] == "1 of 2 programs");
    client.notify("$/cancelRequest", &json!({"id": request}));
    assert_eq!(client.response(request).expect_err("an error")["code"], -32800);
    // The next command is not blocked.
    let tests = command(&mut client, "psl.tests", &json!({"run": false})).expect("tests");
    assert_eq!(tests.as_array().map(Vec::len), Some(2));
    client.finish();
}

#[test]
fn coverage_is_that_of_the_chosen_tests() {
    let folder = folder(&[("a.psl", PROGRAM)]);
    let uri = uri(&folder, "a.psl");
    let mut client = Client::in_folder(folder.path());
    let mut covered = |argument: Value| command(&mut client, "psl.coverage", &argument).expect("coverage");
    let verdicts = |found: &Value| -> Vec<Value> {
        found["productions"].as_array().expect("a list").iter().map(|it| it["parts"][0]["verdict"].clone()).collect()
    };
    let all = covered(json!({"uri": uri}));
    assert_eq!((&all["runs"], verdicts(&all)), (&json!(2), vec![json!("mattered"), json!("mattered")]));
    let second = covered(json!({"uri": uri, "tests": [1, 7]}));
    assert_eq!((&second["runs"], verdicts(&second)), (&json!(1), vec![json!("mattered"), json!("not reached")]));
    let range = json!({"start": {"line": 4, "character": 6}, "end": {"line": 4, "character": 20}});
    let condition =
        json!({"range": range, "kind": "condition", "reached": 1, "mattered": 0, "verdict": "made no difference"});
    assert_eq!(second["productions"][0]["parts"][1], condition);
    client.finish();
}

#[test]
fn no_folder_has_no_tests() {
    let mut client = Client::greeted(&full(&["utf-16"]));
    assert_eq!(command(&mut client, "psl.tests", &json!({})), Ok(json!([])));
    client.finish();
}

#[test]
fn a_program_that_is_not_open_is_read_from_its_file() {
    let folder = folder(&[("a.psl", PROGRAM), ("psl.toml", "stop = 'B'\n"), ("small/a.psl", PROGRAM)]);
    fs::write(folder.path().join("small/psl.toml"), "max-file-size = 9\n").expect("a file");
    fs::write(folder.path().join("a.txt"), PROGRAM).expect("a file");
    fs::create_dir(folder.path().join("folder.psl")).expect("a folder");
    let mut client = Client::in_folder(folder.path());
    let a = uri(&folder, "a.psl");
    let ran = command(&mut client, "psl.run", &json!({"uri": a, "test": "one"})).expect("a run");
    assert_eq!((&ran["continuation"], &ran["passed"]), (&json!("B"), &json!(false)), "its psl.toml applies");
    let messages = client.until_quiet(Duration::from_millis(300));
    assert!(
        messages.iter().all(|message| message["method"] != "workspace/codeLens/refresh"),
        "no lens is open: {messages:?}"
    );
    let related = json!([]);
    assert_eq!((&ran["missed"]["start"]["character"], &ran["related"]), (&json!(23), &related));
    assert_eq!(command(&mut client, "psl.trace", &json!({"uri": a})).expect("a trace")[0]["layer"], 1);
    let compiled = command(&mut client, "psl.compile", &json!({"uri": a})).expect("a program");
    assert_eq!(compiled["layers"][1]["range"]["start"], json!({"line": 6, "character": 0}));
    let refused = [
        (uri(&folder, "a.txt"), " is not open in the editor"),
        ("untitled:a.psl".to_owned(), "untitled:a.psl is not open in the editor"),
        (uri(&folder, "gone.psl"), "gone.psl: No such file or directory (os error 2)"),
        (uri(&folder, "folder.psl"), "folder.psl: it is a folder, not a file"),
        (uri(&folder, "small/a.psl"), "a.psl: it is larger than 9 bytes; raise `max-file-size` in `psl.toml`"),
    ];
    for (uri, why) in refused {
        for name in ["psl.run", "psl.trace", "psl.table", "psl.compile", "psl.tests"] {
            let refusal = command(&mut client, name, &json!({"uri": uri})).expect_err("a refusal");
            assert!(refusal.contains(why), "{name} {uri}: {refusal}");
        }
    }
    client.finish();
}

#[cfg(unix)]
#[test]
fn a_program_outside_of_the_open_folders_is_refused() {
    use std::os::unix::fs::symlink;

    let folder = folder(&[("open/a.psl", PROGRAM), ("other/b.psl", PROGRAM), ("opened/c.psl", PROGRAM)]);
    let path = |name: &str| folder.path().join(name);
    symlink(path("other/b.psl"), path("open/file.psl")).expect("a link");
    symlink(path("other"), path("open/folder")).expect("a link");
    symlink(path("open/a.psl"), path("open/inside.psl")).expect("a link");
    symlink(path("open"), path("link")).expect("a link");
    let mut client = Client::in_folder(&path("link"));
    let mut ask = |name: &str, file: &str| {
        let answer = command(&mut client, name, &json!({"uri": uri(&folder, file)}));
        answer.map_err(|refusal| refusal.split_once(" is ").map(|(_, why)| why.to_owned()))
    };
    for name in ["psl.run", "psl.trace", "psl.table", "psl.compile", "psl.tests"] {
        for file in ["link/a.psl", "open/a.psl", "link/inside.psl"] {
            assert!(ask(name, file).is_ok(), "{name} {file}");
        }
        let outside =
            ["other/b.psl", "link/../other/b.psl", "open/../other/b.psl", "link/file.psl", "link/folder/b.psl"];
        for file in outside.into_iter().chain(["other/gone.psl"]) {
            let why = "neither open in the editor nor in an open folder: open it first".to_owned();
            assert_eq!(ask(name, file), Err(Some(why)), "{name} {file}");
        }
    }
    let listed = command(&mut client, "psl.tests", &json!({"run": false})).expect("tests");
    assert_eq!(
        fields(&listed, &["uri"]),
        [[uri(&folder, "link/a.psl")], [uri(&folder, "link/inside.psl")]].map(|uri| json!(uri))
    );
    // An open document need not be in the folder.
    client.open(&uri(&folder, "other/b.psl"), PROGRAM);
    assert!(command(&mut client, "psl.compile", &json!({"uri": uri(&folder, "other/b.psl")})).is_ok());
    client.finish();
}

const PARGEN: &str = include_str!("../../examples/pargen.psl");
const INDUCTION: &str = include_str!("../../examples/induction.psl");

#[test]
fn tables_are_equal_in_the_editor_and_on_the_command_line() {
    let unwatched = PROGRAM.replace("position: 'p'", "position: 'p', parse: 'a'");
    let folder = folder(&[("pargen.psl", PARGEN), ("induction.psl", INDUCTION), ("unwatched.psl", &unwatched)]);
    let mut client = Client::in_folder(folder.path());
    for (file, prompt) in [("pargen.psl", "Q a A a . Q b A"), ("induction.psl", "a b c a"), ("unwatched.psl", "A")] {
        for machine in ["psm", "dat"] {
            let argument = json!({"uri": uri(&folder, file), "prompt": prompt, "machine": machine});
            let table = command(&mut client, "psl.table", &argument).expect("a table");
            let run = psl_in(folder.path(), &["run", "--table", "--machine", machine, "--prompt", prompt, file], b"");
            assert_eq!((out(&run).as_str(), code(&run)), (table["text"].as_str().expect("a text"), 0), "{}", err(&run));
        }
    }
    client.finish();
}

#[test]
fn qkvl_and_weights_have_tables_too() {
    let folder = folder(&[("a.psl", PROGRAM)]);
    let table = |file: &str| {
        let run = psl_in(folder.path(), &["run", "--table", file], b"A\nB\n");
        assert_eq!(code(&run), 0, "{}", err(&run));
        out(&run)
    };
    let expected = "layer 1 · where symbol[N] == B: · line 5\ncell    1 │  2\nstart   A │  B\nsymbol  A │ *.\n\n\
                    layer 2 · where symbol[N] == A: · line 7\ncell    1 │  2\nstart   A │  B\nsymbol *B │  .\n\n⇒ B .\n\
                    layer 1 · where symbol[N] == B: · line 5\ncell    1\nstart   B\nsymbol *.\n\n⇒ .\n";
    assert_eq!(table("a.psl"), expected);
    let plain =
        expected.replace(" · where symbol[N] == A: · line 7", "").replace(" · where symbol[N] == B: · line 5", "");
    for (form, file) in [("qkvl", "a.json"), ("weights", "a.safetensors")] {
        let compiled = psl_in(folder.path(), &["compile", "--emit", form, "-o", file, "a.psl"], b"");
        assert_eq!(code(&compiled), 0, "{}", err(&compiled));
        assert_eq!(table(file), plain, "{file}");
    }
}

#[test]
fn a_table_replaces_the_continuation() {
    for with in [["--verify", "--recompute"], ["--trace", "-"], ["--format", "json"]] {
        let run =
            psl_in(Path::new("."), &[&["run", "--table", "--prompt", "Q a A a . Q b A"], &with[..]].concat(), b"");
        assert_eq!((code(&run), out(&run).as_str()), (2, ""), "{with:?}");
        assert!(err(&run).contains("cannot be used with"), "{}", err(&run));
    }
}

/// Waits for these reports of whether tests are running, and checks that no more arrive for a while.
fn expect_status(client: &mut Client, expected: &[bool], when: &str) {
    for testing in expected {
        let message = client.wait(|message| message["method"] == "psl/status");
        assert_eq!(message["params"], json!({"testing": testing}), "{when}");
    }
    let rest = client.until_quiet(Duration::from_millis(500));
    assert!(rest.iter().all(|message| message["method"] != "psl/status"), "{when}: {rest:?}");
}

/// A client with these options and an open program.
fn client_with(options: &Value) -> Client {
    let mut client = Client::start();
    let capabilities = full(&["utf-16"]);
    let greeting = json!({"processId": null, "capabilities": capabilities, "initializationOptions": options});
    client.greet(&greeting);
    // The tests take a while. A run that ends before it is reported is not reported at all.
    client.open(URI, &format!("//@ stop \"none\"\n//@ max-new 20000\n{PROGRAM}"));
    client
}

const URI: &str = "untitled:a.psl";

#[test]
fn a_client_that_shows_the_status_is_told_when_tests_run() {
    let mut client = client_with(&json!({"showStatus": true}));
    expect_status(&mut client, &[true, false], "tests run after a pause");
    for (name, argument, expected) in [
        ("psl.tests", json!({"uri": URI}), [true, false].as_slice()),
        ("psl.run", json!({"uri": URI, "test": 1}), &[true, false]),
        ("psl.run", json!({"uri": URI, "prompt": "A"}), &[]),
        ("psl.tests", json!({"uri": URI, "run": false}), &[]),
        ("psl.tests", json!({"run": false}), &[]),
    ] {
        command(&mut client, name, &argument).expect("an answer");
        expect_status(&mut client, expected, &format!("{name} {argument}"));
    }
    client.finish();
    let mut client = client_with(&Value::Null);
    client.published(URI, 1);
    client.published(URI, 1);
    expect_status(&mut client, &[], "the client does not show it");
    client.finish();
}
