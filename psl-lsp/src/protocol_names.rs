//! How the protocol spells what both directions name.

use lsp_types::{SemanticTokenModifier, SemanticTokenType};
use psl_ide::{ActionKind, Modifier, TokenType};

/// A kind of code action.
pub const fn action_kind(kind: ActionKind) -> &'static str {
    match kind {
        ActionKind::QuickFix => "quickfix",
        ActionKind::Extract => "refactor.extract",
        ActionKind::Rewrite => "refactor.rewrite",
        ActionKind::FixAll => "source.fixAll.psl",
    }
}

/// A type of semantic token.
pub fn token_type(kind: TokenType) -> SemanticTokenType {
    match kind {
        TokenType::Comment => SemanticTokenType::COMMENT,
        TokenType::EnumMember => SemanticTokenType::ENUM_MEMBER,
        TokenType::Function => SemanticTokenType::FUNCTION,
        TokenType::Keyword => SemanticTokenType::KEYWORD,
        TokenType::Macro => SemanticTokenType::MACRO,
        TokenType::Number => SemanticTokenType::NUMBER,
        TokenType::Operator => SemanticTokenType::OPERATOR,
        TokenType::Parameter => SemanticTokenType::PARAMETER,
        TokenType::Property => SemanticTokenType::PROPERTY,
        TokenType::String => SemanticTokenType::STRING,
        TokenType::TypeParameter => SemanticTokenType::TYPE_PARAMETER,
        TokenType::Variable => SemanticTokenType::VARIABLE,
    }
}

/// A modifier of semantic tokens.
pub fn modifier(modifier: Modifier) -> SemanticTokenModifier {
    match modifier {
        Modifier::Declaration => SemanticTokenModifier::DECLARATION,
        Modifier::Documentation => SemanticTokenModifier::DOCUMENTATION,
        Modifier::Modification => SemanticTokenModifier::MODIFICATION,
    }
}
