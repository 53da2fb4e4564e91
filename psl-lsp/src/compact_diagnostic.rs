//! Diagnostics that are kept for long, without what can be told anew.

use lsp_types::{Diagnostic, DiagnosticSeverity, NumberOrString, Range};
use psl_syntax::Code;

/// A diagnostic of some file. Left out are the file's URI, and the link and the tags that follow from the code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompactDiagnostic {
    /// Where it is.
    pub range: Range,
    /// How bad it is.
    pub severity: Option<DiagnosticSeverity>,
    /// Its code; nothing where it is about the file as a whole.
    pub code: Option<Code>,
    /// What it says.
    pub message: Box<str>,
    /// Other places in the file, and what is said of them.
    pub related: Box<[(Range, Box<str>)]>,
}

impl CompactDiagnostic {
    /// One of ours, whose related places are in its own file.
    pub fn of(diagnostic: &Diagnostic) -> Self {
        let code = match &diagnostic.code {
            Some(NumberOrString::String(name)) => Code::from_name(name),
            Some(NumberOrString::Number(_)) | None => None,
        };
        let related = diagnostic.related_information.iter().flatten();
        Self {
            range: diagnostic.range,
            severity: diagnostic.severity,
            code,
            message: diagnostic.message.as_str().into(),
            related: related.map(|it| (it.location.range, it.message.as_str().into())).collect(),
        }
    }
}
