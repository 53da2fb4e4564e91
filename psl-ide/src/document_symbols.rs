//! The tree of symbols in a program.

use psl_program::File;
use psl_syntax::{
    Span, Tree, label,
    program::TestPrompt,
    tree::{Declaration, DirectiveKind, Entries, Name, Production, Repeat, Statement},
};

/// A named part of a program, with its children.
#[derive(Clone, Debug)]
pub struct Symbol {
    pub kind: SymbolKind,
    /// The name or label; never empty.
    pub name: String,
    /// A short description.
    pub detail: String,
    /// The whole span, including its label and children.
    pub span: Span,
    /// The span of its name, inside `span`.
    pub selection: Span,
    /// The children, in the order of the text.
    pub children: Vec<Symbol>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    /// A declaration as a whole.
    Declaration,
    Register,
    Constant,
    Production,
    /// A repeat block.
    Repeat,
    Test,
}

/// Returns the symbols of a program, in the order of the text.
pub fn document_symbols(file: &File) -> Vec<Symbol> {
    let tree = &file.checked().tree;
    let mut items: Vec<Symbol> = tree.declarations.iter().map(|declared| declaration(tree, declared)).collect();
    items.extend(statements(tree, &tree.statements, &mut 0));
    items.extend(tests(tree));
    items.sort_by_key(|item| item.span);
    items
}

/// Returns the symbols and all their descendants, each with the name of its parent, in the order of the text.
pub fn flat(items: &[Symbol]) -> Vec<(&Symbol, &str)> {
    let mut found = Vec::new();
    let mut open: Vec<(&Symbol, &str)> = items.iter().rev().map(|item| (item, "")).collect();
    while let Some((item, parent)) = open.pop() {
        open.extend(item.children.iter().rev().map(|child| (child, item.name.as_str())));
        found.push((item, parent));
    }
    found
}

fn declaration(tree: &Tree, declared: &Declaration) -> Symbol {
    let entry = |kind, name: Name, value: Option<Name>| {
        let text = tree.name(name);
        let empty = text.trim().is_empty();
        Symbol {
            kind,
            name: if empty { tree.str(name.span).to_owned() } else { text.into_owned() },
            detail: value.map_or_else(String::new, |value| tree.name(value).into_owned()),
            span: value.map_or(name.span, |value| name.span.join(value.span)),
            selection: name.span,
            children: Vec::new(),
        }
    };
    let pairs = |kind, pairs: &[(Name, Name)]| {
        pairs.iter().map(|&(name, value)| entry(kind, name, Some(value))).collect::<Vec<_>>()
    };
    let children = match &declared.entries {
        Entries::Registers(registers) => pairs(SymbolKind::Register, registers),
        Entries::Constants(list) => {
            list.iter().map(|&(name, value)| entry(SymbolKind::Constant, name, value)).collect()
        }
        // They mention registers, which are symbols already.
        Entries::System(_) | Entries::Watch(_) => Vec::new(),
    };
    Symbol {
        kind: SymbolKind::Declaration,
        name: tree.str(declared.keyword).to_owned(),
        detail: String::new(),
        span: declared.span,
        selection: declared.keyword,
        children,
    }
}

/// `layer` counts the productions so far. The parser limits the depth of this recursion.
fn statements(tree: &Tree, written: &[Statement], layer: &mut usize) -> Vec<Symbol> {
    let item = |statement: &Statement| match statement {
        Statement::CausalAttn(_) => None,
        Statement::Production(written) => {
            *layer += 1;
            Some(production(tree, written, *layer))
        }
        Statement::Repeat(written) => {
            let children = statements(tree, &written.body, layer);
            Some(repeat(tree, written, children))
        }
    };
    written.iter().filter_map(item).collect()
}

