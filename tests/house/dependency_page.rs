//! The page of dependencies, `docs/dependencies.md`, has each direct dependency and its version.

use std::{collections::BTreeSet, fs, path::Path};

use ignore::WalkBuilder;
use serde_json::Value;

use super::{dependencies::foreign_requirements, source::root};

/// Names with versions.
type Versions = BTreeSet<(String, String)>;

fn read(path: impl AsRef<Path>) -> String {
    fs::read_to_string(root().join(path)).expect("a file of text")
}

/// The part of the page below a heading of the second level.
fn section(heading: &str) -> String {
    let page = read("docs/dependencies.md");
    let (_, rest) = page.split_once(&format!("\n## {heading}\n")).expect("the heading");
    rest.split("\n## ").next().unwrap_or_default().to_owned()
}

/// The first two cells of the rows of tables: the name and the version.
fn rows(section: &str) -> Versions {
    let cells = section.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` | "));
    cells.map(|(name, rest)| (name.to_owned(), rest.split(" | ").next().unwrap_or_default().to_owned())).collect()
}

/// Checks that the page has the dependencies that the files have.
fn check(page: &Versions, files: &Versions) {
    let missing: Vec<_> = files.difference(page).collect();
    let extra: Vec<_> = page.difference(files).collect();
    assert!(missing.is_empty() && extra.is_empty(), "docs/dependencies.md lacks {missing:?} and has {extra:?}");
}

#[test]
fn the_page_has_each_crate() {
    check(&rows(&section("Crates")), &foreign_requirements());
}

#[test]
fn each_dependency_of_the_workspace_is_used() {
    let manifest: toml::Table = read("Cargo.toml").parse().expect("TOML");
    let declared = manifest["workspace"]["dependencies"].as_table().expect("a table");
    let used: BTreeSet<String> = foreign_requirements().into_iter().map(|(name, _)| name).collect();
    let unused: Vec<_> =
        declared.iter().filter(|(name, value)| value.get("path").is_none() && !used.contains(*name)).collect();
    assert!(unused.is_empty(), "Cargo.toml declares {unused:?}, which no crate uses");
}

#[test]
fn the_page_has_each_package_of_npm() {
    let files = WalkBuilder::new(root()).hidden(true).build().map(|entry| entry.expect("an entry"));
    let manifests: Vec<Value> = files
        .filter(|entry| entry.file_name() == "package.json")
        .map(|entry| serde_json::from_str(&read(entry.path())).expect("JSON"))
        .collect();
    let tables =
        manifests.iter().flat_map(|it| [&it["dependencies"], &it["devDependencies"]]).filter_map(Value::as_object);
    let versions =
        tables.flatten().map(|(name, version)| (name.clone(), version.as_str().expect("a version").to_owned()));
    check(&rows(&section("npm")), &versions.collect());
}

#[test]
fn the_page_has_each_package_of_python() {
    let requirements = ["clients/requirements.txt", "clients/requirements-long.txt", "engines/requirements.txt"]
        .map(|file| read(format!("tests/{file}")));
    let required = requirements.iter().flat_map(|it| it.lines()).filter_map(|line| line.split_once("=="));
    let required = required.map(|(name, _)| name);
    // Rows have the direct ones, and a sentence the others.
    let section = section("Python");
    let (_, named) = section.split_once("\n|---").expect("a table");
    let named = named.split('`').skip(1).step_by(2).filter(|name| !name.contains('.') || *name == "ruamel.yaml");
    assert_eq!(named.collect::<BTreeSet<_>>(), required.collect());
}
