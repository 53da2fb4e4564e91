//! Diagnostics in a compact form, for long storage.

use gen_lsp_types::{self as lsp, Diagnostic, DiagnosticSeverity, Range};
use psl_syntax::Code;

/// A diagnostic without its file's URI, and without the link and tags that follow from its code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompactDiagnostic {
    /// The range.
    pub range: Range,
    /// The severity.
    pub severity: Option<DiagnosticSeverity>,
    /// The code, or `None` if it is about the file as a whole.
    pub code: Option<Code>,
    /// The message.
    pub text: Box<str>,
    /// Whether the message is Markdown.
    pub is_markdown: bool,
    /// Related places in the file, with their messages.
    pub related: Box<[(Range, Box<str>)]>,
}

impl CompactDiagnostic {
    /// Compacts one of our diagnostics. Its related places are in its own file.
    pub fn of(diagnostic: &Diagnostic) -> Self {
        let code = match &diagnostic.code {
            Some(lsp::Code::String(name)) => Code::from_name(name),
            Some(lsp::Code::Int(_)) | None => None,
        };
        let (text, is_markdown) = match &diagnostic.message {
            lsp::Message::String(text) => (text, false),
            lsp::Message::MarkupContent(markup) => (&markup.value, true),
        };
        let related = diagnostic.related_information.iter().flatten();
        Self {
            range: diagnostic.range,
            severity: diagnostic.severity,
            code,
            text: text.as_str().into(),
            is_markdown,
            related: related.map(|it| (it.location.range, it.message.as_str().into())).collect(),
        }
    }
}
