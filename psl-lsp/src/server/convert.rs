//! Between offsets and the client's positions, and between the core's types and the protocol's.

pub mod look;
pub mod tokens;

use psl_syntax::{Code, Diagnostic, Severity, Span, diagnostic::Edit};
use tower_lsp::lsp_types as lsp;

use crate::{
    render::message_and_help,
    server::{
        actions::{Action, Wanted},
        completion::{self, ItemKind},
        documents::Snapshot,
        hints::Hint,
        page,
    },
    text::{Position, Walk, offset, position},
};

impl Snapshot {
    /// The byte offset of a client's position.
    pub fn offset(&self, place: lsp::Position) -> u32 {
        let place = Position { line: place.line as usize, column: place.character as usize };
        offset(&self.text, place, self.encoding)
    }

    /// The client's position of a byte offset.
    pub fn position(&self, offset: u32) -> lsp::Position {
        let place = position(&self.text, offset, self.encoding);
        lsp::Position { line: place.line as u32, character: place.column as u32 }
    }

    /// The client's range of a span.
    pub fn range(&self, span: Span) -> lsp::Range {
        lsp::Range { start: self.position(span.start), end: self.position(span.end) }
    }

    /// A diagnostic as the client takes it.
    pub fn diagnostic(&self, diagnostic: &Diagnostic) -> lsp::Diagnostic {
        let related: Vec<_> = diagnostic
            .labels
            .iter()
            .map(|label| lsp::DiagnosticRelatedInformation {
                location: self.location(label.span),
                message: label.message.clone(),
            })
            .collect();
        lsp::Diagnostic {
            range: self.range(diagnostic.span),
            severity: Some(match diagnostic.severity {
                Severity::Error => lsp::DiagnosticSeverity::ERROR,
                Severity::Warning => lsp::DiagnosticSeverity::WARNING,
                Severity::Info => lsp::DiagnosticSeverity::INFORMATION,
                Severity::Hint => lsp::DiagnosticSeverity::HINT,
            }),
            code: Some(lsp::NumberOrString::String(diagnostic.code.as_str().to_owned())),
            code_description: page::link(diagnostic.code).map(|href| lsp::CodeDescription { href }),
            source: Some("psl".to_owned()),
            message: message_and_help(diagnostic),
            related_information: (!related.is_empty()).then_some(related),
            tags: is_unnecessary(diagnostic.code).then(|| vec![lsp::DiagnosticTag::UNNECESSARY]),
            ..lsp::Diagnostic::default()
        }
    }

    /// Hints in the order of the text as the client takes them.
    pub fn hints(&self, hints: Vec<Hint>) -> Vec<lsp::InlayHint> {
        let mut walk = Walk::new(&self.checked().tree.text, self.encoding);
        let hint = |hint: Hint| {
            let place = walk.to(hint.offset);
            lsp::InlayHint {
                position: lsp::Position { line: place.line as u32, character: place.column as u32 },
                label: hint.label.into(),
                kind: hint.is_domain.then_some(lsp::InlayHintKind::TYPE),
                text_edits: None,
                tooltip: hint.tooltip.map(|value| {
                    lsp::InlayHintTooltip::MarkupContent(lsp::MarkupContent { kind: lsp::MarkupKind::Markdown, value })
                }),
                padding_left: Some(true),
                padding_right: None,
                data: None,
            }
        };
        hints.into_iter().map(hint).collect()
    }

    /// An action as the client takes it.
    pub fn action(&self, action: Action) -> lsp::CodeActionOrCommand {
        let diagnostics: Vec<_> = action.diagnostics.iter().map(|about| self.diagnostic(about)).collect();
        lsp::CodeActionOrCommand::CodeAction(lsp::CodeAction {
            title: action.title,
            kind: Some(action.kind.as_str().into()),
            edit: Some(self.workspace_edit(&action.edits)),
            diagnostics: (!diagnostics.is_empty()).then_some(diagnostics),
            is_preferred: Some(action.preferred),
            ..lsp::CodeAction::default()
        })
    }

    /// Edits of this document as the client takes them.
    pub fn workspace_edit(&self, edits: &[Edit]) -> lsp::WorkspaceEdit {
        let edits = edits.iter().map(|edit| self.edit(edit)).collect();
        lsp::WorkspaceEdit { changes: Some([(self.uri.clone(), edits)].into()), ..lsp::WorkspaceEdit::default() }
    }

    /// An edit as the client takes it.
    pub fn edit(&self, edit: &Edit) -> lsp::TextEdit {
        lsp::TextEdit { range: self.range(edit.span), new_text: edit.text.clone() }
    }
}

/// Completions as the client takes them, all of which replace the span; they are listed in their order, kind by kind.
pub fn completion_list(
    snapshot: &Snapshot,
    items: Vec<completion::Item>,
    replaced: Span,
    snippets: bool,
) -> lsp::CompletionList {
    let range = snapshot.range(replaced);
    let item = |(place, item): (usize, completion::Item)| {
        let snippet = item.snippet.filter(|_| snippets);
        lsp::CompletionItem {
            label: item.label,
            kind: Some(match item.kind {
                ItemKind::Register => lsp::CompletionItemKind::FIELD,
                ItemKind::Constant => lsp::CompletionItemKind::CONSTANT,
                ItemKind::Keyword => lsp::CompletionItemKind::KEYWORD,
                ItemKind::Function => lsp::CompletionItemKind::FUNCTION,
                ItemKind::Cell => lsp::CompletionItemKind::VARIABLE,
                ItemKind::Role | ItemKind::Directive => lsp::CompletionItemKind::PROPERTY,
            }),
            detail: Some(item.detail),
            sort_text: Some(format!("{}{place:05}", item.kind as u8)),
            filter_text: item.filter,
            insert_text_format: snippet.as_ref().map(|_| lsp::InsertTextFormat::SNIPPET),
            text_edit: Some(lsp::CompletionTextEdit::Edit(lsp::TextEdit {
                range,
                new_text: snippet.unwrap_or(item.text),
            })),
            data: item.about.data(),
            ..lsp::CompletionItem::default()
        }
    };
    lsp::CompletionList { is_incomplete: false, items: items.into_iter().enumerate().map(item).collect() }
}

impl From<&lsp::CodeActionContext> for Wanted {
    fn from(context: &lsp::CodeActionContext) -> Self {
        Self {
            only: context.only.as_ref().map(|kinds| kinds.iter().map(|kind| kind.as_str().to_owned()).collect()),
            automatic: context.trigger_kind == Some(lsp::CodeActionTriggerKind::AUTOMATIC),
        }
    }
}

/// Whether the text at such a diagnostic could be left out: editors fade it.
fn is_unnecessary(code: Code) -> bool {
    matches!(
        code,
        Code::UnusedRegister
            | Code::UnusedConstant
            | Code::NeverRead
            | Code::DeadAssignment
            | Code::DuplicateProduction
            | Code::UnusedAllow
    )
}
