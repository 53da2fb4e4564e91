//! From the protocol's types to our own.

use lsp_types as lsp;
use psl_ide::{ActionKind, Emit, Modifier, ProductionKey, RunRequest, TestName, TokenType, WantedActions};
use psl_runtime::MachineKind;
use psl_syntax::{Code, Span};
use serde::{Deserialize, Deserializer, de::Error as _};
use serde_json::Value;

use crate::{
    client_capabilities::{ClientCapabilities, ShownTokens},
    encoding::{EncodedText, Encoding, Position},
    protocol_names::{action_kind, modifier, token_type},
    refusal::Refusal,
    session::Change,
};

/// A place.
pub fn position(place: lsp::Position) -> Position {
    Position { line: place.line as usize, column: place.character as usize }
}

/// The byte offset of a place.
pub fn offset(text: &EncodedText, place: lsp::Position) -> u32 {
    text.offset(position(place))
}

/// The span of a range.
pub fn span(text: &EncodedText, range: lsp::Range) -> Span {
    Span::new(offset(text, range.start), offset(text, range.end))
}

/// A change of a text.
pub fn change(change: lsp::TextDocumentContentChangeEvent) -> Change {
    let range = change.range.map(|range| (position(range.start), position(range.end)));
    Change { range, text: change.text }
}

/// What an item of a call hierarchy is about; nothing where the server did not give it.
pub fn production_key(item: &lsp::CallHierarchyItem) -> Option<ProductionKey> {
    ProductionKey::deserialize(item.data.as_ref()?).ok()
}

/// Which code actions are asked for: without a list all kinds but those for the whole file, and only quick fixes where nobody
/// asked.
pub fn wanted_actions(context: &lsp::CodeActionContext) -> WantedActions {
    let automatic = context.trigger_kind == Some(lsp::CodeActionTriggerKind::AUTOMATIC);
    let is_wanted = |kind: ActionKind| match &context.only {
        Some(only) => only.iter().any(|wanted| is_below(action_kind(kind), wanted.as_str())),
        None => kind == ActionKind::QuickFix || (!automatic && kind != ActionKind::FixAll),
    };
    WantedActions { kinds: ActionKind::ALL.into_iter().filter(|kind| is_wanted(*kind)).collect(), automatic }
}

/// Whether a kind of action, such as `refactor.extract`, is another one or below it.
fn is_below(kind: &str, wanted: &str) -> bool {
    wanted.is_empty() || kind.strip_prefix(wanted).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// What a client says of itself.
pub fn client_capabilities(params: &lsp::InitializeParams) -> ClientCapabilities {
    let capabilities = &params.capabilities;
    let document = capabilities.text_document.as_ref();
    let workspace = capabilities.workspace.as_ref();
    let offered = capabilities.general.as_ref().and_then(|general| general.position_encodings.as_ref());
    let encoding = offered.into_iter().flatten().find_map(|kind| match kind.as_str() {
        "utf-8" => Some(Encoding::Utf8),
        "utf-16" => Some(Encoding::Utf16),
        "utf-32" => Some(Encoding::Utf32),
        _ => None,
    });
    let options = params.initialization_options.as_ref();
    ClientCapabilities {
        encoding: encoding.unwrap_or(Encoding::Utf16),
        snippets: document
            .and_then(|document| document.completion.as_ref()?.completion_item.as_ref()?.snippet_support)
            .unwrap_or(false),
        hint_refresh: workspace.and_then(|workspace| workspace.inlay_hint.as_ref()?.refresh_support).unwrap_or(false),
        diagnostic_refresh: workspace
            .and_then(|workspace| workspace.diagnostic.as_ref()?.refresh_support)
            .unwrap_or(false),
        configuration: workspace.and_then(|workspace| workspace.configuration).unwrap_or(false),
        watches_files: workspace
            .and_then(|workspace| workspace.did_change_watched_files.as_ref()?.dynamic_registration)
            .unwrap_or(false),
        progress: capabilities.window.as_ref().and_then(|window| window.work_done_progress).unwrap_or(false),
        lens_refresh: workspace.and_then(|workspace| workspace.code_lens.as_ref()?.refresh_support).unwrap_or(false),
        show_results: options.and_then(|options| options.get("showResults")).and_then(Value::as_bool).unwrap_or(true),
        tokens: document
            .and_then(|document| document.semantic_tokens.as_ref())
            .map_or_else(ShownTokens::default, shown_tokens),
        nested_symbols: document
            .and_then(|document| document.document_symbol.as_ref()?.hierarchical_document_symbol_support)
            .unwrap_or(false),
        folds_lines: document.and_then(|document| document.folding_range.as_ref()?.line_folding_only).unwrap_or(false),
    }
}

/// The semantic tokens that a client announced to show.
pub fn shown_tokens(client: &lsp::SemanticTokensClientCapabilities) -> ShownTokens {
    let types = TokenType::ALL.into_iter().filter(|kind| client.token_types.contains(&token_type(*kind)));
    let modifiers = Modifier::ALL.into_iter().filter(|kind| client.token_modifiers.contains(&modifier(*kind)));
    ShownTokens {
        types: types.map(|kind| 1 << kind as u32).sum(),
        modifiers: modifiers.map(|kind| 1 << kind as u32).sum(),
    }
}

/// A command of `workspace/executeCommand`.
#[derive(Clone, Debug)]
pub enum Command {
    /// Explains a diagnostic.
    Explain(Code),
    /// Does something with an open document.
    OfDocument(lsp::Url, DocumentCommand),
}

/// What a command does with a document.
#[derive(Clone, Debug)]
pub enum DocumentCommand {
    /// Completes a prompt or runs a test.
    Run(RunRequest),
    /// Gives every cell of every layer of such a run.
    Trace(RunRequest),
    /// Runs all tests.
    Tests,
    /// Compiles it.
    Compile(Emit),
}

/// The names of all commands.
pub const COMMANDS: [&str; 5] = [RUN, TRACE, COMPILE, TESTS, EXPLAIN];
/// The name of [`DocumentCommand::Run`].
pub const RUN: &str = "psl.run";
/// The name of [`DocumentCommand::Trace`].
pub const TRACE: &str = "psl.trace";
/// The name of [`DocumentCommand::Compile`].
pub const COMPILE: &str = "psl.compile";
/// The name of [`DocumentCommand::Tests`].
pub const TESTS: &str = "psl.tests";
/// The name of [`Command::Explain`].
pub const EXPLAIN: &str = "psl.explain";

/// The argument of each command; the fields that one does not know are ignored.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Argument {
    uri: Option<lsp::Url>,
    /// Symbols separated by spaces.
    prompt: Option<String>,
    test: Option<TestArgument>,
    #[serde(deserialize_with = "machine")]
    machine: Option<MachineKind>,
    emit: Option<String>,
    code: Option<String>,
}

