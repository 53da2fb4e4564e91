//! From text to tokens.
//!
//! Every byte of the text belongs to a token, a comment or white space. Bytes that are not part of the language
//! become tokens of kind [`Kind::Unknown`], and lexing continues. Context distinguishes keywords from names: a word
//! is a keyword only where it can be read as one, so that `where watch[N] == A` reads the register `watch`.

use std::ops::Range;

use logos::Logos;

use crate::span::Span;

/// The approximate number of bytes in a token of a program.
const USUAL_LENGTH: usize = 6;

/// The kind of a token.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[logos(skip(r"[ \t\r\n\x0B\x0C]+"))]
pub enum Kind {
    /// A name, including a keyword in place of a name.
    #[regex("[A-Za-z_][A-Za-z0-9_]*", priority = 1)]
    Name,
    /// `'…'` or `"…"`; a backslash escapes the quote or itself.
    #[regex(r#"'([^'\\\r\n]|\\[^\r\n])*'"#)]
    #[regex(r#""([^"\\\r\n]|\\[^\r\n])*""#)]
    String,
    /// A string without a closing quote on its line.
    #[regex(r#"'([^'\\\r\n]|\\[^\r\n])*\\?"#, allow_greedy = true)]
    #[regex(r#""([^"\\\r\n]|\\[^\r\n])*\\?"#, allow_greedy = true)]
    OpenString,
    /// Digits, with an optional sign and fraction.
    #[regex(r"-?[0-9]+(\.[0-9]+)?")]
    Number,
    /// `#` or `//` to the end of the line.
    #[regex(r"#[^\r\n]*", allow_greedy = true)]
    #[regex(r"//[^\r\n]*", allow_greedy = true)]
    Comment,
    /// `{`
    #[token("{")]
    OpenBrace,
    /// `}`
    #[token("}")]
    CloseBrace,
    /// `[`
    #[token("[")]
    OpenBracket,
    /// `]`
    #[token("]")]
    CloseBracket,
    /// `(`
    #[token("(")]
    OpenParen,
    /// `)`
    #[token(")")]
    CloseParen,
    /// `:`
    #[token(":")]
    Colon,
    /// `,`
    #[token(",")]
    Comma,
    /// `==`
    #[token("==")]
    Equal,
    /// `!=`
    #[token("!=")]
    NotEqual,
    /// `=`
    #[token("=")]
    Assign,
    /// `@`
    #[token("@")]
    At,
    /// `n` between brackets: the cell attended to.
    #[token("n")]
    CellSource,
    /// `N` between brackets: the cell being updated.
    #[token("N")]
    CellUpdated,
    /// `registers`
    #[token("registers")]
    Registers,
    /// `constants`
    #[token("constants")]
    Constants,
    /// `system`
    #[token("system")]
    System,
    /// `watch`
    #[token("watch")]
    Watch,
    /// `causal_attn`, in any case
    #[token("causal_attn", ignore(case))]
    CausalAttn,
    /// `true`, in any case, after `causal_attn:`
    #[token("true", ignore(case))]
    True,
    /// `false`, in any case, after `causal_attn:`
    #[token("false", ignore(case))]
    False,
    /// `reverse`, in any case, after `causal_attn:`
    #[token("reverse", ignore(case))]
    Reverse,
    /// `where`
    #[token("where")]
    Where,
    /// `where_lm`
    #[token("where_lm")]
    WhereLm,
    /// `where_rm`
    #[token("where_rm")]
    WhereRm,
    /// `and`
    #[token("and")]
    And,
    /// `not`
    #[token("not")]
    Not,
    /// `in`
    #[token("in")]
    In,
    /// `repeat`
    #[token("repeat")]
    Repeat,
    /// `until`
    #[token("until")]
    Until,
    /// `NO_CHANGE` after `until`
    #[token("NO_CHANGE")]
    NoChange,
    /// `?`, in place of a part that is not written yet.
    #[token("?")]
    Hole,
    /// Characters that are not part of the language.
    Unknown,
}

