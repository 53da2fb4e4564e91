//! Converts the protocol's types to ours.

use gen_lsp_types as lsp;
use psl_ide::{ActionKind, Modifier, ProductionKey, Search, TokenType, WantedActions, explain};
use psl_program::{Emit, Prompt, RunRequest, TestName};
use psl_runtime::MachineKind;
use psl_syntax::{
    Span,
    line_index::{Encoding, Position},
};
use serde::{
    Deserialize, Deserializer,
    de::{DeserializeOwned, Error as _},
};
use serde_json::Value;

use crate::{
    client_capabilities::{ClientCapabilities, ShownTokens},
    content::Content,
    encoded_text::{Change, EncodedText},
    protocol_names::action_kind,
    refusal::Refusal,
    renames::Renames,
    uri::{Url, file_path},
};

/// Parses the parameters of a request or a notification.
///
/// # Errors
///
/// Returns a message about invalid parameters.
pub fn parameters<P: DeserializeOwned>(params: Value) -> Result<P, Refusal> {
    serde_json::from_value(params).map_err(|error| Refusal::Parameters(error.to_string()))
}

/// Converts a position.
pub fn position(place: lsp::Position) -> Position {
    Position { line: place.line as usize, column: place.character as usize }
}

/// Converts a position to a byte offset.
pub fn offset(text: &EncodedText, place: lsp::Position) -> u32 {
    text.offset(position(place))
}

/// Converts a range to a span.
pub fn span(text: &EncodedText, range: lsp::Range) -> Span {
    Span::new(offset(text, range.start), offset(text, range.end))
}

/// The parameters of `textDocument/didChange`. The library's type would read a change with a malformed range as a whole
/// text.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DidChange {
    /// The document.
    pub text_document: ChangedDocument,
    /// The changes, one after the other.
    pub content_changes: Vec<ContentChange>,
}

/// A document and its version after changes.
#[derive(Deserialize)]
pub struct ChangedDocument {
    /// The document.
    pub uri: Url,
    /// The version.
    pub version: i32,
}

/// A change of a text.
#[derive(Deserialize)]
pub struct ContentChange {
    range: Option<lsp::Range>,
    text: String,
}

/// Converts a change of a text.
pub fn change(change: ContentChange) -> Change {
    let range = change.range.map(|range| (position(range.start), position(range.end)));
    Change { range, text: change.text }
}

/// Returns the production of a call hierarchy item, or `None` if the server did not create the item.
pub fn production_key(item: &lsp::CallHierarchyItem) -> Option<ProductionKey> {
    ProductionKey::deserialize(item.data.as_ref()?).ok()
}

/// Maximum number of repairs or fillings that are code actions.
const BEST: usize = 10;
/// Maximum number for a client that shows the list of all.
const BEST_WITH_LIST: usize = 2;

/// Returns the requested code actions. Without a list, all kinds except those for the whole file; only quick fixes if
/// the editor asked by itself.
pub fn wanted_actions(context: &lsp::CodeActionContext, client: ClientCapabilities) -> WantedActions {
    let automatic = context.trigger_kind == Some(lsp::CodeActionTriggerKind::Automatic);
    let is_wanted = |kind: ActionKind| match &context.only {
        Some(only) => only.iter().any(|wanted| is_below(action_kind(kind), wanted.as_str())),
        None => kind == ActionKind::QuickFix || (!automatic && kind != ActionKind::FixAll),
    };
    WantedActions {
        kinds: ActionKind::ALL.into_iter().filter(|kind| is_wanted(*kind)).collect(),
        automatic,
        best: if client.show_results { BEST } else { BEST_WITH_LIST },
    }
}

