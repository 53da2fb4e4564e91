//! Converts our types to the protocol's.

mod answers;
mod call_hierarchy;
mod diagnostic;
mod markup;
mod places;
mod proposals;
mod semantic_tokens;

pub use answers::{
    Status, compiled_layers, coverage, diagnostic_report, document_report, full_report, log, message, no_diagnostics,
    program_tests, progress_begin, progress_create, progress_end, progress_report, progress_token, publication,
    refresh_content, result_id, run_answer, show_content, show_in_browser, show_line, status, test_answer, text,
    to_json, unchanged_report, unknown_result, workspace_diagnostics, workspace_report,
};
pub use call_hierarchy::{call_hierarchy_item, incoming_call, outgoing_call};
pub use diagnostic::{IN_DOUBT, config_diagnostics, diagnostic, diagnostics, expanded, in_doubt, unreadable};
use std::fmt::Write as _;
use std::sync::Arc;

use gen_lsp_types as lsp;
use markup::markup;
pub use places::{edit, edits, location, place, position, range};
pub use proposals::proposals;
use psl_ide::{
    Action, CodeLens, EditorCommand, Fold, Highlight, Hover, InlayHint, LinkTarget, Search, SignatureHelp, Symbol,
    SymbolKind,
    completion::{self, CompletionKind},
};
use psl_syntax::{Renamable, Span, diagnostic::Edit};
pub use semantic_tokens::{legend, tokens, tokens_delta};
use serde_json::json;

use crate::{
    client_capabilities::ClientCapabilities,
    document::Document,
    encoded_text::EncodedText,
    from_proto::{APPLY, ActionEdits, DEBUG, EXPLORE, FILL, REPAIR, RUN, TESTS, UNNOTICED},
    protocol_names::action_kind,
    uri::Url,
};

/// Converts a definition.
pub fn definition(document: &Document, span: Span) -> lsp::DefinitionResponse {
    lsp::Definition::from(location(document, span)).into()
}

/// Converts implementations.
pub fn implementations(document: &Document, spans: &[Span]) -> lsp::ImplementationResponse {
    lsp::Definition::LocationList(spans.iter().map(|span| location(document, *span)).collect()).into()
}

/// Converts a hover. A link to its section of the reference follows the text.
pub fn hover(document: &Document, hover: Hover) -> lsp::Hover {
    let mut text = hover.markdown;
    if let Some(section) = hover.section
        && let Some(url) = document.environment.host.reference(section)
    {
        text.truncate(text.trim_end().len());
        let _ = write!(text, "\n\nReference: {}\n", link(section.title, &url));
    }
    lsp::Hover {
        contents: markup(text, document.client().markdown_hovers).into(),
        range: Some(range(&document.text, hover.span)),
    }
}

/// A link in Markdown. A URL may contain parentheses, which would end the link.
fn link(text: &str, url: &Url) -> String {
    format!("[{text}]({})", url.as_str().replace('(', "%28").replace(')', "%29"))
}

/// Converts the edits of a document.
pub fn workspace_edit(document: &Document, changes: &[Edit]) -> lsp::WorkspaceEdit {
    let changes = [(document.uri.clone(), edits(&document.text, changes))].into();
    lsp::WorkspaceEdit { changes: Some(changes), ..lsp::WorkspaceEdit::default() }
}

/// Converts the edits of several documents. `None` if there are none.
pub fn edits_of_documents(documents: &[(Arc<Document>, Vec<Edit>)]) -> Option<lsp::WorkspaceEdit> {
    let changes = documents.iter().map(|(document, changes)| (document.uri.clone(), edits(&document.text, changes)));
    let changes = Some(changes.collect()).filter(|_| !documents.is_empty())?;
    Some(lsp::WorkspaceEdit { changes: Some(changes), ..lsp::WorkspaceEdit::default() })
}

