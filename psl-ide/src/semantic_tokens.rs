//! Semantic tokens: the type of each word of a text.

use psl_program::File;
use psl_syntax::{
    Checked, Span,
    names::{Access, Reference, Symbol},
    program::Function,
    token::{self, Kind},
    tree::{Directive, DirectiveKind, Entries, Statement},
};

mod legend;

pub use legend::{Modifier, TokenType};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// The span; it contains no line end.
    pub span: Span,
    pub kind: TokenType,
    /// The modifier, if there is one.
    pub modifier: Option<Modifier>,
}

/// Returns the tokens that touch a span, in the order of the text and without overlap. An unknown name has no token.
pub fn semantic_tokens(file: &File, span: Span) -> Vec<Token> {
    let checked = file.checked();
    let roles = roles(checked);
    let labels = labels(&checked.tree.statements);
    let mut found: Vec<Token> = Vec::new();
    for token in touching(&checked.tree.tokens.code, |token| token.span, span) {
        found.extend(of_code(checked, &roles, *token));
    }
    for comment in touching(&checked.tree.tokens.comments, |comment| *comment, span) {
        of_comment(checked, &labels, *comment, &mut found);
    }
    found.sort_by_key(|token| token.span);
    found
}

/// The items of a list, in the order of the text, that touch a span.
fn touching<T>(list: &[T], span_of: impl Fn(&T) -> Span, span: Span) -> &[T] {
    let start = list.partition_point(|item| span_of(item).end < span.start);
    let end = list.partition_point(|item| span_of(item).start <= span.end);
    list.get(start..end).unwrap_or_default()
}

fn of_code(checked: &Checked, roles: &[Span], token: token::Token) -> Option<Token> {
    let span = token.span;
    let plain = |kind| Some(Token { span, kind, modifier: None });
    match token.kind {
        Kind::Name | Kind::String | Kind::Number => {
            let references = &checked.analysis.names.references;
            let reference = references.binary_search_by_key(&span.start, |reference| reference.span.start);
            if let Some(reference) = reference.ok().and_then(|index| references.get(index)) {
                return Some(of_reference(reference));
            }
            match token.kind {
                Kind::String => plain(TokenType::String),
                Kind::Number => plain(TokenType::Number),
                _ if roles.binary_search(&span).is_ok() => plain(TokenType::Property),
                _ if Function::from_name(checked.tree.str(span)).is_some() => plain(TokenType::Function),
                _ => None,
            }
        }
        Kind::OpenString => plain(TokenType::String),
        Kind::Equal | Kind::NotEqual | Kind::Assign | Kind::At | Kind::Hole => plain(TokenType::Operator),
        Kind::CellSource => plain(TokenType::Parameter),
        Kind::CellUpdated => plain(TokenType::TypeParameter),
        Kind::Registers
        | Kind::Constants
        | Kind::System
        | Kind::Watch
        | Kind::CausalAttn
        | Kind::True
        | Kind::False
        | Kind::Reverse
        | Kind::Where
        | Kind::WhereLm
        | Kind::WhereRm
        | Kind::And
        | Kind::Not
        | Kind::In
        | Kind::Repeat
        | Kind::Until
        | Kind::NoChange => plain(TokenType::Keyword),
        Kind::OpenBrace
        | Kind::CloseBrace
        | Kind::OpenBracket
        | Kind::CloseBracket
        | Kind::OpenParen
        | Kind::CloseParen
        | Kind::Colon
        | Kind::Comma
        | Kind::Comment
        | Kind::Unknown => None,
    }
}

fn of_reference(reference: &Reference) -> Token {
    let kind = match (reference.symbol, reference.access) {
        (_, Access::ShortName) => TokenType::String,
        // A separate type, so that a written register looks different even in themes without modifiers.
        (Symbol::Register(_), Access::Write) => TokenType::Property,
        (Symbol::Register(_), _) => TokenType::Variable,
        (Symbol::Constant(_), _) => TokenType::EnumMember,
    };
    let modifier = match reference.access {
        Access::Declaration | Access::ShortName => Some(Modifier::Declaration),
        Access::Write => Some(Modifier::Modification),
        Access::Mention | Access::Directive | Access::Read => None,
    };
    Token { span: reference.span, kind, modifier }
}

fn of_comment(checked: &Checked, labels: &[Span], comment: Span, found: &mut Vec<Token>) {
    let directives = &checked.tree.directives;
    let directive = directives.binary_search_by_key(&comment.start, |directive| directive.span.start);
    if let Some(directive) = directive.ok().and_then(|index| directives.get(index)) {
        of_directive(&checked.tree.text, directive, found);
    } else {
        let modifier = labels.binary_search(&comment).is_ok().then_some(Modifier::Documentation);
        found.push(Token { span: comment, kind: TokenType::Comment, modifier });
    }
}

