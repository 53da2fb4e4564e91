//! Requests about one document: convert the parameters, call [`psl_ide`] once, convert the result.
//!
//! Each request is a plain function of a version of a document and the parameters. It returns `None` if the result is
//! empty. It may compute, but it never waits for the client or another document. Its caller decides on which thread and
//! when it runs.

use gen_lsp_types as lsp;
use psl_ide::EditorCommand;
use psl_syntax::Span;

use crate::{client_capabilities::ClientCapabilities, document::Document, from_proto, refusal::Refusal, to_proto};

/// `textDocument/hover`
pub fn hover(document: &Document, params: &lsp::HoverParams) -> Option<lsp::Hover> {
    let offset = from_proto::offset(&document.text, params.text_document_position_params.position);
    // In an address, a parenthesis would end the link.
    let address = document.uri.as_str().replace('(', "%28").replace(')', "%29");
    let address = document.client().link_lines.then_some(address);
    let hover = psl_ide::hover(document.file(), document.report(), offset, address.as_deref());
    hover.map(|hover| to_proto::hover(document, hover))
}

/// `textDocument/definition`
pub fn definition(document: &Document, params: &lsp::DefinitionParams) -> Option<lsp::DefinitionResponse> {
    definition_at(document, params.text_document_position_params.position)
}

/// `textDocument/declaration`, which is the same as the definition in PSL.
pub fn declaration(document: &Document, params: &lsp::DeclarationParams) -> Option<lsp::DefinitionResponse> {
    definition_at(document, params.text_document_position_params.position)
}

fn definition_at(document: &Document, position: lsp::Position) -> Option<lsp::DefinitionResponse> {
    let found = psl_ide::definition(document.file(), from_proto::offset(&document.text, position));
    found.map(|span| to_proto::definition(document, span))
}

/// `textDocument/implementation`
pub fn implementations(document: &Document, params: &lsp::ImplementationParams) -> Option<lsp::ImplementationResponse> {
    let offset = from_proto::offset(&document.text, params.text_document_position_params.position);
    let found = psl_ide::implementations(document.file(), offset);
    Some(to_proto::implementations(document, &found))
}

/// `textDocument/references`
pub fn references(document: &Document, params: &lsp::ReferenceParams) -> Option<Vec<lsp::Location>> {
    let offset = from_proto::offset(&document.text, params.text_document_position_params.position);
    let found = psl_ide::references(document.file(), offset, params.context.include_declaration);
    Some(found.into_iter().map(|span| to_proto::location(document, span)).collect())
}

/// `textDocument/prepareCallHierarchy`
pub fn prepare_call_hierarchy(
    document: &Document,
    params: &lsp::CallHierarchyPrepareParams,
) -> Option<Vec<lsp::CallHierarchyItem>> {
    let offset = from_proto::offset(&document.text, params.text_document_position_params.position);
    let item = psl_ide::prepare_call_hierarchy(document.file(), offset)?;
    Some(vec![to_proto::call_hierarchy_item(document, item)])
}

/// `callHierarchy/incomingCalls`
pub fn incoming_calls(
    document: &Document,
    params: &lsp::CallHierarchyIncomingCallsParams,
) -> Option<Vec<lsp::CallHierarchyIncomingCall>> {
    let calls = psl_ide::incoming_calls(document.file(), &from_proto::production_key(&params.item)?)?;
    Some(calls.into_iter().map(|call| to_proto::incoming_call(document, call)).collect())
}

/// `callHierarchy/outgoingCalls`
pub fn outgoing_calls(
    document: &Document,
    params: &lsp::CallHierarchyOutgoingCallsParams,
) -> Option<Vec<lsp::CallHierarchyOutgoingCall>> {
    let calls = psl_ide::outgoing_calls(document.file(), &from_proto::production_key(&params.item)?)?;
    Some(calls.into_iter().map(|call| to_proto::outgoing_call(document, call)).collect())
}

/// `textDocument/documentHighlight`
pub fn document_highlights(
    document: &Document,
    params: &lsp::DocumentHighlightParams,
) -> Option<Vec<lsp::DocumentHighlight>> {
    let offset = from_proto::offset(&document.text, params.text_document_position_params.position);
    let found = psl_ide::document_highlights(document.file(), offset).into_iter();
    Some(found.map(|found| to_proto::highlight(&document.text, found)).collect())
}

/// `textDocument/documentSymbol`
pub fn document_symbols(document: &Document, _: &lsp::DocumentSymbolParams) -> Option<lsp::DocumentSymbolResponse> {
    let symbols = psl_ide::document_symbols(document.file());
    Some(to_proto::document_symbols(document, &symbols))
}

