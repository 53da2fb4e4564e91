//! The context of a cursor: the kinds of items that are valid there, and the text that they replace.

use psl_syntax::{
    Span, Tree,
    token::{Kind, Token},
};

/// A kind of item that is valid at the cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offer {
    /// A register, without a cell.
    Register,
    /// A register in one of these cells, the likelier first, and the name of the register that it is compared with.
    Place(&'static [&'static str], Option<Span>),
    /// A register to assign to.
    Target,
    Constant(Beside),
    Function,
    /// `n`.
    Source,
    /// `N`.
    Updated,
    /// A role that is not taken.
    Role,
    /// Keywords, each with its snippet.
    Keywords(&'static [(&'static str, &'static str)]),
    /// `until`.
    Until,
    /// A whole program.
    Skeleton,
    /// A directive's name.
    Directive,
    /// The code of a diagnostic that can be allowed.
    Code,
    /// A variable of the law in a comment.
    Variable(Span),
}

/// The register beside a constant, by its span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beside {
    /// The constant is compared with the register.
    Compared(Option<Span>),
    /// The constant is assigned to the register.
    Assigned(Option<Span>),
}

/// The context of a cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Context {
    /// The word at the cursor, which a completion replaces.
    pub replaced: Span,
    /// The opening quote, if the cursor is in a string.
    pub quote: Option<char>,
    /// The valid kinds of items.
    pub offers: Vec<Offer>,
    /// The start of the surrounding declaration or statement.
    pub segment: u32,
    /// Whether the rest of the line has no bracket or colon that an insertion would duplicate.
    pub open_end: bool,
    /// Whether a cell follows on the line.
    pub cell_follows: bool,
}

/// Keywords that start a statement.
pub const STATEMENTS: &[(&str, &str)] = &[
    ("where", "where $1:\n    $0"),
    ("where_lm", "where_lm $1:\n    $0"),
    ("where_rm", "where_rm $1:\n    $0"),
    ("repeat", "repeat:\n    $0\nuntil NO_CHANGE"),
    ("causal_attn", "causal_attn: $0"),
];

const DECLARATIONS: &[(&str, &str)] = &[
    ("registers", "registers: {$0}"),
    ("constants", "constants: {$0}"),
    ("system", "system: {symbol: $1, position: $2, output: $0}"),
    ("watch", "watch: [$0]"),
];

const OPERATORS: &[(&str, &str)] = &[("==", "== $0"), ("!=", "!= $0"), ("in", "in [$0]"), ("not in", "not in [$0]")];
const CAUSAL: &[(&str, &str)] = &[("true", "true"), ("false", "false"), ("reverse", "reverse")];
const AND: &[(&str, &str)] = &[("and", "and $0")];
const NO_CHANGE: &[(&str, &str)] = &[("NO_CHANGE", "NO_CHANGE")];

const N_FIRST: &[&str] = &["N", "n"];
const SOURCE_FIRST: &[&str] = &["n", "N"];

const START: &[Offer] = &[Offer::Keywords(DECLARATIONS), Offer::Keywords(STATEMENTS)];
const STATEMENT: &[Offer] = &[Offer::Keywords(STATEMENTS), Offer::Until];
const ASSIGNMENT_OR_STATEMENT: &[Offer] = &[Offer::Target, Offer::Keywords(STATEMENTS), Offer::Until];

/// Returns the context at a byte offset.
pub fn context_at(tree: &Tree, offset: u32) -> Context {
    let comments = &tree.tokens.comments;
    let after = comments.partition_point(|comment| comment.start < offset);
    if let Some(&comment) = after.checked_sub(1).and_then(|at| comments.get(at))
        && offset <= comment.end
    {
        return in_comment(tree, comment, offset);
    }
    let code = &tree.tokens.code;
    // The word that is being typed does not decide what is valid there.
    let is_before = |token: &Token| {
        let typed = is_word(tree, *token) || matches!(token.kind, Kind::OpenString | Kind::Hole);
        token.span.end < offset || (token.span.end == offset && !typed)
    };
    let before = code.partition_point(is_before);
    let is_current = |token: &&Token| match token.kind {
        Kind::Hole => token.span.start <= offset,
        _ => token.span.start < offset,
    };
    let current = code.get(before).filter(is_current);
    let context = code.get(..before).unwrap_or_default();
    let replaced = match current {
        Some(token) if token.kind == Kind::OpenString => Span::new(token.span.start, offset),
        Some(token) => token.span,
        None => Span::new(offset, offset),
    };
    let string = current.filter(|token| matches!(token.kind, Kind::String | Kind::OpenString));
    let segment = context.iter().rposition(|token| token.kind.starts_segment());
    let mut offers = match segment {
        Some(segment) => offers_in(tree, &without_holes(context.get(segment..).unwrap_or_default()), offset),
        None if code.len() == usize::from(current.is_some()) => [&[Offer::Skeleton], START].concat(),
        None => START.to_vec(),
    };
    if string.is_some() {
        offers.retain(|offer| matches!(offer, Offer::Constant(_)));
    }
    let next = code.get(before + usize::from(current.is_some()));
    let next = next.filter(|next| !breaks_line(tree, replaced.end, next.span.start)).map(|next| next.kind);
    Context {
        replaced,
        quote: string.and_then(|token| tree.str(token.span).chars().next()),
        offers,
        segment: segment.and_then(|at| code.get(at)).map_or(0, |token| token.span.start),
        open_end: matches!(
            next,
            None | Some(Kind::CloseBrace | Kind::CloseBracket | Kind::CloseParen | Kind::Comma | Kind::And)
        ),
        cell_follows: next == Some(Kind::OpenBracket),
    }
}

