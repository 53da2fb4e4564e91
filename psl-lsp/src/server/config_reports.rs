//! The published diagnostics of `psl.toml`s.

use std::{collections::HashMap, sync::Arc};

use crate::{config_problem::UnusableConfig, uri::Url};

/// The `psl.toml`s with a published diagnostic, and the open documents that they apply to.
#[derive(Default)]
pub struct ConfigReports {
    by_document: HashMap<Url, (Url, Arc<UnusableConfig>)>,
}

/// A change to publish for a `psl.toml`: its problem, or `None` to clear it.
pub type ConfigReport = (Url, Option<Arc<UnusableConfig>>);

impl ConfigReports {
    /// Records the problem with a document's `psl.toml`, or `None` if it can be used or the document was closed.
    /// Returns the changes to publish.
    #[must_use]
    pub fn note(&mut self, document: &Url, problem: Option<&Arc<UnusableConfig>>) -> Vec<ConfigReport> {
        let before = self.by_document.remove(document);
        let now = problem.and_then(|problem| Some((problem.uri.clone()?, Arc::clone(problem))));
        let mut changed = Vec::new();
        if let Some((uri, _)) = &before
            && now.as_ref().is_none_or(|(now, _)| now != uri)
            && self.by_document.values().all(|(other, _)| other != uri)
        {
            changed.push((uri.clone(), None));
        }
        if let Some((uri, problem)) = &now
            && before.as_ref() != now.as_ref()
            && !self.by_document.values().any(|other| (&other.0, &other.1) == (uri, problem))
        {
            changed.push((uri.clone(), Some(Arc::clone(problem))));
        }
        self.by_document.extend(now.map(|now| (document.clone(), now)));
        changed
    }

    /// The problem with a `psl.toml` that applies to an open document.
    pub fn of(&self, config: &Url) -> Option<Arc<UnusableConfig>> {
        self.by_document.values().find(|(uri, _)| uri == config).map(|(_, problem)| Arc::clone(problem))
    }

    /// Removes all problems. Returns the changes to publish.
    #[must_use]
    pub fn clear(&mut self) -> Vec<ConfigReport> {
        let documents: Vec<Url> = self.by_document.keys().cloned().collect();
        documents.iter().flat_map(|document| self.note(document, None)).collect()
    }
}

#[cfg(test)]
mod tests {
    use psl_program::config::{ConfigError, ConfigProblem};
    use psl_syntax::Span;

    use super::*;

    fn url(name: &str) -> Url {
        Url::parse(&format!("file:///{name}")).expect("a URI")
    }

    fn problem(name: &str, message: &str) -> Arc<UnusableConfig> {
        let errors = vec![ConfigError { span: Span::default(), message: message.to_owned() }];
        let problem = ConfigProblem { file: name.into(), shown: name.to_owned(), text: None, errors };
        Arc::new(UnusableConfig { uri: Some(url(name)), problem: Arc::new(problem) })
    }

    #[test]
    fn a_problem_is_published_once_and_cleared_with_its_last_document() {
        let mut reports = ConfigReports::default();
        let (a, b) = (url("a.psl"), url("b.psl"));
        let (first, second, other) = (problem("x", "first"), problem("x", "second"), problem("y", "first"));
        assert_eq!(reports.note(&a, None), []);
        assert_eq!(reports.note(&a, Some(&first)), [(url("x"), Some(Arc::clone(&first)))]);
        assert_eq!(reports.note(&a, Some(&first)), []);
        assert_eq!(reports.note(&b, Some(&first)), []);
        assert_eq!(reports.note(&a, Some(&second)), [(url("x"), Some(Arc::clone(&second)))]);
        assert_eq!(reports.note(&b, Some(&second)), []);
        assert_eq!(reports.note(&a, None), []);
        assert_eq!(reports.note(&b, Some(&other)), [(url("x"), None), (url("y"), Some(Arc::clone(&other)))]);
        assert_eq!(reports.note(&a, Some(&other)), []);
        assert_eq!(reports.clear(), [(url("y"), None)]);
        assert_eq!(reports.clear(), []);
    }
}
