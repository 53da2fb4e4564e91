//! Writes the answers of this crate as the cases show them. Kinds have their names in the protocol.

use psl_ide::{
    Action, ActionKind, Call, CallHierarchyItem, CodeLens, Fold, Highlight, Hover, InlayHint, LinkTarget, Modifier,
    SignatureHelp, Symbol, SymbolKind, Token,
    completion::{CompletionItem, CompletionKind},
};
use psl_program::File;
use psl_syntax::{Code, Diagnostic, Renamable, Severity, Span, diagnostic::Edit, glossary::Section};

use crate::cases::shown;

/// Codes whose text editors fade as unnecessary.
const UNNECESSARY: [Code; 6] = [
    Code::UnusedRegister,
    Code::UnusedConstant,
    Code::NeverRead,
    Code::DeadAssignment,
    Code::DuplicateProduction,
    Code::UnusedAllow,
];

/// The file of an answer.
pub struct Page<'f> {
    pub file: &'f File,
}

impl Page<'_> {
    fn text(&self) -> &str {
        self.file.text()
    }

    pub fn range(&self, span: Span) -> String {
        shown::range(self.text(), ends(span))
    }

    /// One line per span.
    pub fn lines(&self, spans: &[Span]) -> String {
        spans.iter().map(|span| self.range(*span) + "\n").collect()
    }

    pub fn diff(&self, edits: &[Edit]) -> String {
        shown::diff(self.text(), edits.iter().map(|edit| (ends(edit.span), edit.text.clone())).collect())
    }

    pub fn diagnostics(&self, diagnostics: &[Diagnostic]) -> String {
        let show = |found: &Diagnostic| {
            let severity = match found.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Info => "info",
                Severity::Hint => "hint",
            };
            let help = found.help.as_ref().map(|help| format!("\nhelp: {help}")).unwrap_or_default();
            let tags: &[&str] = if UNNECESSARY.contains(&found.code) { &["unnecessary"] } else { &[] };
            let related: Vec<_> =
                found.labels.iter().map(|label| (self.range(label.span), label.message.clone())).collect();
            let head = (&*self.range(found.span), severity, found.code.as_str());
            shown::diagnostic(head, &format!("{}{help}", found.message), tags, &related)
        };
        diagnostics.iter().map(show).collect()
    }

    pub fn hover(&self, hover: &Hover) -> String {
        let section = hover.section.map(|Section { page, title }| format!("\n\nReference: [{title}]({page}.md)"));
        self.lines(&[hover.span])
            + &shown::lines(&format!("{}{}", hover.markdown.trim_end(), section.unwrap_or_default()))
    }

    pub fn highlights(&self, found: &[(Span, Highlight)]) -> String {
        let show = |(span, kind): &(Span, Highlight)| {
            let kind = match kind {
                Highlight::Mention => "text",
                Highlight::Read => "read",
                Highlight::Write => "write",
            };
            format!("{} {kind}\n", self.range(*span))
        };
        found.iter().map(show).collect()
    }

    pub fn symbols(&self, symbols: &[Symbol], depth: usize) -> String {
        let show = |it: &Symbol| {
            let (whole, name) = (it.span, it.selection);
            assert!(whole.start <= name.start && name.end <= whole.end, "the name is not in the symbol: {it:?}");
            let detail = (!it.detail.is_empty()).then_some(it.detail.as_str());
            shown::symbol(depth, (&it.name, symbol_kind(it.kind)), detail, &self.range(name))
                + &self.symbols(&it.children, depth + 1)
        };
        symbols.iter().map(show).collect()
    }

    pub fn found_symbols(&self, found: &[(&Symbol, &str)]) -> String {
        let show = |(it, parent): &(&Symbol, &str)| {
            let container = if parent.is_empty() { String::new() } else { format!(" in {parent}") };
            format!("{} {}{container} {}\n", it.name, symbol_kind(it.kind), self.range(it.span))
        };
        found.iter().map(show).collect()
    }

    pub fn hierarchy_item(&self, item: &CallHierarchyItem) -> String {
        let (whole, name) = (item.span, item.selection);
        assert!(whole.start <= name.start && name.end <= whole.end, "the name is not in the item: {item:?}");
        let detail = (!item.detail.is_empty()).then_some(item.detail.as_str());
        shown::symbol(0, (&item.name, "function"), detail, &self.range(name))
    }

    pub fn calls(&self, calls: &[Call]) -> String {
        let ranges = |call: &Call| call.writes.iter().map(|span| self.range(*span)).collect::<Vec<_>>();
        calls.iter().map(|call| shown::call(&self.hierarchy_item(&call.item), &ranges(call))).collect()
    }

    /// The lines of each fold, without folds within a line.
    pub fn folds(&self, folds: &[Fold]) -> String {
        let show = |fold: &Fold| {
            let line = |offset| self.file.line_index().line(offset) + 1;
            let (start, end) = (line(fold.span.start), line(fold.span.end));
            let (from, to) = shown::line_around(self.text(), fold.span.start as usize);
            let kind = fold.comment.then_some("comment");
            (start < end).then(|| shown::fold((start, end), kind, &self.text()[from..to]))
        };
        folds.iter().filter_map(show).collect()
    }

    pub fn links(&self, links: &[(Span, LinkTarget)]) -> String {
        let show = |(span, target): &(Span, LinkTarget)| {
            let (LinkTarget::Web(target) | LinkTarget::File(target)) = target;
            format!("range: {}, target: {target}\n", self.range(*span))
        };
        links.iter().map(show).collect()
    }

    /// The replaced span, then one line per item.
    pub fn completions(&self, items: &[CompletionItem], replaced: Span) -> String {
        if items.is_empty() {
            return String::new();
        }
        let shown: String = items.iter().map(completion).collect();
        shown::in_place_of(&self.range(replaced)) + &shown
    }

    pub fn tokens(&self, tokens: &[Token]) -> String {
        let mut before = 0;
        let mut show = |token: &Token| {
            assert!(before <= token.span.start && !token.span.is_empty(), "tokens overlap or are empty: {token:?}");
            before = token.span.end;
            let modifiers: Vec<&str> = token.modifier.into_iter().map(Modifier::name).collect();
            shown::token(token.span.of(self.text()), token.kind.name(), &modifiers)
        };
        tokens.iter().map(&mut show).collect()
    }

    pub fn hints(&self, hints: &[InlayHint]) -> String {
        let hints = hints.iter().map(|hint| (hint.offset as usize, format!(" ⟨{}⟩", hint.label)));
        shown::hints(self.text(), hints.collect())
    }

    pub fn lenses(&self, lenses: &[CodeLens]) -> String {
        let show = |lens: &CodeLens| format!("{}: {}\n", self.file.line_index().line(lens.span.start) + 1, lens.title);
        lenses.iter().map(show).collect()
    }

    pub fn actions(&self, actions: &[Action]) -> String {
        let show = |it: &Action| shown::action(action_kind(it.kind), it.preferred, &it.title, &self.diff(&it.edits));
        actions.iter().map(show).collect()
    }

    pub fn renamable(&self, found: &Renamable) -> String {
        format!("range: {}, placeholder: {}\n", self.range(found.span), found.name)
    }

    pub fn linked(&self, spans: &[Span]) -> String {
        let ranges: Vec<_> = spans.iter().map(|span| self.range(*span)).collect();
        format!("ranges: [{}], wordPattern: {}\n", ranges.join("; "), psl_ide::NAME_PATTERN)
    }
}

