//! Completion by where the cursor stands: only what may stand there.

use psl_syntax::{
    Analysis, Program, Span, Tree,
    program::{Constant, Function, Register},
    token::{Kind, Token, quote},
};

use crate::server::documents::Snapshot;

/// A completion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// What is completed to.
    pub label: String,
    /// What it is.
    pub kind: ItemKind,
    /// More about it, in a few words.
    pub detail: String,
    /// The text to insert, where it is not the label; `$1`, `$0` and the like are places to fill in.
    pub snippet: Option<String>,
}

/// What a completion is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemKind {
    /// A register.
    Register,
    /// A constant.
    Constant,
    /// A keyword.
    Keyword,
    /// A function.
    Function,
    /// A cell, `n` or `N`.
    Cell,
    /// A role.
    Role,
}

/// A kind of thing that may stand at the cursor.
#[derive(Clone, Copy, Debug)]
enum Offer {
    /// A register.
    Register,
    /// A register that is assigned.
    Target,
    Constant,
    Function,
    /// `n`.
    Source,
    /// `N`.
    Updated,
    Role,
    /// Keywords, each with its snippet.
    Keywords(&'static [(&'static str, &'static str)]),
}

type Offers = &'static [Offer];

const STATEMENTS: &[(&str, &str)] = &[
    ("where", "where $1:\n    $0"),
    ("where_lm", "where_lm $1:\n    $0"),
    ("where_rm", "where_rm $1:\n    $0"),
    ("repeat", "repeat:\n    $0\nuntil NO_CHANGE"),
    ("until", "until $0"),
    ("causal_attn", "causal_attn: $0"),
];

const START: &[(&str, &str)] = &[
    ("registers", "registers: {$0}"),
    ("constants", "constants: {$0}"),
    ("system", "system: {symbol: $1, position: $2, output: $0}"),
    ("watch", "watch: [$0]"),
    ("where", "where $1:\n    $0"),
    ("where_lm", "where_lm $1:\n    $0"),
    ("where_rm", "where_rm $1:\n    $0"),
    ("repeat", "repeat:\n    $0\nuntil NO_CHANGE"),
    ("causal_attn", "causal_attn: $0"),
];

const OPERATORS: &[(&str, &str)] = &[("==", "=="), ("!=", "!="), ("in", "in [$0]"), ("not in", "not in [$0]")];
const CAUSAL: &[(&str, &str)] = &[("true", "true"), ("false", "false"), ("reverse", "reverse")];
const AND: &[(&str, &str)] = &[("and", "and ")];
const NO_CHANGE: &[(&str, &str)] = &[("NO_CHANGE", "NO_CHANGE")];

/// The completions at a byte offset.
pub fn complete(snapshot: &Snapshot, offset: u32) -> Vec<Item> {
    let checked = snapshot.checked();
    items(&checked.analysis, offers_at(&checked.tree, offset))
}

fn offers_at(tree: &Tree, offset: u32) -> Offers {
    let in_comment = tree.tokens.comments.iter().any(|comment| comment.start < offset && offset <= comment.end);
    let code = &tree.tokens.code;
    // The word being typed is no context.
    let before =
        code.partition_point(|token| token.span.end < offset || (token.span.end == offset && !is_word(tree, *token)));
    let current = code.get(before).filter(|token| token.span.start < offset);
    let in_string = current.is_some_and(|token| matches!(token.kind, Kind::String | Kind::OpenString));
    let context = code.get(..before).unwrap_or_default();
    if in_comment || in_string {
        return &[];
    }
    let on_new_line =
        context.last().is_some_and(|last| tree.str(Span::new(last.span.end, offset)).contains(['\n', '\r']));
    offers_after(context, on_new_line)
}

fn is_word(tree: &Tree, token: Token) -> bool {
    tree.str(token.span).ends_with(|char: char| char.is_ascii_alphanumeric() || char == '_')
}

/// What may come after these tokens.
fn offers_after(context: &[Token], on_new_line: bool) -> Offers {
    let Some(segment) = context.iter().rposition(|token| token.kind.starts_segment()) else {
        return &[Offer::Keywords(START)];
    };
    let kinds: Vec<Kind> = context.iter().skip(segment).map(|token| token.kind).collect();
    match kinds.first() {
        Some(Kind::Registers | Kind::Constants | Kind::System | Kind::Watch) => in_declaration(&kinds),
        Some(Kind::CausalAttn) if kinds.len() <= 2 => &[Offer::Keywords(CAUSAL)],
        Some(Kind::CausalAttn | Kind::Repeat) => &[Offer::Keywords(STATEMENTS)],
        _ => in_clauses(&kinds, on_new_line),
    }
}

fn in_declaration(kinds: &[Kind]) -> Offers {
    match kinds {
        [Kind::Watch, .., Kind::CloseBracket] | [.., Kind::CloseBrace] => &[Offer::Keywords(START)],
        [Kind::Watch, .., Kind::OpenBracket | Kind::Comma] | [Kind::System, .., Kind::Name, Kind::Colon] => {
            &[Offer::Register]
        }
        [Kind::System, .., Kind::OpenBrace | Kind::Comma] => &[Offer::Role],
        _ => &[],
    }
}

fn in_clauses(kinds: &[Kind], on_new_line: bool) -> Offers {
    let until = kinds.first() == Some(&Kind::Until);
    let in_head = !kinds.contains(&Kind::Colon);
    let list_open = kinds.iter().rposition(|kind| *kind == Kind::In).is_some_and(|at| {
        let list = kinds.get(at..).unwrap_or_default();
        list.contains(&Kind::OpenBracket) && !list.contains(&Kind::CloseBracket)
    });
    match kinds {
        [.., Kind::OpenBracket | Kind::Comma] if list_open => &[Offer::Constant],
        _ if list_open => &[],
        [.., Kind::At] => &[Offer::Function],
        [.., Kind::Assign, Kind::Name, Kind::OpenBracket] => &[Offer::Source, Offer::Updated],
        [.., Kind::Name, Kind::OpenBracket] if in_head => &[Offer::Source, Offer::Updated],
        [.., Kind::Name, Kind::OpenBracket] => &[Offer::Updated],
        [.., Kind::Equal | Kind::NotEqual | Kind::Assign] => &[Offer::Register, Offer::Constant],
        [Kind::Until] => &[Offer::Register, Offer::Keywords(NO_CHANGE)],
        [.., Kind::Where | Kind::WhereLm | Kind::WhereRm | Kind::And | Kind::OpenParen] => &[Offer::Register],
        [.., Kind::Colon] => &[Offer::Target],
        [.., Kind::NoChange] => &[Offer::Keywords(STATEMENTS)],
        // The left side of a condition is complete, or a whole condition, or an assignment.
        [.., Kind::CloseBracket] if in_head && !after_operator(kinds) => &[Offer::Keywords(OPERATORS)],
        _ if until && on_new_line => &[Offer::Keywords(STATEMENTS)],
        _ if in_head => &[Offer::Keywords(AND)],
        _ if on_new_line => &[Offer::Target, Offer::Keywords(STATEMENTS)],
        _ => &[],
    }
}

/// Whether the condition that the tokens end with already has its operator.
fn after_operator(kinds: &[Kind]) -> bool {
    let start = kinds
        .iter()
        .rposition(|kind| matches!(kind, Kind::And | Kind::Where | Kind::WhereLm | Kind::WhereRm | Kind::Until))
        .unwrap_or(0);
    let condition = kinds.get(start..).unwrap_or_default();
    condition.iter().any(|kind| matches!(kind, Kind::Equal | Kind::NotEqual | Kind::In))
}

fn items(analysis: &Analysis, offers: Offers) -> Vec<Item> {
    offers.iter().flat_map(|offer| items_of(&analysis.program, *offer)).collect()
}

fn items_of(program: &Program, offer: Offer) -> Vec<Item> {
    let item = |label: &str, kind, detail: &str| Item {
        label: label.to_owned(),
        kind,
        detail: detail.to_owned(),
        snippet: None,
    };
    let register =
        |register: &Register| item(&register.name, ItemKind::Register, &format!("register {}", register.short));
    match offer {
        Offer::Source => vec![item("n", ItemKind::Cell, "the cell attended to")],
        Offer::Updated => vec![item("N", ItemKind::Cell, "the cell that is updated")],
        Offer::Register => program.registers.iter().map(register).collect(),
        Offer::Target => {
            let target = |it: &Register| Item { snippet: Some(format!("{}[N] = $0", it.name)), ..register(it) };
            program.registers.iter().map(target).collect()
        }
        Offer::Constant => {
            program.constants.iter().map(|it| item(&written(it), ItemKind::Constant, &meaning(it))).collect()
        }
        Offer::Function => {
            let detail = |function: Function| match function {
                Function::PosIncrement => "the next position",
                Function::PosDecrement => "the position before",
            };
            Function::ALL.map(|it| item(it.as_str(), ItemKind::Function, detail(it))).to_vec()
        }
        Offer::Role => {
            let role = |role: &str| Item { snippet: Some(format!("{role}: $0")), ..item(role, ItemKind::Role, "role") };
            program.roles.iter().map(|(name, _)| role(name)).collect()
        }
        Offer::Keywords(keywords) => {
            let keyword = |&(word, snippet): &(&str, &str)| Item {
                snippet: Some(snippet.to_owned()),
                ..item(word, ItemKind::Keyword, "keyword")
            };
            keywords.iter().map(keyword).collect()
        }
    }
}

/// A constant's name as it can stand in a condition.
fn written(constant: &Constant) -> String {
    let plain = constant.name.chars().all(|char| char.is_ascii_alphanumeric() || char == '_');
    if plain { constant.name.clone() } else { quote(&constant.name) }
}

fn meaning(constant: &Constant) -> String {
    if constant.value == constant.name { "constant".to_owned() } else { format!("constant {}", quote(&constant.value)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DECLARATIONS: &str = "registers: {symbol: 's', position: 'p'}\nconstants: {A, SPACE: ' '}\n";

    /// The labels offered at the `|` in a text.
    fn check(marked: &str, expected: &str) {
        let text = format!("{DECLARATIONS}{marked}");
        let offset = text.find('|').expect("a cursor") as u32;
        let checked = psl_syntax::check(&text.replacen('|', "", 1));
        let labels: Vec<_> =
            items(&checked.analysis, offers_at(&checked.tree, offset)).into_iter().map(|item| item.label).collect();
        assert_eq!(labels.join(" "), expected, "{marked}");
    }

    #[test]
    fn only_what_may_stand_there() {
        let start = "registers constants system watch where where_lm where_rm repeat causal_attn";
        let statements = "where where_lm where_rm repeat until causal_attn";
        check("|", start);
        check("wh|", start);
        check("where |", "symbol position");
        check("where sym|", "symbol position");
        check("where symbol[|", "n N");
        check("where symbol[N] |", "== != in not in");
        check("where symbol[N] == |", "symbol position A SPACE");
        check("where symbol[N] == A |", "and");
        check("where symbol[N] == position[n]|", "and");
        check("where symbol[N] == position[n]@|", "pos_increment pos_decrement");
        check("where symbol[N] == position[n]@pos_d|", "pos_increment pos_decrement");
        check("where symbol[N] in [|", "A SPACE");
        check("where symbol[N] in [A, S|", "A SPACE");
        check("where symbol[N] == A and (|", "symbol position");
        check("where symbol[N] == A:\n    |", "symbol position");
        check("where symbol[N] == A:\n    symbol[|] = A", "N");
        check("where symbol[N] == A:\n    symbol[N] = |", "symbol position A SPACE");
        check("where symbol[N] == A:\n    symbol[N] = symbol[|", "n N");
        check("where symbol[N] == A:\n    symbol[N] = A\n|", &format!("symbol position {statements}"));
        check("where symbol[N] == A:\n    symbol[N] = A\nrepeat:\n    |", statements);
        check("repeat:\n    where symbol[N] == A:\n        symbol[N] = A\nuntil |", "symbol position NO_CHANGE");
        check("repeat:\n    where symbol[N] == A:\n        symbol[N] = A\nuntil NO_CHANGE\n|", statements);
        check("causal_attn: |", "true false reverse");
        check("system: {|", "symbol position output parse eop");
        check("system: {symbol: |", "symbol position");
        check("watch: [symbol, |", "symbol position");
        check("# where |", "");
        check("where symbol[N] == 'A|", "");
    }
}
