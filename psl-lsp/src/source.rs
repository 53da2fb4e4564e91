//! Program texts from files, folders and standard input.

use std::{
    collections::BTreeSet,
    io,
    path::{Path, PathBuf},
    sync::Arc,
    vec,
};

use psl_syntax::{Checked, Code, Diagnostic, Formatted, Span};

use crate::{
    config::{Config, Configs},
    input,
    output::replace,
    stdio::say,
};

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
    /// The text; bytes that are not UTF-8 are replaced.
    pub text: String,
    /// Where the text is not UTF-8.
    pub not_utf8: Option<Diagnostic>,
    /// What `psl.toml` says of it.
    pub config: Arc<Config>,
}

impl Source {
    /// Reads a file, or standard input for `-`.
    pub fn read(path: &Path, configs: &mut Configs) -> Result<Self, Failure> {
        let config = configs.of(path).map_err(Failure::Message)?;
        let bytes = input::read(path, config.max_file_size()).map_err(|error| Failure::reading(path, &error))?;
        Ok(Self { path: Some(path.to_owned()), config, ..Self::from_bytes(name(path), bytes) })
    }

    /// A program that is not PSL text, and its file.
    pub fn without_text(path: &Path) -> Result<Self, Failure> {
        let config = Configs::default().of(path).map_err(Failure::Message)?;
        Ok(Self { path: Some(path.to_owned()), config, ..Self::from_bytes(name(path), Vec::new()) })
    }

    /// The bundled PARGEN.
    pub fn pargen() -> Self {
        Self::from_bytes("<pargen>".to_owned(), PARGEN.as_bytes().to_vec())
    }

    fn from_bytes(name: String, bytes: Vec<u8>) -> Self {
        match String::from_utf8(bytes) {
            Ok(text) => Self { name, path: None, text, not_utf8: None, config: Arc::default() },
            Err(error) => {
                let at = error.utf8_error().valid_up_to();
                let byte = error.as_bytes().get(at).copied().unwrap_or_default();
                let span = Span::from(at..at + char::REPLACEMENT_CHARACTER.len_utf8());
                let diagnostic = Diagnostic::new(Code::Syntax, span, format!("byte 0x{byte:02X} is not UTF-8"))
                    .help("save the file as UTF-8");
                let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
                Self { name, path: None, text, not_utf8: Some(diagnostic), config: Arc::default() }
            }
        }
    }

    /// The text, where it may only be UTF-8.
    pub fn utf8(self) -> Result<String, Failure> {
        match self.not_utf8 {
            Some(why) => Err(Failure::Message(format!("cannot read {}: {}", self.name, why.message))),
            None => Ok(self.text),
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

    /// Writes another text to the file, as a whole or not at all, unless somebody else wrote to it since it was read.
    pub fn write(&self, text: &str) -> Result<(), Failure> {
        self.path.as_ref().map_or(Ok(()), |path| replace(path, &self.text, text))
    }

    /// Checks the text. One that is not UTF-8 gets that diagnostic alone.
    pub fn check(&self) -> Checked {
        let mut checked = psl_syntax::check(&self.text);
        if let Some(diagnostic) = &self.not_utf8 {
            checked.diagnostics = vec![diagnostic.clone()];
        }
        checked
    }
}

/// As people are shown it.
fn name(path: &Path) -> String {
    if path.as_os_str() == STDIN { "<stdin>".to_owned() } else { path.display().to_string() }
}

/// Something outside the programs that went wrong: a file that cannot be read, wrong usage. Ends the process with 2.
#[derive(Debug)]
pub enum Failure {
    /// In words.
    Message(String),
    /// Standard error has it already.
    Said,
    /// Standard output cannot be written.
    Output(io::Error),
}

impl Failure {
    /// Standard input can be read only once.
    pub fn both_from_stdin(first: &str, second: &str, instead: &str) -> Self {
        Self::Message(format!("{first} and {second} cannot both come from standard input: give {second} by {instead}"))
    }

    /// A file cannot be read.
    pub fn reading(path: &Path, error: &io::Error) -> Self {
        Self::Message(format!("cannot read {}: {error}", name(path)))
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

/// What paths stand for.
#[derive(Default)]
pub struct Found {
    /// Files, whether they exist or not.
    pub files: Vec<PathBuf>,
    /// Why some that a folder holds may be missing.
    pub problems: BTreeSet<String>,
}

/// The files that paths stand for: folders are searched for `*.psl`, honouring `.gitignore` and what `psl.toml` says of paths;
/// no path means this folder.
pub fn expand(paths: &[PathBuf], configs: &mut Configs) -> Found {
    let here = [PathBuf::from(".")];
    let mut all = Found::default();
    for path in if paths.is_empty() { &here } else { paths } {
        if path.is_dir() {
            let mut found = Vec::new();
            for entry in ignore::WalkBuilder::new(path).require_git(false).build() {
                match entry.map_err(|error| error.to_string()).and_then(|entry| program(entry.path(), configs)) {
                    Ok(program) => found.extend(program),
                    // One psl.toml counts for many files.
                    Err(problem) => drop(all.problems.insert(problem)),
                }
            }
            found.sort();
            all.files.extend(found);
        } else {
            all.files.push(path.clone());
        }
    }
    all
}

/// A program that the search of a folder came by; nothing for other files.
fn program(file: &Path, configs: &mut Configs) -> Result<Option<PathBuf>, String> {
    let is_program = file.extension().is_some_and(|extension| extension == "psl") && file.is_file();
    if !is_program || !configs.of(file)?.selects(file) {
        return Ok(None);
    }
    Ok(Some(file.strip_prefix(".").unwrap_or(file).to_owned()))
}

/// The texts that paths stand for, read one by one. A path that fails is named on standard error and costs itself.
pub struct Sources {
    files: vec::IntoIter<PathBuf>,
    configs: Configs,
    failed: usize,
}

impl Sources {
    /// Those of files and folders; no path means this folder.
    pub fn of(paths: &[PathBuf]) -> Self {
        let mut configs = Configs::default();
        let Found { files, problems } = expand(paths, &mut configs);
        for problem in &problems {
            say(format_args!("psl: {problem}"));
        }
        Self { files: files.into_iter(), configs, failed: problems.len() }
    }

    /// Whether all there is comes from standard input.
    pub fn are_stdin(&self) -> bool {
        self.files.as_slice() == [Path::new(STDIN)]
    }

    /// Whether some comes from standard input.
    pub fn have_stdin(&self) -> bool {
        self.files.as_slice().iter().any(|file| file.as_os_str() == STDIN)
    }

    /// What a step with one of them gave, if it went well. Errors: what ends the work on all of them.
    pub fn attempt<T>(&mut self, result: Result<T, Failure>) -> Result<Option<T>, Failure> {
        match result {
            Ok(done) => Ok(Some(done)),
            Err(Failure::Message(message)) => {
                say(format_args!("psl: {message}"));
                self.failed += 1;
                Ok(None)
            }
            Err(failure) => Err(failure),
        }
    }

    /// Whether no path failed so far.
    pub fn all_done(&self) -> bool {
        self.failed == 0
    }

    /// The end of the work on all of them: whether it is fine, if no path failed.
    pub fn end(&self, fine: bool) -> Result<bool, Failure> {
        if self.all_done() { Ok(fine) } else { Err(Failure::Said) }
    }
}

impl Iterator for Sources {
    type Item = Source;

    fn next(&mut self) -> Option<Source> {
        loop {
            let file = self.files.next()?;
            let read = Source::read(&file, &mut self.configs);
            if let Ok(Some(source)) = self.attempt(read) {
                return Some(source);
            }
        }
    }
}
