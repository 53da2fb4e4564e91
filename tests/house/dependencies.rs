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

/// The dependencies of a package in the workspace that its row of the arrows does not allow.
pub fn wrong_arrows(package: &Package, arrows: &[(&str, &[&str])]) -> Vec<String> {
    let row = arrows.iter().find(|(name, _)| *name == package.name);
    let allowed = row.map(|(_, used)| *used).unwrap_or_default();
    let is_member = |name: &str| arrows.iter().any(|(member, _)| *member == name);
    let used = package.used.iter().chain(&package.used_by_tests);
    let wrong = used.filter(|used| is_member(used) && !allowed.contains(&used.as_str()));
    wrong.map(|used| format!("{} depends on {used}", package.name)).collect()
}

/// The dependencies of a package that are neither in the order nor allowed.
pub fn foreign(package: &Package, order: &[&str], allowed: &[&str]) -> Vec<String> {
    let other = package.used.iter().filter(|used| !order.contains(&used.as_str()) && !allowed.contains(&used.as_str()));
    other.map(|used| format!("{} depends on {used}", package.name)).collect()
}

#[test]
fn a_wrong_arrow_and_a_foreign_dependency_are_reported() {
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let package = Package { name: "b".to_owned(), used: owned(&["a", "serde", "tokio"]), used_by_tests: owned(&["c"]) };
    assert_eq!(wrong_arrows(&package, &[("a", &[]), ("b", &["a"]), ("c", &["a", "b"])]), ["b depends on c"]);
    assert_eq!(wrong_arrows(&package, &[("a", &[]), ("b", &[]), ("c", &[])]), ["b depends on a", "b depends on c"]);
    assert_eq!(foreign(&package, &["a", "b", "c"], &["serde"]), ["b depends on tokio"]);
}