fn production(tree: &Tree, written: &Production, layer: usize) -> Symbol {
    let head = format!("{} {}", tree.str(written.keyword), on_one_line(tree, &written.condition_spans()))
        .trim_end()
        .to_owned();
    let layer = format!("layer {layer}");
    let (name, detail) = match label(tree, written.label) {
        Some(label) => (label, format!("{layer}: {head}")),
        None => (layer, head),
    };
    let span = written.label.map_or(written.span, |label| label.join(written.span));
    Symbol { kind: SymbolKind::Production, name, detail, span, selection: written.head, children: Vec::new() }
}

fn repeat(tree: &Tree, written: &Repeat, children: Vec<Symbol>) -> Symbol {
    let until = match written.until_spans().as_slice() {
        [] if written.broken => String::new(),
        [] => "until NO_CHANGE".to_owned(),
        conditions => format!("until {}", on_one_line(tree, conditions)),
    };
    let span = written.label.map_or(written.span, |label| label.join(written.span));
    let name = label(tree, written.label).unwrap_or_else(|| "repeat".to_owned());
    Symbol { kind: SymbolKind::Repeat, name, detail: until, span, selection: written.keyword, children }
}

fn on_one_line(tree: &Tree, conditions: &[Span]) -> String {
    let one_line = |condition: &Span| tree.str(*condition).split_whitespace().collect::<Vec<_>>().join(" ");
    conditions.iter().map(one_line).collect::<Vec<_>>().join(" and ")
}

/// The word before a prompt with a row.
const fn row_word(row: bool) -> &'static str {
    if row { "row " } else { "" }
}

fn tests(tree: &Tree) -> impl Iterator<Item = Symbol> {
    tree.directives.iter().filter_map(|directive| {
        let (word, name, detail) = match &directive.kind {
            DirectiveKind::Test { name, prompt: TestPrompt::Plain(symbols), gold, row } => {
                ("test", name, format!("{}{symbols} => {gold}", row_word(*row)))
            }
            DirectiveKind::Test { name, prompt: TestPrompt::Json(file), gold, row } => {
                ("test", name, format!("{}json {file} => {gold}", row_word(*row)))
            }
            DirectiveKind::Law { name, prompt, gold, law } => {
                ("law", name, format!("{}{prompt} => {gold}", row_word(law.row)))
            }
            _ => return None,
        };
        Some(Symbol {
            kind: SymbolKind::Test,
            name: name.as_ref().map_or_else(|| word.to_owned(), |name| format!("{word} {name}")),
            detail,
            span: directive.span,
            selection: directive.span,
            children: Vec::new(),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::file;

    fn draw(items: &[Symbol], depth: usize, out: &mut String) {
        for item in items {
            out.extend([&"  ".repeat(depth), &item.name, " | ", &item.detail, "\n"]);
            assert!(item.span.start <= item.selection.start && item.selection.end <= item.span.end, "{item:?}");
            assert!(!item.name.is_empty());
            draw(&item.children, depth + 1, out);
        }
    }

    fn check(text: &str, expected: &str) {
        let mut drawn = String::new();
        draw(&document_symbols(&file(text)), 0, &mut drawn);
        assert_eq!(drawn, expected);
    }

    #[test]
    fn labels_are_names() {
        check(
            "//@ test swap \"a\" => \"b\"\nregisters: {symbol: 's'}\nconstants: {A, '': 'é'}\n\
             # P1: mark\nwhere symbol[N] == A and\n  symbol[N] != '':\n  symbol[N] = A\n\
             // loop\nrepeat:\n where symbol[N] == A: symbol[N] = A\n# é😀\nwhere symbol[N] ==\nuntil symbol[N] == A",
            "test swap | a => b\nregisters | \n  symbol | s\nconstants | \n  A | \n  '' | é\n\
             P1: mark | layer 1: where symbol[N] == A and symbol[N] != ''\n\
             loop | until symbol[N] == A\n  layer 2 | where symbol[N] == A\n  é😀 | layer 3: where\n",
        );
    }

    #[test]
    fn an_open_block_holds_what_follows() {
        check(
            "repeat:\n#\nwhere symbol[N] == A: symbol[N] = A\nwatch: [a",
            "repeat | \n  layer 1 | where symbol[N] == A\nwatch | \n",
        );
    }
}
