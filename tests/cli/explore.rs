//! The page of `psl explore`. These tests need a `psl` that was built after scripts/explorer.

use std::{
    fs,
    path::Path,
    process::{Command, Output},
    thread,
    time::Duration,
};

use serde_json::{Value, json};

use crate::binary::{code, err, folder, out, psl_in, repository};

const PROGRAM: &str =
    "registers: {symbol: 's', position: 'p'}\nconstants: {A}\nwhere symbol[N] == A:\n    symbol[N] = A\n";

fn data(page: &str) -> Value {
    let (_, rest) = page.split_once("id=\"psl-data\">").expect("the data");
    let (data, rest) = rest.split_once("</script>").expect("the end of the data");
    assert!(!data.contains('<') && rest.contains("id=\"psl-module\""), "{data}");
    serde_json::from_str(data).expect("JSON")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).expect("a page")
}

/// Runs `psl` with a page, in a folder.
fn explore(folder: &Path, args: &[&str], input: &str) -> Output {
    psl_in(folder, &[&["explore"], args].concat(), input.as_bytes())
}

#[test]
#[ignore = "needs the page of scripts/explorer"]
fn a_page_has_its_program_and_prompts() {
    let text = format!("# </script> é\n{PROGRAM}//@ test one \"A\" => \"A\"\n//@ test json \"a.json\" => \"A\"\n");
    let cells = "[{\"symbol\": \"A\"}]";
    let folder = folder(&[("in/a.psl", &text), ("in/a.json", cells), ("in/psl.toml", "stop = \"A\"")]);
    let output = explore(folder.path(), &["in/a.psl"], "");
    let created = "created a.html: open it in a browser\n";
    assert_eq!((code(&output), out(&output).as_str(), err(&output).as_str()), (0, "", created));
    let page = data(&read(&folder.path().join("a.html")));
    assert_eq!((&page["name"], &page["text"], &page["stop"]), (&json!("a.psl"), &json!(text), &json!("A")));
    assert_eq!((&page["open"], &page["serve"]), (&Value::Null, &Value::Null));
    let prompts: Value = serde_json::from_str(page["prompts"]["a.json"].as_str().expect("a text")).expect("JSON");
    assert_eq!(prompts, serde_json::from_str::<Value>(cells).expect("JSON"));
    let pargen = read(&repository().join("examples/pargen.psl"));
    let examples = page["examples"].as_array().expect("a list");
    assert!(examples.len() > 10 && examples.contains(&json!({"name": "pargen", "text": pargen})));
}

#[test]
#[ignore = "needs the page of scripts/explorer"]
fn a_page_opens_on_a_prompt_or_a_test() {
    let text = format!("{PROGRAM}//@ test \"A\" => \"A\"\n//@ test swap \"A\" => \"A\"\n");
    let folder = folder(&[("a.psl", &text)]);
    let opened = |args: &[&str]| {
        let output = explore(folder.path(), &[args, &["a.psl", "-o", "-"]].concat(), "");
        assert_eq!((code(&output), err(&output).as_str()), (0, ""));
        data(&out(&output))["open"].clone()
    };
    assert_eq!(opened(&["--prompt", "- <b>"]), json!("- <b>"));
    assert_eq!(opened(&["--test", "swap"]), json!({"test": 1}));
    assert_eq!(opened(&["--test", "test 1"]), json!({"test": 0}));
    let output = explore(folder.path(), &["a.psl", "--test", "swpa"], "");
    let unknown = "psl: a.psl: unknown test `swpa`; did you mean `swap`?\n";
    assert_eq!((code(&output), err(&output).as_str()), (2, unknown));
    assert!(!folder.path().join("a.html").exists());
}

#[test]
#[ignore = "needs the page of scripts/explorer"]
fn a_page_has_the_other_version_and_its_layers() {
    let first = "# first\nwhere symbol[N] == symbol[N]:\n    symbol[N] = A\n";
    let old = format!("{PROGRAM}//@ test json \"a.json\" => \"A\"\n");
    let new = PROGRAM.replace("where", &format!("{first}where"));
    let files =
        [("in/new.psl", new.as_str()), ("in/old.psl", &old), ("in/a.json", "[]"), ("in/psl.toml", "stop = \"A\"")];
    let folder = folder(&files);
    let page = |args: &[&str]| {
        let output = explore(folder.path(), &[args, &["-o", "-"]].concat(), "where x");
        (code(&output), err(&output), data(&out(&output))["against"].clone())
    };
    let (code, _, against) = page(&["in/new.psl", "--against", "in/old.psl"]);
    let expected = json!({"name": "old.psl", "text": old, "stop": "A", "prompts": {"a.json": "[]"}, "layers": [2]});
    assert_eq!((code, against), (0, expected));
    let (_, _, against) = page(&["in/old.psl", "--against", "in/new.psl"]);
    assert_eq!(against["layers"], json!([null, 1]));
    assert_eq!(page(&["in/new.psl"]).2, Value::Null);
    // Errors of the other version are in the page, too.
    let (code, errors, against) = page(&["in/new.psl", "--against", "-"]);
    assert_eq!((code, &against["name"]), (1, &json!("<stdin>")));
    assert!(errors.contains("error[syntax]"), "{errors}");
    let refused = explore(folder.path(), &["-", "--against", "-"], "");
    let message = "psl: one version and the other cannot both come from standard input: give the other by a file\n";
    assert_eq!(err(&refused), message);
}

