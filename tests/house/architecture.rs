//! House rules for the architecture. Each failure comes with a suggestion.

use std::fs;

use crate::{
    circles::circles,
    dependencies::{arrows, depends, foreign, packages},
    findings::{exempts, none, none_but},
    literals::repeated,
    names::names,
    protocol_values::built,
    rust_uses::uses,
    source::{Source, files, root, sources},
};

/// The crates from bottom to top, each with the crates that it uses.
const ARROWS: [(&str, &[&str]); 16] = [
    ("tree-sitter-psl", &[]),
    ("psl-syntax", &[]),
    ("psl-runtime", &["psl-syntax"]),
    ("psl-program", &["psl-syntax", "psl-runtime"]),
    ("psl-render", &["psl-syntax", "psl-runtime", "psl-program"]),
    ("psl-debug", &["psl-syntax", "psl-runtime", "psl-program", "psl-render"]),
    ("psl-search", &["psl-syntax", "psl-runtime", "psl-program"]),
    ("psl-ide", &["psl-syntax", "psl-runtime", "psl-program", "psl-render", "psl-search"]),
    ("psl-explorer", &["psl-syntax", "psl-runtime", "psl-program", "psl-render", "psl-debug", "psl-ide"]),
    ("psl-tasks", &["psl-syntax", "psl-runtime", "psl-program"]),
    ("psl-host", &["psl-syntax", "psl-program"]),
    (
        "psl-lsp",
        &[
            "psl-syntax",
            "psl-runtime",
            "psl-program",
            "psl-render",
            "psl-search",
            "psl-ide",
            "psl-explorer",
            "psl-host",
        ],
    ),
    ("psl-dap", &["psl-syntax", "psl-runtime", "psl-program", "psl-debug", "psl-host"]),
    (
        "psl-cli",
        &[
            "tree-sitter-psl",
            "psl-syntax",
            "psl-runtime",
            "psl-program",
            "psl-render",
            "psl-debug",
            "psl-search",
            "psl-ide",
            "psl-explorer",
            "psl-tasks",
            "psl-host",
            "psl-lsp",
            "psl-dap",
        ],
    ),
    (
        "psl-python",
        &[
            "psl-syntax",
            "psl-runtime",
            "psl-program",
            "psl-render",
            "psl-search",
            "psl-ide",
            "psl-explorer",
            "psl-tasks",
            "psl-host",
        ],
    ),
    ("xtask", &["psl-syntax"]),
];

/// The folders of the crates written in Rust, each with a minimum number of files. A test that finds fewer is looking
/// in the wrong place.
const FOLDERS: [(&str, usize); 14] = [
    ("psl-syntax", 40),
    ("psl-runtime", 45),
    ("psl-program", 25),
    ("psl-render", 12),
    ("psl-debug", 35),
    ("psl-search", 15),
    ("psl-ide", 40),
    ("psl-explorer", 25),
    ("psl-tasks", 15),
    ("psl-host", 15),
    ("psl-lsp", 30),
    ("psl-dap", 12),
    ("psl", 35),
    ("python", 9),
];

/// The crates that only compute, with the external crates that they use. None of them reads files, waits or uses a
/// protocol.
const PURE: [(&str, &[&str]); 9] = [
    ("psl-syntax", &["chumsky", "indexmap", "logos", "memchr", "petgraph", "rustc-hash", "strsim", "thiserror"]),
    (
        "psl-runtime",
        &["half", "indexmap", "rand", "rustc-hash", "safetensors", "serde", "serde_json", "smallvec", "smol_str"],
    ),
    ("psl-program", &["crc32fast", "imara-diff", "indexmap", "serde", "serde_json", "thiserror", "toml"]),
    ("psl-render", &["anstyle", "ariadne", "indexmap", "memchr", "serde_json", "textwrap", "unicode-width"]),
    ("psl-debug", &["thiserror"]),
    ("psl-search", &["rand"]),
    ("psl-ide", &["imara-diff", "serde", "serde_json", "thiserror"]),
    ("psl-explorer", &["serde", "serde_json", "thiserror"]),
    ("psl-tasks", &["rand", "saphyr-parser", "serde", "serde_json", "thiserror"]),
];

/// Names that depend on an operating system.
const MACHINE: [&str; 16] = [
    "std::env",
    "std::fs",
    "std::io",
    "std::net",
    "std::process",
    "std::thread",
    "Instant",
    "SystemTime",
    "Url",
    "print!",
    "println!",
    "eprint!",
    "eprintln!",
    "stdin",
    "stdout",
    "stderr",
];

