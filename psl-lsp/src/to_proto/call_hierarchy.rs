//! Converts call hierarchies.

use gen_lsp_types as lsp;
use psl_ide::{Call, CallHierarchyItem};
use psl_syntax::Span;

use super::places::range;
use crate::document::Document;

/// Converts a production, with the key that finds it again.
pub fn call_hierarchy_item(document: &Document, item: CallHierarchyItem) -> lsp::CallHierarchyItem {
    lsp::CallHierarchyItem {
        name: item.name,
        kind: lsp::SymbolKind::Function,
        tags: None,
        detail: Some(item.detail).filter(|detail| !detail.is_empty()),
        uri: document.uri.clone(),
        range: range(&document.text, item.span),
        selection_range: range(&document.text, item.selection),
        data: serde_json::to_value(item.key).ok(),
    }
}

/// Converts a production that feeds another, with its writes.
pub fn incoming_call(document: &Document, Call { item, writes }: Call) -> lsp::CallHierarchyIncomingCall {
    let from_ranges = ranges(document, &writes);
    lsp::CallHierarchyIncomingCall { from: call_hierarchy_item(document, item), from_ranges }
}

/// Converts a production that is fed by another, with the writes of that one.
pub fn outgoing_call(document: &Document, Call { item, writes }: Call) -> lsp::CallHierarchyOutgoingCall {
    let from_ranges = ranges(document, &writes);
    lsp::CallHierarchyOutgoingCall { to: call_hierarchy_item(document, item), from_ranges }
}

fn ranges(document: &Document, spans: &[Span]) -> Vec<lsp::Range> {
    spans.iter().map(|span| range(&document.text, *span)).collect()
}
