//! What client and server tell each other of themselves in `initialize`.

use serde_json::Value;
use tower_lsp::lsp_types as lsp;

use crate::{
    server::{
        actions::Kind,
        commands,
        convert::tokens::{Shown, legend},
        documents::ClientTraits,
    },
    text::Encoding,
};

/// What matters of what the client says of itself.
pub fn client_traits(params: &lsp::InitializeParams) -> ClientTraits {
    let capabilities = &params.capabilities;
    let offered = capabilities.general.as_ref().and_then(|general| general.position_encodings.as_ref());
    let encoding = offered.into_iter().flatten().find_map(|kind| match kind.as_str() {
        "utf-8" => Some(Encoding::Utf8),
        "utf-16" => Some(Encoding::Utf16),
        "utf-32" => Some(Encoding::Utf32),
        _ => None,
    });
    let completion = capabilities.text_document.as_ref().and_then(|document| document.completion.as_ref());
    let item = completion.and_then(|completion| completion.completion_item.as_ref());
    let workspace = capabilities.workspace.as_ref();
    let lens = workspace.and_then(|workspace| workspace.code_lens.as_ref());
    let tokens = capabilities.text_document.as_ref().and_then(|document| document.semantic_tokens.as_ref());
    let symbols = capabilities.text_document.as_ref().and_then(|document| document.document_symbol.as_ref());
    let folding = capabilities.text_document.as_ref().and_then(|document| document.folding_range.as_ref());
    let options = params.initialization_options.as_ref();
    ClientTraits {
        encoding: encoding.unwrap_or(Encoding::Utf16),
        snippets: item.and_then(|item| item.snippet_support).unwrap_or(false),
        hint_refresh: workspace.and_then(|workspace| workspace.inlay_hint.as_ref()?.refresh_support).unwrap_or(false),
        diagnostic_refresh: workspace
            .and_then(|workspace| workspace.diagnostic.as_ref()?.refresh_support)
            .unwrap_or(false),
        configuration: workspace.and_then(|workspace| workspace.configuration).unwrap_or(false),
        watches_files: workspace
            .and_then(|workspace| workspace.did_change_watched_files.as_ref()?.dynamic_registration)
            .unwrap_or(false),
        progress: capabilities.window.as_ref().and_then(|window| window.work_done_progress).unwrap_or(false),
        lens_refresh: lens.and_then(|lens| lens.refresh_support).unwrap_or(false),
        show_results: options.and_then(|options| options.get("showResults")).and_then(Value::as_bool).unwrap_or(true),
        tokens: tokens.map_or_else(Shown::default, Shown::new),
        nested_symbols: symbols.and_then(|symbols| symbols.hierarchical_document_symbol_support).unwrap_or(false),
        folds_lines: folding.and_then(|folding| folding.line_folding_only).unwrap_or(false),
    }
}