/// The traits and types of `std::io` in files that read or write streams of their callers: weights, diagnostics, and
/// lines of task data.
const STREAMS: [&str; 11] = [
    "psl-runtime/src/weights/file/*: std::io",
    "psl-runtime/src/weights/file/*: std::io::Read",
    "psl-runtime/src/weights/file/*: std::io::Result",
    "psl-runtime/src/weights/file/*: std::io::Seek",
    "psl-runtime/src/weights/file/*: std::io::SeekFrom",
    "psl-runtime/src/weights/file/*: std::io::Write",
    "psl-render/src/*: std::io",
    "psl-render/src/*: std::io::Write",
    "psl-tasks/src/line.rs*: std::io",
    "psl-tasks/src/line.rs*: std::io::Write",
    "psl-tasks/src/turing/simulation.rs*: std::io",
];

/// The files of the server with code that is left out in a browser.
const NATIVE: [&str; 4] = [
    "psl-lsp/src/disk.rs*",
    "psl-lsp/src/server/native/*",
    "psl-lsp/src/server/outbox.rs*",
    "psl-lsp/src/server/stdio.rs*",
];

/// The files of the server that know the transport.
const TRANSPORT: [&str; 1] = ["psl-lsp/src/server/*"];

/// The files of the server that build values of the protocol.
const BUILDERS: [&str; 3] = ["psl-lsp/src/capabilities.rs*", "psl-lsp/src/to_proto.rs*", "psl-lsp/src/to_proto/*"];

/// The files of the debug adapter with JSON. `requests` joins what it reads.
const JSON: [&str; 3] = ["psl-dap/src/requests.rs*", "psl-dap/src/to_proto/*", "psl-dap/src/transport/protocol.rs*"];

/// Maximum length of a file, in lines.
const LINES: usize = 600;

/// The code of a crate, without tests.
fn code_of(name: &str) -> Vec<Source> {
    let index = FOLDERS.iter().position(|(folder, _)| *folder == name).expect("a crate of FOLDERS");
    code().swap_remove(index)
}

/// The code of each crate, without tests.
fn code() -> Vec<Vec<Source>> {
    let crates: Vec<_> = FOLDERS.iter().map(|(folder, _)| sources(folder)).collect();
    for (sources, (folder, least)) in crates.iter().zip(FOLDERS) {
        assert!(sources.len() >= least, "expected at least {least} files in {folder}/src, found {}", sources.len());
    }
    crates
}

/// The lines on which a file uses a forbidden name.
fn named(source: &Source, forbidden: &[&str]) -> Vec<String> {
    let names = names(&source.tokens);
    let found = names.iter().filter(|name| forbidden.iter().any(|of| name.is_of(of)));
    found.map(|name| format!("{}:{}: {}", source.path, name.line, name.text())).collect()
}

/// The uses of the operating system, which a crate that computes does not have.
fn machine(source: &Source) -> Vec<String> {
    named(source, &MACHINE)
}

/// The uses of files, threads and clocks, which the server does not have in a browser.
fn native(source: &Source) -> Vec<String> {
    named(source, &["std::env", "std::fs", "std::process", "std::thread", "Instant", "SystemTime"])
}

/// The uses of the transport. Handlers only know the types of the protocol.
fn transport(source: &Source) -> Vec<String> {
    named(source, &["jsonrpc", "tokio", "tower_lsp_server", "tower_service"])
}

/// The files that call one of the functions, given by their possible paths. The name of each is used somewhere.
fn callers(sources: &[&Source], functions: &[&str]) -> Vec<String> {
    let calling = |functions: &[&str]| -> Vec<String> {
        let found = sources.iter().filter(|source| !named(source, functions).is_empty());
        found.map(|source| source.path.clone()).collect()
    };
    for name in functions.iter().filter_map(|function| function.rsplit("::").next()) {
        assert!(!calling(&[name]).is_empty(), "no file uses the name {name}: remove it from the rule");
    }
    calling(functions)
}