/// `textDocument/foldingRange`
pub fn folding_ranges(document: &Document, _: &lsp::FoldingRangeParams) -> Option<Vec<lsp::FoldingRange>> {
    let lines_only = document.client().folds_lines;
    let folds = psl_ide::folding_ranges(document.file()).into_iter();
    Some(folds.filter_map(|fold| to_proto::folding_range(&document.text, fold, lines_only)).collect())
}

/// `textDocument/selectionRange`
pub fn selection_ranges(document: &Document, params: &lsp::SelectionRangeParams) -> Option<Vec<lsp::SelectionRange>> {
    let grow = |position| {
        let offset = from_proto::offset(&document.text, position);
        to_proto::selection_range(&document.text, &psl_ide::selection_ranges(document.file(), offset))
    };
    Some(params.positions.iter().copied().map(grow).collect())
}

/// `textDocument/signatureHelp`
pub fn signature_help(document: &Document, params: &lsp::SignatureHelpParams) -> Option<lsp::SignatureHelp> {
    let offset = from_proto::offset(&document.text, params.text_document_position_params.position);
    let help = psl_ide::signature_help(document.file(), offset);
    help.map(|help| to_proto::signature_help(help, document.client()))
}

/// `textDocument/documentLink`
pub fn document_links(document: &Document, _: &lsp::DocumentLinkParams) -> Option<Vec<lsp::DocumentLink>> {
    let links = psl_ide::document_links(document.file()).into_iter();
    Some(links.filter_map(|link| to_proto::document_link(document, link)).collect())
}

/// `textDocument/completion`
pub fn completion(document: &Document, params: &lsp::CompletionParams) -> Option<lsp::CompletionResponse> {
    let offset = from_proto::offset(&document.text, params.text_document_position_params.position);
    let (items, replaced) = psl_ide::completions(document.file(), offset);
    Some(to_proto::completion_list(document, items, replaced).into())
}

/// `textDocument/hover` in a `psl.toml`
pub fn config_hover(document: &Document, params: &lsp::HoverParams) -> Option<lsp::Hover> {
    let offset = from_proto::offset(&document.text, params.text_document_position_params.position);
    let hover = psl_ide::config_hover(&document.text.text, offset);
    hover.map(|hover| to_proto::hover(document, hover))
}

/// `textDocument/completion` in a `psl.toml`
pub fn config_completion(document: &Document, params: &lsp::CompletionParams) -> Option<lsp::CompletionResponse> {
    let offset = from_proto::offset(&document.text, params.text_document_position_params.position);
    let (items, replaced) = psl_ide::config_completions(&document.text.text, offset);
    Some(to_proto::completion_list(document, items, replaced).into())
}

/// `completionItem/resolve`, which needs no document: the item carries the data.
pub fn resolve_completion(mut item: lsp::CompletionItem, client: ClientCapabilities) -> lsp::CompletionItem {
    let text = item.data.as_ref().and_then(psl_ide::completion::resolve_data::documentation);
    item.documentation = text.map(|text| to_proto::documentation(text, client)).or(item.documentation);
    item
}

/// The tokens that touch a span, as the client counts them.
fn tokens(document: &Document, span: Span) -> lsp::SemanticTokens {
    let (file, client) = (document.file(), document.client());
    to_proto::tokens(&document.text, psl_ide::semantic_tokens(file, span), client.tokens)
}

/// `textDocument/semanticTokens/full`
pub fn semantic_tokens(document: &Document, _: &lsp::SemanticTokensParams) -> Option<lsp::SemanticTokens> {
    let tokens = tokens(document, Span::new(0, u32::MAX));
    let (_, sent) = document.lock_sent_tokens().replace(tokens);
    Some(sent)
}

/// `textDocument/semanticTokens/full/delta`
pub fn semantic_tokens_delta(
    document: &Document,
    params: &lsp::SemanticTokensDeltaParams,
) -> Option<lsp::SemanticTokensDeltaResponse> {
    let tokens = tokens(document, Span::new(0, u32::MAX));
    let (before, sent) = document.lock_sent_tokens().replace(tokens);
    Some(to_proto::tokens_delta(&params.previous_result_id, &before, sent))
}

/// `textDocument/semanticTokens/range`
pub fn semantic_tokens_range(
    document: &Document,
    params: &lsp::SemanticTokensRangeParams,
) -> Option<lsp::SemanticTokens> {
    Some(tokens(document, from_proto::span(&document.text, params.range)))
}