/// The forms, with the one that is being written.
pub fn help(help: &SignatureHelp) -> String {
    let form = |(index, form): (usize, &psl_ide::Signature)| {
        let part = |(index, part): (usize, &(&'static str, &'static str))| (index == form.active, part.0, part.1);
        let parts: Vec<_> = form.parts.iter().enumerate().map(part).collect();
        shown::form(index == help.active, &form.label, &parts, form.meaning)
    };
    help.forms.iter().enumerate().map(form).collect()
}

/// A completion as sent to a client that supports snippets.
pub fn completion(item: &CompletionItem) -> String {
    let kind = match item.kind {
        CompletionKind::Register => "field",
        CompletionKind::Constant => "constant",
        CompletionKind::Keyword => "keyword",
        CompletionKind::Function => "function",
        CompletionKind::Cell | CompletionKind::Variable => "variable",
        CompletionKind::Role | CompletionKind::Directive => "property",
    };
    let inserted = item.snippet.as_ref().unwrap_or(&item.text);
    shown::completion((&item.label, kind), Some(&item.detail), Some(inserted))
}

fn ends(span: Span) -> (usize, usize) {
    (span.start as usize, span.end as usize)
}

const fn symbol_kind(kind: SymbolKind) -> &'static str {
    match kind {
        SymbolKind::Declaration => "namespace",
        SymbolKind::Register => "field",
        SymbolKind::Constant => "constant",
        SymbolKind::Production => "function",
        SymbolKind::Repeat => "module",
        SymbolKind::Test => "event",
    }
}

pub const fn action_kind(kind: ActionKind) -> &'static str {
    match kind {
        ActionKind::QuickFix => "quickfix",
        ActionKind::Extract => "refactor.extract",
        ActionKind::Rewrite => "refactor.rewrite",
        ActionKind::FixAll => "source.fixAll.psl",
    }
}