#[test]
fn crates_use_the_crates_below_them() {
    let packages = packages();
    let mut members: Vec<_> = packages.iter().map(|package| package.name.as_str()).collect();
    let order: Vec<_> = ARROWS.iter().map(|(name, _)| *name).collect();
    members.sort_by_key(|name| order.iter().position(|it| it == name));
    assert_eq!(members, order, "add a new crate to ARROWS and its folder to FOLDERS");
    let used: Vec<_> = packages.iter().flat_map(|package| arrows(package, &order)).collect();
    let allowed: Vec<_> = ARROWS.iter().flat_map(|(name, used)| used.iter().map(|used| depends(name, used))).collect();
    none_but(
        &used,
        &allowed,
        "A crate and its tests use only the crates that ARROWS has for it: move shared code down, or move the test up to tests/.",
    );
    for (row, (name, used)) in ARROWS.iter().enumerate() {
        assert!(
            used.iter().all(|used| order[..row].contains(used)),
            "{name} may only use crates above its row of ARROWS"
        );
    }
}

#[test]
fn crates_that_compute_have_few_dependencies() {
    let packages = packages();
    for (name, allowed) in PURE {
        let package = packages.iter().find(|package| package.name == name).expect("a member");
        none_but(
            &foreign(package, &ARROWS.map(|(name, _)| name)),
            &allowed.iter().map(|used| depends(name, used)).collect::<Vec<_>>(),
            "These crates only compute, without files, threads or a protocol. Let the caller pass in what the dependency would \
             provide. If the dependency only computes too, add it to PURE.",
        );
    }
}

#[test]
fn crates_that_compute_do_not_use_the_operating_system() {
    let found: Vec<_> = PURE.iter().flat_map(|(name, _)| code_of(name)).flat_map(|source| machine(&source)).collect();
    none_but(&found, &STREAMS, "The crates of PURE use no I/O, clock, environment or URL: let the caller pass it in.");
}

#[test]
fn only_the_server_knows_the_protocol() {
    let crates = code();
    let others = crates.iter().flatten().filter(|source| !source.path.starts_with("psl-lsp/"));
    let found: Vec<_> = others.flat_map(|source| named(source, &["gen_lsp_types", "jsonrpc"])).collect();
    none(&found, "Use byte offsets and plain data: psl-lsp converts them in from_proto and to_proto.");
    let found: Vec<_> = code_of("psl-lsp").iter().flat_map(transport).collect();
    none_but(
        &found,
        &TRANSPORT,
        "A handler is a plain function that also runs in a browser: keep the transport in server/.",
    );
    let found: Vec<_> = code_of("psl-lsp").iter().flat_map(|source| named(source, &["gen_lsp_types::Uri"])).collect();
    none_but(
        &found,
        &["psl-lsp/src/uri.rs*"],
        "The type of a URI comes from the library of the protocol: use crate::uri.",
    );
}

#[test]
fn columns_are_counted_in_one_place() {
    let crates = code();
    assert_eq!(
        callers(&crates.iter().flatten().collect::<Vec<_>>(), &["len_utf16"]),
        ["psl-syntax/src/line_index.rs"],
        "a place is a span of byte offsets: let `LineIndex` turn it into lines and columns"
    );
}

#[test]
fn values_of_the_protocol_are_built_in_one_place() {
    let found: Vec<_> = code_of("psl-lsp").iter().flat_map(built).collect();
    none_but(
        &found,
        &BUILDERS,
        "Build it in a function of to_proto, or in capabilities for a capability of the server, and call that.",
    );
    let found: Vec<_> = code_of("psl-dap").iter().flat_map(|source| named(source, &["json!"])).collect();
    none_but(&found, &JSON, "Build it in a function of to_proto, and call that.");
}

#[test]
fn the_server_in_a_browser_does_not_use_the_operating_system() {
    let found: Vec<_> = code_of("psl-lsp").iter().flat_map(native).collect();
    none_but(
        &found,
        &NATIVE,
        "Only the files of NATIVE have code that is left out in a browser: get it from the Host, or move the code there.",
    );
}

#[test]
fn no_two_files_use_each_other() {
    let found: Vec<_> = code().iter().flat_map(|sources| circles(&uses(sources))).collect();
    none(
        &found,
        "Each block is a cycle of files. Move what they share, or what a child needs from its parent, to a separate file. Import a \
         name from the file that defines it, not from a re-export above.",
    );
}

