//! Requests about a position in a text.

use serde_json::{Value, json};

/// The requests to send for each text, with the capabilities that they need.
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
/// Semantic tokens are also requested as changes.
pub const TOKENS: &str = QUESTIONS[0].0;

/// A client that sends this request gets no published diagnostics.
pub const PULL: &str = QUESTIONS[QUESTIONS.len() - 1].0;

/// Parameters for all these requests: a document, a position in it, and the range from there to the end.
pub fn about(uri: &str, start: &Value) -> Value {
    let end = json!({"line": i32::MAX, "character": 0});
    json!({
        "uri": uri, "textDocument": {"uri": uri}, "options": {"tabSize": 4, "insertSpaces": true},
        "position": start, "positions": [start], "range": {"start": start, "end": end},
        "context": {"diagnostics": [], "includeDeclaration": true, "triggerKind": 1, "isRetrigger": false},
    })
}
