//! The programs that a command is given, read one by one.

use std::{path::PathBuf, sync::atomic::AtomicBool, vec};

use psl_lsp::disk::{Configs, Found, FoundFile, expand};

use crate::{failure::Failure, input_file::InputFile, paths::is_stdin, stdio::say_failure};

/// The texts that paths stand for, read one by one. A path that fails is named on standard error and costs itself.
pub struct InputFiles {
    files: vec::IntoIter<FoundFile>,
    configs: Configs,
    failed: usize,
}

impl InputFiles {
    /// Those of files and folders; no path means this folder.
    pub fn of(paths: &[PathBuf]) -> Self {
        let mut configs = Configs::default();
        let Found { mut files, config_problems, problems } = expand(paths, &mut configs, &AtomicBool::new(false));
        // What their folder's psl.toml leaves out must not be written.
        files.retain(|file| !file.unconfigured);
        let of_configs = config_problems.values().map(ToString::to_string);
        for problem in of_configs.chain(problems.iter().cloned()) {
            say_failure(&problem);
        }
        let failed = config_problems.len() + problems.len();
        Self { files: files.into_iter(), configs, failed }
    }

    /// Whether all there is comes from standard input.
    pub fn are_stdin(&self) -> bool {
        self.files.len() == 1 && self.have_stdin()
    }

    /// Whether some comes from standard input.
    pub fn have_stdin(&self) -> bool {
        self.files.as_slice().iter().any(|file| is_stdin(&file.path))
    }

    /// What a step with one of them gave, if it went well. Errors: what ends the work on all of them.
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

    /// Whether no path failed so far.
    pub fn all_done(&self) -> bool {
        self.failed == 0
    }

    /// The end of the work on all of them: whether it is fine, if no path failed.
    pub fn end(&self, fine: bool) -> Result<bool, Failure> {
        if self.all_done() { Ok(fine) } else { Err(Failure::Said) }
    }
}

impl Iterator for InputFiles {
    type Item = InputFile;

    fn next(&mut self) -> Option<InputFile> {
        loop {
            let file = self.files.next()?;
            let read = if file.searched { InputFile::read_searched } else { InputFile::read };
            let read = read(&file.path, &mut self.configs);
            if let Ok(Some(source)) = self.attempt(read) {
                return Some(source);
            }
        }
    }
}