/// A test, by its index from 0 or its name.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "expected a test's index, from 0, or its name")]
enum TestArgument {
    Index(usize),
    Name(String),
}

fn machine<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<MachineKind>, D::Error> {
    let name = Option::<String>::deserialize(deserializer)?;
    name.map(|name| name.parse().map_err(D::Error::custom)).transpose()
}

/// A command by its name, with its first argument.
///
/// # Errors
///
/// There is no such command, or its argument is not one that it takes.
pub fn command(params: lsp::ExecuteCommandParams) -> Result<Command, Refusal> {
    let name = params.command.as_str();
    let takes = match name {
        RUN | TRACE => "{uri, prompt?, test?, machine?}",
        COMPILE => "{uri, emit?}",
        TESTS => "{uri}",
        EXPLAIN => "{code}",
        other => {
            let message = format!("there is no command `{other}`; there are {}", COMMANDS.join(", "));
            return Err(Refusal::Parameters(message));
        }
    };
    let wrong = |what: &str| Refusal::Parameters(format!("{name} takes one argument {takes}: {what}"));
    let argument: Argument = match params.arguments.into_iter().next() {
        None => Argument::default(),
        Some(object @ Value::Object(_)) => serde_json::from_value(object).map_err(|error| wrong(&error.to_string()))?,
        Some(_) => return Err(wrong("this is no object")),
    };
    if name == EXPLAIN {
        let code = argument.code.ok_or_else(|| wrong("there is no `code`"))?;
        let unknown = || format!("no diagnostic is called `{code}`; `psl explain` lists them");
        return Code::from_name(&code).map(Command::Explain).ok_or_else(|| Refusal::Parameters(unknown()));
    }
    let uri = argument.uri.ok_or_else(|| wrong("there is no `uri`"))?;
    let test = argument.test.map(|test| match test {
        TestArgument::Index(index) => TestName::Index(index),
        TestArgument::Name(name) => TestName::Name(name),
    });
    let request = RunRequest { prompt: argument.prompt, test, machine: argument.machine };
    let command = match name {
        RUN => DocumentCommand::Run(request),
        TRACE => DocumentCommand::Trace(request),
        TESTS => DocumentCommand::Tests,
        _ => {
            let form = argument.emit.unwrap_or_else(|| "qkvl".to_owned());
            let emit =
                Emit::ALL.into_iter().find(|(name, _)| *name == form).map(|(_, emit)| emit).ok_or_else(|| {
                    Refusal::Parameters(format!("no form is called `{form}`; there are qkvl, weights and psl"))
                })?;
            DocumentCommand::Compile(emit)
        }
    };
    Ok(Command::OfDocument(uri, command))
}
