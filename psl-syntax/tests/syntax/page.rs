//! `docs/diagnostics.md` lists the codes of the table. `UPDATE=1 cargo test -p psl-syntax --test syntax page` rewrites
//! it.

use std::{collections::BTreeSet, env, fs, path::Path};

use psl_syntax::{
    Code,
    codes::{index, page},
};

#[test]
fn the_list_of_all_diagnostics_is_current() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/diagnostics.md");
    if env::var_os("UPDATE").is_some() {
        fs::write(&file, index()).expect("the list");
    }
    let found = fs::read_to_string(&file).unwrap_or_default();
    assert!(found == index(), "docs/diagnostics.md is out of date: UPDATE=1 rewrites it");
}

#[test]
fn every_page_is_listed_and_in_the_one_page_of_all() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/diagnostics");
    let pages = fs::read_dir(folder).expect("the folder of pages");
    let pages: BTreeSet<String> =
        pages.map(|page| page.expect("a page").file_name().to_string_lossy().into_owned()).collect();
    let codes: BTreeSet<String> = Code::ALL.iter().map(|code| format!("{}.md", code.as_str())).collect();
    assert_eq!(pages, codes);
    let (index, page) = (index(), page());
    for code in Code::ALL {
        let name = code.as_str();
        assert!(index.contains(&format!("\n- [{name}](diagnostics/{name}.md): ")), "{name}");
        assert!(page.contains(&format!("\n### {name}\n")), "{name}");
    }
}
