//! The structured prompts of a program's tests: the files that `//@ test … json "FILE"` lines name.

use std::{collections::HashMap, path::Path};

use psl_syntax::program::{TestCase, TestPrompt};

use crate::{config::Configs, input, prompt::Cells};

/// What the files held when they were read, or why there was no structured prompt in them, by their paths as the tests spell them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestPrompts(HashMap<String, Result<Cells, String>>);

impl TestPrompts {
    /// Reads the files, whose paths start from the program's folder. A program that has none cannot name files.
    pub fn read(tests: &[TestCase], folder: Option<&Path>) -> Self {
        let files = json_files(tests).map(|file| {
            let cells = match folder {
                Some(folder) => read(folder, file),
                None => Err("the program has no folder yet, where the path could start: save it first".to_owned()),
            };
            (file.to_owned(), cells.map_err(|why| format!("the prompt in {file}: {why}")))
        });
        Self(files.collect())
    }

    /// The prompt in a file; or, in words, why there is none.
    pub fn get(&self, file: &str) -> Result<&Cells, String> {
        match self.0.get(file) {
            Some(cells) => cells.as_ref().map_err(Clone::clone),
            None => Err(format!("no test names the file {file}")),
        }
    }
}

/// The files that tests name, as the tests spell them.
pub fn json_files(tests: &[TestCase]) -> impl Iterator<Item = &str> {
    tests.iter().filter_map(|test| match &test.prompt {
        TestPrompt::Json(file) => Some(file.as_str()),
        TestPrompt::Plain(_) => None,
    })
}

fn read(folder: &Path, file: &str) -> Result<Cells, String> {
    // A file called `-` is not standard input.
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let path = folder.join(file);
    let metadata = std::fs::metadata(&path).map_err(|error| format!("cannot read it: {error}"))?;
    // A device or a pipe might never end.
    if !metadata.is_file() {
        return Err("this is not a file that can be read again and again".to_owned());
    }
    let limit = Configs::default().of(&path)?.max_file_size();
    let bytes = input::read(&path, limit).map_err(|error| format!("cannot read it: {error}"))?;
    let text = String::from_utf8(bytes).map_err(|_| "it is not UTF-8: save the file as UTF-8".to_owned())?;
    Cells::parse(&text)
}
