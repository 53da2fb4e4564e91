//! Which `psl.toml` counts for a file: the first in its folder and those above it. The others are not read.

use std::{
    collections::HashMap,
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use ignore::gitignore::{Gitignore, GitignoreBuilder};
use psl_ide::config::{Config, ConfigError, MAX_FILE_SIZE, Patterns};

use super::bounded::read;

/// The file's name.
const NAME: &str = "psl.toml";

/// A `psl.toml`, and the files of its folder that it is about.
#[derive(Debug, Default)]
pub struct FolderConfig {
    /// What it says.
    pub config: Arc<Config>,
    folder: PathBuf,
    include: Option<Gitignore>,
    exclude: Option<Gitignore>,
}

impl FolderConfig {
    fn new(text: &str, folder: &Path) -> Result<Self, ConfigError> {
        let config = Config::parse(text)?;
        let matcher = |patterns: &Option<Patterns>| patterns.as_ref().map(|it| gitignore(it, folder)).transpose();
        let (include, exclude) = (matcher(&config.include)?, matcher(&config.exclude)?);
        Ok(Self { config: Arc::new(config), folder: folder.to_owned(), include, exclude })
    }

    /// Whether a file, found by a search of a folder, is to be looked at.
    pub fn selects(&self, file: &Path) -> bool {
        let Ok(file) = absolute(file) else { return true };
        let Ok(file) = file.strip_prefix(&self.folder) else { return true };
        let in_list = |list: &Gitignore| list.matched_path_or_any_parents(file, false).is_ignore();
        self.include.as_ref().is_none_or(in_list) && !self.exclude.as_ref().is_some_and(in_list)
    }
}

fn gitignore(patterns: &Patterns, folder: &Path) -> Result<Gitignore, ConfigError> {
    let mut builder = GitignoreBuilder::new(folder);
    for (pattern, span) in &patterns.list {
        let wrong = |error: ignore::Error| ConfigError { span: *span, message: error.to_string() };
        builder.add_line(None, pattern).map_err(wrong)?;
    }
    builder.build().map_err(|error| ConfigError { span: patterns.span, message: error.to_string() })
}

/// The configurations of folders, each read once.
#[derive(Default)]
pub struct Configs {
    by_folder: HashMap<PathBuf, Result<Arc<FolderConfig>, String>>,
}

impl Configs {
    /// What counts for a file, which need not exist; for standard input, `-`, what counts in the current folder.
    ///
    /// # Errors
    ///
    /// The place in the `psl.toml` and what is wrong with it, in words.
    pub fn of(&mut self, file: &Path) -> Result<Arc<FolderConfig>, String> {
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if let Some(config) = self.by_folder.get(folder) {
            return config.clone();
        }
        let config = find(folder).map(Arc::new);
        self.by_folder.insert(folder.to_owned(), config.clone());
        config
    }
}

/// With links and `..` followed in its folder, which exists; the file itself need not.
fn absolute(file: &Path) -> io::Result<PathBuf> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Ok(fs::canonicalize(folder)?.join(file.file_name().unwrap_or_default()))
}

fn find(folder: &Path) -> Result<FolderConfig, String> {
    // A folder that does not exist has no files that could be configured.
    let Ok(folder) = fs::canonicalize(folder) else { return Ok(FolderConfig::default()) };
    for folder in folder.ancestors() {
        let path = folder.join(NAME);
        let why = match read(&path, MAX_FILE_SIZE).map(String::from_utf8) {
            Ok(Ok(text)) => {
                let located = |error: ConfigError| error.located(&path.display().to_string(), &text);
                return FolderConfig::new(&text, folder).map_err(located);
            }
            Ok(Err(_)) => "it is not UTF-8".to_owned(),
            Err(error) => match error.kind() {
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => continue,
                io::ErrorKind::FileTooLarge => format!("it has more than {MAX_FILE_SIZE} bytes"),
                _ => error.to_string(),
            },
        };
        return Err(format!("cannot read {}: {why}", path.display()));
    }
    Ok(FolderConfig::default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_that_means_nothing_is_named_with_its_place() {
        let text = "[paths]\nexclude = ['a', '[z-a]']";
        let error = FolderConfig::new(text, Path::new("/programs")).expect_err("it is wrong");
        let expected = "psl.toml:2:17: error parsing glob '[z-a]': invalid range; 'z' > 'a'";
        assert_eq!(error.located("psl.toml", text), expected);
    }
}