/// Whether a kind of action, such as `refactor.extract`, equals another one or is one of its subkinds.
fn is_below(kind: &str, wanted: &str) -> bool {
    wanted.is_empty() || kind.strip_prefix(wanted).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Returns the files and folders that are about to be renamed.
pub fn renames(params: &lsp::RenameFilesParams) -> Renames {
    let paths = |file: &lsp::FileRename| Some((file_path(&file.old_uri)?, file_path(&file.new_uri)?));
    Renames::new(params.files.iter().filter_map(paths))
}

/// The parameters of `initialize`.
pub struct Greeting {
    /// The editor's process.
    pub process: Option<u32>,
    /// The client's capabilities.
    pub client: ClientCapabilities,
    /// The open folders.
    pub folders: Vec<Url>,
    /// The user's settings.
    pub settings: Value,
}

/// Reads the parameters of `initialize`. Unknown or malformed parameters are ignored, so that a client may be newer
/// than the server.
pub fn greeting(params: &Value) -> Greeting {
    let url = |uri: &Value| uri.as_str()?.parse().ok();
    let listed = params.get("workspaceFolders").and_then(Value::as_array);
    let mut folders: Vec<_> = listed.into_iter().flatten().filter_map(|folder| url(folder.get("uri")?)).collect();
    if folders.is_empty() {
        // Older clients send one folder in this field.
        folders.extend(params.get("rootUri").and_then(url));
    }
    Greeting {
        process: params.get("processId").and_then(Value::as_u64).and_then(|process| process.try_into().ok()),
        client: client_capabilities(params),
        folders,
        settings: params.get("initializationOptions").cloned().unwrap_or_default(),
    }
}

/// Reads the client's capabilities from the parameters of `initialize`.
pub fn client_capabilities(params: &Value) -> ClientCapabilities {
    let find = |path: &str| params.pointer(path);
    let has = |path: &str| find(path).and_then(Value::as_bool).unwrap_or(false);
    let offered = find("/capabilities/general/positionEncodings").and_then(Value::as_array);
    let encoding = offered.into_iter().flatten().find_map(|kind| match kind.as_str()? {
        "utf-8" => Some(Encoding::Utf8),
        "utf-16" => Some(Encoding::Utf16),
        "utf-32" => Some(Encoding::Utf32),
        _ => None,
    });
    let lists = |path: &str| find(path).is_some_and(Value::is_array);
    // The first format is the one that the client prefers.
    let markdown = |path: &str| {
        let formats = find(path).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        formats.into_iter().find(|format| ["markdown", "plaintext"].contains(format)) == Some("markdown")
    };
    ClientCapabilities {
        encoding: encoding.unwrap_or(Encoding::Utf16),
        snippets: has("/capabilities/textDocument/completion/completionItem/snippetSupport"),
        code_actions: find("/capabilities/textDocument/codeAction/codeActionLiteralSupport")
            .is_some_and(Value::is_object),
        applies_edits: has("/capabilities/workspace/applyEdit"),
        snippet_edits: has("/capabilities/workspace/workspaceEdit/snippetEditSupport")
            && has("/capabilities/workspace/workspaceEdit/documentChanges"),
        markdown_hovers: markdown("/capabilities/textDocument/hover/contentFormat"),
        markdown_completions: markdown("/capabilities/textDocument/completion/completionItem/documentationFormat"),
        markdown_signatures: markdown(
            "/capabilities/textDocument/signatureHelp/signatureInformation/documentationFormat",
        ),
        markdown_messages: has("/capabilities/textDocument/diagnostic/markupMessageSupport"),
        contents: find("/capabilities/workspace/textDocumentContent").is_some_and(Value::is_object),
        lenses: find("/capabilities/textDocument/codeLens").is_some_and(Value::is_object),
        hint_refresh: has("/capabilities/workspace/inlayHint/refreshSupport"),
        diagnostic_refresh: has("/capabilities/workspace/diagnostics/refreshSupport"),
        configuration: has("/capabilities/workspace/configuration"),
        watches_settings: has("/capabilities/workspace/didChangeConfiguration/dynamicRegistration"),
        watches_files: has("/capabilities/workspace/didChangeWatchedFiles/dynamicRegistration"),
        progress: has("/capabilities/window/workDoneProgress"),
        lens_refresh: has("/capabilities/workspace/codeLens/refreshSupport"),
        show_results: find("/initializationOptions/showResults").and_then(Value::as_bool).unwrap_or(true),
        show_debug: has("/initializationOptions/showDebug"),
        link_lines: has("/initializationOptions/linkLines"),
        show_status: has("/initializationOptions/showStatus"),
        show_documents: has("/capabilities/window/showDocument/support"),
        tokens: find("/capabilities/textDocument/semanticTokens").map_or_else(ShownTokens::default, shown_tokens),
        // A client with a list of kinds shows those that are missing in it, too.
        newer_completions: lists("/capabilities/textDocument/completion/completionItemKind/valueSet"),
        newer_symbols: lists("/capabilities/textDocument/documentSymbol/symbolKind/valueSet"),
        newer_workspace_symbols: lists("/capabilities/workspace/symbol/symbolKind/valueSet"),
        prepares_renames: has("/capabilities/textDocument/rename/prepareSupport"),
        nested_symbols: has("/capabilities/textDocument/documentSymbol/hierarchicalDocumentSymbolSupport"),
        folds_lines: has("/capabilities/textDocument/foldingRange/lineFoldingOnly"),
    }
}

/// The semantic tokens that a client shows.
fn shown_tokens(client: &Value) -> ShownTokens {
    let shows = |field: &str, name: &str| {
        client
            .get(field)
            .and_then(Value::as_array)
            .is_some_and(|shown| shown.iter().any(|it| it.as_str() == Some(name)))
    };
    let types = TokenType::ALL.into_iter().filter(|kind| shows("tokenTypes", kind.name()));
    let modifiers = Modifier::ALL.into_iter().filter(|kind| shows("tokenModifiers", kind.name()));
    ShownTokens {
        types: types.map(|kind| 1 << kind as u32).sum(),
        modifiers: modifiers.map(|kind| 1 << kind as u32).sum(),
    }
}

/// A command of `workspace/executeCommand`.
#[derive(Clone, Debug)]
pub enum Command {
    /// Explains a diagnostic or a word.
    Explain(String),
    /// Lists the tests of all programs in the open folders, and runs them if `run` is set.
    WorkspaceTests {
        /// Whether to run them.
        run: bool,
    },
    /// A command about a document.
    OfDocument(Url, DocumentCommand),
    /// Shows a document that the server computes.
    Show(Content),
    /// Applies the edits of a code action.
    Apply(ActionEdits),
    /// Opens the explorer on a document.
    Explore(Url, RunRequest, ExplorerForm),
}

/// The form in which a client gets the page of the explorer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExplorerForm {
    /// An address, which the client opens in a browser.
    Address,
    /// The whole page.
    Page,
    /// The data of the page only, for a client that has the page.
    Data,
}

