//! The commands of a session, from a script or a terminal.

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use psl_host::endings::on_interrupt;
use psl_program::File;

use super::editor::Editor;
use crate::{failure::Failure, input::data_lines::DataLines};

/// The commands of a session.
pub struct Commands(From);

enum From {
    Script(DataLines),
    Terminal(Editor),
}

impl Commands {
    /// Opens a file with commands, or for `None` the terminal, which completes the names of the program. In the
    /// terminal, Ctrl-C sets `cancelled`; it ends a script.
    pub fn open(script: Option<&Path>, program: &Arc<File>, cancelled: Arc<AtomicBool>) -> Result<Self, Failure> {
        if let Some(path) = script {
            return Ok(Self(From::Script(DataLines::open(path)?)));
        }
        on_interrupt(move || cancelled.store(true, Ordering::Relaxed)).map_err(|error| Failure::interrupts(&error))?;
        Ok(Self(From::Terminal(Editor::open(Arc::clone(program))?)))
    }

    /// Whether the commands come from a script.
    pub fn is_script(&self) -> bool {
        matches!(self.0, From::Script(_))
    }

    /// Reads the next command, or returns `None` after the last one.
    pub fn next(&mut self) -> Result<Option<String>, Failure> {
        match &mut self.0 {
            From::Script(lines) => lines.next_text(),
            From::Terminal(editor) => editor.read(),
        }
    }

    /// The file and the line of the last command in a script, for messages.
    pub fn place(&self) -> Option<String> {
        match &self.0 {
            From::Script(lines) => Some(format!("{}:{}", lines.name, lines.number)),
            From::Terminal(_) => None,
        }
    }
}
