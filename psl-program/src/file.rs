//! The text of a program with everything derived from it.
//!
//! Invariant: all facts are computed from the text, the configuration and the prompts alone. Files that agree in those
//! agree in everything.

use std::{
    path::Path,
    sync::{Arc, OnceLock},
};

use psl_syntax::{Analysis, Checked, Code, Diagnostic, Formatted, LineIndex, Program, SourceText, Span, read, reread};
use thiserror::Error;

use crate::{
    config::Config,
    layer_names::LayerNames,
    plan::Plan,
    runner::Runner,
    test_prompts::{TestPrompts, json_files},
};

/// The text of a program, its configuration, the prompts that its tests name, and facts derived from them, computed on
/// demand.
pub struct File {
    text: SourceText,
    not_utf8: Option<Diagnostic>,
    config: Arc<Config>,
    prompts: TestPrompts,
    /// The facts about an earlier text. They save time and do not change results.
    earlier: Option<Arc<Checked>>,
    checked: OnceLock<Arc<Checked>>,
    text_diagnostics: OnceLock<Vec<Diagnostic>>,
    runner: OnceLock<Runner>,
    plan: OnceLock<Plan>,
}

/// The first error of a program that does not compile.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {message}")]
pub struct NotCompiled {
    /// The line, 1-based.
    pub line: usize,
    /// The message of the diagnostic.
    pub message: String,
}

impl File {
    /// Creates a file. Its tests cannot read other files: see [`File::with_prompts`].
    pub fn new(text: impl Into<SourceText>, config: Arc<Config>) -> Self {
        Self {
            text: text.into(),
            not_utf8: None,
            config,
            prompts: TestPrompts::default(),
            earlier: None,
            checked: OnceLock::new(),
            text_diagnostics: OnceLock::new(),
            runner: OnceLock::new(),
            plan: OnceLock::new(),
        }
    }

    /// Creates a file from bytes. Invalid UTF-8 is replaced, and the first invalid byte is the only diagnostic.
    pub fn from_bytes(bytes: Vec<u8>, config: Arc<Config>) -> Self {
        match String::from_utf8(bytes) {
            Ok(text) => Self::new(text, config),
            Err(error) => {
                let at = error.utf8_error().valid_up_to();
                let byte = error.as_bytes().get(at).copied().unwrap_or_default();
                let span = Span::from(at..at + char::REPLACEMENT_CHARACTER.len_utf8());
                let diagnostic = Diagnostic::new(Code::Syntax, span, format!("byte 0x{byte:02X} is not UTF-8"))
                    .help("save the file as UTF-8");
                let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
                Self { not_utf8: Some(diagnostic), ..Self::new(text, config) }
            }
        }
    }

    /// Reuses the facts about an earlier text. This saves time if the two texts are similar.
    #[must_use]
    pub fn with_earlier(self, earlier: Option<Arc<Checked>>) -> Self {
        Self { earlier, ..self }
    }

    /// Adds the structured prompts of its tests. `read` returns the content of a file by its path as the test names it,
    /// relative to the program's folder, or an error message.
    #[must_use]
    pub fn with_prompts(self, read: impl Fn(&str) -> Result<String, String>) -> Self {
        let prompts = TestPrompts::read(&self.program().tests, read);
        Self { prompts, ..self }
    }

    /// Returns the file with another configuration.
    #[must_use]
    pub fn with_config(self, config: Arc<Config>) -> Self {
        Self { config, runner: OnceLock::new(), ..self }
    }

    /// Returns the file with another program to run: a scheduled one, or that of a file without text.
    #[must_use]
    pub fn with_runner(self, runner: Runner) -> Self {
        Self { runner: runner.into(), ..self }
    }

    /// The text, with invalid UTF-8 replaced.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text, to share it.
    pub fn source_text(&self) -> &SourceText {
        &self.text
    }

    /// The configuration.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The diagnostic of invalid UTF-8, if there is any.
    pub fn not_utf8(&self) -> Option<&Diagnostic> {
        self.not_utf8.as_ref()
    }

    /// The text's lines.
    pub fn line_index(&self) -> &LineIndex {
        self.text.line_index()
    }

    /// The tree, names and domains, with only their own diagnostics: see [`File::text_diagnostics`].
    pub fn checked(&self) -> &Checked {
        self.shared()
    }

    /// The findings of the analysis, without the tree.
    pub fn analysis(&self) -> &Analysis {
        &self.checked().analysis
    }

