//! `psl new`: new programs.

use std::{fs, path::Path};

use crate::binary::{code, err, out, psl_in, repository};

fn new(folder: &Path, args: &[&str]) -> std::process::Output {
    psl_in(folder, &[&["new"], args].concat(), b"")
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<_> = entries.map(|name| name.into_string().expect("UTF-8")).collect();
    names.sort();
    names
}

#[test]
fn a_new_program_has_no_diagnostics_and_its_tests_pass() {
    let folder = tempfile::tempdir().expect("a folder");
    let written = new(folder.path(), &["notes"]);
    let message = "created notes.psl: open it in an editor, or run its tests with `psl test notes.psl`\n";
    assert_eq!((code(&written), out(&written), err(&written)), (0, String::new(), message.to_owned()));
    let checked = psl_in(folder.path(), &["check", "--deny", "warnings", "notes.psl"], b"");
    assert_eq!((code(&checked), out(&checked)), (0, String::new()));
    let tested = psl_in(folder.path(), &["test", "notes.psl"], b"");
    assert_eq!(code(&tested), 0, "{}", out(&tested));
    assert!(out(&tested).contains("ok"), "{}", out(&tested));
    assert_eq!(code(&psl_in(folder.path(), &["fmt", "--check"], b"")), 0);
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
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("a.psl"), "mine").expect("a file");
    for name in ["a", "a.psl"] {
        let refused = new(folder.path(), &[name]);
        assert_eq!((code(&refused), err(&refused).as_str()), (2, "psl: a.psl already exists: choose another name\n"));
    }
    assert_eq!(fs::read_to_string(folder.path().join("a.psl")).expect("a file"), "mine");
    assert_eq!(names(folder.path()), ["a.psl"], "no temporary file is left");
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
    let folder = tempfile::tempdir().expect("a folder");
    let refused = new(folder.path(), &["missing/a"]);
    assert_eq!(code(&refused), 2);
    assert!(err(&refused).starts_with("psl: cannot write missing/a.psl: "), "{}", err(&refused));
    let unknown = new(folder.path(), &["a", "--from", "nothing"]);
    assert_eq!(code(&unknown), 2);
    assert!(err(&unknown).contains("[possible values: skeleton, "), "{}", err(&unknown));
    assert_eq!(names(folder.path()), [""; 0]);
}
