//! What looking something up found, as the protocol has it.

use psl_syntax::Span;
use tower_lsp::lsp_types as lsp;

use crate::server::{
    documents::Snapshot,
    navigation::Highlight,
    outline::{Item, ItemKind, flat},
};

impl Snapshot {
    /// A span of this document as a location.
    pub fn location(&self, span: Span) -> lsp::Location {
        lsp::Location { uri: self.uri.clone(), range: self.range(span) }
    }

    /// A highlight as the client takes it.
    pub fn highlight(&self, (span, highlight): (Span, Highlight)) -> lsp::DocumentHighlight {
        let kind = match highlight {
            Highlight::Mention => lsp::DocumentHighlightKind::TEXT,
            Highlight::Read => lsp::DocumentHighlightKind::READ,
            Highlight::Write => lsp::DocumentHighlightKind::WRITE,
        };
        lsp::DocumentHighlight { range: self.range(span), kind: Some(kind) }
    }

    /// An outline for clients that show a tree, or, flat, for those that do not.
    pub fn document_symbols(&self, items: &[Item], nested: bool) -> lsp::DocumentSymbolResponse {
        if nested {
            return lsp::DocumentSymbolResponse::Nested(items.iter().map(|item| self.document_symbol(item)).collect());
        }
        let all = flat(items).into_iter();
        lsp::DocumentSymbolResponse::Flat(all.map(|(item, parent)| self.symbol_information(item, parent)).collect())
    }

    #[allow(deprecated, reason = "the field that tags took the place of has to be given")]
    fn document_symbol(&self, item: &Item) -> lsp::DocumentSymbol {
        let children: Vec<_> = item.children.iter().map(|child| self.document_symbol(child)).collect();
        lsp::DocumentSymbol {
            name: item.name.clone(),
            detail: (!item.detail.is_empty()).then(|| item.detail.clone()),
            kind: symbol_kind(item.kind),
            tags: None,
            deprecated: None,
            range: self.range(item.span),
            selection_range: self.range(item.selection),
            children: (!children.is_empty()).then_some(children),
        }
    }

    /// A symbol with the name of what it is in.
    #[allow(deprecated, reason = "the field that tags took the place of has to be given")]
    pub fn symbol_information(&self, item: &Item, parent: &str) -> lsp::SymbolInformation {
        lsp::SymbolInformation {
            name: item.name.clone(),
            kind: symbol_kind(item.kind),
            tags: None,
            deprecated: None,
            location: self.location(item.span),
            container_name: (!parent.is_empty()).then(|| parent.to_owned()),
        }
    }
}

const fn symbol_kind(kind: ItemKind) -> lsp::SymbolKind {
    match kind {
        ItemKind::Declaration => lsp::SymbolKind::NAMESPACE,
        ItemKind::Register => lsp::SymbolKind::FIELD,
        ItemKind::Constant => lsp::SymbolKind::CONSTANT,
        ItemKind::Mention => lsp::SymbolKind::PROPERTY,
        ItemKind::Production => lsp::SymbolKind::FUNCTION,
        ItemKind::Repeat => lsp::SymbolKind::MODULE,
        ItemKind::Test => lsp::SymbolKind::EVENT,
    }
}