/// A directive offers its name, the codes that it can allow, the registers that it can list or, after `$`, its law's
/// variables. Other comments offer nothing.
fn in_comment(tree: &Tree, comment: Span, offset: u32) -> Context {
    let is_part = |char: char| char.is_ascii_alphanumeric() || matches!(char, '-' | '_');
    let before = tree.str(Span::new(comment.start, offset));
    let typed = before.len() - before.trim_end_matches(is_part).len();
    let rest = tree.str(Span::new(offset, comment.end));
    let following = rest.len() - rest.trim_start_matches(is_part).len();
    let ahead = before.get(..before.len() - typed).unwrap_or_default();
    let offers = match ahead.trim_end() {
        "//@" | "#@" => vec![Offer::Directive],
        ahead => {
            let word = ahead.strip_prefix("//@").or_else(|| ahead.strip_prefix("#@")).map(str::trim_start);
            match word {
                Some("allow" | "allow-file") => vec![Offer::Code],
                Some("answer") => vec![Offer::Register],
                Some(word) if word.split_whitespace().next() == Some("input") => vec![Offer::Register],
                Some(word) if word.split_whitespace().next() == Some("law") && ahead.ends_with('$') => {
                    vec![Offer::Variable(comment)]
                }
                _ => Vec::new(),
            }
        }
    };
    Context {
        replaced: Span::new(offset - typed as u32, offset + following as u32),
        quote: None,
        offers,
        segment: comment.start,
        open_end: rest.len() == following,
        cell_follows: false,
    }
}

fn is_word(tree: &Tree, token: Token) -> bool {
    tree.str(token.span).ends_with(|char: char| char.is_ascii_alphanumeric() || char == '_')
}

fn breaks_line(tree: &Tree, start: u32, end: u32) -> bool {
    tree.str(Span::new(start, end)).contains(['\n', '\r'])
}

/// The tokens with another one in place of each hole.
fn without_holes(tokens: &[Token]) -> Vec<Token> {
    let kind = |at: Option<usize>| at.and_then(|at| tokens.get(at)).map(|token| token.kind);
    let mut in_head = true;
    let other = |(at, token): (usize, &Token)| {
        in_head &= token.kind != Kind::Colon;
        let instead = match kind(at.checked_sub(1)) {
            _ if token.kind != Kind::Hole => token.kind,
            Some(Kind::OpenBracket) if kind(Some(at + 1)) == Some(Kind::CloseBracket) => Kind::CellUpdated,
            Some(Kind::CloseBracket) if in_head => Kind::Equal,
            _ => Kind::Name,
        };
        Token { kind: instead, ..*token }
    };
    tokens.iter().enumerate().map(other).collect()
}

/// The valid items after these tokens, the first of which starts a declaration or statement.
fn offers_in(tree: &Tree, tokens: &[Token], offset: u32) -> Vec<Offer> {
    let kinds: Vec<Kind> = tokens.iter().map(|token| token.kind).collect();
    let on_new_line = tokens.last().is_some_and(|last| breaks_line(tree, last.span.end, offset));
    match kinds.first() {
        Some(Kind::Registers | Kind::Constants | Kind::System | Kind::Watch) => in_declaration(&kinds).to_vec(),
        Some(Kind::CausalAttn) if kinds.len() <= 2 => vec![Offer::Keywords(CAUSAL)],
        Some(Kind::CausalAttn | Kind::Repeat) => STATEMENT.to_vec(),
        _ => in_clauses(tokens, &kinds, on_new_line),
    }
}

fn in_declaration(kinds: &[Kind]) -> &'static [Offer] {
    match kinds {
        [Kind::Watch, .., Kind::CloseBracket] | [.., Kind::CloseBrace] => START,
        [Kind::Watch, .., Kind::OpenBracket | Kind::Comma] | [Kind::System, .., Kind::Name, Kind::Colon] => {
            &[Offer::Register]
        }
        [Kind::System, .., Kind::OpenBrace | Kind::Comma] => &[Offer::Role],
        _ => &[],
    }
}

