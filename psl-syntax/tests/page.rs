//! The page of all diagnostics is the table's. `UPDATE=1 cargo test -p psl-syntax --test page` writes it anew.
#![allow(clippy::expect_used, reason = "a test may fail by panic")]

use std::{env, fs, path::Path};

use psl_syntax::{Code, codes::page};

#[test]
fn the_page_of_all_diagnostics_is_current() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/diagnostics.md");
    if env::var_os("UPDATE").is_some() {
        fs::create_dir_all(file.parent().expect("a folder")).expect("the folder docs");
        fs::write(&file, page()).expect("the page");
    }
    let found = fs::read_to_string(&file).unwrap_or_default();
    assert!(found == page(), "docs/diagnostics.md is not what the table says: UPDATE=1 writes it anew");
    for code in Code::ALL {
        assert!(found.contains(&format!("\n### {}\n", code.as_str())));
    }
}
