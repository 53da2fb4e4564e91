//! The names that a file uses.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};

use super::source::is_punct;

/// A use of a name in a file.
#[derive(Debug, PartialEq, Eq)]
pub struct Name {
    /// The path as written, with `use` trees expanded: `["std", "io", "Read"]`. A macro call ends with `!`.
    pub path: Vec<String>,
    pub place: UseKind,
    /// The 1-based line.
    pub line: usize,
}

/// The kind of use of a name.
#[derive(Debug, PartialEq, Eq)]
pub enum UseKind {
    /// A `use`, with the imported name.
    Import(String),
    /// A `mod name;`.
    Module,
    /// Any other use.
    Mention,
}

impl Name {
    /// The path, joined with `::`.
    pub fn text(&self) -> String {
        self.path.join("::")
    }

    /// Whether the path starts with another path, or contains it if that is a single word.
    pub fn is_of(&self, other: &str) -> bool {
        let other: Vec<&str> = other.split("::").collect();
        match other[..] {
            [word] => self.path.iter().any(|it| it == word),
            _ => self.path.len() >= other.len() && self.path.iter().zip(&other).all(|(it, other)| it == other),
        }
    }
}

/// The names in code, in order, including those in macros and attributes.
pub fn names(tokens: &TokenStream) -> Vec<Name> {
    let mut names = Vec::new();
    scan(tokens, &mut names);
    names
}

fn scan(tokens: &TokenStream, names: &mut Vec<Name>) {
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let mut rest = &trees[..];
    while let [first, after @ ..] = rest {
        rest = after;
        match first {
            TokenTree::Group(group) => scan(&group.stream(), names),
            TokenTree::Ident(word) if word == "use" => {
                let end = rest.iter().position(|tree| is_punct(tree, ';')).unwrap_or(rest.len());
                import(&rest[..end], &[], word.span().start().line, names);
                rest = &rest[end..];
            }
            TokenTree::Ident(word) if word == "mod" => {
                if let [TokenTree::Ident(name), end, ..] = rest
                    && is_punct(end, ';')
                {
                    names.push(name_at(name, vec![name.to_string()], UseKind::Module));
                }
            }
            TokenTree::Ident(word) => {
                let mut path = vec![word.to_string()];
                while let [first, second, TokenTree::Ident(word), after @ ..] = rest
                    && is_punct(first, ':')
                    && is_punct(second, ':')
                {
                    path.push(word.to_string());
                    rest = after;
                }
                if let [sign, TokenTree::Group(_), ..] = rest
                    && is_punct(sign, '!')
                    && let Some(last) = path.last_mut()
                {
                    last.push('!');
                }
                names.push(name_at(word, path, UseKind::Mention));
            }
            _ => {}
        }
    }
}

fn name_at(word: &Ident, path: Vec<String>, place: UseKind) -> Name {
    Name { path, place, line: word.span().start().line }
}

/// Expands a `use` tree.
fn import(trees: &[TokenTree], before: &[String], line: usize, names: &mut Vec<Name>) {
    let mut path = before.to_vec();
    let mut bound = None;
    let mut renamed = false;
    for tree in trees {
        match tree {
            TokenTree::Ident(word) if word == "as" => renamed = true,
            TokenTree::Ident(word) if renamed => bound = Some(word.to_string()),
            // `self` in braces refers to the path before them.
            TokenTree::Ident(word) if word == "self" && !path.is_empty() => {}
            TokenTree::Ident(word) => path.push(word.to_string()),
            TokenTree::Punct(sign) if sign.as_char() == '*' => path.push("*".to_owned()),
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                let inside: Vec<TokenTree> = group.stream().into_iter().collect();
                for tree in inside.split(|tree| is_punct(tree, ',')).filter(|tree| !tree.is_empty()) {
                    import(tree, &path, line, names);
                }
                return;
            }
            _ => {}
        }
    }
    let bound = bound.or_else(|| path.last().cloned()).unwrap_or_default();
    names.push(Name { path, place: UseKind::Import(bound), line });
}

#[test]
fn names_are_found_everywhere() {
    let code =
        "use std::{fs, io::{self, Read as R}}; mod child; fn f(x: a::B<c::D>) { vec![e::f()]; g::h!(); a != (b) }";
    let found: Vec<_> = names(&code.parse().expect("code")).into_iter().filter(|name| name.path.len() > 1).collect();
    let shown: Vec<_> = found.iter().map(Name::text).collect();
    assert_eq!(shown, ["std::fs", "std::io", "std::io::Read", "a::B", "c::D", "e::f", "g::h!"]);
    assert_eq!(found[1].place, UseKind::Import("io".to_owned()));
    assert_eq!(found[2].place, UseKind::Import("R".to_owned()));
    assert!(found[2].is_of("std::io") && found[2].is_of("Read") && !found[0].is_of("std::io"));
}