/// What the server can do.
pub fn capabilities(encoding: Encoding) -> lsp::ServerCapabilities {
    lsp::ServerCapabilities {
        position_encoding: Some(match encoding {
            Encoding::Utf8 => lsp::PositionEncodingKind::UTF8,
            Encoding::Utf16 => lsp::PositionEncodingKind::UTF16,
            Encoding::Utf32 => lsp::PositionEncodingKind::UTF32,
        }),
        text_document_sync: Some(lsp::TextDocumentSyncCapability::Options(lsp::TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(lsp::TextDocumentSyncKind::INCREMENTAL),
            save: Some(lsp::TextDocumentSyncSaveOptions::Supported(true)),
            ..lsp::TextDocumentSyncOptions::default()
        })),
        workspace: Some(lsp::WorkspaceServerCapabilities {
            workspace_folders: Some(lsp::WorkspaceFoldersServerCapabilities {
                supported: Some(true),
                change_notifications: Some(lsp::OneOf::Left(true)),
            }),
            file_operations: None,
        }),
        diagnostic_provider: Some(lsp::DiagnosticServerCapabilities::Options(lsp::DiagnosticOptions {
            identifier: Some("psl".to_owned()),
            inter_file_dependencies: false,
            workspace_diagnostics: true,
            work_done_progress_options: lsp::WorkDoneProgressOptions { work_done_progress: Some(true) },
        })),
        hover_provider: Some(lsp::HoverProviderCapability::Simple(true)),
        definition_provider: Some(lsp::OneOf::Left(true)),
        references_provider: Some(lsp::OneOf::Left(true)),
        document_highlight_provider: Some(lsp::OneOf::Left(true)),
        document_symbol_provider: Some(lsp::OneOf::Left(true)),
        workspace_symbol_provider: Some(lsp::OneOf::Left(true)),
        folding_range_provider: Some(lsp::FoldingRangeProviderCapability::Simple(true)),
        selection_range_provider: Some(lsp::SelectionRangeProviderCapability::Simple(true)),
        signature_help_provider: Some(lsp::SignatureHelpOptions {
            trigger_characters: Some(["[", "@", "="].map(str::to_owned).to_vec()),
            retrigger_characters: Some([" ", ",", "]"].map(str::to_owned).to_vec()),
            ..lsp::SignatureHelpOptions::default()
        }),
        document_link_provider: Some(lsp::DocumentLinkOptions {
            resolve_provider: Some(false),
            work_done_progress_options: lsp::WorkDoneProgressOptions::default(),
        }),
        completion_provider: Some(lsp::CompletionOptions {
            trigger_characters: Some(["[", "@", "=", " ", "(", "\"", "'"].map(str::to_owned).to_vec()),
            resolve_provider: Some(true),
            ..lsp::CompletionOptions::default()
        }),
        semantic_tokens_provider: Some(lsp::SemanticTokensServerCapabilities::SemanticTokensOptions(
            lsp::SemanticTokensOptions {
                legend: legend(),
                range: Some(true),
                full: Some(lsp::SemanticTokensFullOptions::Delta { delta: Some(true) }),
                ..lsp::SemanticTokensOptions::default()
            },
        )),
        inlay_hint_provider: Some(lsp::OneOf::Left(true)),
        code_lens_provider: Some(lsp::CodeLensOptions { resolve_provider: Some(false) }),
        code_action_provider: Some(lsp::CodeActionProviderCapability::Options(lsp::CodeActionOptions {
            code_action_kinds: Some(Kind::ALL.map(|kind| kind.as_str().into()).to_vec()),
            ..lsp::CodeActionOptions::default()
        })),
        rename_provider: Some(lsp::OneOf::Right(lsp::RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: lsp::WorkDoneProgressOptions::default(),
        })),
        linked_editing_range_provider: Some(lsp::LinkedEditingRangeServerCapabilities::Simple(true)),
        document_on_type_formatting_provider: Some(lsp::DocumentOnTypeFormattingOptions {
            first_trigger_character: "\n".to_owned(),
            more_trigger_character: Some(vec![":".to_owned()]),
        }),
        document_formatting_provider: Some(lsp::OneOf::Left(true)),
        document_range_formatting_provider: Some(lsp::OneOf::Left(true)),
        execute_command_provider: Some(lsp::ExecuteCommandOptions {
            commands: commands::ALL.map(str::to_owned).to_vec(),
            work_done_progress_options: lsp::WorkDoneProgressOptions { work_done_progress: Some(true) },
        }),
        ..lsp::ServerCapabilities::default()
    }
}

/// What the server asks to be told of once the client is ready: changes of `psl.toml`, of programs, and of their tests' prompts.
pub fn registrations() -> Vec<lsp::Registration> {
    vec![watching("psl/files", &["**/psl.toml", "**/*.psl", "**/*.json"])]
}

/// The same for files of this name, which holds a test's prompt and does not end in `.json`.
pub fn registration_of(name: &str) -> lsp::Registration {
    // What would mean something in a pattern stands for any character.
    let pattern = format!("**/{}", name.replace(['*', '?', '[', ']', '{', '}', ','], "?"));
    watching(&format!("psl/files/{name}"), &[&pattern])
}

fn watching(id: &str, patterns: &[&str]) -> lsp::Registration {
    let watch = |pattern: &&str| lsp::FileSystemWatcher {
        glob_pattern: lsp::GlobPattern::String((*pattern).to_owned()),
        kind: None,
    };
    let watchers = patterns.iter().map(watch).collect();
    lsp::Registration {
        id: id.to_owned(),
        method: "workspace/didChangeWatchedFiles".to_owned(),
        register_options: serde_json::to_value(lsp::DidChangeWatchedFilesRegistrationOptions { watchers }).ok(),
    }
}