#[test]
fn diagnostics_are_composed_in_one_place() {
    let crates = code();
    let outside: Vec<_> = crates[1..].iter().flatten().collect();
    assert_eq!(
        callers(&outside, &["apply_levels"]),
        ["psl-program/src/diagnostics.rs"],
        "psl_program::diagnostics combines text, tests and levels: call it"
    );
    assert_eq!(
        callers(&outside, &["text_diagnostics"]),
        ["psl-program/src/diagnostics.rs", "psl-program/src/file.rs"],
        "the diagnostics of the text lack tests and levels: call psl_program::diagnostics"
    );
    assert_eq!(
        callers(&outside, &["psl_program::diagnostics", "crate::diagnostics::diagnostics"]),
        [
            "psl-ide/src/code_actions/action.rs",
            "psl-ide/src/code_actions/fixed_text.rs",
            "psl-explorer/src/answers/program.rs",
            "psl-lsp/src/document.rs",
            "psl/src/commands/check.rs",
            "python/src/notebook.rs",
            "python/src/texts.rs",
        ],
        "add a new caller of psl_program::diagnostics here"
    );
}

#[test]
fn no_text_is_repeated() {
    let crates = code();
    let sources: Vec<_> = crates.iter().flatten().collect();
    none(&repeated(&sources), "Move the text to a constant or a function that both use.");
}

#[test]
fn files_are_short() {
    let folders = FOLDERS.iter().map(|(folder, _)| *folder).chain(["tests"]);
    let files: Vec<_> = folders.flat_map(files).collect();
    assert!(files.len() > 250, "expected more than 250 files, found {}", files.len());
    let long = files.iter().filter_map(|path| {
        let lines = fs::read_to_string(root().join(path)).expect("a file of text").lines().count();
        (lines > LINES).then(|| format!("{path}: {lines} lines"))
    });
    none(&long.collect::<Vec<_>>(), "Move everything about one subject to a file with its name.");
}

#[test]
fn a_broken_rule_is_reported() {
    let check = |rule: fn(&Source) -> Vec<String>, exempt: &[&str], path: &str, text: &str, expected: &[&str]| {
        let mut found = rule(&Source::new(path, text));
        found.retain(|finding| !exempt.iter().any(|exemption| exempts(exemption, finding)));
        assert_eq!(found, expected, "{text}");
    };
    let of_machine = |path: &str, text: &str, expected: &[&str]| check(machine, &STREAMS, path, text, expected);
    let (ide, weights) = ("psl-ide/src/hover.rs", "psl-runtime/src/weights/file/read.rs");
    of_machine(
        ide,
        "use std::{fmt, fs};\nfn f() { println!() }",
        &["psl-ide/src/hover.rs:1: std::fs", "psl-ide/src/hover.rs:2: println!"],
    );
    of_machine(
        ide,
        "fn f(u: &url::Url) { std::time::Instant::now() }",
        &["psl-ide/src/hover.rs:1: url::Url", "psl-ide/src/hover.rs:1: std::time::Instant::now"],
    );
    of_machine(ide, "#[cfg(test)] use std::fs;", &[]);
    of_machine(
        weights,
        "use std::io::{self, Read as Input, Write, stdin};",
        &["psl-runtime/src/weights/file/read.rs:1: std::io::stdin"],
    );
    let thread = "psl-lsp/src/session.rs:1: std::thread";
    check(native, &NATIVE, "psl-lsp/src/session.rs", "use std::thread;", &[thread]);
    check(native, &NATIVE, "psl-lsp/src/server/native/lane.rs", "use std::thread;", &[]);
    let client = "psl-lsp/src/refusal.rs:1: tower_lsp_server::Client";
    check(transport, &TRANSPORT, "psl-lsp/src/refusal.rs", "use tower_lsp_server::Client;", &[client]);
    check(transport, &TRANSPORT, "psl-lsp/src/server/service.rs", "use tower_lsp_server::Client;", &[]);
    let hover = "psl-lsp/src/requests.rs:1: gen_lsp_types::Hover";
    check(built, &BUILDERS, "psl-lsp/src/requests.rs", "fn f() { gen_lsp_types::Hover { a } }", &[hover]);
    check(built, &BUILDERS, "psl-lsp/src/to_proto/answers.rs", "fn f() { gen_lsp_types::Hover { a } }", &[]);
    let (first, second) =
        (Source::new("a/src/a.rs", "psl_syntax::apply_levels()"), Source::new("a/src/b.rs", "apply()"));
    assert_eq!(callers(&[&first, &second], &["apply_levels"]), ["a/src/a.rs"]);
    assert!(std::panic::catch_unwind(|| callers(&[&second], &["apply_levels"])).is_err());
}