/// `textDocument/inlayHint`
pub fn inlay_hints(document: &Document, params: &lsp::InlayHintParams) -> Option<Vec<lsp::InlayHint>> {
    let shown = document.environment.settings.hints;
    let watched = if shown.values { document.watch_values() } else { None };
    let span = from_proto::span(&document.text, params.range);
    let hints = psl_ide::inlay_hints(document.file(), document.report(), watched.as_deref(), span, shown);
    Some(to_proto::inlay_hints(document, hints))
}

/// `textDocument/codeLens`, without the lenses that debug if the client has no debugger.
pub fn code_lenses(document: &Document, _: &lsp::CodeLensParams) -> Option<Vec<lsp::CodeLens>> {
    let has_debugger = document.client().show_debug;
    let lenses = psl_ide::code_lenses(document.file(), &document.run_history()).into_iter();
    let lenses = lenses.filter(|lens| has_debugger || !matches!(lens.command, EditorCommand::Debug(_)));
    Some(lenses.map(|lens| to_proto::code_lens(document, lens)).collect())
}

/// `textDocument/codeAction`, without those that debug if the client has no debugger.
pub fn code_actions(document: &Document, params: &lsp::CodeActionParams) -> Option<Vec<lsp::CodeActionResponse>> {
    let span = from_proto::span(&document.text, params.range);
    let wanted = from_proto::wanted_actions(&params.context, document.client());
    let (history, proposals) = (document.run_history(), document.proposals());
    let (file, report) = (document.file(), document.report());
    let actions = psl_ide::code_actions(file, report, &history, proposals.as_deref(), span, &wanted).into_iter();
    let has_debugger = document.client().show_debug;
    let actions = actions.filter(|action| has_debugger || !matches!(action.command, Some(EditorCommand::Debug(_))));
    Some(actions.filter_map(|action| to_proto::code_action(document, action)).collect())
}

/// `textDocument/prepareRename`
pub fn prepare_rename(document: &Document, params: &lsp::PrepareRenameParams) -> Option<lsp::PrepareRenameResult> {
    let offset = from_proto::offset(&document.text, params.text_document_position_params.position);
    let found = psl_ide::prepare_rename(document.file(), offset);
    found.map(|found| to_proto::prepare_rename(&document.text, found))
}

/// `textDocument/rename`
///
/// # Errors
///
/// Fails if the new name would change the meaning of the program.
pub fn rename(document: &Document, params: &lsp::RenameParams) -> Result<Option<lsp::WorkspaceEdit>, Refusal> {
    let offset = from_proto::offset(&document.text, params.text_document_position_params.position);
    let edits = psl_ide::rename(document.file(), offset, &params.new_name).transpose()?;
    Ok(edits.map(|edits| to_proto::workspace_edit(document, &edits)))
}

/// `textDocument/linkedEditingRange`
pub fn linked_editing_ranges(
    document: &Document,
    params: &lsp::LinkedEditingRangeParams,
) -> Option<lsp::LinkedEditingRanges> {
    let offset = from_proto::offset(&document.text, params.text_document_position_params.position);
    let spans = psl_ide::linked_editing_ranges(document.file(), offset);
    spans.map(|spans| to_proto::linked_editing_ranges(&document.text, spans))
}

/// `textDocument/onTypeFormatting`
pub fn on_type_formatting(
    document: &Document,
    params: &lsp::DocumentOnTypeFormattingParams,
) -> Option<Vec<lsp::TextEdit>> {
    let offset = from_proto::offset(&document.text, params.position);
    let edits = psl_ide::on_type_edits(document.file(), offset, &params.ch);
    Some(to_proto::edits(&document.text, &edits))
}

/// `textDocument/formatting`
pub fn formatting(document: &Document, _: &lsp::DocumentFormattingParams) -> Option<Vec<lsp::TextEdit>> {
    let edits = psl_ide::format_edits(document.file());
    edits.map(|edits| to_proto::edits(&document.text, &edits))
}

/// `textDocument/rangeFormatting`
pub fn range_formatting(
    document: &Document,
    params: &lsp::DocumentRangeFormattingParams,
) -> Option<Vec<lsp::TextEdit>> {
    let edits = psl_ide::format_lines_edits(document.file(), from_proto::span(&document.text, params.range));
    edits.map(|edits| to_proto::edits(&document.text, &edits))
}

/// `textDocument/diagnostic`. A client that does not support refreshing gets the results of tests at once.
pub fn diagnostic(
    document: &Document,
    params: &lsp::DocumentDiagnosticParams,
) -> Option<lsp::DocumentDiagnosticReport> {
    if !document.client().diagnostic_refresh && !document.in_doubt {
        document.run_tests();
    }
    let report = to_proto::diagnostic_report(document, params.previous_result_id.as_deref());
    Some(to_proto::document_report(report))
}
