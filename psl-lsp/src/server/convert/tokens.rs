//! Semantic tokens as the protocol counts them, and what changed since the last ones.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicU64, Ordering},
};

use psl_syntax::Span;
use tower_lsp::lsp_types as lsp;

use crate::{
    server::{
        documents::Snapshot,
        tokens::{Modifier, Token, TokenType, tokens},
    },
    text::{Position, Walk},
};

/// The names behind the numbers of types and modifiers.
pub fn legend() -> lsp::SemanticTokensLegend {
    lsp::SemanticTokensLegend {
        token_types: TokenType::ALL.map(type_name).to_vec(),
        token_modifiers: Modifier::ALL.map(modifier_name).to_vec(),
    }
}

fn type_name(kind: TokenType) -> lsp::SemanticTokenType {
    match kind {
        TokenType::Comment => lsp::SemanticTokenType::COMMENT,
        TokenType::EnumMember => lsp::SemanticTokenType::ENUM_MEMBER,
        TokenType::Function => lsp::SemanticTokenType::FUNCTION,
        TokenType::Keyword => lsp::SemanticTokenType::KEYWORD,
        TokenType::Macro => lsp::SemanticTokenType::MACRO,
        TokenType::Number => lsp::SemanticTokenType::NUMBER,
        TokenType::Operator => lsp::SemanticTokenType::OPERATOR,
        TokenType::Parameter => lsp::SemanticTokenType::PARAMETER,
        TokenType::Property => lsp::SemanticTokenType::PROPERTY,
        TokenType::String => lsp::SemanticTokenType::STRING,
        TokenType::TypeParameter => lsp::SemanticTokenType::TYPE_PARAMETER,
        TokenType::Variable => lsp::SemanticTokenType::VARIABLE,
    }
}

fn modifier_name(modifier: Modifier) -> lsp::SemanticTokenModifier {
    match modifier {
        Modifier::Declaration => lsp::SemanticTokenModifier::DECLARATION,
        Modifier::Documentation => lsp::SemanticTokenModifier::DOCUMENTATION,
        Modifier::Modification => lsp::SemanticTokenModifier::MODIFICATION,
    }
}

/// The types and modifiers that a client shows, a bit each.
#[derive(Clone, Copy, Debug)]
pub struct Shown {
    types: u32,
    modifiers: u32,
}

impl Default for Shown {
    fn default() -> Self {
        Self { types: u32::MAX, modifiers: u32::MAX }
    }
}

impl Shown {
    /// Those that it announced.
    pub fn new(client: &lsp::SemanticTokensClientCapabilities) -> Self {
        let types = TokenType::ALL.into_iter().filter(|kind| client.token_types.contains(&type_name(*kind)));
        let modifiers = Modifier::ALL.into_iter().filter(|kind| client.token_modifiers.contains(&modifier_name(*kind)));
        Self {
            types: types.map(|kind| 1 << kind as u32).sum(),
            modifiers: modifiers.map(|kind| 1 << kind as u32).sum(),
        }
    }
}

impl Snapshot {
    /// The tokens that touch a span, as the client counts them.
    pub fn tokens(&self, span: Span, shown: Shown) -> Vec<lsp::SemanticToken> {
        let checked = self.checked();
        let mut walk = Walk::new(&checked.tree.text, self.encoding);
        let mut last = Position { line: 0, column: 0 };
        let mut encode = |token: Token| {
            let (start, end) = (walk.to(token.span.start), walk.to(token.span.end));
            let same_line = start.line == last.line;
            let encoded = lsp::SemanticToken {
                delta_line: (start.line - last.line) as u32,
                delta_start: (start.column - if same_line { last.column } else { 0 }) as u32,
                length: (end.column - start.column) as u32,
                token_type: token.kind as u32,
                token_modifiers_bitset: token.modifier.map_or(0, |modifier| 1 << modifier as u32) & shown.modifiers,
            };
            last = start;
            encoded
        };
        let found = tokens(checked, span).into_iter().filter(|token| shown.types & (1 << token.kind as u32) != 0);
        found.map(&mut encode).collect()
    }

    /// All tokens, under an identity by which the client may ask for what changed since.
    pub fn all_tokens(&self, shown: Shown) -> lsp::SemanticTokens {
        let data = self.tokens(Span::new(0, u32::MAX), shown);
        let (_, sent) = self.kept.tokens.replace(data);
        sent
    }

    /// What changed since the tokens of that identity; all where they are not known any more.
    pub fn changed_tokens(&self, since: &str, shown: Shown) -> lsp::SemanticTokensFullDeltaResult {
        let data = self.tokens(Span::new(0, u32::MAX), shown);
        let (before, sent) = self.kept.tokens.replace(data);
        if before.result_id.as_deref() == Some(since) {
            let edits = edit(&before.data, &sent.data).into_iter().collect();
            lsp::SemanticTokensDelta { result_id: sent.result_id, edits }.into()
        } else {
            sent.into()
        }
    }
}

/// The tokens that a client was sent last.
#[derive(Default)]
pub struct SentTokens(Mutex<lsp::SemanticTokens>);

impl SentTokens {
    /// Notes others under an identity of their own; gives those before, and those.
    fn replace(&self, data: Vec<lsp::SemanticToken>) -> (lsp::SemanticTokens, lsp::SemanticTokens) {
        // A document that is opened again must not take an identity for its own that it had before.
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let result_id = Some(NEXT.fetch_add(1, Ordering::Relaxed).to_string());
        let sent = lsp::SemanticTokens { result_id, data };
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        (std::mem::replace(&mut *last, sent.clone()), sent)
    }
}