/// The edits of a code action, for a client that has commands in place of code actions.
#[derive(Clone, Debug)]
pub struct ActionEdits {
    /// The document.
    pub uri: Url,
    /// The version that the edits are for.
    pub version: i32,
    /// The title of the action.
    pub title: String,
    /// The edits.
    pub edits: Vec<lsp::TextEdit>,
}

/// A command about a document.
#[derive(Clone, Debug)]
pub enum DocumentCommand {
    /// Completes a prompt or runs a test.
    Run {
        /// The prompt and the machine.
        request: RunRequest,
        /// Whether the run is one of many, so that the prompt of the last run stays the current one.
        background: bool,
    },
    /// Returns every cell of every layer of such a run.
    Trace(RunRequest),
    /// Returns such a run as a table.
    Table(RunRequest),
    /// Lists all tests, and runs them if `run` is set.
    Tests {
        /// Whether to run them.
        run: bool,
    },
    /// Counts what tests reach, and what makes a difference there.
    Coverage {
        /// The 0-based indices of the tests, or `None` for all.
        tests: Option<Vec<usize>>,
    },
    /// Searches for a repair of failing tests, for what belongs in holes, or for what tests do not notice.
    Search(Search),
    /// Compiles the program.
    Compile(Emit),
    /// Compiles the program to a document of the editor.
    VirtualDocument(Emit),
    /// Returns the edits that save a prompt as a test.
    SaveTest {
        /// Symbols separated by spaces.
        prompt: String,
        /// The expected continuation.
        continuation: String,
    },
}

/// The names of all commands.
pub const COMMANDS: [&str; 13] =
    [RUN, TRACE, TABLE, COMPILE, TESTS, COVERAGE, SAVE_TEST, EXPLAIN, EXPLORE, REPAIR, FILL, UNNOTICED, APPLY];
