//! `psl man`: manual pages.

use std::{collections::BTreeSet, ffi::OsStr, fs};

use crate::binary::{code, err, out, psl, repository};

#[test]
fn the_page_of_psl_names_every_command() {
    let page = out(&psl(&["man"]));
    assert!(page.contains(".TH psl 1"), "{page}");
    let help = out(&psl(&["--help"]));
    let commands: Vec<_> =
        help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty()).collect();
    assert!(commands.len() > 10, "{help}");
    for command in commands.iter().filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help") {
        assert!(page.contains(&format!("psl\\-{command}(1)")), "no {command} in\n{page}");
    }
}

#[test]
fn each_command_has_a_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let pages = folder.path().join("man/man1");
    let written = psl(&["man", "-o", pages.to_str().expect("UTF-8")]);
    assert_eq!((code(&written), out(&written)), (0, String::new()), "{}", err(&written));
    let names: BTreeSet<_> =
        fs::read_dir(&pages).expect("a folder").map(|page| page.expect("a page").file_name()).collect();
    for name in ["psl.1", "psl-check.1", "psl-lsp.1", "psl-trace-diff.1"] {
        assert!(names.contains(OsStr::new(name)), "no {name} in {names:?}");
    }
    for name in names {
        let page = fs::read_to_string(pages.join(&name)).expect("a page");
        assert!([".TH ", ".SH NAME", ".SH SYNOPSIS"].iter().all(|part| page.contains(part)), "{page}");
    }
}

#[test]
fn a_folder_that_cannot_be_created_is_reported() {
    let file = repository().join("README.md/man");
    let refused = psl(&["man", "-o", file.to_str().expect("UTF-8")]);
    assert_eq!(code(&refused), 2);
    assert!(err(&refused).starts_with("psl: cannot create "), "{}", err(&refused));
}
