//! Semantic tokens in the protocol's encoding, and the changes since the last ones.

use gen_lsp_types as lsp;
use psl_ide::{Modifier, Token, TokenType};
use psl_syntax::line_index::Position;

use crate::{client_capabilities::ShownTokens, encoded_text::EncodedText};

/// The names of types and modifiers, by index.
pub fn legend() -> lsp::SemanticTokensLegend {
    lsp::SemanticTokensLegend {
        token_types: TokenType::ALL.map(|kind| kind.name().to_owned()).to_vec(),
        token_modifiers: Modifier::ALL.map(|modifier| modifier.name().to_owned()).to_vec(),
    }
}

/// Encodes the tokens of a text that a client shows.
pub fn tokens(text: &EncodedText, tokens: Vec<Token>, shown: ShownTokens) -> lsp::SemanticTokens {
    let mut last = Position { line: 0, column: 0 };
    let encode = |token: Token| {
        let (start, end) = (text.position(token.span.start), text.position(token.span.end));
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
    let found = tokens.into_iter().filter(|token| shown.types & (1 << token.kind as u32) != 0);
    lsp::SemanticTokens { result_id: None, data: found.map(encode).collect() }
}

/// The change from old tokens to new ones, or all new tokens if the client does not have the old ones, whose id it
/// names.
pub fn tokens_delta(
    since: &str,
    sent: &lsp::SemanticTokens,
    new: lsp::SemanticTokens,
) -> lsp::SemanticTokensDeltaResponse {
    if sent.result_id.as_deref() != Some(since) {
        return new.into();
    }
    let edits = edit(&sent.data, &new.data).into_iter().collect();
    lsp::SemanticTokensDelta { result_id: new.result_id, edits }.into()
}

/// The single edit from old to new tokens, or `None` if they are equal. Offsets count numbers, five per token.
fn edit(old: &[lsp::SemanticToken], new: &[lsp::SemanticToken]) -> Option<lsp::SemanticTokensEdit> {
    const NUMBERS: u32 = 5;
    let same_start = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let (old, new) = (old.get(same_start..)?, new.get(same_start..)?);
    let same_end = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count();
    let (old, new) = (old.get(..old.len() - same_end)?, new.get(..new.len() - same_end)?);
    (!old.is_empty() || !new.is_empty()).then(|| lsp::SemanticTokensEdit {
        start: NUMBERS * same_start as u32,
        delete_count: NUMBERS * old.len() as u32,
        data: Some(new.iter().flat_map(|token| <[u32; 5]>::from(*token)).collect()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(lengths: &[u32]) -> Vec<lsp::SemanticToken> {
        lengths.iter().map(|&length| lsp::SemanticToken { length, ..lsp::SemanticToken::default() }).collect()
    }

    /// Checks the edit between two lists as `(start, delete_count, data)`, in tokens.
    fn check(old: &[u32], new: &[u32], expected: Option<(u32, u32, &[u32])>) {
        let expected = expected.map(|(start, delete_count, data)| lsp::SemanticTokensEdit {
            start: 5 * start,
            delete_count: 5 * delete_count,
            data: Some(data.iter().flat_map(|length| [0, 0, *length, 0, 0]).collect()),
        });
        assert_eq!(edit(&list(old), &list(new)), expected, "{old:?} {new:?}");
    }

    #[test]
    fn an_edit_keeps_the_common_prefix_and_suffix() {
        check(&[1, 2, 3], &[1, 2, 3], None);
        check(&[], &[], None);
        check(&[1, 2, 3], &[1, 4, 5, 3], Some((1, 1, &[4, 5])));
        check(&[1, 1], &[1, 1, 1], Some((2, 0, &[1])));
        check(&[1, 2, 2], &[1, 2], Some((2, 1, &[])));
        check(&[], &[7], Some((0, 0, &[7])));
    }
}
