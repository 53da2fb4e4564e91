//! The queries of each editor and the captures that it supports.

/// The captures supported in a query file.
pub struct Known {
    /// The file, without `.scm`.
    pub file: &'static str,
    /// The captures. With `a`, `a.b` is supported too.
    pub captures: &'static [&'static str],
}

/// The query folder of each editor and the captures that it supports.
pub const EDITORS: [(&str, &[Known]); 4] = [
    ("grammars/tree-sitter-psl/queries", TREE_SITTER),
    ("editors/nvim/queries/psl", NVIM),
    ("editors/helix/queries", HELIX),
    ("editors/zed/languages/psl", ZED),
];

/// <https://tree-sitter.github.io/tree-sitter/3-syntax-highlighting.html>, for folds Neovim's, and
/// <https://tree-sitter.github.io/tree-sitter/4-code-navigation.html>
const TREE_SITTER: &[Known] = &[
    Known {
        file: "highlights",
        captures: &[
            "attribute",
            "comment",
            "constant",
            "function",
            "keyword",
            "number",
            "operator",
            "property",
            "punctuation.bracket",
            "punctuation.delimiter",
            "string",
            "variable",
        ],
    },
    Known { file: "locals", captures: &["local.scope", "local.definition", "local.reference"] },
    Known { file: "tags", captures: &["name", "definition", "reference"] },
    Known { file: "folds", captures: &["fold"] },
];

/// `:help treesitter-highlight-groups`, and
/// <https://github.com/nvim-treesitter/nvim-treesitter/blob/main/CONTRIBUTING.md>
const NVIM: &[Known] = &[
    Known {
        file: "highlights",
        captures: &[
            "attribute",
            "comment",
            "comment.documentation",
            "constant",
            "function.builtin",
            "keyword",
            "keyword.directive",
            "number",
            "operator",
            "property",
            "punctuation.bracket",
            "punctuation.delimiter",
            "string",
            "string.special.symbol",
            "variable",
            "variable.builtin",
            "variable.parameter",
        ],
    },
    Known {
        file: "locals",
        captures: &["local.scope", "local.definition.var", "local.definition.constant", "local.reference"],
    },
    Known { file: "folds", captures: &["fold"] },
    Known { file: "injections", captures: &["injection.content"] },
];

/// <https://docs.helix-editor.com/themes.html#scopes>, and <https://docs.helix-editor.com/guides/> for the others
const HELIX: &[Known] = &[
    Known {
        file: "highlights",
        captures: &[
            "attribute",
            "comment.line",
            "comment.line.documentation",
            "constant",
            "constant.numeric",
            "function.builtin",
            "keyword",
            "keyword.directive",
            "operator",
            "punctuation.bracket",
            "punctuation.delimiter",
            "string",
            "string.special.symbol",
            "variable",
            "variable.builtin",
            "variable.other.member",
            "variable.parameter",
        ],
    },
    Known { file: "indents", captures: &["indent", "outdent", "align", "anchor", "extend", "extend.prevent-once"] },
    Known {
        file: "textobjects",
        captures: &[
            "function.inside",
            "function.around",
            "class.inside",
            "class.around",
            "test.inside",
            "test.around",
            "parameter.inside",
            "parameter.around",
            "comment.inside",
            "comment.around",
            "entry.inside",
            "entry.around",
        ],
    },
    Known { file: "tags", captures: &["definition.constant", "definition.function", "definition.type"] },
    Known { file: "locals", captures: &["local.scope", "local.definition", "local.reference"] },
    Known { file: "injections", captures: &["injection.content"] },
];

/// <https://zed.dev/docs/extensions/languages>
const ZED: &[Known] = &[
    Known {
        file: "highlights",
        captures: &[
            "attribute",
            "comment",
            "comment.doc",
            "constant",
            "function",
            "keyword",
            "number",
            "operator",
            "preproc",
            "property",
            "punctuation.bracket",
            "punctuation.delimiter",
            "string",
            "string.special.symbol",
            "variable",
            "variable.special",
        ],
    },
    Known { file: "brackets", captures: &["open", "close"] },
    Known { file: "outline", captures: &["name", "item", "context", "context.extra"] },
    Known { file: "indents", captures: &["indent", "end"] },
    Known {
        file: "textobjects",
        captures: &["function.around", "function.inside", "class.around", "class.inside", "comment.around"],
    },
];
