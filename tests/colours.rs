//! The server, the `TextMate` grammar and Visual Studio Code follow the table of colours; and how programs are coloured.

#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail by panic")]

mod cases;
mod grammars;
mod server;

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use cases::golden;
use grammars::{
    programs::{programs, repository},
    table::table,
    textmate::{self, scope},
};
use psl_ide::{Config, File, Token, semantic_tokens};
use psl_syntax::Span;
use serde_json::{Value, json};
use server::client::{Client, full};

/// How wide a line of code may be.
const WIDTH: usize = 120;

/// The names of the rows, by the type and modifier of their tokens.
fn rows() -> BTreeMap<String, String> {
    let table = table();
    let rows: BTreeMap<_, _> = table.iter().map(|(name, row)| (row["token"].clone(), name.clone())).collect();
    assert_eq!(rows.len(), table.len(), "two rows have one token");
    rows
}

/// The types, and the modifiers, each with the names of their rows.
fn legend() -> [BTreeMap<String, Vec<String>>; 2] {
    let [mut types, mut modifiers] = [BTreeMap::<_, Vec<_>>::new(), BTreeMap::<_, Vec<_>>::new()];
    for (token, row) in rows() {
        let (kind, modifier) = token.split_once('.').map_or((&*token, None), |(kind, modifier)| (kind, Some(modifier)));
        types.entry(kind.to_owned()).or_default().push(row.clone());
        if let Some(modifier) = modifier {
            modifiers.entry(modifier.to_owned()).or_default().push(row);
        }
    }
    [types, modifiers]
}

fn tokens(text: &str) -> Vec<Token> {
    let file = File::new(text.to_owned(), Config::default().into());
    semantic_tokens(&file, Span::new(0, u32::MAX))
}

/// A token's type and modifier, as the table has them.
fn named(token: &Token) -> String {
    let modifier = token.modifier.map(|modifier| format!(".{}", modifier.name()));
    token.kind.name().to_owned() + &modifier.unwrap_or_default()
}

/// The code of an enumeration of the legend's.
fn enumeration(name: &str, meaning: &str, variants: &BTreeMap<String, Vec<String>>) -> String {
    let capital = |name: &str| name[..1].to_uppercase() + &name[1..];
    let mut code = format!("\n/// {meaning}\n#[derive(Clone, Copy, Debug, PartialEq, Eq)]\npub enum {name} {{\n");
    for (variant, rows) in variants {
        let _ = writeln!(code, "    /// {}\n    {},", rows.join(", "), capital(variant));
    }
    let all: Vec<_> = variants.keys().map(|variant| format!("Self::{}", capital(variant))).collect();
    let head = format!("    pub const ALL: [Self; {}] = [", all.len());
    let line = format!("{head}{}];", all.join(", "));
    let list = if line.len() <= WIDTH { line } else { format!("{head}\n        {},\n    ];", all.join(",\n        ")) };
    let _ = write!(
        code,
        "}}\n\nimpl {name} {{\n    /// All of them, each at the index that it has as a number.\n{list}\n\n    \
         /// Its name in the protocol.\n    pub const fn name(self) -> &'static str {{\n        match self {{\n"
    );
    for variant in variants.keys() {
        let _ = writeln!(code, "            Self::{} => \"{variant}\",", capital(variant));
    }
    code + "        }\n    }\n}\n"
}

#[test]
fn the_servers_legend_is_the_tables() {
    let [types, modifiers] = legend();
    let code = "//! The types and modifiers of semantic tokens, each with the rows of `grammars/colours.toml` that have it. Written by \
                its test.\n"
        .to_owned()
        + &enumeration(
            "TokenType",
            "What a token is, named as the protocol names it, so that themes colour it unasked.",
            &types,
        )
        + &enumeration("Modifier", "What is said of a token besides.", &modifiers);
    let path = repository().join("psl-ide/src/semantic_tokens/legend.rs");
    golden::compare(&path, &code).unwrap_or_else(|problem| panic!("{problem}"));
}

#[test]
fn the_server_announces_the_legend() {
    let mut client = Client::start();
    let greeting = json!({"processId": null, "rootUri": null, "capabilities": full(&["utf-8"])});
    let capabilities = client.greet(&greeting)["capabilities"].take();
    let [types, modifiers] = legend().map(|names| names.into_keys().collect::<Vec<_>>());
    let announced = &capabilities["semanticTokensProvider"]["legend"];
    assert_eq!(*announced, json!({"tokenTypes": types, "tokenModifiers": modifiers}));
    client.finish();
}

#[test]
fn tokens_are_the_tables_and_each_of_its_rows_has_one() {
    let rows = rows();
    let mut found = BTreeSet::new();
    for (path, text) in programs() {
        for token in tokens(&text) {
            let name = named(&token);
            assert!(rows.contains_key(&name), "{path}: `{}` is {name}, which no row has", token.span.of(&text));
            found.insert(name);
        }
    }
    let missing: Vec<_> = rows.iter().filter(|(token, _)| !found.contains(*token)).collect();
    assert!(missing.is_empty(), "no word of any program is {missing:?}");
}

/// The coloured words, one a line: where it stands, the word, and the name of its row.
#[test]
fn the_colours_of_the_papers_program() {
    let rows = rows();
    let text = include_str!("programs/pargen.psl");
    let (mut line, mut from, mut shown) = (1, 0, String::new());
    for token in tokens(text) {
        let (start, word) = (token.span.start as usize, token.span.of(text));
        line += text[from..start].matches('\n').count();
        from = start;
        let column = text[..start].chars().rev().take_while(|c| *c != '\n').count() + 1;
        let _ = writeln!(shown, "{line}:{column} {word} {}", rows[&named(&token)]);
    }
    let path = repository().join("tests/grammars/pargen.colours");
    golden::compare(&path, &shown).unwrap_or_else(|problem| panic!("{problem}"));
}

/// The scopes that a `TextMate` grammar gives.
fn scopes(rule: &Value, found: &mut BTreeSet<String>) {
    match rule {
        Value::Object(rule) => {
            for (key, value) in rule {
                match value {
                    Value::String(scope) if ["name", "contentName"].contains(&key.as_str()) => {
                        found.insert(scope.clone());
                    }
                    _ => scopes(value, found),
                }
            }
        }
        Value::Array(rules) => rules.iter().for_each(|rule| scopes(rule, found)),
        _ => {}
    }
}

#[test]
fn the_textmate_grammar_is_made_from_its_template() {
    let path = repository().join("grammars/textmate/psl.tmLanguage.json");
    golden::compare(&path, &textmate::grammar()).unwrap_or_else(|problem| panic!("{problem}"));
}

#[test]
fn the_textmate_grammars_scopes_are_the_tables() {
    let grammar: Value = serde_json::from_str(&textmate::grammar()).expect("JSON");
    let mut found = BTreeSet::new();
    scopes(&grammar["patterns"], &mut found);
    scopes(&grammar["repository"], &mut found);
    // TextMate colours a line before it sees the one below it, which makes a comment a label.
    let wanted = table().into_iter().filter(|(name, _)| name != "label").map(|(_, row)| scope(&row));
    assert_eq!(found, wanted.collect());
}

#[test]
fn visual_studio_code_colours_tokens_by_the_tables_scopes() {
    let manifest: Value = serde_json::from_str(include_str!("../editors/vscode/package.json")).expect("JSON");
    let wanted: BTreeMap<_, _> = table().values().map(|row| (row["token"].clone(), [scope(row)])).collect();
    assert_eq!(manifest["contributes"]["semanticTokenScopes"], json!([{"language": "psl", "scopes": wanted}]));
}
