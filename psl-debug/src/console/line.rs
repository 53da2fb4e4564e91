//! Lines of an answer.

use psl_render::grid::Part;

/// A line of an answer, and how to color it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The kind of its text.
    pub part: Part,
    /// The text, without a line end.
    pub text: String,
}

impl Line {
    /// A line of values or words.
    pub fn plain(text: impl Into<String>) -> Self {
        Self { part: Part::Value, text: text.into() }
    }

    /// A line with the place of the current moment.
    pub fn title(text: impl Into<String>) -> Self {
        Self { part: Part::Title, text: text.into() }
    }

    /// A remark, or a line of the program that is not the current one.
    pub fn remark(text: impl Into<String>) -> Self {
        Self { part: Part::Frame, text: text.into() }
    }
}

/// A text as lines of values.
pub fn plain_lines(text: &str) -> Vec<Line> {
    text.lines().map(Line::plain).collect()
}