/// The name of [`DocumentCommand::Run`].
pub const RUN: &str = "psl.run";
/// The name of [`DocumentCommand::Trace`].
pub const TRACE: &str = "psl.trace";
/// The name of [`DocumentCommand::Table`].
pub const TABLE: &str = "psl.table";
/// The name of [`DocumentCommand::SaveTest`].
pub const SAVE_TEST: &str = "psl.saveTest";
/// The name of [`DocumentCommand::Compile`].
pub const COMPILE: &str = "psl.compile";
/// The name of [`DocumentCommand::Tests`].
pub const TESTS: &str = "psl.tests";
/// The name of [`DocumentCommand::Coverage`].
pub const COVERAGE: &str = "psl.coverage";
/// The name of [`Command::Explain`].
pub const EXPLAIN: &str = "psl.explain";
/// The name of [`Command::Explore`].
pub const EXPLORE: &str = "psl.explore";
/// The name of [`DocumentCommand::Search`] for a repair.
pub const REPAIR: &str = "psl.repair";
/// The name of [`DocumentCommand::Search`] for what belongs in holes.
pub const FILL: &str = "psl.fill";
/// The name of [`DocumentCommand::Search`] for what tests do not notice.
pub const UNNOTICED: &str = "psl.unnoticed";

/// The name of [`Command::Apply`].
pub const APPLY: &str = "psl.applyEdits";

/// The name of the command that a client with a debugger has itself, with the argument `{uri, test}`.
pub const DEBUG: &str = "psl.debug";

/// The argument of any command. Each command ignores the fields that it does not use.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Argument {
    uri: Option<Url>,
    /// Symbols separated by spaces.
    prompt: Option<String>,
    continuation: Option<String>,
    test: Option<TestArgument>,
    /// The 0-based indices of tests.
    tests: Option<Vec<usize>>,
    /// The 0-based index of a production.
    production: Option<usize>,
    #[serde(deserialize_with = "machine")]
    machine: Option<MachineKind>,
    emit: Option<String>,
    code: Option<String>,
    /// Whether to run tests, `true` by default.
    run: Option<bool>,
    page: Option<PageArgument>,
    version: Option<i32>,
    title: Option<String>,
    edits: Option<Vec<lsp::TextEdit>>,
    /// Whether the client shows the compiled program as a document.
    show: bool,
    /// Whether a run leaves the current prompt as it is.
    background: bool,
}

/// A test, by its 0-based index or its name.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "expected the 0-based index or the name of a test")]
enum TestArgument {
    Index(usize),
    Name(String),
}

