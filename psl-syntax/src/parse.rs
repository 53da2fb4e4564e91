//! From tokens to the tree.
//!
//! The tokens are split at the keywords that start a declaration or statement. Each segment is parsed alone, clause
//! by clause, so that an error affects only its clause and never reaches beyond the next keyword. Repeat blocks are
//! assembled on an explicit stack.
//!
//! Invariant: parsing never fails and never recurses with the nesting of the input. It takes linear time in the
//! length of the input.

mod clauses;
mod comments;
mod declarations;
mod foreign;
mod parser;
mod plain_text;
mod shapes;
mod statements;

use std::ops::Range;

use comments::directives;
use declarations::AFTER_DECLARATION;
use foreign::{Translation, translate};
pub use parser::MAX_NESTING;
use parser::{Parser, syntax};
use plain_text::PlainText;
use statements::Conditions;

use crate::{
    codes::Code,
    diagnostic::Diagnostic,
    grammar::{ConstantGrammar, RegisterGrammar, RoleGrammar, WatchGrammar},
    incremental::{
        relex::{Unchanged, relex},
        reuse::Reuse,
    },
    source_text::SourceText,
    span::Span,
    token::{Kind, Token, Tokens, tokenize},
    tree::{Declaration, Entries, Statement, Tree},
};

/// A tree and the errors found while parsing it.
#[derive(Clone, Debug)]
pub struct Parse {
    /// The tree of what could be parsed.
    pub tree: Tree,
    /// In text order.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses a text.
pub fn parse(text: &str) -> Parse {
    parse_shared(text.into())
}

/// Parses a text that the tree shares with the caller.
pub fn parse_shared(text: SourceText) -> Parse {
    let tokens = tokenize(&text);
    parse_tokens(text, tokens, Reuse::default())
}

/// Like [`parse_shared`], but faster if the text is similar to the one that `earlier` was parsed from.
/// Also returns the code that is the same.
pub fn reparse(earlier: &Tree, text: SourceText) -> (Parse, Unchanged) {
    let (tokens, unchanged) = relex(&earlier.text, &earlier.tokens, &text);
    (parse_tokens(text, tokens, Reuse::new(earlier, unchanged)), unchanged)
}

fn parse_tokens(text: SourceText, tokens: Tokens, reuse: Reuse<'_>) -> Parse {
    let (directives, mut wrong) = directives(&text, &tokens.comments);
    let mut parts = parse_code(&text, &tokens, reuse, &[]);
    let is_odd = |token: &Token| matches!(token.kind, Kind::Unknown | Kind::OpenString);
    // In a text without unknown characters, there is no look-alike.
    if tokens.code.iter().any(is_odd)
        && let Some(plain) = PlainText::of(&text)
    {
        parts = parse_plain(&text, plain);
    }
    let Parts { declarations, statements, stray, meant, mut diagnostics, .. } = parts;
    diagnostics.append(&mut wrong);
    diagnostics.sort_by_key(|diagnostic| diagnostic.span);
    let sound = !diagnostics.iter().any(Diagnostic::is_error);
    Parse { tree: Tree { text, tokens, declarations, statements, directives, sound, stray, meant }, diagnostics }
}

/// The declarations and statements of a text.
struct Parts {
    declarations: Vec<Declaration>,
    statements: Vec<Statement>,
    stray: bool,
    /// The offset of the first one. Text before it is one error, whatever it contains.
    start: u32,
    /// As in [`Tree`].
    meant: Vec<(Span, String)>,
    diagnostics: Vec<Diagnostic>,
}

/// The parts of a text in the characters of PSL, at their places in the original.
fn parse_plain(text: &str, plain: PlainText) -> Parts {
    let tokens = tokenize(&plain.text);
    let mut parts = parse_code(&plain.text, &tokens, Reuse::default(), &plain.places());
    let place = |offset| plain.original(offset);
    for declaration in &mut parts.declarations {
        *declaration = declaration.moved(&place);
    }
    for statement in &mut parts.statements {
        *statement = statement.moved(&place);
    }
    for diagnostic in &mut parts.diagnostics {
        *diagnostic = diagnostic.moved(place);
    }
    for token in &tokens.code {
        let span = Span::new(place(token.span.start), place(token.span.end));
        let word = token.span.of(&plain.text);
        if span.of(text) != word {
            parts.meant.push((span, word.to_owned()));
        }
    }
    let start = place(parts.start);
    parts.diagnostics.extend(plain.diagnostics.into_iter().filter(|diagnostic| diagnostic.span.end >= start));
    parts
}

/// Parses the tokens of a text. `replaced` are the offsets at which it differs from the original.
fn parse_code(text: &str, tokens: &Tokens, reuse: Reuse<'_>, replaced: &[u32]) -> Parts {
    let mut parser = Parser::new(text, &tokens.code, &tokens.comments, reuse);
    parser.replaced = replaced;
    parser.program();
    let wrong = parser.diagnostics.iter().any(|diagnostic| diagnostic.code == Code::Syntax);
    let translation = wrong.then(|| translate(text, &tokens.code)).flatten();
    if let Some(Translation { code, diagnostics }) = &translation {
        parser = Parser::new(text, code, &tokens.comments, Reuse::default());
        parser.replaced = replaced;
        let start = parser.start();
        parser.diagnostics.extend(diagnostics.iter().filter(|diagnostic| diagnostic.span.start >= start).cloned());
        parser.translated = parser.diagnostics.iter().map(|diagnostic| diagnostic.span).collect();
        parser.program();
    }
    parser.diagnostics.sort_by_key(|diagnostic| diagnostic.span);
    shapes::explain(&mut parser.diagnostics, parser.code);
    let start = parser.start();
    let Parser { diagnostics, declarations, statements, stray, .. } = parser;
    Parts { declarations, statements, stray, start, meant: Vec::new(), diagnostics }
}

impl Parser<'_> {
    /// The offset of the first declaration or statement.
    fn start(&self) -> u32 {
        match self.segment_end(0) {
            0 => 0,
            first => self.code.get(first).map_or(u32::MAX, |token| token.span.start),
        }
    }

