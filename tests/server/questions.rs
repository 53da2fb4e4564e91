//! What can be asked about a text at one place.

use serde_json::{Value, json};

/// What is asked about each text; those that the server does not announce are left out.
pub const QUESTIONS: [(&str, &str); 23] = [
    ("textDocument/semanticTokens/full", "semanticTokensProvider"),
    ("textDocument/semanticTokens/range", "semanticTokensProvider"),
    ("textDocument/documentSymbol", "documentSymbolProvider"),
    ("textDocument/foldingRange", "foldingRangeProvider"),
    ("textDocument/documentLink", "documentLinkProvider"),
    ("textDocument/inlayHint", "inlayHintProvider"),
    ("textDocument/codeLens", "codeLensProvider"),
    ("textDocument/codeAction", "codeActionProvider"),
    ("textDocument/formatting", "documentFormattingProvider"),
    ("textDocument/rangeFormatting", "documentRangeFormattingProvider"),
    ("textDocument/hover", "hoverProvider"),
    ("textDocument/completion", "completionProvider"),
    ("textDocument/definition", "definitionProvider"),
    ("textDocument/declaration", "declarationProvider"),
    ("textDocument/implementation", "implementationProvider"),
    ("textDocument/prepareCallHierarchy", "callHierarchyProvider"),
    ("textDocument/references", "referencesProvider"),
    ("textDocument/documentHighlight", "documentHighlightProvider"),
    ("textDocument/signatureHelp", "signatureHelpProvider"),
    ("textDocument/selectionRange", "selectionRangeProvider"),
    ("textDocument/linkedEditingRange", "linkedEditingRangeProvider"),
    ("textDocument/prepareRename", "renameProvider"),
    ("textDocument/diagnostic", "diagnosticProvider"),
];
/// Its answers are told apart from all others: they are also got by what changed.
pub const TOKENS: &str = QUESTIONS[0].0;

/// One who asks this gets no more diagnostics sent.
pub const PULL: &str = QUESTIONS[QUESTIONS.len() - 1].0;

/// Parameters for all these questions: about a document, a place in it, or the range up to the end.
pub fn about(uri: &str, start: &Value) -> Value {
    let end = json!({"line": i32::MAX, "character": 0});
    json!({
        "uri": uri, "textDocument": {"uri": uri}, "options": {"tabSize": 4, "insertSpaces": true},
        "position": start, "positions": [start], "range": {"start": start, "end": end},
        "context": {"diagnostics": [], "includeDeclaration": true, "triggerKind": 1, "isRetrigger": false},
    })
}
