//! What looking something up found, as the protocol has it.

use psl_syntax::Span;
use tower_lsp::lsp_types as lsp;

use crate::server::{
    documents::Snapshot,
    folding::Fold,
    links::Target,
    navigation::Highlight,
    outline::{Item, ItemKind, flat},
    signature::{Form, Help},
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

impl Snapshot {
    /// A fold as the client takes it: of whole lines, or with columns too. None within a line.
    pub fn folding_range(&self, fold: Fold, lines_only: bool) -> Option<lsp::FoldingRange> {
        let lsp::Range { start, end } = self.range(fold.span);
        let columns = |column: u32| (!lines_only).then_some(column);
        let range = lsp::FoldingRange {
            start_line: start.line,
            start_character: columns(start.character),
            end_line: end.line - u32::from(lines_only && fold.closed && end.line > start.line),
            end_character: columns(end.character),
            kind: fold.comment.then_some(lsp::FoldingRangeKind::Comment),
            collapsed_text: None,
        };
        (range.start_line < range.end_line).then_some(range)
    }

    /// What a selection grows to, the last span outermost.
    pub fn selection_range(&self, grown: &[Span]) -> lsp::SelectionRange {
        let mut spans = grown.iter().rev().map(|span| self.range(*span));
        let whole = lsp::SelectionRange { range: spans.next().unwrap_or_default(), parent: None };
        spans.fold(whole, |parent, range| lsp::SelectionRange { range, parent: Some(Box::new(parent)) })
    }

    /// A link as the client takes it; none where it can be no URI.
    pub fn document_link(&self, (span, target): (Span, Target)) -> Option<lsp::DocumentLink> {
        let target = match target {
            Target::Web(address) => lsp::Url::parse(&address).ok()?,
            Target::File(path) => lsp::Url::from_file_path(path).ok()?,
        };
        Some(lsp::DocumentLink { range: self.range(span), target: Some(target), tooltip: None, data: None })
    }
}

/// Forms as the client takes them.
pub fn signature_help(help: Help) -> lsp::SignatureHelp {
    let markdown = |text: &str| {
        let value = text.to_owned();
        lsp::Documentation::MarkupContent(lsp::MarkupContent { kind: lsp::MarkupKind::Markdown, value })
    };
    let form = |form: Form| lsp::SignatureInformation {
        label: form.label,
        documentation: Some(markdown(form.meaning)),
        active_parameter: (!form.parts.is_empty()).then_some(form.active as u32),
        parameters: Some(
            form.parts
                .into_iter()
                .map(|(label, meaning)| lsp::ParameterInformation {
                    label: lsp::ParameterLabel::Simple(label.to_owned()),
                    documentation: Some(markdown(meaning)),
                })
                .collect(),
        ),
    };
    let active_parameter =
        help.forms.get(help.active).filter(|form| !form.parts.is_empty()).map(|form| form.active as u32);
    lsp::SignatureHelp {
        signatures: help.forms.into_iter().map(form).collect(),
        active_signature: Some(help.active as u32),
        active_parameter,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::{documents::Documents, folding::folds, outline::outline};

    #[test]
    fn symbols_are_flat_for_clients_that_show_no_tree() {
        let documents = Documents::default();
        let uri = lsp::Url::parse("untitled:1").expect("a URI");
        documents.open(
            uri.clone(),
            1,
            "registers: {a: 's'}\n# é\nrepeat:\n where a[N] == a[N]: a[N] = a[N]\nuntil NO_CHANGE",
        );
        let snapshot = documents.get(&uri).expect("it is open");
        let lsp::DocumentSymbolResponse::Flat(all) = snapshot.document_symbols(&outline(snapshot.checked()), false)
        else {
            panic!("it is a tree")
        };
        let shown: Vec<_> =
            all.iter().map(|it| (it.name.as_str(), it.container_name.as_deref().unwrap_or("-"))).collect();
        assert_eq!(shown, [("registers", "-"), ("a", "registers"), ("é", "-"), ("layer 1", "é")]);
    }

    #[test]
    fn whole_lines_are_folded_but_for_what_closes_them() {
        let text =
            "registers: {\n a: 's',\n b: 'é'\n}\nrepeat:\n where a[N] == a[N]:\n  a[N] = b[N] # b\nuntil NO_CHANGE";
        let documents = Documents::default();
        let uri = lsp::Url::parse("untitled:1").expect("a URI");
        documents.open(uri.clone(), 1, text);
        let snapshot = documents.get(&uri).expect("it is open");
        let lines = |lines_only| {
            let folds = folds(&snapshot.checked().tree).into_iter();
            let folded = folds.filter_map(|fold| snapshot.folding_range(fold, lines_only));
            folded.map(|range| (range.start_line, range.end_line)).collect::<Vec<_>>()
        };
        assert_eq!(lines(true), [(0, 2), (4, 6), (5, 6)]);
        assert_eq!(lines(false), [(0, 3), (4, 7), (5, 6)]);
    }
}