fn in_clauses(tokens: &[Token], kinds: &[Kind], on_new_line: bool) -> Vec<Offer> {
    let until = kinds.first() == Some(&Kind::Until);
    let colon = kinds.iter().position(|kind| *kind == Kind::Colon);
    let in_head = colon.is_none();
    let binds_n = kinds.get(..colon.unwrap_or(kinds.len())).unwrap_or_default().contains(&Kind::CellSource);
    let open_list = kinds.iter().rposition(|kind| *kind == Kind::In).filter(|at| {
        let list = kinds.get(*at..).unwrap_or_default();
        list.contains(&Kind::OpenBracket) && !list.contains(&Kind::CloseBracket)
    });
    let last = kinds.len().saturating_sub(1);
    match kinds {
        [.., Kind::OpenBracket | Kind::Comma] if let Some(operator) = open_list => {
            vec![Offer::Constant(Beside::Compared(left_of(tokens, operator).map(|(name, _)| name)))]
        }
        _ if open_list.is_some() => Vec::new(),
        [.., Kind::At] => vec![Offer::Function],
        [.., Kind::Assign, Kind::Name, Kind::OpenBracket] if !in_head => {
            vec![if binds_n { Offer::Source } else { Offer::Updated }]
        }
        [.., Kind::Name, Kind::OpenBracket] if in_head => vec![Offer::Source, Offer::Updated],
        [.., Kind::Name, Kind::OpenBracket] => vec![Offer::Updated],
        [.., Kind::Equal | Kind::NotEqual] => {
            let left = left_of(tokens, last);
            let name = left.map(|(name, _)| name);
            let cells = if left.is_some_and(|(_, cell)| cell == Kind::CellSource) { N_FIRST } else { SOURCE_FIRST };
            vec![Offer::Place(cells, name), Offer::Constant(Beside::Compared(name))]
        }
        [.., Kind::Assign] => {
            let target = left_of(tokens, last).map(|(name, _)| name);
            let cells: &[&str] = if binds_n { &["n"] } else { &["N"] };
            vec![Offer::Place(cells, None), Offer::Constant(Beside::Assigned(target))]
        }
        [Kind::Until] => vec![Offer::Place(N_FIRST, None), Offer::Keywords(NO_CHANGE)],
        [.., Kind::Where | Kind::WhereLm | Kind::WhereRm | Kind::And | Kind::OpenParen] => {
            vec![Offer::Place(left_cells(kinds), None)]
        }
        [.., Kind::Colon] => vec![Offer::Target],
        [.., Kind::NoChange] => STATEMENT.to_vec(),
        // After a complete left side, condition or assignment.
        [.., Kind::CloseBracket] if in_head && !after_operator(kinds) => vec![Offer::Keywords(OPERATORS)],
        _ if until && on_new_line => STATEMENT.to_vec(),
        _ if in_head => vec![Offer::Keywords(AND)],
        _ if on_new_line => ASSIGNMENT_OR_STATEMENT.to_vec(),
        _ => Vec::new(),
    }
}

/// The cells of a condition's left side. The cell of the preceding condition is the likelier one.
fn left_cells(kinds: &[Kind]) -> &'static [&'static str] {
    let left = kinds.windows(4).rev().find_map(|tokens| match tokens {
        [Kind::OpenBracket, cell, Kind::CloseBracket, Kind::Equal | Kind::NotEqual | Kind::In | Kind::Not] => {
            Some(*cell)
        }
        _ => None,
    });
    if left == Some(Kind::CellSource) { SOURCE_FIRST } else { N_FIRST }
}

/// The register and cell on the left of the operator at this token: `register[cell] operator`.
fn left_of(tokens: &[Token], operator: usize) -> Option<(Span, Kind)> {
    let before = tokens.get(..operator)?;
    let before = match before {
        [before @ .., not] if not.kind == Kind::Not => before,
        _ => before,
    };
    match before {
        [.., name, _, cell, close] if name.kind == Kind::Name && close.kind == Kind::CloseBracket => {
            Some((name.span, cell.kind))
        }
        _ => None,
    }
}

/// Whether the last condition of the tokens already has its operator.
fn after_operator(kinds: &[Kind]) -> bool {
    let start = kinds
        .iter()
        .rposition(|kind| matches!(kind, Kind::And | Kind::Where | Kind::WhereLm | Kind::WhereRm | Kind::Until))
        .unwrap_or(0);
    let condition = kinds.get(start..).unwrap_or_default();
    condition.iter().any(|kind| matches!(kind, Kind::Equal | Kind::NotEqual | Kind::In))
}