impl Kind {
    /// The description in error messages.
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Name => "a name",
            Self::String | Self::OpenString => "a string",
            Self::Number => "a number",
            Self::Comment => "a comment",
            Self::OpenBrace => "`{`",
            Self::CloseBrace => "`}`",
            Self::OpenBracket => "`[`",
            Self::CloseBracket => "`]`",
            Self::OpenParen => "`(`",
            Self::CloseParen => "`)`",
            Self::Colon => "`:`",
            Self::Comma => "`,`",
            Self::Equal => "`==`",
            Self::NotEqual => "`!=`",
            Self::Assign => "`=`",
            Self::At => "`@`",
            Self::CellSource => "`n`",
            Self::CellUpdated => "`N`",
            Self::Registers => "`registers`",
            Self::Constants => "`constants`",
            Self::System => "`system`",
            Self::Watch => "`watch`",
            Self::CausalAttn => "`causal_attn`",
            Self::True => "`true`",
            Self::False => "`false`",
            Self::Reverse => "`reverse`",
            Self::Where => "`where`",
            Self::WhereLm => "`where_lm`",
            Self::WhereRm => "`where_rm`",
            Self::And => "`and`",
            Self::Not => "`not`",
            Self::In => "`in`",
            Self::Repeat => "`repeat`",
            Self::Until => "`until`",
            Self::NoChange => "`NO_CHANGE`",
            Self::Hole => "`?`",
            Self::Unknown => "an unknown character",
        }
    }

    /// Whether the token is spelled like a name but is a keyword.
    const fn is_keyword(self) -> bool {
        matches!(
            self,
            Self::CellSource
                | Self::CellUpdated
                | Self::Registers
                | Self::Constants
                | Self::System
                | Self::Watch
                | Self::CausalAttn
                | Self::True
                | Self::False
                | Self::Reverse
                | Self::Where
                | Self::WhereLm
                | Self::WhereRm
                | Self::And
                | Self::Not
                | Self::In
                | Self::Repeat
                | Self::Until
                | Self::NoChange
        )
    }

    /// Whether the token is a name, a string, a number or a keyword.
    const fn is_word(self) -> bool {
        matches!(self, Self::Name | Self::String | Self::OpenString | Self::Number) || self.is_keyword()
    }

    /// Whether a register with a cell, or a constant, must follow, or follows if a name does.
    const fn wants_register(self) -> bool {
        matches!(
            self,
            Self::Where
                | Self::WhereLm
                | Self::WhereRm
                | Self::Until
                | Self::And
                | Self::OpenParen
                | Self::Equal
                | Self::NotEqual
                | Self::Assign
                | Self::Hole
        )
    }

    /// Whether a name can follow.
    const fn wants_name(self) -> bool {
        self.wants_register()
            || matches!(self, Self::OpenBracket | Self::OpenBrace | Self::Comma | Self::Colon | Self::At)
    }

    /// Whether the token can follow a name in a declaration.
    const fn ends_entry(self) -> bool {
        matches!(self, Self::Comma | Self::CloseBracket | Self::CloseBrace)
    }

    /// Whether the token can follow the name of an operand, a function or an entry.
    const fn ends_operand(self) -> bool {
        matches!(
            self,
            Self::Comma
                | Self::CloseBracket
                | Self::CloseBrace
                | Self::CloseParen
                | Self::Equal
                | Self::NotEqual
                | Self::Assign
                | Self::At
        )
    }

    /// Whether the token starts a declaration, a statement or an `until` clause.
    pub const fn starts_segment(self) -> bool {
        matches!(
            self,
            Self::Registers
                | Self::Constants
                | Self::System
                | Self::Watch
                | Self::CausalAttn
                | Self::Where
                | Self::WhereLm
                | Self::WhereRm
                | Self::Repeat
                | Self::Until
        )
    }
}

/// A token and its span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// The kind, with keywords distinguished from names by context.
    pub kind: Kind,
    /// From the first character to the last, including quotes.
    pub span: Span,
}

/// The tokens and the comments of a text, each in text order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tokens {
    /// All tokens except comments.
    pub code: Vec<Token>,
    /// The comments, without line ends.
    pub comments: Vec<Span>,
}

impl Tokens {
    /// The index of the token that a cursor at `offset` touches, if there is one. Between two tokens, words take
    /// precedence, then the second one.
    pub fn at(&self, offset: u32) -> Option<usize> {
        let last = self.code.partition_point(|token| token.span.start <= offset).checked_sub(1)?;
        let touched = |at: &usize| self.code.get(*at).is_some_and(|token| token.span.touches(offset));
        let word = |at: &usize| self.code.get(*at).is_some_and(|token| token.kind.is_word());
        let before = last.checked_sub(1).filter(touched).filter(word);
        before.filter(|_| !word(&last)).or(Some(last)).filter(touched)
    }

