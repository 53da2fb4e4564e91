//! Program texts from files, folders and standard input.

use std::{
    io::{self, Read, Write},
    path::{Path, PathBuf},
    sync::Arc,
};

use psl_syntax::{Checked, Code, Diagnostic, Formatted, Span};

use crate::config::{Config, Configs};

/// The name of standard input on the command line.
pub const STDIN: &str = "-";

/// PARGEN, the paper's program for templatic generation: (99) and (100).
pub const PARGEN: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/programs/pargen.psl"));

/// A program text and where it is from.
#[derive(Clone, Debug)]
pub struct Source {
    /// As shown to people.
    pub name: String,
    /// The file, `-` for standard input; nothing for the bundled program.
    pub path: Option<PathBuf>,
    /// The text; bytes that are no UTF-8 are replaced.
    pub text: String,
    /// Where the text is no UTF-8.
    pub not_utf8: Option<Diagnostic>,
}

impl Source {
    /// Reads a file, or standard input for `-`.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let name = if path.as_os_str() == STDIN { "<stdin>".to_owned() } else { path.display().to_string() };
        let bytes = if path.as_os_str() == STDIN {
            let mut bytes = Vec::new();
            io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
        } else {
            std::fs::read(path)
        };
        let bytes = bytes.map_err(|error| Failure::Message(format!("cannot read {name}: {error}")))?;
        Ok(Self { path: Some(path.to_owned()), ..Self::from_bytes(name, bytes) })
    }

    /// The bundled PARGEN.
    pub fn pargen() -> Self {
        Self { name: "<pargen>".to_owned(), path: None, text: PARGEN.to_owned(), not_utf8: None }
    }

    fn from_bytes(name: String, bytes: Vec<u8>) -> Self {
        match String::from_utf8(bytes) {
            Ok(text) => Self { name, path: None, text, not_utf8: None },
            Err(error) => {
                let at = error.utf8_error().valid_up_to();
                let byte = error.as_bytes().get(at).copied().unwrap_or_default();
                let span = Span::from(at..at + char::REPLACEMENT_CHARACTER.len_utf8());
                let diagnostic = Diagnostic::new(Code::Syntax, span, format!("byte 0x{byte:02X} is no UTF-8"))
                    .help("save the file as UTF-8");
                let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
                Self { name, path: None, text, not_utf8: Some(diagnostic) }
            }
        }
    }

    /// Lays the text out; or says why it is left as it is.
    pub fn format(&self) -> Result<Formatted, Vec<Diagnostic>> {
        match &self.not_utf8 {
            Some(diagnostic) => Err(vec![diagnostic.clone()]),
            None => psl_syntax::format(&self.text),
        }
    }

    /// Whether it is standard input.
    pub fn is_stdin(&self) -> bool {
        self.path.as_ref().is_some_and(|path| path.as_os_str() == STDIN)
    }

    /// The folder that paths in the text start from: for standard input the working folder; nothing for the bundled program.
    pub fn folder(&self) -> Option<&Path> {
        self.path.as_deref().and_then(Path::parent)
    }

    /// What `psl.toml` says of it.
    pub fn config(&self, configs: &mut Configs) -> Result<Arc<Config>, Failure> {
        match &self.path {
            Some(path) => configs.of(path).map_err(Failure::Message),
            None => Ok(Arc::default()),
        }
    }

    /// Writes the file anew, as a whole or not at all.
    pub fn write(&self, text: &str) -> Result<(), Failure> {
        let Some(path) = &self.path else { return Ok(()) };
        replace(path, text).map_err(|error| Failure::Message(format!("cannot write {}: {error}", self.name)))
    }

    /// Checks the text. One that is no UTF-8 gets that diagnostic alone.
    pub fn check(&self) -> Checked {
        let mut checked = psl_syntax::check(&self.text);
        if let Some(diagnostic) = &self.not_utf8 {
            checked.diagnostics = vec![diagnostic.clone()];
        }
        checked
    }
}

/// Something outside the programs that went wrong: a file that cannot be read, wrong usage. Ends the process with 2.
#[derive(Debug)]
pub enum Failure {
    /// In words.
    Message(String),
    /// Nobody reads the output any more.
    ClosedPipe,
}

impl Failure {
    /// Standard input can be read only once.
    pub fn both_from_stdin(first: &str, second: &str, instead: &str) -> Self {
        Self::Message(format!("{first} and {second} can not both come from standard input: give {second} by {instead}"))
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe { Self::ClosedPipe } else { Self::Message(error.to_string()) }
    }
}

/// Puts a new file in the place of one, behind the links that lead to it, with its permissions.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    let path = std::fs::canonicalize(path)?;
    let permissions = std::fs::metadata(&path)?.permissions();
    if permissions.readonly() {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    let mut file = tempfile::NamedTempFile::new_in(path.parent().unwrap_or(Path::new(".")))?;
    file.write_all(text.as_bytes())?;
    file.as_file().set_permissions(permissions)?;
    file.persist(path)?;
    Ok(())
}

/// The files that paths stand for: folders are searched for `*.psl`, honouring `.gitignore` and what `psl.toml` says of paths;
/// no path means this folder.
pub fn expand(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let here = [PathBuf::from(".")];
    let mut files = Vec::new();
    let mut configs = Configs::default();
    for path in if paths.is_empty() { &here } else { paths } {
        if path.is_dir() {
            let mut found = Vec::new();
            for entry in ignore::WalkBuilder::new(path).require_git(false).build() {
                let entry = entry.map_err(|error| Failure::Message(error.to_string()))?;
                let file = entry.path();
                let program = file.extension().is_some_and(|extension| extension == "psl") && file.is_file();
                if program && configs.of(file).map_err(Failure::Message)?.selects(file) {
                    found.push(entry.into_path());
                }
            }
            found.sort();
            files.extend(found.into_iter().map(|file| file.strip_prefix(".").map(Path::to_path_buf).unwrap_or(file)));
        } else {
            files.push(path.clone());
        }
    }
    Ok(files)
}
