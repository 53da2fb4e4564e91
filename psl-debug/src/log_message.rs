//! The lines that a breakpoint logs instead of stopping.

use psl_program::File;
use psl_runtime::{Tester, record::RecordedRun};

use super::{cell_view::CellView, error::DebugError, expression::Expression};

/// A text with expressions in braces, such as `{cell}: {field[N]}`.
#[derive(Clone, Debug, PartialEq)]
pub struct LogMessage {
    parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq)]
enum Part {
    Text(String),
    Expression(Expression),
}

impl LogMessage {
    /// Reads a text with expressions in braces.
    ///
    /// # Errors
    ///
    /// Fails if an expression cannot be read, or a brace is not closed.
    pub fn parse(file: &File, text: &str) -> Result<Self, DebugError> {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            let open = || DebugError::OpenBrace(after.to_owned());
            let (expression, later) = after.split_once('}').ok_or_else(open)?;
            parts.push(Part::Text(before.to_owned()));
            parts.push(Part::Expression(Expression::parse(file, expression)?));
            rest = later;
        }
        parts.push(Part::Text(rest.to_owned()));
        Ok(Self { parts })
    }

    /// The values that its expressions compare with.
    pub(super) fn values(&self) -> impl Iterator<Item = &str> {
        let expressions = self.parts.iter().filter_map(|part| match part {
            Part::Text(_) => None,
            Part::Expression(expression) => Some(expression),
        });
        expressions.flat_map(Expression::values)
    }

    /// The line at a moment. An expression without a value gives the reason in parentheses.
    pub(super) fn line(&self, run: &RecordedRun, tester: &Tester<'_>, cell_view: &CellView<'_>) -> String {
        let part = |part: &Part| match part {
            Part::Text(text) => text.clone(),
            Part::Expression(expression) => {
                expression.evaluate(run, tester, cell_view).unwrap_or_else(|reason| format!("({reason})"))
            }
        };
        self.parts.iter().map(part).collect()
    }
}
