//! Diagnostics as data.
//!
//! Invariant: a diagnostic consists of code, severity, span, message, labels, help and fixes. Terminals, JSON and
//! editors render the same data, and each message exists only once.

use crate::{codes::Code, span::Span};

pub use crate::severity::Severity;

/// Maximum number of labels with the same message.
const MAX_LABELS: usize = 8;

/// A report about a place in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The code. `psl explain CODE` shows its page.
    pub code: Code,
    /// The default severity of the code, or the configured one after [`apply_levels`](crate::apply_levels()).
    pub severity: Severity,
    /// The narrowest span of the cause.
    pub span: Span,
    /// The problem, in one clause without a full stop.
    pub message: String,
    /// Other places involved.
    pub labels: Vec<Label>,
    /// Advice on what to do.
    pub help: Option<String>,
    /// Edits that resolve it.
    pub fixes: Vec<Fix>,
}

/// Another place involved in a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// A description of the place.
    pub message: String,
}

/// An edit that resolves a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// The title, such as "Replace with `prev_region`".
    pub title: String,
    /// Whether the fix is certain to be what the author intended. Other fixes are offered in editors, but never applied
    /// automatically.
    pub certain: bool,
    /// The edits, which do not overlap.
    pub edits: Vec<Edit>,
}

/// A fix whose edits declare a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclaringFix {
    /// The fix.
    pub fix: Fix,
    /// The name, as the edits write it.
    pub name: String,
}

/// A replacement of a span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The span to replace.
    pub span: Span,
    /// The new text.
    pub text: String,
}

impl Edit {
    /// Applies edits, which must be in text order. Returns `None` if two overlap or one is outside of the text.
    pub fn apply<'e>(edits: impl IntoIterator<Item = &'e Self>, text: &str) -> Option<String> {
        let mut changed = String::with_capacity(text.len());
        let mut kept = 0;
        for edit in edits {
            let span = edit.span.range();
            changed.push_str(text.get(kept..span.start)?);
            changed.push_str(&edit.text);
            kept = span.end;
        }
        changed.push_str(text.get(kept..)?);
        Some(changed)
    }
}

impl Diagnostic {
    /// A diagnostic with the default severity of its code.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: code.severity(),
            span,
            message: message.into(),
            labels: Vec::new(),
            help: None,
            fixes: Vec::new(),
        }
    }

    /// Adds another place.
    #[must_use]
    pub fn label(mut self, span: Span, message: impl Into<String>) -> Self {
        self.labels.push(Label { span, message: message.into() });
        self
    }

    /// Adds several places with the same message. Only the first few become labels, to limit the size of the output.
    /// The last label states how many more there are.
    #[must_use]
    pub fn labels(mut self, spans: impl IntoIterator<Item = Span>, message: &str) -> Self {
        let mut spans = spans.into_iter();
        let labels = spans.by_ref().take(MAX_LABELS).map(|span| Label { span, message: message.to_owned() });
        self.labels.extend(labels);
        let more = spans.count();
        if let Some(last) = self.labels.last_mut().filter(|_| more > 0) {
            last.message = format!("{message}; {more} more like this");
        }
        self
    }

    /// Adds the help.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds a certain fix that replaces one span.
    #[must_use]
    pub fn fix(self, title: impl Into<String>, span: Span, text: impl Into<String>) -> Self {
        self.replacing(title, span, text, true)
    }

    /// Adds a suggestion that replaces one span, for example with the nearest name.
    #[must_use]
    pub fn suggest(self, title: impl Into<String>, span: Span, text: impl Into<String>) -> Self {
        self.replacing(title, span, text, false)
    }

    fn replacing(mut self, title: impl Into<String>, span: Span, text: impl Into<String>, certain: bool) -> Self {
        let edits = vec![Edit { span, text: text.into() }];
        self.fixes.push(Fix { title: title.into(), certain, edits });
        self
    }

    /// Adds a suggestion that replaces several spans with the same text.
    #[must_use]
    pub fn suggest_all(mut self, title: impl Into<String>, spans: &[Span], text: &str) -> Self {
        let edits = spans.iter().map(|&span| Edit { span, text: text.to_owned() }).collect();
        self.fixes.push(Fix { title: title.into(), certain: false, edits });
        self
    }

    /// Adds a certain fix with several edits.
    #[must_use]
    pub fn fix_all(mut self, title: impl Into<String>, edits: Vec<Edit>) -> Self {
        self.fixes.push(Fix { title: title.into(), certain: true, edits });
        self
    }

    /// The message and, on a separate line, the help, if there is any.
    pub fn message_and_help(&self) -> String {
        match &self.help {
            Some(help) => format!("{}\nhelp: {help}", self.message),
            None => self.message.clone(),
        }
    }

    /// Whether the diagnostic is an error, so that the program does not compile.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