/// Whether a client shows the page itself, or `data` if it has the page already.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(untagged, expecting = "expected a boolean or `data`")]
enum PageArgument {
    Shows(bool),
    Has(PageData),
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum PageData {
    Data,
}

fn machine<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<MachineKind>, D::Error> {
    let name = Option::<String>::deserialize(deserializer)?;
    name.map(|name| name.parse().map_err(D::Error::custom)).transpose()
}

/// Parses a command and its first argument.
///
/// # Errors
///
/// Fails if the command is unknown or its argument is invalid.
pub fn command(params: lsp::ExecuteCommandParams) -> Result<Command, Refusal> {
    let name = params.command.as_str();
    let takes = match name {
        RUN => "{uri, prompt?, test?, machine?, background?}",
        TRACE | TABLE => "{uri, prompt?, test?, machine?}",
        REPAIR | FILL => "{uri}",
        UNNOTICED => "{uri, production}",
        COMPILE => "{uri, emit?, show?}",
        TESTS => "{uri?, run?}",
        COVERAGE => "{uri, tests?}",
        SAVE_TEST => "{uri, prompt, continuation}",
        EXPLAIN => "{code}",
        EXPLORE => "{uri, prompt?, test?, page?}",
        APPLY => "{uri, version, title?, edits}",
        other => return Err(Refusal::Parameters(unknown_command(other))),
    };
    let argument = params.arguments.into_iter().flatten().next();
    let wrong = |what: String| Refusal::Parameters(format!("`{name}` expects one argument `{takes}`: {what}"));
    parsed(name, argument).map_err(|error| match error {
        ArgumentError::Missing(field) => wrong(format!("`{field}` is missing")),
        ArgumentError::Invalid(what) => wrong(what),
        ArgumentError::Unknown(message) => Refusal::Parameters(message),
    })
}

fn unknown_command(name: &str) -> String {
    format!("unknown command `{name}`; expected one of {}", COMMANDS.join(", "))
}

/// The reason why an argument is invalid.
enum ArgumentError {
    /// The argument lacks a field.
    Missing(&'static str),
    /// The argument has another form.
    Invalid(String),
    /// The argument names something that does not exist.
    Unknown(String),
}

fn parsed(name: &str, argument: Option<Value>) -> Result<Command, ArgumentError> {
    let argument: Argument = match argument {
        None => Argument::default(),
        Some(object @ Value::Object(_)) => {
            serde_json::from_value(object).map_err(|error| ArgumentError::Invalid(error.to_string()))?
        }
        Some(_) => return Err(ArgumentError::Invalid("expected an object".to_owned())),
    };
    match name {
        EXPLAIN => {
            let code = argument.code.ok_or(ArgumentError::Missing("code"))?;
            explain(&code).map(Command::Explain).map_err(ArgumentError::Unknown)
        }
        TESTS if argument.uri.is_none() => Ok(Command::WorkspaceTests { run: argument.run.unwrap_or(true) }),
        _ => {
            let uri = argument.uri.clone().ok_or(ArgumentError::Missing("uri"))?;
            match name {
                EXPLORE => {
                    let form = argument.form();
                    Ok(Command::Explore(uri, argument.request(), form))
                }
                APPLY => Ok(Command::Apply(ActionEdits {
                    uri,
                    version: argument.version.ok_or(ArgumentError::Missing("version"))?,
                    title: argument.title.unwrap_or_default(),
                    edits: argument.edits.ok_or(ArgumentError::Missing("edits"))?,
                })),
                COMPILE if argument.show => Ok(Command::Show(Content { program: uri.into(), emit: argument.emit()? })),
                _ => Ok(Command::OfDocument(uri, of_document(name, argument)?)),
            }
        }
    }
}

fn of_document(name: &str, argument: Argument) -> Result<DocumentCommand, ArgumentError> {
    Ok(match name {
        RUN => DocumentCommand::Run { background: argument.background, request: argument.request() },
        TRACE => DocumentCommand::Trace(argument.request()),
        TABLE => DocumentCommand::Table(argument.request()),
        TESTS => DocumentCommand::Tests { run: argument.run.unwrap_or(true) },
        COVERAGE => DocumentCommand::Coverage { tests: argument.tests },
        SAVE_TEST => DocumentCommand::SaveTest {
            prompt: argument.prompt.ok_or(ArgumentError::Missing("prompt"))?,
            continuation: argument.continuation.ok_or(ArgumentError::Missing("continuation"))?,
        },
        REPAIR => DocumentCommand::Search(Search::Repair),
        FILL => DocumentCommand::Search(Search::Fill),
        UNNOTICED => {
            let production = argument.production.ok_or(ArgumentError::Missing("production"))?;
            DocumentCommand::Search(Search::Unnoticed(production))
        }
        COMPILE => DocumentCommand::Compile(argument.emit()?),
        other => return Err(ArgumentError::Unknown(unknown_command(other))),
    })
}

impl Argument {
    /// The requested form of the compiled program.
    fn emit(&self) -> Result<Emit, ArgumentError> {
        let form = self.emit.as_deref().unwrap_or("qkvl");
        let found = Emit::ALL.into_iter().find(|(name, _)| *name == form);
        let unknown = || ArgumentError::Unknown(format!("unknown form `{form}`; expected `qkvl`, `weights` or `psl`"));
        found.map(|(_, emit)| emit).ok_or_else(unknown)
    }

    /// The requested run. The symbols of a prompt come before a test.
    fn request(self) -> RunRequest {
        let test = self.test.map(|test| match test {
            TestArgument::Index(index) => Prompt::Test(TestName::Index(index)),
            TestArgument::Name(name) => Prompt::Test(TestName::Name(name)),
        });
        RunRequest { prompt: self.prompt.map(Prompt::Plain).or(test), machine: self.machine }
    }

    /// The requested form of the explorer's page.
    fn form(&self) -> ExplorerForm {
        match self.page {
            None | Some(PageArgument::Shows(false)) => ExplorerForm::Address,
            Some(PageArgument::Shows(true)) => ExplorerForm::Page,
            Some(PageArgument::Has(PageData::Data)) => ExplorerForm::Data,
        }
    }
}