    fn program(&mut self) {
        let mut at = self.segment_end(0);
        if at > 0 {
            self.unexpected(0..at, AFTER_DECLARATION);
            self.stray = true;
        }
        while let Some(first) = self.code.get(at).copied() {
            let mut end = self.segment_end(at + 1);
            if self.continues_with_until(at..end) {
                end = self.segment_end(end + 1);
            }
            self.segment(first, at..end);
            at = end;
        }
        // A block that is nested too deep was already reported, and its `until` may be in the ignored part.
        let report = self.too_deep == 0;
        while let Some(open) = self.open.pop() {
            if report {
                self.diagnostics.push(
                    syntax(open.keyword, "`repeat` without `until`")
                        .help("end the block with `until NO_CHANGE`, or with `until` and conditions"),
                );
            }
            self.close(open, Conditions::default(), None);
        }
    }

    fn segment_end(&self, from: usize) -> usize {
        let rest = self.code.get(from..).unwrap_or_default();
        let opens = |at: usize| {
            let kind = self.code.get(at).map(|token| token.kind);
            matches!(kind, Some(Kind::Colon | Kind::OpenBrace))
        };
        let starts = |(index, token): (usize, &Token)| {
            token.kind.starts_segment()
                // A quick check that rules out most names.
                || (token.kind == Kind::Name
                    && opens(from + index + 1)
                    && self.misspelled_declaration(from + index).is_some())
        };
        from + rest.iter().enumerate().position(starts).unwrap_or(rest.len())
    }

    /// Whether the `until` after a production without a colon belongs to its conditions, because a colon follows the
    /// `until`.
    fn continues_with_until(&self, range: Range<usize>) -> bool {
        let has_colon = |range: Range<usize>| {
            self.code.get(range).unwrap_or_default().iter().any(|token| token.kind == Kind::Colon)
        };
        let kind = |at: usize| self.code.get(at).map(|token| token.kind);
        matches!(kind(range.start), Some(Kind::Where | Kind::WhereLm | Kind::WhereRm))
            && kind(range.end) == Some(Kind::Until)
            && !has_colon(range.clone())
            && has_colon(range.end..self.segment_end(range.end + 1))
    }

    fn segment(&mut self, first: Token, range: Range<usize>) {
        let first = self.corrected(first, range.start);
        let rest = range.start + 1..range.end;
        match first.kind {
            Kind::Registers => {
                let (names, end, broken) = self.entries(first, rest, &RegisterGrammar);
                self.declare(first, end, broken, Entries::Registers(names));
            }
            Kind::Constants => {
                let (names, end, broken) = self.entries(first, rest, &ConstantGrammar);
                self.declare(first, end, broken, Entries::Constants(names));
            }
            Kind::System => {
                let (names, end, broken) = self.entries(first, rest, &RoleGrammar);
                self.declare(first, end, broken, Entries::System(names));
            }
            Kind::Watch => {
                let (names, end, broken) = self.entries(first, rest, &WatchGrammar);
                self.declare(first, end, broken, Entries::Watch(names));
            }
            _ => {
                self.statement_seen = true;
                match first.kind {
                    Kind::CausalAttn => self.causal_attn(first, rest),
                    Kind::Repeat => self.repeat(first, range),
                    Kind::Until => self.until(first, rest),
                    _ => self.production(first, range),
                }
            }
        }
    }
}
