//! The table of capabilities on the page about the protocol, held against the protocol's own list and against the
//! server.

use std::{collections::BTreeMap, fs, path::PathBuf, process::Command};

use psl_lsp::from_proto::client_capabilities;
use serde_json::{Value, json};
use syn::{Attribute, Fields, GenericArgument, Item, Lit, PathArguments, Type, TypePath};

const PAGE: &str = include_str!("../../docs/protocol.md");

/// A row: its capability, which may have a `*` for any name, and whether the server reads it.
struct Row {
    pattern: &'static str,
    is_read: bool,
}

fn rows() -> Vec<Row> {
    let (_, section) = PAGE.split_once("\n## Capabilities of an editor\n").expect("a section");
    let lines = section.lines().take_while(|line| !line.starts_with("## ")).filter(|line| line.starts_with("| `"));
    lines
        .flat_map(|line| {
            let mut cells = line.trim_matches('|').split(" | ");
            let (names, read) = (cells.next().expect("names"), cells.next().expect("whether they are read"));
            assert!(["yes", "no"].contains(&read) && cells.next().is_some_and(|why| why.len() > 3), "{line}");
            names.split(", ").map(move |name| Row { pattern: name.trim().trim_matches('`'), is_read: read == "yes" })
        })
        .collect()
}

/// The capabilities of a client by the types of the protocol, which are generated from its specification.
fn capabilities() -> BTreeMap<String, String> {
    let text = fs::read_to_string(structures()).expect("the types of the protocol");
    let file = syn::parse_file(&text).expect("Rust");
    let structs = file.items.into_iter().filter_map(|item| match item {
        Item::Struct(found) => Some((found.ident.to_string(), found.fields)),
        _ => None,
    });
    let structs: BTreeMap<String, Fields> = structs.collect();
    let mut found = BTreeMap::new();
    add(&structs, "ClientCapabilities", "", &mut found);
    found
}

/// Adds the capabilities of a struct: those that are objects, and those within them.
fn add(structs: &BTreeMap<String, Fields>, name: &str, path: &str, found: &mut BTreeMap<String, String>) {
    for field in structs.get(name).into_iter().flatten() {
        let is_flat = serde(&field.attrs).iter().any(|(key, _)| key == "flatten");
        let renamed = serde(&field.attrs).into_iter().find(|(key, _)| key == "rename").map(|(_, value)| value);
        let own = renamed.unwrap_or_else(|| camel_case(&field.ident.as_ref().expect("a name").to_string()));
        let path = match (is_flat, path) {
            (true, path) => path.to_owned(),
            (false, "") => own,
            (false, path) => format!("{path}.{own}"),
        };
        let kind = innermost(&field.ty);
        if !is_flat {
            found.insert(path.clone(), kind.clone());
        }
        add(structs, &kind, &path, found);
    }
}

/// The keys and values of the attributes of `serde`.
fn serde(attributes: &[Attribute]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("serde")) {
        let parsed = attribute.parse_nested_meta(|meta| {
            let value = match meta.value() {
                Ok(value) => match value.parse::<Lit>()? {
                    Lit::Str(text) => text.value(),
                    _ => String::new(),
                },
                Err(_) => String::new(),
            };
            found.push((meta.path.get_ident().map(ToString::to_string).unwrap_or_default(), value));
            Ok(())
        });
        parsed.expect("attributes of serde");
    }
    found
}

/// The name of a type without `Option` and `Box`.
fn innermost(kind: &Type) -> String {
    let Type::Path(TypePath { path, .. }) = kind else { return String::new() };
    let last = path.segments.last().expect("a name");
    match (&last.arguments, last.ident.to_string().as_str()) {
        (PathArguments::AngleBracketed(within), "Option" | "Box") => match within.args.first() {
            Some(GenericArgument::Type(within)) => innermost(within),
            _ => String::new(),
        },
        (_, name) => name.to_owned(),
    }
}

fn camel_case(name: &str) -> String {
    let mut words = name.trim_start_matches("r#").split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |before, word| {
        let (initial, rest) = word.split_at(1.min(word.len()));
        format!("{before}{}{rest}", initial.to_uppercase())
    })
}

