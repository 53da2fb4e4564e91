//! `psl explore --serve`, with a program that is edited, removed and restored. These tests need a `psl` that was built
//! after scripts/explorer.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Child, Command, Stdio},
    sync::mpsc::{Receiver, channel},
    thread::spawn,
    time::Duration,
};

use serde_json::{Value, json};

use crate::{
    binary::{DECLARATIONS, code, err, folder, out, psl_in},
    http::{Address, Events},
};

/// The maximum time to wait for output, longer than anything takes.
const DEADLINE: Duration = Duration::from_mins(1);

/// A `psl` that serves a page.
struct Serving {
    child: Child,
    address: Address,
    messages: Receiver<String>,
}

impl Serving {
    /// Starts `psl`, and waits until it watches.
    fn start(folder: &Path, args: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_psl"))
            .args(["explore", "a.psl", "--serve"])
            .args(args)
            .current_dir(folder)
            .env("BROWSER", folder.join("browser"))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("psl starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("an address");
        let errors = BufReader::new(child.stderr.take().expect("a pipe"));
        let (sender, messages) = channel();
        spawn(move || errors.lines().map_while(Result::ok).all(|line| sender.send(line).is_ok()));
        let serving = Self { child, address: Address::new(line.trim_end()), messages };
        assert_eq!(serving.message(), "watching for changes; Ctrl-C ends");
        serving
    }

    /// The next line on standard error.
    fn message(&self) -> String {
        self.messages.recv_timeout(DEADLINE).expect("a message")
    }

    /// The exit code after Ctrl-C.
    fn interrupt(mut self) -> Option<i32> {
        let kill = format!("kill -INT {}", self.child.id());
        assert!(Command::new("sh").args(["-c", &kill]).status().expect("a shell").success());
        self.child.wait().expect("psl ends").code()
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

fn json(data: &str) -> Value {
    serde_json::from_str(data).expect("JSON")
}

fn data(page: &str) -> Value {
    let (_, rest) = page.split_once("id=\"psl-data\">").expect("the data");
    json(rest.split_once("</script>").expect("the end of the data").0)
}

/// Waits for the data in which an entry has this value.
fn wait_for(events: &mut Events, entry: &str, value: &str) -> Value {
    loop {
        let data = json(&events.next().expect("an event").1);
        if data[entry] == value {
            return data;
        }
    }
}

#[test]
#[ignore = "needs the page of scripts/explorer"]
fn the_page_follows_the_program_its_prompts_and_its_configuration() {
    let text = format!("{DECLARATIONS}//@ test json \"a.json\" => \"A\"\n");
    let folder = folder(&[("a.psl", &text), ("a.json", r#"[{"symbol": "A"}]"#), ("psl.toml", "")]);
    let file = folder.path().join("a.psl");
    let serving = Serving::start(folder.path(), &[]);
    let page = serving.address.get("").content;
    assert!(page.contains("connect-src 'self'") && !page.contains("connect-src 'none'"), "{page}");
    let first = data(&page);
    assert_eq!(
        (&first["name"], &first["text"], &first["serve"]),
        (&json!("a.psl"), &json!(text), &json!({"reveal": false}))
    );
    assert!(first["examples"].as_array().expect("a list").len() > 10);

    let mut events = serving.address.events("");
    fs::write(&file, format!("# é\n{text}")).expect("the file");
    wait_for(&mut events, "text", &format!("# é\n{text}"));
    // Many editors replace a file.
    fs::write(folder.path().join("a.new"), &text).expect("a file");
    fs::rename(folder.path().join("a.new"), &file).expect("it takes the place");
    wait_for(&mut events, "text", &text);
    fs::write(folder.path().join("psl.toml"), "stop = \"A\"").expect("the configuration");
    wait_for(&mut events, "stop", "A");
    fs::write(folder.path().join("a.json"), r#"[{"symbol": "B"}]"#).expect("the prompt");
    while json(&events.next().expect("an event").1)["prompts"]["a.json"] != r#"[{"symbol":"B"}]"# {}
    assert_eq!(data(&serving.address.get("").content)["stop"], "A");
}

#[test]
#[ignore = "needs the page of scripts/explorer"]
fn the_page_follows_both_versions() {
    let folder = folder(&[("a.psl", DECLARATIONS), ("old.psl", "# old")]);
    let serving = Serving::start(folder.path(), &["--against", "old.psl"]);
    let first = data(&serving.address.get("").content);
    assert_eq!((&first["text"], &first["against"]["text"]), (&json!(DECLARATIONS), &json!("# old")));
    let mut events = serving.address.events("");
    fs::write(folder.path().join("old.psl"), "# older").expect("the file");
    while json(&events.next().expect("an event").1)["against"]["text"] != "# older" {}
    fs::write(folder.path().join("a.psl"), "# new").expect("the file");
    assert_eq!(wait_for(&mut events, "text", "# new")["against"]["text"], "# older");
}

#[test]
#[ignore = "needs the page of scripts/explorer"]
fn a_removed_file_leaves_the_page_until_it_is_restored() {
    let folder = folder(&[("a.psl", DECLARATIONS)]);
    let file = folder.path().join("a.psl");
    let serving = Serving::start(folder.path(), &[]);
    let mut events = serving.address.events("");
    wait_for(&mut events, "text", DECLARATIONS);
    fs::remove_file(&file).expect("the file goes");
    let message = serving.message();
    assert!(message.starts_with("psl: cannot read a.psl: "), "{message}");
    assert_eq!(data(&serving.address.get("").content)["text"], DECLARATIONS);
    fs::write(&file, "# restored").expect("the file");
    wait_for(&mut events, "text", "# restored");
    fs::write(folder.path().join("psl.toml"), "[").expect("a configuration");
    let message = serving.message();
    assert!(message.starts_with("psl: ") && message.contains("psl.toml:1:2: "), "{message}");
    fs::remove_file(folder.path().join("psl.toml")).expect("the configuration goes");
    fs::write(&file, "# again").expect("the file");
    wait_for(&mut events, "text", "# again");
}

#[test]
#[ignore = "needs the page of scripts/explorer"]
fn a_pipe_leaves_the_page_until_a_file_takes_its_place() {
    let folder = folder(&[("a.psl", DECLARATIONS)]);
    let file = folder.path().join("a.psl");
    let serving = Serving::start(folder.path(), &[]);
    let mut events = serving.address.events("");
    wait_for(&mut events, "text", DECLARATIONS);
    let make_pipe = |name: &str| {
        let pipe = folder.path().join(name);
        assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs").success());
        pipe
    };
    fs::rename(make_pipe("pipe"), &file).expect("it takes the place");
    assert_eq!(serving.message(), "psl: cannot read a.psl: it is a named pipe, not a file");
    fs::write(folder.path().join("new"), "# restored").expect("a file");
    fs::rename(folder.path().join("new"), &file).expect("it takes the place");
    wait_for(&mut events, "text", "# restored");
    make_pipe("pipe.psl");
    let output = psl_in(folder.path(), &["explore", "pipe.psl", "--serve"], b"");
    let message = "psl: cannot read pipe.psl: it is a named pipe, not a file\n";
    assert_eq!((code(&output), err(&output).as_str()), (2, message));
}

#[test]
#[ignore = "needs the page of scripts/explorer"]
fn a_program_with_errors_has_a_page() {
    let folder = folder(&[("a.psl", "where x")]);
    let serving = Serving::start(folder.path(), &["--prompt", "<b>"]);
    let page = data(&serving.address.get("").content);
    assert_eq!((&page["text"], &page["open"]), (&json!("where x"), &json!("<b>")));
    let mut events = serving.address.events("");
    fs::write(folder.path().join("a.psl"), [0xff, b'\n']).expect("the file");
    wait_for(&mut events, "text", "\u{fffd}\n");
}

#[test]
#[ignore = "needs the page of scripts/explorer"]
fn an_edit_may_remove_the_test_to_open() {
    let text = format!("{DECLARATIONS}//@ test swap \"A\" => \"A\"\n");
    let folder = folder(&[("a.psl", &text)]);
    let serving = Serving::start(folder.path(), &["--test", "swap"]);
    let mut events = serving.address.events("");
    assert_eq!(wait_for(&mut events, "text", &text)["open"], json!({"test": 0}));
    fs::write(folder.path().join("a.psl"), DECLARATIONS).expect("the file");
    assert_eq!(wait_for(&mut events, "text", DECLARATIONS)["open"], Value::Null);
    fs::write(folder.path().join("a.psl"), format!("//@ test \"A\" => \"A\"\n{text}")).expect("the file");
    assert_eq!(json(&events.next().expect("an event").1)["open"], json!({"test": 1}));
}

#[test]
#[ignore = "needs the page of scripts/explorer"]
fn ctrl_c_ends_it_with_success() {
    let folder = folder(&[("a.psl", "where x")]);
    let serving = Serving::start(folder.path(), &[]);
    let mut events = serving.address.events("");
    assert!(events.next().is_some());
    let mut slow = serving.address.connect();
    slow.write_all(b"GET").expect("it is sent");
    assert_eq!(serving.interrupt(), Some(0));
    assert_eq!(events.next(), None);
}

#[test]
#[ignore = "needs the page of scripts/explorer"]
fn the_browser_opens_the_address() {
    let folder = folder(&[("a.psl", DECLARATIONS), ("browser", "#!/bin/sh\necho \"$1\" > opened\n")]);
    fs::set_permissions(folder.path().join("browser"), fs::Permissions::from_mode(0o755)).expect("permissions");
    let pipe = folder.path().join("opened");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs").success());
    let (sender, opened) = channel();
    spawn(move || sender.send(fs::read_to_string(pipe).expect("a text")));
    let serving = Serving::start(folder.path(), &["--open"]);
    let address = format!("http://{}{}\n", serving.address.host, serving.address.path);
    assert_eq!(opened.recv_timeout(DEADLINE).expect("an address"), address);
}

#[test]
#[ignore = "needs the page of scripts/explorer"]
fn what_cannot_be_served_is_refused() {
    let folder = folder(&[("a.psl", DECLARATIONS)]);
    let serving = Serving::start(folder.path(), &[]);
    let port = serving.address.host.split_once(':').expect("a port").1;
    let refused = |args: &[&str]| {
        let run = psl_in(folder.path(), &[&["explore"], args].concat(), b"");
        assert_eq!((code(&run), out(&run).as_str()), (2, ""), "{args:?}");
        err(&run)
    };
    let used = refused(&["a.psl", "--serve", port]);
    assert!(used.starts_with(&format!("psl: cannot serve the page on port {port}: ")), "{used}");
    assert!(refused(&["b.psl", "--serve"]).starts_with("psl: cannot read b.psl: "));
    assert_eq!(refused(&["-", "--serve"]), "psl: `--serve` needs a file: standard input cannot be read again\n");
    assert_eq!(refused(&["a.psl", "--serve", "--test", "swap"]), "psl: a.psl: unknown test `swap`\n");
    assert!(refused(&["a.psl", "--serve", "-o", "a.html"]).contains("cannot be used with"));
    assert!(refused(&["a.psl", "--serve", "65536"]).contains("65536"));
    assert!(!folder.path().join("a.html").exists());
}
