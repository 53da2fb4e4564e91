//! Finds the `psl.toml` for a file: the first one in its folder or above. The others are not read.

use std::{
    collections::HashMap,
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use ignore::gitignore::{Gitignore, GitignoreBuilder};
use psl_program::config::{Config, ConfigError, ConfigProblem, MAX_CONFIG_SIZE, Patterns, limited};
use psl_syntax::Span;

use crate::bounded::{read_regular, without_setting};

/// The name of the file.
const NAME: &str = "psl.toml";

/// A `psl.toml`, and the files of its folder that it selects.
#[derive(Debug, Default)]
pub struct FolderConfig {
    /// The file's settings.
    pub config: Arc<Config>,
    folder: PathBuf,
    include: Option<Gitignore>,
    exclude: Option<Gitignore>,
}

impl FolderConfig {
    fn new(text: &str, folder: &Path) -> Result<Self, Vec<ConfigError>> {
        let config = Config::parse(text)?;
        let matcher = |patterns: &Option<Patterns>| patterns.as_ref().map(|it| gitignore(it, folder)).transpose();
        let (include, exclude) = match (matcher(&config.include), matcher(&config.exclude)) {
            (Ok(include), Ok(exclude)) => (include, exclude),
            (include, exclude) => {
                return Err(limited([include.err(), exclude.err()].into_iter().flatten().flatten().collect()));
            }
        };
        Ok(Self { config: Arc::new(config), folder: folder.to_owned(), include, exclude })
    }

    /// Whether a file that was found in a folder is selected.
    pub fn selects(&self, file: &Path) -> bool {
        if self.include.is_none() && self.exclude.is_none() {
            return true;
        }
        let Ok(file) = absolute(file) else { return true };
        let Ok(file) = file.strip_prefix(&self.folder) else { return true };
        let in_list = |list: &Gitignore| list.matched_path_or_any_parents(file, false).is_ignore();
        self.include.as_ref().is_none_or(in_list) && !self.exclude.as_ref().is_some_and(in_list)
    }
}

/// Returns the errors in the text of a folder's `psl.toml`.
pub fn check_config(text: &str, folder: &Path) -> Vec<ConfigError> {
    FolderConfig::new(text, folder).err().unwrap_or_default()
}

fn gitignore(patterns: &Patterns, folder: &Path) -> Result<Gitignore, Vec<ConfigError>> {
    let mut builder = GitignoreBuilder::new(folder);
    let mut errors = Vec::new();
    for (pattern, span) in &patterns.list {
        let wrong = |error: ignore::Error| ConfigError { span: *span, message: error.to_string() };
        errors.extend(builder.add_line(None, pattern).err().map(wrong));
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    // Each pattern alone is valid.
    let too_large = "the patterns are too large to compile together: use fewer or shorter ones";
    builder.build().map_err(|_| vec![ConfigError { span: patterns.span, message: too_large.to_owned() }])
}

/// The configuration for the files of a folder, or the reason why it cannot be used.
type Found = Result<Arc<FolderConfig>, Arc<ConfigProblem>>;

/// The configurations of folders. Each `psl.toml` is read once.
#[derive(Default)]
pub struct Configs {
    by_folder: HashMap<PathBuf, Found>,
}

impl Configs {
    /// Returns the configuration for a file, which need not exist. For standard input, `-`, it is that of the current
    /// folder.
    ///
    /// # Errors
    ///
    /// Fails if the `psl.toml` cannot be used.
    pub fn of(&mut self, file: &Path) -> Result<Arc<FolderConfig>, Arc<ConfigProblem>> {
        let folder = folder(file);
        if let Some(known) = self.by_folder.get(folder) {
            return known.clone();
        }
        // A folder that does not exist has no configuration.
        let found = dunce::canonicalize(folder).map_or_else(|_| Ok(Arc::default()), |folder| self.find(&folder));
        let found = found.map_err(|problem| as_spelled(problem, folder));
        self.by_folder.insert(folder.to_owned(), found.clone());
        found
    }

    fn find(&mut self, folder: &Path) -> Found {
        let mut found = Ok(Arc::default());
        let mut below = Vec::new();
        for folder in folder.ancestors() {
            if let Some(known) = self.by_folder.get(folder) {
                found = known.clone();
                break;
            }
            below.push(folder);
            if let Some(own) = read_own(folder) {
                found = own.map(Arc::new).map_err(Arc::new);
                break;
            }
        }
        self.by_folder.extend(below.into_iter().map(|folder| (folder.to_owned(), found.clone())));
        found
    }
}

/// The problem with the path of the `psl.toml` below this folder or above it, which may be reached through links.
fn as_spelled(problem: Arc<ConfigProblem>, folder: &Path) -> Arc<ConfigProblem> {
    let is_there = |above: &&Path| dunce::canonicalize(above).ok().as_deref() == problem.file.parent();
    match folder.ancestors().find(is_there).map(|above| above.join(NAME)) {
        Some(file) if file != problem.file => Arc::new(ConfigProblem { file, ..problem.as_ref().clone() }),
        _ => problem,
    }
}

fn folder(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Resolves links and `..` in the file's folder, which must exist. The file itself need not exist.
fn absolute(file: &Path) -> io::Result<PathBuf> {
    Ok(dunce::canonicalize(folder(file))?.join(file.file_name().unwrap_or_default()))
}

/// The configuration in a folder, if there is one.
fn read_own(folder: &Path) -> Option<Result<FolderConfig, ConfigProblem>> {
    let path = folder.join(NAME);
    let problem = |text, errors| ConfigProblem { file: path.clone(), shown: path.display().to_string(), text, errors };
    let why = match read_regular(&path, MAX_CONFIG_SIZE).map(String::from_utf8) {
        Ok(Ok(text)) => {
            return Some(FolderConfig::new(&text, folder).map_err(|errors| problem(Some(text.into()), errors)));
        }
        Ok(Err(_)) => "it is not UTF-8".to_owned(),
        Err(error) => match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => return None,
            _ => without_setting(&error),
        },
    };
    Some(Err(problem(None, vec![ConfigError { span: Span::default(), message: why }])))
}

#[cfg(test)]
mod tests {
    use psl_program::config::located;

    use super::*;

    #[test]
    fn an_invalid_pattern_has_a_place() {
        let text = "[paths]\nexclude = ['a', '[z-a]']";
        let errors = check_config(text, Path::new("/programs"));
        let messages: Vec<String> = located(&errors, "psl.toml", text).collect();
        assert_eq!(messages, ["psl.toml:2:17: error parsing glob '[z-a]': invalid range; 'z' > 'a'"]);
    }
}
