//! The server's capabilities, as sent to the client.

use gen_lsp_types as lsp;
use psl_ide::ActionKind;
use psl_syntax::line_index::Encoding;

use crate::{
    client_capabilities::ClientCapabilities, content::SCHEME, from_proto::COMMANDS, protocol_names::action_kind,
    to_proto::legend,
};

/// Returns the server's capabilities for a client.
fn capabilities(client: ClientCapabilities) -> lsp::ServerCapabilities {
    lsp::ServerCapabilities {
        position_encoding: Some(match client.encoding {
            Encoding::Utf8 => lsp::PositionEncodingKind::UTF8,
            Encoding::Utf16 => lsp::PositionEncodingKind::UTF16,
            Encoding::Utf32 => lsp::PositionEncodingKind::UTF32,
        }),
        text_document_sync: Some(lsp::TextDocumentSync::Options(lsp::TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(lsp::TextDocumentSyncKind::Incremental),
            save: Some(true.into()),
            ..lsp::TextDocumentSyncOptions::default()
        })),
        workspace: Some(lsp::WorkspaceOptions {
            workspace_folders: Some(lsp::WorkspaceFoldersServerCapabilities {
                supported: Some(true),
                change_notifications: Some(true.into()),
            }),
            file_operations: Some(lsp::FileOperationOptions {
                // A test may name any file, and a folder takes its files along.
                will_rename: Some(lsp::FileOperationRegistrationOptions {
                    filters: vec![lsp::FileOperationFilter {
                        scheme: Some("file".to_owned()),
                        pattern: lsp::FileOperationPattern { glob: "**/*".to_owned(), matches: None, options: None },
                    }],
                }),
                ..lsp::FileOperationOptions::default()
            }),
            text_document_content: Some(lsp::TextDocumentContentOptions::new(vec![SCHEME.to_owned()]).into()),
        }),
        diagnostic_provider: Some(lsp::DiagnosticProvider::DiagnosticOptions(lsp::DiagnosticOptions {
            identifier: Some("psl".to_owned()),
            inter_file_dependencies: false,
            workspace_diagnostics: true,
            work_done_progress_options: lsp::WorkDoneProgressOptions { work_done_progress: Some(true) },
        })),
        hover_provider: Some(true.into()),
        definition_provider: Some(true.into()),
        declaration_provider: Some(true.into()),
        implementation_provider: Some(true.into()),
        call_hierarchy_provider: Some(true.into()),
        references_provider: Some(true.into()),
        document_highlight_provider: Some(true.into()),
        document_symbol_provider: Some(true.into()),
        workspace_symbol_provider: Some(true.into()),
        folding_range_provider: Some(true.into()),
        selection_range_provider: Some(true.into()),
        signature_help_provider: Some(lsp::SignatureHelpOptions {
            // Signature help opens only on request: a popup would cover the lines that are being written.
            trigger_characters: None,
            retrigger_characters: Some(["[", "@", "=", " ", ",", "]"].map(str::to_owned).to_vec()),
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
        semantic_tokens_provider: Some(lsp::SemanticTokensProvider::SemanticTokensOptions(
            lsp::SemanticTokensOptions {
                legend: legend(),
                range: Some(true.into()),
                full: Some(lsp::SemanticTokensFullDelta { delta: Some(true) }.into()),
                ..lsp::SemanticTokensOptions::default()
            },
        )),
        inlay_hint_provider: Some(true.into()),
        code_lens_provider: Some(lsp::CodeLensOptions {
            resolve_provider: Some(false),
            ..lsp::CodeLensOptions::default()
        }),
        // These options and those of renames are only for clients that know them.
        code_action_provider: Some(if client.code_actions {
            lsp::CodeActionProvider::CodeActionOptions(lsp::CodeActionOptions {
                code_action_kinds: Some(ActionKind::ALL.map(|kind| action_kind(kind).into()).to_vec()),
                ..lsp::CodeActionOptions::default()
            })
        } else {
            true.into()
        }),
        rename_provider: Some(if client.prepares_renames {
            lsp::RenameProvider::RenameOptions(lsp::RenameOptions {
                prepare_provider: Some(true),
                work_done_progress_options: lsp::WorkDoneProgressOptions::default(),
            })
        } else {
            true.into()
        }),
        linked_editing_range_provider: Some(true.into()),
        document_on_type_formatting_provider: Some(lsp::DocumentOnTypeFormattingOptions {
            first_trigger_character: "\n".to_owned(),
            more_trigger_character: Some(vec![":".to_owned(), " ".to_owned()]),
        }),
        document_formatting_provider: Some(true.into()),
        document_range_formatting_provider: Some(true.into()),
        execute_command_provider: Some(lsp::ExecuteCommandOptions {
            commands: COMMANDS.map(str::to_owned).to_vec(),
            work_done_progress_options: lsp::WorkDoneProgressOptions { work_done_progress: Some(true) },
        }),
        ..lsp::ServerCapabilities::default()
    }
}

/// Returns the result of `initialize`.
pub fn greeting(client: ClientCapabilities) -> lsp::InitializeResult {
    lsp::InitializeResult {
        capabilities: capabilities(client),
        server_info: Some(lsp::ServerInfo {
            name: "psl".to_owned(),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        }),
    }
}

/// The request for the section `psl` of the client's configuration.
pub fn settings_request() -> lsp::ConfigurationParams {
    lsp::ConfigurationParams {
        items: vec![lsp::ConfigurationItem { scope_uri: None, section: Some("psl".to_owned()) }],
    }
}

/// Registers for changes of the section `psl` of the client's configuration. Visual Studio Code reports changes only
/// after such a registration.
pub fn settings_registration() -> lsp::RegistrationParams {
    let registration = lsp::Registration {
        id: "psl/settings".to_owned(),
        method: "workspace/didChangeConfiguration".to_owned(),
        register_options: Some(serde_json::json!({"section": "psl"})),
    };
    lsp::RegistrationParams { registrations: vec![registration] }
}

/// Registers for changes of `psl.toml`, programs and the prompts of their tests, once the client is ready.
pub fn registrations() -> lsp::RegistrationParams {
    watching("psl/files", &["**/psl.toml", "**/*.psl", "**/*.json"])
}

/// Registers for changes of files with this name, which hold a test's prompt and do not end in `.json`.
pub fn registration_of(name: &str) -> lsp::RegistrationParams {
    // `?` matches any character, so it replaces those with a meaning in patterns.
    let pattern = format!("**/{}", name.replace(['*', '?', '[', ']', '{', '}', ','], "?"));
    watching(&format!("psl/files/{name}"), &[&pattern])
}

fn watching(id: &str, patterns: &[&str]) -> lsp::RegistrationParams {
    let watch = |pattern: &&str| lsp::FileSystemWatcher { glob_pattern: (*pattern).to_owned().into(), kind: None };
    let watchers = patterns.iter().map(watch).collect();
    let registration = lsp::Registration {
        id: id.to_owned(),
        method: "workspace/didChangeWatchedFiles".to_owned(),
        register_options: serde_json::to_value(lsp::DidChangeWatchedFilesRegistrationOptions { watchers }).ok(),
    };
    lsp::RegistrationParams { registrations: vec![registration] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signature_help_opens_only_on_request() {
        let help = capabilities(ClientCapabilities::default()).signature_help_provider;
        assert!(help.is_some_and(|help| help.trigger_characters.is_none()));
    }
}
