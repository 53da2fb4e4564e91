//! The programs given to a command, read one by one.

use std::{
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
    vec,
};

use psl_host::{Configs, Found, FoundFile, expand};

use super::{paths::is_stdin, program_file::ProgramFile};
use crate::{
    failure::Failure,
    output::{
        progress::{Progress, Unit},
        stdio::say_failure,
    },
};

/// The programs at given paths, read one by one. A path that fails is reported on standard error, and the others are
/// still read.
pub struct ProgramFiles {
    files: vec::IntoIter<FoundFile>,
    configs: Configs,
    /// The path whose text is on standard input, if one is given.
    stdin_filename: Option<PathBuf>,
    /// Whether a path that a user named may be a pipe.
    pipes: bool,
    failed: usize,
    /// The progress from the first program to the last, or `None` for a single program.
    progress: Option<Progress>,
}

impl ProgramFiles {
    /// The programs in files and folders. No path means this folder.
    pub fn of(paths: &[PathBuf]) -> Self {
        let mut configs = Configs::default();
        let Found { mut files, config_problems, problems } = expand(paths, &mut configs, &AtomicBool::new(false));
        // Without a valid psl.toml, its excluded paths are unknown: such files must not be written.
        files.retain(|file| !file.unconfigured);
        let of_configs = config_problems.values().map(ToString::to_string);
        for problem in of_configs.chain(problems.iter().cloned()) {
            say_failure(&problem);
        }
        let failed = config_problems.len() + problems.len();
        Self { files: files.into_iter(), configs, stdin_filename: None, pipes: true, failed, progress: None }
    }

    /// Names standard input, for messages and for the configuration.
    ///
    /// # Errors
    ///
    /// Standard input is not one of the programs.
    pub fn with_stdin_filename(self, name: Option<&Path>) -> Result<Self, Failure> {
        if name.is_some() && !self.have_stdin() {
            let message = "`--stdin-filename` names standard input: give `-` as a path, too";
            return Err(Failure::Message(message.to_owned()));
        }
        Ok(Self { stdin_filename: name.map(Path::to_owned), ..self })
    }

    /// The programs for a command that reads them again when they change. They must be regular files: a pipe would
    /// block it.
    pub fn watched(paths: &[PathBuf]) -> Self {
        Self { pipes: false, ..Self::of(paths) }
    }

    /// Whether standard input is the only program.
    pub fn are_stdin(&self) -> bool {
        self.files.len() == 1 && self.have_stdin()
    }

    /// Whether standard input is one of the programs.
    pub fn have_stdin(&self) -> bool {
        self.files.as_slice().iter().any(|file| is_stdin(&file.path))
    }

    /// Unwraps the result for one program. Reports a failed path and returns `None`.
    ///
    /// # Errors
    ///
    /// Returns a failure that stops the work on all programs.
    pub fn attempt<T>(&mut self, result: Result<T, Failure>) -> Result<Option<T>, Failure> {
        match result {
            Ok(done) => Ok(Some(done)),
            Err(Failure::Message(message)) => {
                say_failure(&message);
                self.failed += 1;
                Ok(None)
            }
            Err(failure) => Err(failure),
        }
    }

    /// Whether no path has failed so far.
    pub fn all_done(&self) -> bool {
        self.failed == 0
    }

    /// Ends the work with this result, unless a path failed.
    pub fn end(&self, fine: bool) -> Result<bool, Failure> {
        if self.all_done() { Ok(fine) } else { Err(Failure::Reported) }
    }
}

impl Iterator for ProgramFiles {
    type Item = ProgramFile;

    fn next(&mut self) -> Option<ProgramFile> {
        loop {
            match &self.progress {
                Some(progress) => progress.item(1),
                None if self.files.len() > 1 => {
                    self.progress = Some(Progress::new(Unit::Items("files"), Some(self.files.len() as u64)));
                }
                None => {}
            }
            let Some(file) = self.files.next() else {
                self.progress = None;
                return None;
            };
            let read = match &self.stdin_filename {
                Some(name) if is_stdin(&file.path) => ProgramFile::read_stdin_as(name, &mut self.configs),
                _ if file.searched || !self.pipes => ProgramFile::read_regular(&file.path, &mut self.configs),
                _ => ProgramFile::read(&file.path, &mut self.configs),
            };
            if let Ok(Some(source)) = self.attempt(read) {
                return Some(source);
            }
        }
    }
}