/// The file with the structs of the crate `gen-lsp-types`.
fn structures() -> PathBuf {
    let host = Command::new("rustc").args(["--print", "host-tuple"]).output().expect("rustc runs");
    let host = String::from_utf8(host.stdout).expect("a host");
    let mut command = Command::new(env!("CARGO"));
    // The crates of other platforms need not be downloaded.
    command.args([
        "metadata",
        "--format-version",
        "1",
        "--offline",
        "--filter-platform",
        host.trim(),
        "--manifest-path",
    ]);
    let output = command.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")).output().expect("cargo runs");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let mut packages = metadata["packages"].as_array().expect("packages").iter();
    let package = packages.find(|package| package["name"] == "gen-lsp-types").expect("the crate");
    let manifest = PathBuf::from(package["manifest_path"].as_str().expect("a path"));
    manifest.with_file_name("src").join("generated/structures.rs")
}

/// Whether a pattern stands for a capability.
fn is_of(pattern: &str, capability: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == capability,
        Some((start, end)) => {
            capability.len() > start.len() + end.len() && capability.starts_with(start) && capability.ends_with(end)
        }
    }
}

/// The row of a capability: the one with most letters of those that stand for it.
fn row_of<'r>(rows: &'r [Row], capability: &str) -> Option<&'r Row> {
    rows.iter().filter(|row| is_of(row.pattern, capability)).max_by_key(|row| row.pattern.len())
}

/// A capability that is not an object.
fn is_leaf(capabilities: &BTreeMap<String, String>, name: &str) -> bool {
    !capabilities.keys().any(|other| other.strip_prefix(name).is_some_and(|rest| rest.starts_with('.')))
}

#[test]
fn the_page_has_each_capability_of_the_protocol() {
    let (rows, capabilities) = (rows(), capabilities());
    let leaves: Vec<_> = capabilities.keys().filter(|name| is_leaf(&capabilities, name)).collect();
    assert!(leaves.len() > 140, "{leaves:?}");
    let missing: Vec<_> = leaves.iter().filter(|name| row_of(&rows, name).is_none()).collect();
    assert!(missing.is_empty(), "docs/protocol.md lacks {missing:?}");
    for row in &rows {
        let is_used = capabilities.keys().any(|name| row_of(&rows, name).is_some_and(|it| it.pattern == row.pattern));
        assert!(is_used, "docs/protocol.md has `{}`, which the protocol lacks", row.pattern);
    }
}

/// A value of a capability, as different from its absence as possible.
fn sample(name: &str, kind: &str) -> Value {
    match (name, kind) {
        ("general.positionEncodings", _) => json!(["utf-8"]),
        ("textDocument.semanticTokens.tokenTypes", _) => json!(["variable"]),
        ("textDocument.semanticTokens.tokenModifiers", _) => json!(["modification"]),
        (_, "Vec") => json!(["markdown"]),
        (_, "String") => json!("a"),
        (_, "u32") => json!(1),
        _ => json!(true),
    }
}

fn set(place: &mut Value, name: &str, value: &Value) {
    name.split('.').fold(place, |place, key| &mut place[key]).clone_from(value);
}

/// The parameters without a capability.
fn without(params: &Value, name: &str) -> Value {
    let mut params = params.clone();
    let path = format!("/capabilities/{}", name.replace('.', "/"));
    let (parent, key) = path.rsplit_once('/').expect("a path");
    params.pointer_mut(parent).and_then(Value::as_object_mut).expect("an object").remove(key);
    params
}

#[test]
fn the_server_reads_what_the_page_says() {
    let (rows, capabilities) = (rows(), capabilities());
    let mut all = json!({});
    for (name, kind) in capabilities.iter().filter(|(name, _)| is_leaf(&capabilities, name)) {
        set(&mut all, name, &sample(name, kind));
    }
    let params = json!({"capabilities": all});
    let read = |params: &Value| format!("{:?}", client_capabilities(params));
    let complete = read(&params);
    for name in capabilities.keys() {
        let row = row_of(&rows, name).filter(|row| is_leaf(&capabilities, name) || row.pattern == name);
        if let Some(row) = row {
            let is_read = read(&without(&params, name)) != complete;
            assert_eq!(is_read, row.is_read, "{name}, by the row `{}`", row.pattern);
        }
    }
}
