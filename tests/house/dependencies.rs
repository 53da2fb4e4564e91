//! The dependencies of the crates in the workspace.

use std::{collections::BTreeSet, process::Command};

use serde_json::Value;

/// A crate of the workspace.
pub struct Package {
    /// The name, such as `psl-cli`.
    pub name: String,
    /// The dependencies without those of tests and benches.
    pub used: Vec<String>,
    /// The dependencies of tests, benches and the build script.
    pub used_by_tests: Vec<String>,
}

/// The crates of the workspace, from `cargo metadata`.
pub fn packages() -> Vec<Package> {
    metadata().iter().map(package).collect()
}

/// The names and required versions of all crates from registries that a crate of the workspace uses.
pub fn foreign_requirements() -> BTreeSet<(String, String)> {
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let used = |package: Value| package["dependencies"].as_array().expect("a list of dependencies").clone();
    let used = metadata().into_iter().flat_map(used).filter(|it| !it["source"].is_null());
    used.map(|it| (text(&it["name"]), text(&it["req"]).trim_start_matches('^').to_owned())).collect()
}

fn metadata() -> Vec<Value> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--no-deps", "--offline"])
        .current_dir(super::source::root())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    metadata["packages"].as_array().expect("a list of packages").clone()
}

fn package(package: &Value) -> Package {
    let dependencies = package["dependencies"].as_array().expect("a list of dependencies");
    let names = |tests: bool| {
        let chosen = dependencies.iter().filter(|it| it["kind"].is_null() != tests);
        chosen.map(|it| it["name"].as_str().expect("a name").to_owned()).collect()
    };
    let name = package["name"].as_str().expect("a name").to_owned();
    Package { name, used: names(false), used_by_tests: names(true) }
}

/// A dependency, as findings and exemptions name it.
pub fn depends(package: &str, used: &str) -> String {
    format!("{package} depends on {used}")
}

/// The dependencies of a package among the members of the workspace.
pub fn arrows(package: &Package, members: &[&str]) -> Vec<String> {
    let used = package.used.iter().chain(&package.used_by_tests).filter(|used| members.contains(&used.as_str()));
    used.map(|used| depends(&package.name, used)).collect()
}

/// The dependencies of a package on crates from registries.
pub fn foreign(package: &Package, members: &[&str]) -> Vec<String> {
    let used = package.used.iter().filter(|used| !members.contains(&used.as_str()));
    used.map(|used| depends(&package.name, used)).collect()
}

#[test]
fn arrows_and_foreign_dependencies_are_found() {
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let package = Package { name: "b".to_owned(), used: owned(&["a", "serde"]), used_by_tests: owned(&["c", "toml"]) };
    assert_eq!(arrows(&package, &["a", "b", "c"]), ["b depends on a", "b depends on c"]);
    assert_eq!(foreign(&package, &["a", "b", "c"]), ["b depends on serde"]);
}
