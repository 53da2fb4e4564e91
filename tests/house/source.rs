//! The source files of a crate, without test code.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use ignore::WalkBuilder;
use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// A source file.
pub struct Source {
    /// The path, relative to the root of the repository.
    pub path: String,
    /// The path of the module in its crate: `["weights", "file"]`.
    pub module: Vec<String>,
    /// The code, without items under `#[cfg(test)]`.
    pub tokens: TokenStream,
    /// The modules in other files that are declared under `#[cfg(test)]`.
    test_modules: Vec<String>,
}

impl Source {
    /// Parses a file. The path is `FOLDER/src/…`.
    pub fn new(path: &str, text: &str) -> Self {
        let tokens = text.parse().unwrap_or_else(|error| panic!("{path}: {error}"));
        let mut test_modules = Vec::new();
        let tokens = without_tests(tokens, &mut test_modules);
        let (_, inside) = path.split_once("src/").expect("code is in src/");
        let inside = inside.strip_suffix(".rs").expect("a file of Rust");
        let inside = inside.strip_suffix("/mod").unwrap_or(inside);
        let module = match inside {
            "lib" | "main" => Vec::new(),
            inside => inside.split('/').map(str::to_owned).collect(),
        };
        Self { path: path.to_owned(), module, tokens, test_modules }
    }
}

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The code in `FOLDER/src`, without tests.
pub fn sources(folder: &str) -> Vec<Source> {
    let mut sources: Vec<_> = files(&format!("{folder}/src"))
        .iter()
        .map(|path| Source::new(path, &fs::read_to_string(root().join(path)).expect("a file of text")))
        .collect();
    let tests: BTreeSet<Vec<String>> = sources
        .iter()
        .flat_map(|source| {
            source.test_modules.iter().map(|name| [&source.module[..], std::slice::from_ref(name)].concat())
        })
        .collect();
    sources.retain(|source| !tests.iter().any(|test| source.module.starts_with(test)));
    sources
}

/// The sorted paths of the Rust files in a folder and its subfolders, relative to the root of the repository.
pub fn files(folder: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root().join(&folder)).expect("a folder") {
            let entry = entry.expect("an entry");
            let name = entry.file_name().into_string().expect("a name");
            let path = format!("{folder}/{name}");
            if entry.file_type().expect("a type").is_dir() && name != "target" {
                folders.push(path);
            } else if Path::new(&path).extension().is_some_and(|end| end == "rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The sorted paths of all files that git does not ignore, relative to the root of the repository.
pub fn all_files() -> Vec<String> {
    let mut paths: Vec<String> = WalkBuilder::new(root())
        .hidden(false)
        .require_git(false)
        .filter_entry(|entry| entry.file_name() != ".git")
        .build()
        .map(|entry| entry.expect("an entry"))
        .filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()))
        .map(|entry| entry.path().strip_prefix(root()).expect("a path below the root").to_owned())
        .map(|path| path.to_str().expect("UTF-8").replace('\\', "/"))
        .collect();
    paths.sort();
    paths
}

fn without_tests(tokens: TokenStream, test_modules: &mut Vec<String>) -> TokenStream {
    let mut kept = Vec::new();
    let mut trees = tokens.into_iter().peekable();
    while let Some(tree) = trees.next() {
        let attribute = is_punct(&tree, '#') && trees.peek().is_some_and(is_cfg_test);
        if attribute {
            trees.next();
            test_modules.extend(skip_item(&mut trees));
        } else if let TokenTree::Group(group) = tree {
            let inside = without_tests(group.stream(), test_modules);
            let mut same = proc_macro2::Group::new(group.delimiter(), inside);
            same.set_span(group.span());
            kept.push(TokenTree::Group(same));
        } else {
            kept.push(tree);
        }
    }
    kept.into_iter().collect()
}

fn is_cfg_test(tree: &TokenTree) -> bool {
    matches!(tree, TokenTree::Group(group) if group.stream().to_string().replace(' ', "") == "cfg(test)")
}

/// Skips an item or a statement, and returns its name if it is a module in another file.
fn skip_item(trees: &mut impl Iterator<Item = TokenTree>) -> Option<String> {
    let mut words = Vec::new();
    for tree in trees {
        match tree {
            TokenTree::Ident(word) => words.push(word.to_string()),
            TokenTree::Punct(sign) if sign.as_char() == ';' => break,
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                // A `use` or a value ends with a semicolon, not with its braces.
                let ends = ["fn", "mod", "impl", "struct", "enum", "trait"];
                if words.iter().any(|word| ends.contains(&word.as_str())) {
                    return None;
                }
            }
            _ => {}
        }
    }
    let at = words.iter().position(|word| word == "mod")?;
    words.get(at + 1).cloned()
}

/// Whether a token is a punctuation character.
pub fn is_punct(tree: &TokenTree, sign: char) -> bool {
    matches!(tree, TokenTree::Punct(it) if it.as_char() == sign)
}

#[test]
fn test_code_is_left_out() {
    let source = Source::new(
        "a/src/b/c.rs",
        "use x::y; #[cfg(test)] use t::{u, v}; #[cfg(test)] mod fixture; fn f() { #[cfg(test)] seen(g); h() }
         #[cfg(test)] #[allow(dead_code)] mod tests { fn t() {} } #[cfg(feature = \"native\")] mod kept;",
    );
    let left = source.tokens.to_string().replace(' ', "");
    assert_eq!(left, "usex::y;fnf(){h()}#[cfg(feature=\"native\")]modkept;");
    assert_eq!(source.module, ["b", "c"]);
    assert_eq!(source.test_modules, ["fixture"]);
}
