//! Diagnostics as data.
//!
//! Invariant: a diagnostic is code, severity, span, message, labels, help and fixes; terminals, JSON and editors render it,
//! and no message is written twice.

use crate::{codes::Code, span::Span};

pub use crate::severity::Severity;

/// How many places involved in the same way are shown.
const MAX_LABELS: usize = 8;

/// One finding about a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// What kind of finding; `psl explain CODE` tells more.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// The narrowest place that is the cause.
    pub span: Span,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// Other places involved, each with what it has to do with it.
    pub labels: Vec<Label>,
    /// The way out.
    pub help: Option<String>,
    /// Changes that would repair it.
    pub fixes: Vec<Fix>,
}

/// Another place involved in a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What it has to do with it.
    pub message: String,
}

/// A change that repairs the cause of a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What it does, such as "replace with `prev_region`".
    pub title: String,
    /// Whether it can only be what the author meant. One that is not is offered in editors, never applied unasked.
    pub certain: bool,
    /// The change: replace these spans by these texts. They do not overlap.
    pub edits: Vec<Edit>,
}

/// Replaces a span by a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What to replace.
    pub span: Span,
    /// The new text.
    pub text: String,
}

impl Edit {
    /// The text with these edits made, which are in the order of the text; nothing where two overlap or one is not of it.
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
    /// A diagnostic of the code's own severity.
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

    /// Adds another place involved.
    #[must_use]
    pub fn label(mut self, span: Span, message: impl Into<String>) -> Self {
        self.labels.push(Label { span, message: message.into() });
        self
    }

    /// Adds other places that are all involved in the same way; of many only the first few, so that what is said of a text
    /// does not outgrow it, and how many more there are.
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

    /// Adds the way out.
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

    /// Adds a fix that replaces one span by what was perhaps meant, such as the nearest name.
    #[must_use]
    pub fn suggest(self, title: impl Into<String>, span: Span, text: impl Into<String>) -> Self {
        self.replacing(title, span, text, false)
    }

    fn replacing(mut self, title: impl Into<String>, span: Span, text: impl Into<String>, certain: bool) -> Self {
        let edits = vec![Edit { span, text: text.into() }];
        self.fixes.push(Fix { title: title.into(), certain, edits });
        self
    }

    /// Adds a fix that puts what was perhaps meant in all these places.
    #[must_use]
    pub fn suggest_all(mut self, title: impl Into<String>, spans: &[Span], text: &str) -> Self {
        let edits = spans.iter().map(|&span| Edit { span, text: text.to_owned() }).collect();
        self.fixes.push(Fix { title: title.into(), certain: false, edits });
        self
    }

    /// Adds a certain fix that changes several places.
    #[must_use]
    pub fn fix_all(mut self, title: impl Into<String>, edits: Vec<Edit>) -> Self {
        self.fixes.push(Fix { title: title.into(), certain: true, edits });
        self
    }

    /// Its message and, on a line of its own, its help where it has one.
    pub fn message_and_help(&self) -> String {
        match &self.help {
            Some(help) => format!("{}\nhelp: {help}", self.message),
            None => self.message.clone(),
        }
    }

    /// Whether the program does not compile because of it.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
