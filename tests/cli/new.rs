//! `psl new`: new programs.

use std::{fs, path::Path};

use crate::{
    binary::{code, err, out, psl_in, repository},
    command::{names, psl},
};

fn new(folder: &Path, args: &[&str]) -> std::process::Output {
    psl_in(folder, &[&["new"], args].concat(), b"")
}

#[test]
fn a_new_program_has_no_diagnostics_and_its_tests_pass() {
    let message = "created notes.psl: open it in an editor, or run its tests with `psl test notes.psl`\n";
    let ran = psl("new notes").complains(message).prints("");
    let ran = ran.psl("check --deny warnings notes.psl").mentions("0 errors, 0 warnings").prints("");
    let ran = ran.psl("test notes.psl").prints("ok notes.psl:4:1: test 1\nok notes.psl:7:1: again: holds for all different symbols but `.`\n2 passed, 0 failed\n");
    ran.psl("fmt --check").mentions("1 already formatted").prints("");
}

#[test]
fn the_command_in_the_message_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, word) in
        [("my prog", "'my prog.psl'"), ("it's", "\"it's.psl\""), ("$HOME", "'$HOME.psl'"), ("-x", "./-x.psl")]
    {
        let output = new(folder.path(), &["--", name]);
        let message = err(&output);
        assert!(message.ends_with(&format!(" with `psl test {word}`\n")), "{message}");
        let words = shlex::split(message.split('`').nth(1).expect("a command")).expect("words");
        let words: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
        assert_eq!(code(&psl_in(folder.path(), &words, b"")), 0, "{message}");
    }
}

#[test]
fn a_missing_extension_is_added() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["a", "b.psl", "c.d", "sub"] {
        assert_eq!(code(&new(folder.path(), &[name])), 0);
    }
    fs::create_dir(folder.path().join("sub")).expect("a folder");
    assert_eq!(code(&new(folder.path(), &["sub/e"])), 0);
    assert_eq!(names(folder.path()), ["a.psl", "b.psl", "c.d.psl", "sub", "sub.psl"]);
    assert_eq!(names(&folder.path().join("sub")), ["e.psl"]);
}

#[test]
fn the_programs_to_copy_are_listed() {
    let list = out(&new(&repository(), &["--list"]));
    let names: Vec<&str> = list.lines().filter_map(|line| Some(line.split_once(": ")?.0)).collect();
    assert_eq!(names.first(), Some(&"skeleton"), "{list}");
    assert!(list.contains("\npargen: PARGEN: in-context learning of a template from one example\n"), "{list}");
    for name in names {
        assert_eq!(code(&new(&repository(), &["-", "--from", name])), 0, "{name}");
    }
    assert_eq!(code(&new(&repository(), &["--list", "mine"])), 2);
    assert_eq!(code(&new(&repository(), &[])), 2);
}

#[test]
fn pargen_is_written_unchanged() {
    let folder = tempfile::tempdir().expect("a folder");
    assert_eq!(code(&new(folder.path(), &["mine", "--from", "pargen"])), 0);
    let pargen = fs::read_to_string(repository().join("examples/pargen.psl")).expect("PARGEN");
    assert_eq!(fs::read_to_string(folder.path().join("mine.psl")).expect("a file"), pargen);
    assert_eq!(out(&new(folder.path(), &["-", "--from", "pargen"])), pargen);
    assert_eq!(names(folder.path()), ["mine.psl"]);
}

#[test]
fn an_existing_file_is_not_overwritten() {
    for line in ["new a", "new a.psl"] {
        let refused = psl(line).file("a.psl", "mine").code(2);
        let ran = refused.complains("psl: a.psl already exists: choose another name\n").prints("");
        assert_eq!(
            (ran.read("a.psl").as_str(), ran.names()),
            ("mine", vec!["a.psl".to_owned()]),
            "no other file is left"
        );
    }
}

#[cfg(unix)]
#[test]
fn a_link_is_not_followed() {
    let folder = tempfile::tempdir().expect("a folder");
    std::os::unix::fs::symlink("elsewhere.psl", folder.path().join("a.psl")).expect("a link");
    assert_eq!(code(&new(folder.path(), &["a"])), 2);
    assert_eq!(names(folder.path()), ["a.psl"]);
}

#[test]
fn a_failure_is_reported() {
    let ran = psl("new missing/a").code(2).mentions("psl: cannot write missing/a.psl: ").prints("");
    let ran = ran.psl("new a --from nothing").code(2).mentions("[possible values: skeleton, ").prints("");
    assert_eq!(ran.names(), [""; 0]);
}