/// Converts the edits of a document, as snippets.
fn snippet_edit(document: &Document, snippets: Vec<Edit>) -> lsp::WorkspaceEdit {
    let snippet = |edit: Edit| lsp::SnippetTextEdit {
        range: range(&document.text, edit.span),
        snippet: lsp::StringValue::new(edit.text),
        annotation_id: None,
    };
    let text_document = lsp::OptionalVersionedTextDocumentIdentifier::new(
        document.version,
        lsp::TextDocumentIdentifier::new(document.uri.clone()),
    );
    let edits = snippets.into_iter().map(|edit| snippet(edit).into()).collect();
    let change = lsp::TextDocumentEdit { text_document, edits };
    lsp::WorkspaceEdit { document_changes: Some(vec![change.into()]), ..lsp::WorkspaceEdit::default() }
}

/// Converts a code action: to a command for clients without code actions. `None` if such a client cannot apply its
/// edits.
pub fn code_action(document: &Document, action: Action) -> Option<lsp::CodeActionResponse> {
    let client = document.client();
    if !client.code_actions {
        return command_in_place(document, action, client.applies_edits).map(lsp::CodeActionResponse::Command);
    }
    let diagnostics: Vec<_> = action.diagnostics.iter().map(|about| diagnostic(document, about)).collect();
    let snippets = client.snippet_edits.then(|| psl_ide::snippets(document.file().text(), &action)).flatten();
    let edit = match (&action.command, snippets) {
        (Some(_), _) => None,
        (None, Some(snippets)) => Some(snippet_edit(document, snippets)),
        (None, None) => Some(workspace_edit(document, &action.edits)),
    };
    let command = action.command.map(|command| editor_command(document, action.title.clone(), command));
    Some(lsp::CodeActionResponse::CodeAction(lsp::CodeAction {
        title: action.title,
        kind: Some(action_kind(action.kind).into()),
        edit,
        command,
        diagnostics: (!diagnostics.is_empty()).then_some(diagnostics),
        is_preferred: Some(action.preferred),
        ..lsp::CodeAction::default()
    }))
}

fn command_in_place(document: &Document, action: Action, applies_edits: bool) -> Option<lsp::Command> {
    let Action { title, edits: changes, command: in_editor, .. } = action;
    if let Some(in_editor) = in_editor {
        return Some(editor_command(document, title, in_editor));
    }
    let edits = edits(&document.text, &changes);
    let argument = json!({"uri": document.uri, "version": document.version, "title": title, "edits": edits});
    applies_edits.then(|| command(title, APPLY, argument))
}

fn editor_command(document: &Document, title: String, wanted: EditorCommand) -> lsp::Command {
    let uri = document.uri.as_str();
    let (name, argument) = match wanted {
        EditorCommand::RunTests => (TESTS, json!({"uri": uri})),
        EditorCommand::Run => (RUN, json!({"uri": uri})),
        EditorCommand::RunTest(index) => (RUN, json!({"uri": uri, "test": index})),
        EditorCommand::RunPrompt(prompt) => (RUN, json!({"uri": uri, "prompt": prompt})),
        EditorCommand::Debug(index) => (DEBUG, json!({"uri": uri, "test": index})),
        EditorCommand::Explore(index) => (EXPLORE, json!({"uri": uri, "test": index})),
        EditorCommand::Search(Search::Repair) => (REPAIR, json!({"uri": uri})),
        EditorCommand::Search(Search::Fill) => (FILL, json!({"uri": uri})),
        EditorCommand::Search(Search::Unnoticed(production)) => {
            (UNNOTICED, json!({"uri": uri, "production": production}))
        }
    };
    command(title, name, argument)
}

fn command(title: String, name: &str, argument: serde_json::Value) -> lsp::Command {
    lsp::Command { title, tooltip: None, command: name.to_owned(), arguments: Some(vec![argument]) }
}

