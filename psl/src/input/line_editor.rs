//! Reads lines in a terminal, with history.

use rustyline::{Helper, error::ReadlineError, history::DefaultHistory};

use crate::failure::Failure;

/// A line editor with the history of the session.
pub struct LineEditor<H: Helper> {
    editor: rustyline::Editor<H, DefaultHistory>,
    /// The plural noun for the lines in messages.
    what: &'static str,
}

impl<H: Helper> LineEditor<H> {
    /// Opens the terminal. `what` names the lines: `commands`.
    pub fn open(what: &'static str, helper: H) -> Result<Self, Failure> {
        let mut editor = rustyline::Editor::new().map_err(|error| unreadable(what, &error))?;
        editor.set_helper(Some(helper));
        Ok(Self { editor, what })
    }

    /// Reads a line after a mark, or returns `None` at Ctrl-D. Ctrl-C discards the line.
    pub fn read(&mut self, mark: &str) -> Result<Option<String>, Failure> {
        loop {
            match self.editor.readline(mark) {
                Ok(line) => {
                    self.editor.add_history_entry(line.as_str()).map_err(|error| unreadable(self.what, &error))?;
                    return Ok(Some(line));
                }
                Err(ReadlineError::Interrupted) => {}
                Err(ReadlineError::Eof) => return Ok(None),
                Err(error) => return Err(unreadable(self.what, &error)),
            }
        }
    }
}

fn unreadable(what: &str, error: &ReadlineError) -> Failure {
    Failure::Message(format!("cannot read {what} from the terminal: {error}"))
}
