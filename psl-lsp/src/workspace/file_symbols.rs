//! The symbols of a file that can be searched for, without its text.

use gen_lsp_types::{Range, SymbolInformation};
use psl_ide::{SymbolKind, SymbolSearch, searchable};

use crate::{document::Document, to_proto, uri::Url};

/// The symbols of a file, in the order of its text.
pub struct FileSymbols {
    symbols: Box<[FileSymbol]>,
}

struct FileSymbol {
    name: Box<str>,
    kind: SymbolKind,
    range: Range,
    /// The name of its parent, or empty.
    parent: Box<str>,
}

impl FileSymbols {
    /// The symbols of a document.
    pub fn of(document: &Document) -> Self {
        let symbols = psl_ide::document_symbols(document.file());
        let symbol = |(symbol, parent): (&psl_ide::Symbol, &str)| FileSymbol {
            name: symbol.name.as_str().into(),
            kind: symbol.kind,
            range: to_proto::range(&document.text, symbol.span),
            parent: parent.into(),
        };
        Self { symbols: searchable(&symbols).into_iter().map(symbol).collect() }
    }

    /// Offers them to a search; `uri` is that of the file, and `newer_kinds` is whether the client knows these.
    pub fn offer(&self, uri: &Url, newer_kinds: bool, search: &mut SymbolSearch<SymbolInformation>) {
        for FileSymbol { name, kind, range, parent } in &self.symbols {
            search.offer(name, || to_proto::found_symbol(name, *kind, newer_kinds, (uri.clone(), *range), parent));
        }
    }
}