/// Converts the edits of a code action to a request that the client applies them.
pub fn apply_edits(ActionEdits { uri, title, edits, .. }: ActionEdits) -> lsp::ApplyWorkspaceEditParams {
    let edit = lsp::WorkspaceEdit { changes: Some([(uri, edits)].into()), ..lsp::WorkspaceEdit::default() };
    lsp::ApplyWorkspaceEditParams { label: (!title.is_empty()).then_some(title), edit, metadata: None }
}

/// Converts a name that can be renamed.
pub fn prepare_rename(text: &EncodedText, found: Renamable) -> lsp::PrepareRenameResult {
    lsp::PrepareRenamePlaceholder { range: range(text, found.span), placeholder: found.name }.into()
}

/// Converts completions, all of which replace the span, in their order.
pub fn completion_list(
    document: &Document,
    items: Vec<completion::CompletionItem>,
    replaced: Span,
) -> lsp::CompletionList {
    let range = range(&document.text, replaced);
    let item = |(place, item): (usize, completion::CompletionItem)| {
        let snippet = item.snippet.filter(|_| document.client().snippets);
        lsp::CompletionItem {
            // Neovim keeps items without it, whatever is typed.
            filter_text: Some(item.filter.unwrap_or_else(|| item.label.clone())),
            label: item.label,
            kind: Some(match item.kind {
                CompletionKind::Register => lsp::CompletionItemKind::Field,
                CompletionKind::Constant if document.client().newer_completions => lsp::CompletionItemKind::Constant,
                CompletionKind::Constant => lsp::CompletionItemKind::Value,
                CompletionKind::Keyword => lsp::CompletionItemKind::Keyword,
                CompletionKind::Function => lsp::CompletionItemKind::Function,
                CompletionKind::Cell | CompletionKind::Variable => lsp::CompletionItemKind::Variable,
                CompletionKind::Role | CompletionKind::Directive => lsp::CompletionItemKind::Property,
            }),
            detail: Some(item.detail),
            sort_text: Some(format!("{place:05}")),
            insert_text_format: snippet.as_ref().map(|_| lsp::InsertTextFormat::Snippet),
            text_edit: Some(lsp::TextEdit { range, new_text: snippet.unwrap_or(item.text) }.into()),
            data: item.resolve_data.data(),
            ..lsp::CompletionItem::default()
        }
    };
    lsp::CompletionList { items: items.into_iter().enumerate().map(item).collect(), ..lsp::CompletionList::default() }
}

/// Converts the documentation of a completion.
pub fn documentation(value: String, client: ClientCapabilities) -> lsp::Documentation {
    markup(value, client.markdown_completions).into()
}

/// Converts hints, which are in the order of the text.
pub fn inlay_hints(document: &Document, hints: Vec<InlayHint>) -> Vec<lsp::InlayHint> {
    let hint = |hint: InlayHint| lsp::InlayHint {
        position: position(&document.text, hint.offset),
        label: hint.label.into(),
        kind: hint.is_domain.then_some(lsp::InlayHintKind::Type),
        text_edits: None,
        // The protocol has no format of its own for them.
        tooltip: hint.tooltip.map(|value| markup(value, document.client().markdown_hovers).into()),
        padding_left: Some(true),
        padding_right: None,
        data: None,
    };
    hints.into_iter().map(hint).collect()
}

/// Converts a lens and its command.
pub fn code_lens(document: &Document, lens: CodeLens) -> lsp::CodeLens {
    lsp::CodeLens {
        range: range(&document.text, lens.span),
        command: Some(editor_command(document, lens.title, lens.command)),
        data: None,
    }
}

/// Converts a highlight.
pub fn highlight(text: &EncodedText, (span, highlight): (Span, Highlight)) -> lsp::DocumentHighlight {
    let kind = match highlight {
        Highlight::Mention => lsp::DocumentHighlightKind::Text,
        Highlight::Read => lsp::DocumentHighlightKind::Read,
        Highlight::Write => lsp::DocumentHighlightKind::Write,
    };
    lsp::DocumentHighlight { range: range(text, span), kind: Some(kind) }
}