    /// The program, with its names resolved. Productions with errors are in it.
    pub fn program(&self) -> &Program {
        &self.analysis().program
    }

    /// The result of [`File::checked`], to keep for a later text: see [`File::with_earlier`].
    pub fn known(&self) -> Arc<Checked> {
        Arc::clone(self.shared())
    }

    fn shared(&self) -> &Arc<Checked> {
        self.checked.get_or_init(|| {
            let text = self.text.clone();
            Arc::new(match &self.earlier {
                Some(earlier) => reread(earlier, text),
                None => read(text),
            })
        })
    }

    /// The diagnostics of the text alone, in the order of the text. See [`crate::diagnostics`] for those that a user
    /// sees.
    pub fn text_diagnostics(&self) -> &[Diagnostic] {
        self.text_diagnostics.get_or_init(|| {
            if let Some(not_utf8) = &self.not_utf8 {
                return vec![not_utf8.clone()];
            }
            let checked = self.checked();
            let mut found = checked.diagnostics.clone();
            found.extend_from_slice(checked.rule_diagnostics());
            found.sort_by_key(|diagnostic| diagnostic.span);
            found
        })
    }

    /// The errors of the text, with which it does not compile.
    pub fn errors(&self) -> Vec<Diagnostic> {
        if self.first_error().is_none() {
            return Vec::new();
        }
        self.text_diagnostics().iter().filter(|found| found.is_error()).cloned().collect()
    }

    /// The first error in the order of the text, if the program does not compile.
    pub fn first_error(&self) -> Option<&Diagnostic> {
        self.not_utf8.as_ref().or_else(|| self.checked().diagnostics.iter().find(|diagnostic| diagnostic.is_error()))
    }

    /// Whether the program does not compile, only because it has holes.
    pub fn has_only_holes(&self) -> bool {
        self.not_utf8.is_none() && self.checked().has_only_holes()
    }

    /// The compiled program, without productions that have errors.
    pub fn compiled(&self) -> &Runner {
        self.runner.get_or_init(|| {
            Runner::new(self.program()).with_stop(self.config.stop.clone()).with_prompts(self.prompts.clone())
        })
    }

    /// The names of the program's layers.
    pub fn layer_names(&self) -> LayerNames<'_> {
        let runner = self.compiled();
        LayerNames::new(runner, runner.is_located().then(|| self.line_index()))
    }

    /// The layers and heads of the program, if it compiles. `None` if it has more than 500 productions: an answer at
    /// the cursor cannot wait for their schedule.
    pub fn plan(&self) -> Option<&Plan> {
        const MOST: usize = 500;
        let program = self.first_error().is_none().then_some(self.program())?;
        if program.productions().len() > MOST {
            return None;
        }
        Some(self.plan.get_or_init(|| Plan::new(program, Some(self.line_index()), None)))
    }

    /// The program, ready to run.
    ///
    /// # Errors
    ///
    /// Returns the first error and its line if the program does not compile.
    pub fn runner(&self) -> Result<&Runner, NotCompiled> {
        match self.first_error() {
            None => Ok(self.compiled()),
            Some(error) => {
                let line = self.line_index().line(error.span.start) + 1;
                Err(NotCompiled { line, message: error.message.clone() })
            }
        }
    }

    /// Formats the text.
    ///
    /// # Errors
    ///
    /// Returns the errors if the syntax is broken or the text is not UTF-8.
    pub fn format(&self) -> Result<Formatted, Vec<Diagnostic>> {
        match &self.not_utf8 {
            Some(diagnostic) => Err(vec![diagnostic.clone()]),
            None => psl_syntax::format(&self.text),
        }
    }

    /// The paths, as written, of the files with tests' prompts.
    pub fn prompt_files(&self) -> impl Iterator<Item = &str> {
        json_files(&self.program().tests)
    }

    /// The names, without folders, of the files with tests' prompts.
    pub fn prompt_file_names(&self) -> impl Iterator<Item = &str> {
        self.prompt_files().filter_map(|file| Path::new(file).file_name()?.to_str())
    }
}

#[cfg(test)]
mod tests {
    use crate::fixture::file;

    #[test]
    fn a_program_of_up_to_500_productions_has_a_plan() {
        let start = "registers: {symbol: 's', position: 'p'}\nconstants: {A}\n";
        let production = "where symbol[N] == A:\n    symbol[N] = A\n";
        let planned = |count: usize| file(&format!("{start}{}", production.repeat(count))).plan().is_some();
        assert_eq!([1, 500, 501].map(planned), [true, true, false]);
    }
}
