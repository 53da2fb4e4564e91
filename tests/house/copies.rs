//! The version and the address of the tools, which `Cargo.toml` has, in the other files that need them. `UPDATE=1`
//! writes them.

use std::{env, fs};

use super::source::{all_files, root};

const VERSION: &str = env!("CARGO_PKG_VERSION");
const ADDRESS: &str = env!("CARGO_PKG_REPOSITORY");

/// The files, each with its places. `{path}` is the owner and the name of the repository.
const COPIES: [(&str, &[&str]); 14] = [
    (".github/workflows/release.yml", &["such as v{version} "]),
    ("RELEASE.md", &["git tag -a v{version} ", "-m \"psl {version}\"\n", "git push origin v{version}\n"]),
    ("action.yml", &["such as {version}. "]),
    ("docs/how-to/ci.md", &["uses: {path}@v{version}\n        with"]),
    ("docs/install.md", &["]({address}/releases)"]),
    ("editors/emacs/psl-mode.el", &[";; Version: {version}\n", ";; URL: {address}\n"]),
    ("editors/nvim/mason/package.yaml", &["homepage: {address}\n", "id: pkg:github/{path}@v{version}\n"]),
    ("editors/vscode/README.md", &["--install-extension psl-{version}-linux"]),
    (
        "editors/vscode/package-lock.json",
        &[
            "\n  \"name\": \"psl\",\n  \"version\": \"{version}\"",
            "\n      \"name\": \"psl\",\n      \"version\": \"{version}\"",
        ],
    ),
    (
        "editors/vscode/package.json",
        &[
            "\n  \"version\": \"{version}\"",
            "\n  \"homepage\": \"{address}\"",
            "\"url\": \"{address}.git\"",
            "\n  \"bugs\": \"{address}/issues\"",
        ],
    ),
    ("editors/zed/Cargo.toml", &["\nversion = \"{version}\""]),
    ("editors/zed/extension.toml", &["\nversion = \"{version}\"", "\nrepository = \"{address}\"\n\n"]),
    (
        "grammars/tree-sitter-psl/tree-sitter.json",
        &["\n    \"version\": \"{version}\"", "\n      \"repository\": \"{address}\""],
    ),
    (
        "python/pyproject.toml",
        &[
            "\nHomepage = \"{address}\"",
            "\nRepository = \"{address}\"",
            "\nIssues = \"{address}/issues\"",
            "\nChangelog = \"{address}/blob/main/CHANGELOG.md\"",
        ],
    ),
];

fn value(name: &str) -> &'static str {
    match name {
        "version" => VERSION,
        "address" => ADDRESS,
        "path" => ADDRESS.trim_start_matches("https://github.com/"),
        _ => panic!("unknown value {name}"),
    }
}

/// The text with the values in each place of this form, or `None` if it has no such place.
fn written(text: &str, place: &str) -> Option<String> {
    let mut parts = place.split(['{', '}']);
    let start = parts.next()?;
    let values: Vec<_> = parts.collect();
    let mut between = text.split(start);
    let mut written = between.next()?.to_owned();
    let mut found = false;
    for after in between {
        let filled = filled(after, &values);
        found |= filled.is_some();
        written.push_str(start);
        written.push_str(filled.as_deref().unwrap_or(after));
    }
    found.then_some(written)
}

/// The text with the values at its start, or `None` if it has none. After the name of each value is the text that
/// follows it.
fn filled(text: &str, values: &[&str]) -> Option<String> {
    let (mut filled, mut rest) = (String::new(), text);
    for pair in values.chunks(2) {
        let (old, after) = rest.split_once(pair[1])?;
        if old.contains(char::is_whitespace) {
            return None;
        }
        filled.extend([value(pair[0]), pair[1]]);
        rest = after;
    }
    Some(filled + rest)
}

#[test]
fn each_copy_is_that_of_the_manifest() {
    let mut stale = Vec::new();
    for (path, places) in COPIES {
        let file = root().join(path);
        let text = fs::read_to_string(&file).expect("a file of text");
        let new = places.iter().fold(text.clone(), |text, place| {
            written(&text, place).unwrap_or_else(|| panic!("{path} has no {place:?}"))
        });
        if new != text && env::var_os("UPDATE").is_some() {
            fs::write(file, new).expect("a file that can be written");
        } else if new != text {
            stale.push(path);
        }
    }
    assert!(
        stale.is_empty(),
        "another version or address than in Cargo.toml: {stale:?}; `cargo xtask update` writes them"
    );
}

#[test]
fn no_other_text_has_the_address() {
    let known = |path: &String| path == "Cargo.toml" || COPIES.iter().any(|(file, _)| file == path);
    let others = all_files().into_iter().filter(|path| !known(path));
    let found: Vec<_> = others
        .filter(|path| fs::read_to_string(root().join(path)).is_ok_and(|text| text.contains(value("path"))))
        .collect();
    assert!(found.is_empty(), "add the address to COPIES for {found:?}");
}

#[test]
fn the_changes_have_a_section_of_the_version() {
    let changes = fs::read_to_string(root().join("CHANGELOG.md")).expect("a file of text");
    assert!(changes.contains(&format!("\n## {VERSION}")), "CHANGELOG.md has no section {VERSION}");
}

#[test]
fn a_place_takes_the_new_value() {
    let check = |text: &str, place: &str, expected: Option<String>| assert_eq!(written(text, place), expected);
    check("a 0.0.1, a 0.0.2, b", "a {version}, ", Some(format!("a {VERSION}, a {VERSION}, b")));
    check("uses: x/y@v0\n", "uses: {path}@v{version}\n", Some(format!("uses: {}@v{VERSION}\n", value("path"))));
    check("a b c, a 0.0.1, ", "a {version}, ", Some(format!("a b c, a {VERSION}, ")));
    check("a 0.0.1\n, ", "a {version}, ", None);
    check("b", "a {version}, ", None);
}