    /// The comment that contains a cursor at `offset`, after its first character or at its end, if there is one.
    pub fn comment_at(&self, offset: u32) -> Option<Span> {
        let last = self.comments.partition_point(|comment| comment.start < offset).checked_sub(1)?;
        self.comments.get(last).copied().filter(|comment| offset <= comment.end)
    }
}

/// Splits a text into tokens. A byte order mark at the start is skipped.
pub fn tokenize(text: &str) -> Tokens {
    let mut tokens = Tokens { code: Vec::with_capacity(text.len() / USUAL_LENGTH), comments: Vec::new() };
    lex(text, 0, &mut tokens, |_| false);
    let all = 0..tokens.code.len();
    unmark_names(&mut tokens.code, all);
    tokens
}

/// Appends the tokens of a text from an offset on, at which a token must start. Stops before the first token that
/// satisfies `stop`. Keywords are not yet distinguished from names.
pub(crate) fn lex(text: &str, from: usize, tokens: &mut Tokens, mut stop: impl FnMut(Token) -> bool) {
    let mark = if from == 0 && text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut lexer = Kind::lexer(text);
    lexer.bump(from + mark);
    while let Some(result) = lexer.next() {
        let token = Token { kind: result.unwrap_or(Kind::Unknown), span: Span::from(lexer.span()) };
        match token.kind {
            Kind::Comment => tokens.comments.push(token.span),
            _ if stop(token) => return,
            _ => tokens.code.push(token),
        }
    }
}

/// Turns keywords of a range into names if they cannot be keywords. The tokens before the range must already be
/// distinguished.
pub(crate) fn unmark_names(code: &mut [Token], range: Range<usize>) {
    for at in range {
        if let Some(token) = code.get(at)
            && token.kind.is_keyword()
            && !is_read_as_keyword(code, at, token.kind)
            && let Some(token) = code.get_mut(at)
        {
            token.kind = Kind::Name;
        }
    }
}

/// Whether the keyword at `at` can be read as one. Only the tokens before it are already distinguished.
fn is_read_as_keyword(code: &[Token], at: usize, keyword: Kind) -> bool {
    let before = |back: usize| at.checked_sub(back).and_then(|index| code.get(index)).map(|token| token.kind);
    let after = |ahead: usize| code.get(at + ahead).map(|token| token.kind);
    let cell_follows = after(1) == Some(Kind::OpenBracket);
    match keyword {
        Kind::CellSource | Kind::CellUpdated => {
            before(1) == Some(Kind::OpenBracket) && matches!(before(2), Some(Kind::Name | Kind::Hole))
        }
        Kind::True | Kind::False | Kind::Reverse => {
            before(1) == Some(Kind::Colon) && before(2) == Some(Kind::CausalAttn)
        }
        Kind::Not => {
            let entry = before(1).is_some_and(Kind::wants_name) && after(1).is_some_and(Kind::ends_entry);
            !cell_follows && !entry
        }
        Kind::In => matches!(before(1), Some(Kind::CloseBracket | Kind::Not)),
        Kind::NoChange => before(1) == Some(Kind::Until) && !cell_follows,
        _ if cell_follows => {
            let read = before(1).is_some_and(Kind::wants_register);
            let assigned = after(3) == Some(Kind::CloseBracket) && after(4) == Some(Kind::Assign);
            !read && !assigned
        }
        _ => {
            let operand = before(1).is_some_and(Kind::wants_name) && after(1).is_some_and(Kind::ends_operand);
            let entry = matches!(before(1), Some(Kind::OpenBrace | Kind::Comma))
                && after(1) == Some(Kind::Colon)
                && after(2)
                    .is_some_and(|kind| kind.is_keyword() || matches!(kind, Kind::Name | Kind::String | Kind::Number));
            !operand && !entry
        }
    }
}

/// The value of a quoted string token, without quotes and escapes.
pub fn unquote(quoted: &str) -> String {
    let quote = quoted.chars().next().unwrap_or('"');
    let inner = quoted.strip_prefix(quote).unwrap_or(quoted);
    let inner = inner.strip_suffix(quote).unwrap_or(inner);
    let mut value = String::with_capacity(inner.len());
    let mut chars = inner.chars().peekable();
    while let Some(char) = chars.next() {
        match chars.peek() {
            Some(&next) if char == '\\' && (next == quote || next == '\\') => {
                value.push(next);
                chars.next();
            }
            _ => value.push(char),
        }
    }
    value
}

