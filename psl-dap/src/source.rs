//! The source of the program, as the client names it, and whether its file still has the text that runs.

use std::path::{Path, PathBuf};

use psl_host::{Stamp, read_regular};
use serde::Deserialize;

use crate::path_format::{PathFormat, canonical, path_of};

/// A source that a client names.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GivenSource {
    path: Option<String>,
    /// The number of a text of the session, or 0 for a file.
    #[serde(default)]
    source_reference: i64,
}

/// The text of a source in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamedText {
    /// The text that runs.
    Running,
    /// The file, which has another text.
    Edited,
}

/// The source of the program.
pub struct Source {
    /// The file, or `None` if the program is a text alone.
    path: Option<PathBuf>,
    format: PathFormat,
    /// The maximum size of the file.
    limit: u64,
    /// The MD5 of the text that runs, in hexadecimal.
    running: String,
    /// That of the file at the launch. An editor may have a newer text.
    at_launch: Option<String>,
    /// That of the program in an editor, which reports it.
    in_editor: Option<String>,
    /// The stamp of the file when it was last read.
    seen: Option<Stamp>,
    edited: bool,
}

impl Source {
    /// The source of the program with this path, which is empty for a text alone. `text` is what runs.
    pub fn new(path: PathBuf, format: PathFormat, text: &[u8], limit: u64) -> Self {
        let path = (path != Path::new("")).then(|| canonical(path));
        let mut source = Self {
            path,
            format,
            limit,
            running: checksum(text),
            at_launch: None,
            in_editor: None,
            seen: None,
            edited: false,
        };
        source.at_launch = source.on_disk();
        source
    }

    /// The checksum of the file, or `None` if it cannot be read.
    fn on_disk(&self) -> Option<String> {
        Some(checksum(&read_regular(self.path.as_deref()?, self.limit).ok()?))
    }

    /// Sets the text of the program in an editor, or `None` if the file has it.
    pub fn set_editor_text(&mut self, text: Option<&str>) {
        self.in_editor = text.map(|text| checksum(text.as_bytes()));
        self.seen = None;
    }

    /// Reads the file again if it may have changed. Returns whether it, or the text in the editor, has just changed to
    /// another text than the one that runs.
    pub fn refresh(&mut self) -> bool {
        let stamp = self.path.as_deref().and_then(Stamp::of);
        if stamp.is_some_and(|stamp| stamp.is_settled()) && stamp == self.seen {
            return false;
        }
        self.seen = stamp;
        let before = self.edited;
        self.edited = if let Some(text) = &self.in_editor {
            *text != self.running
        } else {
            let now = self.on_disk();
            now != self.at_launch && now.as_ref() != Some(&self.running)
        };
        self.edited && !before
    }

    /// Whether the file has changed to another text than the one that runs.
    pub fn is_edited(&self) -> bool {
        self.edited
    }

    /// The name of the program's file, without its folder.
    pub fn name(&self) -> String {
        let name = self.path.as_deref().and_then(Path::file_name);
        name.map_or("program.psl".to_owned(), |name| name.to_string_lossy().into_owned())
    }

    /// The path or URI of the program's file, or `None` if the program is a text alone.
    pub fn path(&self) -> Option<String> {
        self.path.as_deref().map(|path| self.format.name(path))
    }

    /// The checksum of the text that runs.
    pub fn checksum(&self) -> &str {
        &self.running
    }

    /// The text that the client names, or `None` if it is not the program.
    pub fn named(&self, given: &GivenSource) -> Option<NamedText> {
        match (&given.path, &self.path) {
            _ if given.source_reference > 0 => Some(NamedText::Running),
            (Some(given), Some(path)) if canonical(path_of(given)) != *path => None,
            _ => Some(if self.edited { NamedText::Edited } else { NamedText::Running }),
        }
    }
}

/// The algorithm of [`checksum`] in the protocol.
pub const ALGORITHM: &str = "MD5";

/// Detects a change, not a forgery.
fn checksum(text: &[u8]) -> String {
    format!("{:x}", md5::compute(text))
}