fn of_directive(text: &str, directive: &Directive, found: &mut Vec<Token>) {
    let mut at = directive.span.start;
    let mut part = |end, kind| {
        let written = Span::new(at, end).of(text);
        let start = at + (written.len() - written.trim_start().len()) as u32;
        let span = Span::new(start, start + written.trim().len() as u32);
        at = end;
        if !span.is_empty() {
            found.push(Token { span, kind, modifier: None });
        }
    };
    let variables = directive.variables(text);
    for string in directive.strings(text) {
        part(string.start, TokenType::Macro);
        for (variable, _) in variables.iter().filter(|(variable, _)| string.touches(variable.start)) {
            part(variable.start - 1, TokenType::String);
            part(variable.end, TokenType::Variable);
        }
        part(string.end, TokenType::String);
    }
    match &directive.kind {
        DirectiveKind::Allow { code, .. } => {
            part(code.end, TokenType::Macro);
            part(directive.span.end, TokenType::Comment);
        }
        DirectiveKind::Answer(name) => {
            part(name.start, TokenType::Macro);
            part(name.end, TokenType::Variable);
        }
        DirectiveKind::Input(names) => {
            for name in names {
                part(name.start, TokenType::Macro);
                part(name.end, TokenType::Variable);
            }
            part(directive.span.end, TokenType::Macro);
        }
        _ => part(directive.span.end, TokenType::Macro),
    }
}

/// The names of the roles in the program.
fn roles(checked: &Checked) -> Vec<Span> {
    let declarations = checked.tree.declarations.iter();
    let given = declarations.filter_map(|declaration| match &declaration.entries {
        Entries::System(entries) => Some(entries),
        _ => None,
    });
    let known = |name: &str| checked.analysis.program.roles.iter().any(|(role, _)| role == name);
    given
        .flatten()
        .map(|(role, _)| *role)
        .filter(|role| known(&checked.tree.name(*role)))
        .map(|role| role.span)
        .collect()
}

/// The comments that are labels, in the order of the text.
fn labels(statements: &[Statement]) -> Vec<Span> {
    fn visit(statements: &[Statement], labels: &mut Vec<Span>) {
        for statement in statements {
            match statement {
                Statement::CausalAttn(_) => {}
                Statement::Production(production) => labels.extend(production.label),
                Statement::Repeat(repeat) => {
                    labels.extend(repeat.label);
                    visit(&repeat.body, labels);
                }
            }
        }
    }
    let mut labels = Vec::new();
    visit(statements, &mut labels);
    labels
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::file;

    /// Checks each token as `text type.modifier`.
    fn check(text: &str, expected: &str) {
        let whole = Span::new(0, text.len() as u32);
        let shown: Vec<String> = semantic_tokens(&file(text), whole)
            .iter()
            .map(|token| {
                let modifier = token.modifier.map_or_else(String::new, |modifier| format!(".{modifier:?}"));
                format!("{} {:?}{modifier}", token.span.of(text), token.kind)
            })
            .collect();
        assert_eq!(shown.join(" | "), expected, "{text}");
    }

    #[test]
    fn registers_and_cells_have_types() {
        check(
            "registers: {symbol: s, 'old': 'o'}\nconstants: {A, '-': 2}\nsystem: {output: old, rank: symbol}\n\
             where symbol[n] == '-' and old[N] not in [A]:\n  old[N] = symbol[n]@pos_increment\n",
            "registers Keyword | symbol Variable.Declaration | s String.Declaration | 'old' Variable.Declaration | 'o' String.Declaration | \
             constants Keyword | A EnumMember.Declaration | '-' EnumMember.Declaration | 2 Number | \
             system Keyword | output Property | old Variable | symbol Variable | \
             where Keyword | symbol Variable | n Parameter | == Operator | '-' EnumMember | and Keyword | \
             old Variable | N TypeParameter | not Keyword | in Keyword | A EnumMember | \
             old Property.Modification | N TypeParameter | = Operator | \
             symbol Variable | n Parameter | @ Operator | pos_increment Function",
        );
    }

    #[test]
    fn labels_and_directives_have_types() {
        check(
            "//@ test swäp \"A #\" => 'B'\n#@ max-new 3\n//@ allow non-causal: as in (58)\n//@ tset\n# not a label\n\
             //@ law \"x $a..\" => \"$a\"\n\n# the label\nwhere x",
            "//@ test swäp Macro | \"A #\" String | => Macro | 'B' String | #@ max-new 3 Macro | \
             //@ allow non-causal Macro | : as in (58) Comment | //@ tset Comment | # not a label Comment | \
             //@ law Macro | \"x String | $a Variable | ..\" String | => Macro | \" String | $a Variable | \" String | \
             # the label Comment.Documentation | where Keyword",
        );
    }

    #[test]
    fn broken_text_has_tokens() {
        check(
            "where a[N == 'open\r\n[n]@pos_incremnt",
            "where Keyword | N TypeParameter | == Operator | 'open String | @ Operator",
        );
        check("\u{feff}watch: [x] …", "watch Keyword");
        check("where ?[?] ? A", "where Keyword | ? Operator | ? Operator | ? Operator");
        check("", "");
    }

    #[test]
    fn only_tokens_that_touch_the_span_are_returned() {
        let text = "# a\nwatch: []\n# b\n# c";
        let found = semantic_tokens(&file(text), Span::new(4, 15));
        let shown: Vec<&str> = found.iter().map(|token| token.span.of(text)).collect();
        assert_eq!(shown, ["watch", "# b"]);
    }

    #[test]
    fn types_and_modifiers_are_at_their_indices() {
        assert_eq!(TokenType::ALL.map(|kind| kind as usize), std::array::from_fn(|index| index));
        assert_eq!(Modifier::ALL.map(|kind| kind as usize), std::array::from_fn(|index| index));
    }
}