#[test]
#[ignore = "needs the page of scripts/explorer"]
fn a_page_of_two_versions_opens_where_they_differ() {
    let with_tests = format!("//@ test \"A\" => \"A\"\n//@ test \"B C\" => \"A\"\n{PROGRAM}");
    let check = |new: &str, old: &str, note: &str, open: Value| {
        let folder = folder(&[("new.psl", new), ("old.psl", old)]);
        let output = explore(folder.path(), &["new.psl", "--against", "old.psl", "-o", "-"], "");
        assert_eq!((code(&output), err(&output)), (0, format!("note: new.psl and old.psl {note}\n")));
        assert_eq!(data(&out(&output)).get("open").cloned().unwrap_or_default(), open);
    };
    let same = "do the same on all prompts of at most 5 symbols, and on the prompts of 2 tests with any other symbols";
    check(&with_tests, &with_tests, same, Value::Null);
    let other = with_tests.replace("== A:", "!= A:");
    check(&with_tests, &other, "differ on the prompt `B C`: symbol 1 is `C`, not `A`", json!({"test": 1}));
    check(PROGRAM, &other, "differ on the prompt `a`: symbol 1 is `a`, not `A`", json!("a"));
}

#[test]
#[ignore = "needs the page of scripts/explorer"]
fn a_program_in_another_format_is_refused() {
    for name in ["a.json", "a.safetensors"] {
        let folder = folder(&[(name, "{}")]);
        let output = explore(folder.path(), &[name], "");
        let way = format!("print it as PSL first, with `psl compile --emit psl {name} -o OUT.psl`\n");
        let refusal = format!("psl: {name}: the explorer shows PSL: {way}");
        assert_eq!((code(&output), out(&output).as_str(), err(&output)), (2, "", refusal));
    }
}

#[test]
#[ignore = "needs the page of scripts/explorer"]
fn a_program_with_errors_has_a_page() {
    let folder = folder(&[]);
    let output = explore(folder.path(), &["-"], "where x");
    assert_eq!(code(&output), 1);
    assert!(err(&output).contains("error[syntax]"), "{}", err(&output));
    let page = data(&out(&output));
    assert_eq!((&page["name"], &page["text"]), (&json!("<stdin>"), &json!("where x")));
}

#[test]
#[ignore = "needs the page of scripts/explorer"]
#[cfg(unix)]
fn a_page_is_opened_by_the_browser() {
    let folder = folder(&[("a b.psl", PROGRAM)]);
    let psl = env!("CARGO_BIN_EXE_psl");
    let browser = "#!/bin/sh\necho \"$1\" > opened.new && mv opened.new opened\n";
    let script = folder.path().join("browser");
    fs::write(&script, browser).expect("a script");
    fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("permissions");
    let run = Command::new(psl)
        .args(["explore", "a b.psl", "--open"])
        .current_dir(folder.path())
        .env("BROWSER", &script)
        .output()
        .expect("psl runs");
    assert_eq!((code(&run), err(&run).as_str()), (0, ""));
    let opened = folder.path().join("opened");
    // The browser runs beside psl.
    for _ in 0..3_000 {
        if opened.exists() {
            break;
        }
        thread::sleep(Duration::from_millis(10));
    }
    let page = dunce::canonicalize(folder.path().join("a b.html")).expect("the page");
    assert_eq!(read(&opened).trim_end(), format!("file://{}", page.display()).replace(' ', "%20"));
}

#[test]
#[ignore = "needs the page of scripts/explorer"]
#[cfg(target_os = "linux")]
fn a_page_that_no_browser_opens_is_named() {
    let folder = folder(&[("a.psl", PROGRAM)]);
    let psl = env!("CARGO_BIN_EXE_psl");
    let explore = |environment: &[(&str, &str)]| {
        let mut command = Command::new(psl);
        command
            .args(["explore", "a.psl", "--open"])
            .current_dir(folder.path())
            .env("PATH", "")
            .env("HOME", folder.path());
        for name in ["BROWSER", "DISPLAY", "WAYLAND_DISPLAY", "XDG_CONFIG_DIRS", "XDG_DATA_DIRS"] {
            command.env_remove(name);
        }
        let run = command.envs(environment.iter().copied()).output().expect("psl runs");
        (code(&run), err(&run))
    };
    let page = dunce::canonicalize(folder.path()).expect("a folder").join("a.html");
    let end = format!("; the page is at {}\n", page.display());
    let (exit, message) = explore(&[]);
    assert_eq!(
        (exit, message),
        (2, format!("psl: no browser opened: there is no display, and BROWSER is not set{end}"))
    );
    let (exit, message) = explore(&[("DISPLAY", ":99")]);
    assert!(exit == 2 && message.starts_with("psl: no browser opened: ") && message.ends_with(&end), "{message}");
    assert!(page.exists());
}