/// Converts the symbols of a document: to a tree, or to a list for clients without trees.
pub fn document_symbols(document: &Document, symbols: &[Symbol]) -> lsp::DocumentSymbolResponse {
    if document.client().nested_symbols {
        let nested = symbols.iter().map(|symbol| document_symbol(document, symbol));
        return lsp::DocumentSymbolResponse::DocumentSymbolList(nested.collect());
    }
    let all = psl_ide::flat(symbols).into_iter();
    lsp::DocumentSymbolResponse::SymbolInformationList(
        all.map(|(it, parent)| symbol_information(document, it, parent)).collect(),
    )
}

#[allow(deprecated, reason = "the field that tags replaced is required")]
fn document_symbol(document: &Document, symbol: &Symbol) -> lsp::DocumentSymbol {
    let text = &document.text;
    let children: Vec<_> = symbol.children.iter().map(|child| document_symbol(document, child)).collect();
    lsp::DocumentSymbol {
        name: symbol.name.clone(),
        detail: (!symbol.detail.is_empty()).then(|| symbol.detail.clone()),
        kind: symbol_kind(symbol.kind, document.client().newer_symbols),
        tags: None,
        deprecated: None,
        range: range(text, symbol.span),
        selection_range: range(text, symbol.selection),
        children: (!children.is_empty()).then_some(children),
    }
}

/// Converts a symbol, with the name of its parent.
pub fn symbol_information(document: &Document, symbol: &Symbol, parent: &str) -> lsp::SymbolInformation {
    let place = (document.uri.clone(), range(&document.text, symbol.span));
    found_symbol(&symbol.name, symbol.kind, document.client().newer_symbols, place, parent)
}

/// Converts a symbol anywhere in a file, with the name of its parent, for a client that may know the newer kinds.
#[allow(deprecated, reason = "the field that tags replaced is required")]
pub fn found_symbol(
    name: &str,
    kind: SymbolKind,
    newer_kinds: bool,
    (uri, range): (Url, lsp::Range),
    parent: &str,
) -> lsp::SymbolInformation {
    lsp::SymbolInformation {
        deprecated: None,
        location: lsp::Location { uri, range },
        base_symbol_information: lsp::BaseSymbolInformation {
            name: name.to_owned(),
            kind: symbol_kind(kind, newer_kinds),
            tags: None,
            container_name: (!parent.is_empty()).then(|| parent.to_owned()),
        },
    }
}

const fn symbol_kind(kind: SymbolKind, newer_kinds: bool) -> lsp::SymbolKind {
    match kind {
        SymbolKind::Declaration => lsp::SymbolKind::Namespace,
        SymbolKind::Register => lsp::SymbolKind::Field,
        SymbolKind::Constant => lsp::SymbolKind::Constant,
        SymbolKind::Production => lsp::SymbolKind::Function,
        SymbolKind::Repeat => lsp::SymbolKind::Module,
        SymbolKind::Test if newer_kinds => lsp::SymbolKind::Event,
        SymbolKind::Test => lsp::SymbolKind::Method,
    }
}

