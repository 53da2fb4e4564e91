//! A program text from a file or standard input, with its path.

use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use psl_host::{Configs, read, read_at_most, read_prompt, read_regular, with_short_lines, without_mark};
use psl_program::{Config, File, Runner, StructuredPrompt, TestName};
use psl_render::shown_line;
use psl_runtime::Executable;
use psl_syntax::{program::TestPrompt, tree::DirectiveKind};

use super::{
    bundled::PARGEN,
    heads::Heads,
    paths::{STDIN, is_stdin, raw_name},
    repository::from_root,
};
use crate::{failure::Failure, output::output_file::replace};

/// A program text with its path.
pub struct ProgramFile {
    /// The name for data: messages have [`ProgramFile::shown_name`].
    pub name: String,
    /// The file, `-` or a given path for standard input, or `None` for the bundled program.
    path: Option<PathBuf>,
    is_stdin: bool,
    /// The program, configured by its `psl.toml`.
    pub file: File,
}

impl ProgramFile {
    /// Reads a file, or standard input for `-`.
    pub fn read(path: &Path, configs: &mut Configs) -> Result<Self, Failure> {
        Self::read_by(read_bytes, path, configs)
    }

    /// Reads standard input as the text of a file, which may not exist.
    pub fn read_stdin_as(path: &Path, configs: &mut Configs) -> Result<Self, Failure> {
        let read = Self::read_by(|_, limit| read_bytes(Path::new(STDIN), limit), path, configs);
        read.map(|source| Self { is_stdin: true, ..source })
    }

    /// Reads a regular file, such as one found by a search or watched for changes: reading a pipe or a device could
    /// block.
    pub fn read_regular(path: &Path, configs: &mut Configs) -> Result<Self, Failure> {
        Self::read_by(read_regular, path, configs)
    }

    fn read_by(
        read: fn(&Path, u64) -> io::Result<Vec<u8>>,
        path: &Path,
        configs: &mut Configs,
    ) -> Result<Self, Failure> {
        let config = configured(path, configs)?;
        let bytes = read(path, config.max_file_size()).and_then(with_short_lines);
        let bytes = bytes.map_err(|error| Failure::reading(path, &error))?;
        Ok(Self::new(raw_name(path), Some(path.to_owned()), |config| File::from_bytes(bytes, config), config))
    }

    /// A program that is not PSL text, with its file.
    pub fn without_text(path: &Path, executable: Executable) -> Result<Self, Failure> {
        let config = configured(path, &mut Configs::default())?;
        let runner = Runner::of(executable).with_stop(config.stop.clone());
        let file = |config| File::new("", config).with_runner(runner);
        Ok(Self::new(raw_name(path), Some(path.to_owned()), file, config))
    }

    /// The bundled PARGEN.
    pub fn pargen() -> Self {
        Self::new("<pargen>".to_owned(), None, |config| File::new(PARGEN, config), Arc::default())
    }

    fn new(name: String, path: Option<PathBuf>, file: impl FnOnce(Arc<Config>) -> File, config: Arc<Config>) -> Self {
        // For standard input, paths are relative to the working folder. The bundled program has no path.
        let folder = path.as_deref().and_then(Path::parent);
        let file = file(config).with_prompts(|file| read_prompt(folder, file));
        let is_stdin = path.as_deref().is_some_and(is_stdin);
        Self { name, path, is_stdin, file }
    }

    /// The file with another text.
    #[must_use]
    pub fn with_text(&self, text: &str) -> Self {
        let config = Arc::new(self.file.config().clone());
        let file = Self::new(self.name.clone(), self.path.clone(), |config| File::new(text, config), config);
        Self { is_stdin: self.is_stdin, ..file }
    }

    /// The file with another configuration.
    #[must_use]
    pub fn with_config(self, config: Config) -> Self {
        Self { file: self.file.with_config(Arc::new(config)), ..self }
    }

    /// The program with the heads that the options ask for.
    pub fn with_heads(self, heads: &Heads) -> Result<Self, Failure> {
        Ok(match heads.scheduled(&self.name, self.runner())? {
            Some(scheduled) => Self { file: self.file.with_runner(scheduled), ..self },
            None => self,
        })
    }

    /// The program, ready to run, without productions that have errors.
    pub fn runner(&self) -> &Runner {
        self.file.compiled()
    }

    /// Whether the program is standard input.
    pub const fn is_stdin(&self) -> bool {
        self.is_stdin
    }

    /// The name for reports that a service shows in a repository: from its root, if the file is in one.
    pub fn name_from_root(&self) -> String {
        let file = self.path.as_deref().filter(|path| !is_stdin(path));
        file.and_then(from_root).unwrap_or_else(|| self.name.clone())
    }

    /// The program's file and the files of its tests' structured prompts.
    pub fn files(&self) -> Vec<PathBuf> {
        let Some(path) = &self.path else { return Vec::new() };
        let prompts = self.file.checked().tree.directives.iter().filter_map(|directive| match &directive.kind {
            DirectiveKind::Test { prompt: TestPrompt::Json(file), .. } => Some(path.with_file_name(file)),
            _ => None,
        });
        [path.clone()].into_iter().chain(prompts).collect()
    }

    /// The 0-based index of the test that a name chooses.
    pub fn test_index(&self, name: &str) -> Result<usize, Failure> {
        let found = TestName::Name(name.to_owned()).find(self.file.program());
        let unknown = |unknown| Failure::Message(format!("{}: {unknown}", self.shown_name()));
        found.map(|(index, _)| index).map_err(unknown)
    }

    /// Replaces the text of the file atomically, unless the file has changed since it was read.
    pub fn write(&self, text: &str) -> Result<(), Failure> {
        self.path.as_ref().map_or(Ok(()), |path| replace(path, self.file.text(), text))
    }

    /// The 1-based line of an offset.
    pub fn line(&self, offset: u32) -> usize {
        self.file.line_index().point(offset).line
    }

    /// The name for messages, on one line.
    pub fn shown_name(&self) -> String {
        shown_line(&self.name)
    }

    /// `path:line:column` of an offset, for messages.
    pub fn place(&self, offset: u32) -> String {
        let point = self.file.line_index().point(offset);
        format!("{}:{}:{}", self.shown_name(), point.line, point.column)
    }
}

/// Reads the text of a file that is not PSL, or of standard input for `-`, without a byte order mark.
pub fn read_text(path: &Path) -> Result<String, Failure> {
    let config = configured(path, &mut Configs::default())?;
    let bytes = read_bytes(path, config.max_file_size()).map_err(|error| Failure::reading(path, &error))?;
    let file = File::from_bytes(bytes, config);
    match file.not_utf8() {
        Some(why) => Err(Failure::content(path, &why.message)),
        None => Ok(without_mark(file.text()).to_owned()),
    }
}

/// The structured prompt in a file, or in standard input for `-`.
pub fn read_structured_prompt(path: &Path) -> Result<StructuredPrompt, Failure> {
    StructuredPrompt::parse(&read_text(path)?).map_err(|error| Failure::content(path, error))
}

fn configured(path: &Path, configs: &mut Configs) -> Result<Arc<Config>, Failure> {
    let found = configs.of(path).map_err(|problem| Failure::Message(problem.to_string()))?;
    Ok(Arc::clone(&found.config))
}

fn read_bytes(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    if is_stdin(path) { read_at_most(io::stdin().lock(), limit) } else { read(path, limit) }
}