/// Puts a string in double quotes. The inverse of [`unquote`].
pub fn quote(value: &str) -> String {
    quote_as('"', value)
}

/// Puts a string in these quotes, `'` or `"`. Escapes the quote and backslashes.
pub fn quote_as(quote: char, value: &str) -> String {
    let escaped = value.replace('\\', "\\\\").replace(quote, &format!("\\{quote}"));
    format!("{quote}{escaped}{quote}")
}

/// Whether a text is a valid register name: letters, digits and `_`, not starting with a digit.
pub fn is_name(text: &str) -> bool {
    text.starts_with(|char: char| char.is_ascii_alphabetic() || char == '_')
        && text.chars().all(|char| char.is_ascii_alphanumeric() || char == '_')
}

/// Whether a text is a valid short name.
pub fn is_short_name(text: &str) -> bool {
    text.starts_with(char::is_lowercase) && !text.contains(['`', '@'])
}

/// A constant's name or value as it can be written anywhere: in quotes, unless it is a number or a name that is not a
/// keyword.
pub fn constant_as_written(text: &str) -> String {
    let mut lexer = Kind::lexer(text);
    let plain = matches!(lexer.next(), Some(Ok(Kind::Name | Kind::Number))) && lexer.span().len() == text.len();
    if plain { text.to_owned() } else { quote(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the tokens of `text` that are not plain names with descriptions of their kinds.
    fn check(text: &str, expected: &str) {
        let kinds: Vec<_> = tokenize(text).code.iter().map(|token| token.kind.describe().replace('`', "")).collect();
        assert_eq!(kinds.join(" "), expected, "{text}");
    }

    #[test]
    fn a_keyword_is_a_name_where_only_a_name_fits() {
        check("where where[N] == A", "where a name [ N ] == a name");
        check("watch: [watch, repeat]", "watch : [ a name , a name ]");
        check("constants: {where, 'A'}", "constants : { a name , a string }");
        check("where watch[n] == A: watch[N] = A", "where a name [ n ] == a name : a name [ N ] = a name");
        check("watch [N]", "watch [ a name ]");
        check("watch: [not, in]", "watch : [ a name , a name ]");
        check("system: {output: not, symbol: in}", "system : { a name : a name , a name : a name }");
        check("registers: {where: 'w', n: 'm'}", "registers : { a name : a string , a name : a string }");
        check("x[N] not in [in, n]", "a name [ N ] not in [ a name , a name ]");
        check("until NO_CHANGE", "until NO_CHANGE");
        check("until NO_CHANGE[N] == A", "until a name [ N ] == a name");
        check("Causal_Attn: TRUE", "causal_attn : true");
    }

    #[test]
    fn strings_end_at_their_quote_or_their_line() {
        check(r#"'it\'s' "a # // b""#, "a string a string");
        check("'open\n\"open\\\r\nx", "a string a string a name");
        assert_eq!(unquote(r"'it\'s \\ \n'"), r"it's \ \n");
        assert_eq!(unquote(&quote(r#"a"b\'"#)), r#"a"b\'"#);
        let written = ["A_1", "12", "1a", "where", "a b", ""].map(constant_as_written);
        assert_eq!(written, ["A_1", "12", "\"1a\"", "\"where\"", "\"a b\"", "\"\""]);
    }

    #[test]
    fn a_cursor_touches_one_token() {
        let tokens = tokenize("x[N]==A # b");
        let touched = |offset| tokens.at(offset).and_then(|at| tokens.code.get(at)).map(|token| token.span.start);
        let starts = (0..9).map(touched).map(|start| start.map_or("-".to_owned(), |start| start.to_string()));
        assert_eq!(starts.collect::<String>(), "00224466-");
        let comment = |offset| tokens.comment_at(offset).is_some();
        assert_eq!((comment(8), comment(9), comment(11)), (false, true, true));
    }

    #[test]
    fn comments_end_at_every_kind_of_line_end() {
        let tokens = tokenize("\u{feff}# a\nx // b\r\ny # c\rz");
        assert_eq!(tokens.code.len(), 3);
        assert_eq!(tokens.comments.len(), 3);
    }
}