/// The one edit from the old tokens to the others; none where they are the same. It counts numbers, five a token.
fn edit(old: &[lsp::SemanticToken], new: &[lsp::SemanticToken]) -> Option<lsp::SemanticTokensEdit> {
    const NUMBERS: u32 = 5;
    let same_start = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let (old, new) = (old.get(same_start..)?, new.get(same_start..)?);
    let same_end = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count();
    let (old, new) = (old.get(..old.len() - same_end)?, new.get(..new.len() - same_end)?);
    (!old.is_empty() || !new.is_empty()).then(|| lsp::SemanticTokensEdit {
        start: NUMBERS * same_start as u32,
        delete_count: NUMBERS * old.len() as u32,
        data: Some(new.to_vec()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::documents::Documents;

    fn list(lengths: &[u32]) -> Vec<lsp::SemanticToken> {
        lengths.iter().map(|&length| lsp::SemanticToken { length, ..lsp::SemanticToken::default() }).collect()
    }

    /// The edit from one list to another as `(start, delete_count, data)`, in tokens.
    fn check(old: &[u32], new: &[u32], expected: Option<(u32, u32, &[u32])>) {
        let expected = expected.map(|(start, delete_count, data)| lsp::SemanticTokensEdit {
            start: 5 * start,
            delete_count: 5 * delete_count,
            data: Some(list(data)),
        });
        assert_eq!(edit(&list(old), &list(new)), expected, "{old:?} {new:?}");
    }

    #[test]
    fn an_edit_keeps_what_both_start_and_end_with() {
        check(&[1, 2, 3], &[1, 2, 3], None);
        check(&[], &[], None);
        check(&[1, 2, 3], &[1, 4, 5, 3], Some((1, 1, &[4, 5])));
        check(&[1, 1], &[1, 1, 1], Some((2, 0, &[1])));
        check(&[1, 2, 2], &[1, 2], Some((2, 1, &[])));
        check(&[], &[7], Some((0, 0, &[7])));
    }

    /// What a client makes of the numbers that it has.
    fn apply(edits: &[lsp::SemanticTokensEdit], tokens: &[lsp::SemanticToken]) -> Vec<lsp::SemanticToken> {
        let mut tokens = tokens.to_vec();
        for edit in edits {
            let (start, end) = (edit.start as usize / 5, (edit.start + edit.delete_count) as usize / 5);
            tokens.splice(start..end, edit.data.clone().unwrap_or_default());
        }
        tokens
    }

    #[test]
    fn a_delta_is_of_the_tokens_that_were_sent_last() {
        let documents = Documents::default();
        let uri = lsp::Url::parse("untitled:1").expect("a URI");
        let text = "registers: {symbol: 's', position: 'p'}\nwhere symbol[N] == symbol[N]: symbol[N] = symbol[N]\n";
        documents.open(uri.clone(), 1, text);
        let snapshot = || documents.get(&uri).expect("it is open");
        let sent = snapshot().all_tokens(Shown::default());
        let change = |text: &str| {
            let change = lsp::TextDocumentContentChangeEvent { range: None, range_length: None, text: text.to_owned() };
            documents.change(&uri, 2, vec![change]);
        };
        change(&text.replacen("== symbol[N]", "== '𝔸' and\r\n symbol[n] != 'A'", 1));
        let since = sent.result_id.clone().expect("an identity");
        let lsp::SemanticTokensFullDeltaResult::TokensDelta(delta) =
            snapshot().changed_tokens(&since, Shown::default())
        else {
            panic!("the tokens are those sent last")
        };
        let all = snapshot().tokens(Span::new(0, u32::MAX), Shown::default());
        assert_ne!(delta.result_id, sent.result_id);
        assert_eq!(delta.edits.len(), 1);
        assert_eq!(apply(&delta.edits, &sent.data), all);
        // Another request came between.
        let late = snapshot().changed_tokens(&since, Shown::default());
        assert!(matches!(late, lsp::SemanticTokensFullDeltaResult::Tokens(tokens) if tokens.data == all));
        documents.close(&uri);
        documents.open(uri.clone(), 1, text);
        let again = snapshot().changed_tokens(&since, Shown::default());
        assert!(matches!(again, lsp::SemanticTokensFullDeltaResult::Tokens(_)));
    }

    #[test]
    fn what_a_client_did_not_announce_is_left_out() {
        let documents = Documents::default();
        let uri = lsp::Url::parse("untitled:1").expect("a URI");
        documents.open(uri.clone(), 1, "# no label\nregisters: {symbol: 's'}");
        let announced = lsp::SemanticTokensClientCapabilities {
            token_types: vec![lsp::SemanticTokenType::VARIABLE, lsp::SemanticTokenType::STRING],
            ..lsp::SemanticTokensClientCapabilities::default()
        };
        let tokens = documents.get(&uri).expect("it is open").tokens(Span::new(0, u32::MAX), Shown::new(&announced));
        let shown: Vec<_> =
            tokens.iter().map(|it| (it.delta_line, it.delta_start, it.token_modifiers_bitset)).collect();
        assert_eq!(shown, [(1, 12, 0), (0, 8, 0)]);
    }

    #[test]
    fn all_types_and_modifiers_stand_at_their_numbers() {
        assert!(TokenType::ALL.iter().enumerate().all(|(index, kind)| *kind as usize == index));
        assert!(Modifier::ALL.iter().enumerate().all(|(index, kind)| *kind as usize == index));
    }
}
