//! The types and modifiers of semantic tokens, each with the rows of `grammars/colours.toml` that have it. Written by its test.

/// What a token is, named as the protocol names it, so that themes colour it unasked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenType {
    /// comment, label
    Comment,
    /// constant, constant-declared
    EnumMember,
    /// function
    Function,
    /// keyword
    Keyword,
    /// directive
    Macro,
    /// number
    Number,
    /// operator
    Operator,
    /// cell-n
    Parameter,
    /// role, register-written
    Property,
    /// string, short-name
    String,
    /// cell-N
    TypeParameter,
    /// register-read, register-declared
    Variable,
}

impl TokenType {
    /// All of them, each at the index that it has as a number.
    pub const ALL: [Self; 12] = [
        Self::Comment,
        Self::EnumMember,
        Self::Function,
        Self::Keyword,
        Self::Macro,
        Self::Number,
        Self::Operator,
        Self::Parameter,
        Self::Property,
        Self::String,
        Self::TypeParameter,
        Self::Variable,
    ];

    /// Its name in the protocol.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Comment => "comment",
            Self::EnumMember => "enumMember",
            Self::Function => "function",
            Self::Keyword => "keyword",
            Self::Macro => "macro",
            Self::Number => "number",
            Self::Operator => "operator",
            Self::Parameter => "parameter",
            Self::Property => "property",
            Self::String => "string",
            Self::TypeParameter => "typeParameter",
            Self::Variable => "variable",
        }
    }
}

/// What is said of a token besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Modifier {
    /// constant-declared, short-name, register-declared
    Declaration,
    /// label
    Documentation,
    /// register-written
    Modification,
}

impl Modifier {
    /// All of them, each at the index that it has as a number.
    pub const ALL: [Self; 3] = [Self::Declaration, Self::Documentation, Self::Modification];

    /// Its name in the protocol.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Declaration => "declaration",
            Self::Documentation => "documentation",
            Self::Modification => "modification",
        }
    }
}