/// Converts a folding range: of whole lines, or with columns. `None` if it is within one line.
pub fn folding_range(text: &EncodedText, fold: Fold, lines_only: bool) -> Option<lsp::FoldingRange> {
    let lsp::Range { start, end } = range(text, fold.span);
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

/// Converts selection ranges, the last span outermost.
pub fn selection_range(text: &EncodedText, grown: &[Span]) -> lsp::SelectionRange {
    let mut spans = grown.iter().rev().map(|span| range(text, *span));
    let whole = lsp::SelectionRange { range: spans.next().unwrap_or_default(), parent: None };
    spans.fold(whole, |parent, range| lsp::SelectionRange { range, parent: Some(Box::new(parent)) })
}

/// Converts a link. `None` if its target does not exist.
pub fn document_link(document: &Document, (span, target): (Span, LinkTarget)) -> Option<lsp::DocumentLink> {
    let target = match target {
        LinkTarget::Web(address) => Url::parse(&address).ok()?,
        LinkTarget::File(path) => document.environment.host.locate(&document.uri, &path)?,
    };
    let range = range(&document.text, span);
    Some(lsp::DocumentLink { range, target: Some(target), tooltip: None, data: None })
}

/// Converts the places that change together, and the pattern of a valid name.
pub fn linked_editing_ranges(text: &EncodedText, spans: Vec<Span>) -> lsp::LinkedEditingRanges {
    let ranges = spans.into_iter().map(|span| range(text, span)).collect();
    lsp::LinkedEditingRanges { ranges, word_pattern: Some(psl_ide::NAME_PATTERN.to_owned()) }
}

/// Converts signature help.
pub fn signature_help(help: SignatureHelp, client: ClientCapabilities) -> lsp::SignatureHelp {
    let documentation = |text: &str| Some(markup(text.to_owned(), client.markdown_signatures).into());
    let form = |form: psl_ide::Signature| lsp::SignatureInformation {
        label: form.label,
        documentation: documentation(form.meaning),
        active_parameter: (!form.parts.is_empty()).then_some(lsp::ActiveParameter::Int(form.active as u32)),
        parameters: Some(
            form.parts
                .into_iter()
                .map(|(label, meaning)| lsp::ParameterInformation {
                    label: label.to_owned().into(),
                    documentation: documentation(meaning),
                })
                .collect(),
        ),
    };
    let active_parameter = help
        .forms
        .get(help.active)
        .filter(|form| !form.parts.is_empty())
        .map(|form| lsp::ActiveParameter::Int(form.active as u32));
    lsp::SignatureHelp {
        signatures: help.forms.into_iter().map(form).collect(),
        active_signature: Some(help.active as u32),
        active_parameter,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::document;

    #[test]
    fn symbols_are_flat_for_clients_that_show_no_tree() {
        let document = document("registers: {a: 's'}\n# é\nrepeat:\n where a[N] == a[N]: a[N] = a[N]\nuntil NO_CHANGE");
        let symbols = psl_ide::document_symbols(document.file());
        let lsp::DocumentSymbolResponse::SymbolInformationList(all) = document_symbols(&document, &symbols) else {
            panic!("expected a flat list")
        };
        let shown: Vec<_> = all
            .iter()
            .map(|it| &it.base_symbol_information)
            .map(|it| (it.name.as_str(), it.container_name.as_deref().unwrap_or("-")))
            .collect();
        assert_eq!(shown, [("registers", "-"), ("a", "registers"), ("é", "-"), ("layer 1", "é")]);
    }

    #[test]
    fn a_link_may_lead_to_a_folder_with_parentheses() {
        let url = Url::parse("file:///home/a%20(b)/values.md").expect("a URL");
        assert_eq!(link("Null", &url), "[Null](file:///home/a%20%28b%29/values.md)");
    }

    #[test]
    fn whole_lines_fold_except_closing_lines() {
        let text =
            "registers: {\n a: 's',\n b: 'é'\n}\nrepeat:\n where a[N] == a[N]:\n  a[N] = b[N] # b\nuntil NO_CHANGE";
        let document = document(text);
        let lines = |lines_only| {
            let folds = psl_ide::folding_ranges(document.file()).into_iter();
            let folded = folds.filter_map(|fold| folding_range(&document.text, fold, lines_only));
            folded.map(|range| (range.start_line, range.end_line)).collect::<Vec<_>>()
        };
        assert_eq!(lines(true), [(0, 2), (4, 6), (5, 6)]);
        assert_eq!(lines(false), [(0, 3), (4, 7), (5, 6)]);
    }
}
