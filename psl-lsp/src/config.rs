//! `psl.toml`: how bad diagnostics are, which files belong to a folder, how large they may be, and the stop symbol of its
//! programs.
//!
//! The one that counts for a program is the first in its folder and those above it; the others are not read.

use std::{
    collections::HashMap,
    fs, io,
    ops::Range,
    path::{Path, PathBuf},
    sync::Arc,
};

use ignore::gitignore::{Gitignore, GitignoreBuilder};
use psl_syntax::{Code, Levels, Severity, nearest};
use ropey::Rope;
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use crate::{
    input::{self, MAX_FILE_SIZE},
    text::{Encoding, position},
};

/// The file's name.
const NAME: &str = "psl.toml";

/// The largest `max-file-size`: offsets in a text are 32 bits wide, also where it is not UTF-8 and grows by the characters
/// that stand for its bytes.
const MAX_MAX_FILE_SIZE: u64 = 1 << 30;

const KEYS: [&str; 4] = ["max-file-size", "paths", "severity", "stop"];
const PATHS: [&str; 2] = ["exclude", "include"];
const LEVELS: [(&str, Option<Severity>); 5] = [
    ("error", Some(Severity::Error)),
    ("warning", Some(Severity::Warning)),
    ("info", Some(Severity::Info)),
    ("hint", Some(Severity::Hint)),
    ("off", None),
];

/// What a `psl.toml` says; nothing of all that by default.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// How bad diagnostics are.
    pub levels: Levels,
    /// The symbol that ends a continuation, where the program does not name one.
    pub stop: Option<String>,
    max_file_size: Option<u64>,
    folder: PathBuf,
    include: Option<Gitignore>,
    exclude: Option<Gitignore>,
}

impl Config {
    /// The largest program, or other text that is read whole, in bytes.
    pub fn max_file_size(&self) -> u64 {
        self.max_file_size.unwrap_or(MAX_FILE_SIZE)
    }

    /// Whether a file, found by a search of a folder, is to be looked at.
    pub fn selects(&self, file: &Path) -> bool {
        let Ok(file) = absolute(file) else { return true };
        let Ok(file) = file.strip_prefix(&self.folder) else { return true };
        let in_list = |list: &Gitignore| list.matched_path_or_any_parents(file, false).is_ignore();
        self.include.as_ref().is_none_or(in_list) && !self.exclude.as_ref().is_some_and(in_list)
    }
}

/// The configurations of folders, each read once.
#[derive(Default)]
pub struct Configs {
    by_folder: HashMap<PathBuf, Result<Arc<Config>, String>>,
}

impl Configs {
    /// What counts for a file; for standard input, `-`, what counts in the current folder. An error names the place in the
    /// `psl.toml` and says what is wrong with it.
    pub fn of(&mut self, file: &Path) -> Result<Arc<Config>, String> {
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

fn find(folder: &Path) -> Result<Config, String> {
    // A folder that does not exist has no files that could be configured.
    let Ok(folder) = fs::canonicalize(folder) else { return Ok(Config::default()) };
    for folder in folder.ancestors() {
        let path = folder.join(NAME);
        let why = match input::read(&path, MAX_FILE_SIZE).map(String::from_utf8) {
            Ok(Ok(text)) => return Reader { path: &path, text: &text }.config(folder),
            Ok(Err(_)) => "it is not UTF-8".to_owned(),
            Err(error) => match error.kind() {
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => continue,
                io::ErrorKind::FileTooLarge => format!("it has more than {MAX_FILE_SIZE} bytes"),
                _ => error.to_string(),
            },
        };
        return Err(format!("cannot read {}: {why}", path.display()));
    }
    Ok(Config::default())
}

struct Reader<'t> {
    path: &'t Path,
    text: &'t str,
}

impl Reader<'_> {
    fn config(&self, folder: &Path) -> Result<Config, String> {
        let table = DeTable::parse(self.text)
            .map_err(|error| self.wrong(error.span().unwrap_or_default(), error.message().trim()))?;
        let mut config = Config { folder: folder.to_owned(), ..Config::default() };
        for (key, value) in table.get_ref() {
            let name: &str = key.get_ref();
            match name {
                "severity" => {
                    for (code, level) in self.table(name, value)? {
                        let code = self.code(code)?;
                        config.levels.set(code, self.level(code, level)?);
                    }
                }
                "paths" => {
                    for (key, list) in self.table(name, value)? {
                        let name: &str = key.get_ref();
                        match name {
                            "include" => config.include = Some(self.patterns(folder, name, list)?),
                            "exclude" => config.exclude = Some(self.patterns(folder, name, list)?),
                            _ => return Err(self.unknown(key.span(), "key of `paths`", name, &PATHS)),
                        }
                    }
                }
                "max-file-size" => config.max_file_size = Some(self.size(name, value)?),
                "stop" => match value.get_ref().as_str() {
                    Some(stop) if !stop.is_empty() && !stop.contains(char::is_whitespace) => {
                        config.stop = Some(stop.to_owned());
                    }
                    _ => return Err(self.wrong(value.span(), "`stop` is one symbol, as in `stop = \".\"`")),
                },
                _ => return Err(self.unknown(key.span(), "key", name, &KEYS)),
            }
        }
        Ok(config)
    }

    fn table<'v, 'i>(&self, name: &str, value: &'v Spanned<DeValue<'i>>) -> Result<&'v DeTable<'i>, String> {
        let table = value.get_ref().as_table();
        table.ok_or_else(|| self.wrong(value.span(), &format!("`{name}` is a table, written under `[{name}]`")))
    }

    fn code(&self, name: &Spanned<impl AsRef<str>>) -> Result<Code, String> {
        let names: Vec<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
        let text = name.get_ref().as_ref();
        Code::from_name(text).ok_or_else(|| match nearest(text, names) {
            Some(near) => self.wrong(name.span(), &format!("no diagnostic is called `{text}`; did you mean `{near}`?")),
            None => self.wrong(name.span(), &format!("no diagnostic is called `{text}`; `psl explain` lists them all")),
        })
    }

    fn level(&self, code: Code, value: &Spanned<DeValue<'_>>) -> Result<Option<Severity>, String> {
        let Some(name) = value.get_ref().as_str() else {
            let names = LEVELS.map(|(name, _)| name);
            return Err(self.wrong(value.span(), &format!("a severity is one of {}, in quotes", names.join(", "))));
        };
        level(code, name).map_err(|why| self.wrong(value.span(), &why))
    }

    fn size(&self, name: &str, value: &Spanned<DeValue<'_>>) -> Result<u64, String> {
        let number = value.get_ref().as_integer();
        let size = number.and_then(|number| u64::from_str_radix(number.as_str(), number.radix()).ok());
        size.filter(|size| (1..=MAX_MAX_FILE_SIZE).contains(size)).ok_or_else(|| {
            self.wrong(value.span(), &format!("`{name}` is a number of bytes, from 1 to {MAX_MAX_FILE_SIZE}"))
        })
    }

    fn patterns(&self, folder: &Path, name: &str, value: &Spanned<DeValue<'_>>) -> Result<Gitignore, String> {
        let shape = || format!("`{name}` is a list of patterns, as in `{name} = [\"drafts/\"]`");
        let list = value.get_ref().as_array().ok_or_else(|| self.wrong(value.span(), &shape()))?;
        let mut patterns = GitignoreBuilder::new(folder);
        for entry in list {
            let pattern = entry.get_ref().as_str().ok_or_else(|| self.wrong(entry.span(), &shape()))?;
            patterns.add_line(None, pattern).map_err(|error| self.wrong(entry.span(), &error.to_string()))?;
        }
        patterns.build().map_err(|error| self.wrong(value.span(), &error.to_string()))
    }

    fn unknown(&self, span: Range<usize>, kind: &str, name: &str, names: &[&str]) -> String {
        self.wrong(span, &unknown(kind, name, names))
    }

    /// What is wrong, after `path:line:column`.
    fn wrong(&self, span: Range<usize>, message: &str) -> String {
        let place = position(&Rope::from_str(self.text), span.start as u32, Encoding::Utf32);
        format!("{}:{}:{}: {message}", self.path.display(), place.line + 1, place.column + 1)
    }
}

/// The severity of that name, for diagnostics of a code; nothing for off.
pub fn level(code: Code, name: &str) -> Result<Option<Severity>, String> {
    let Some((_, level)) = LEVELS.into_iter().find(|(level, _)| *level == name) else {
        return Err(unknown("severity", name, &LEVELS.map(|(name, _)| name)));
    };
    if level != Some(Severity::Error) && code.is_error() {
        return Err(format!("`{}` is an error, and errors can be nothing else", code.as_str()));
    }
    Ok(level)
}

fn unknown(kind: &str, name: &str, names: &[&str]) -> String {
    match nearest(name, names.iter().copied()) {
        Some(near) => format!("no {kind} is called `{name}`; did you mean `{near}`?"),
        None => format!("no {kind} is called `{name}`; there are {}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Config, String> {
        Reader { path: Path::new("psl.toml"), text }.config(Path::new("/programs"))
    }

    /// Checks that a text is refused, where and why.
    fn check(text: &str, expected: &str) {
        assert_eq!(read(text).expect_err("it is wrong"), format!("psl.toml:{expected}"));
    }

    #[test]
    fn what_it_says() {
        let config = read("stop = '!'\nmax-file-size = 0x1_00\n[severity]\nnon-causal = 'error'\nunused-allow = 'off'\nsyntax = 'error'\n")
            .expect("it is right");
        assert_eq!((config.stop.as_deref(), config.max_file_size()), (Some("!"), 256));
        assert!(config.levels.is_off(Code::UnusedAllow));
        let mut levels = Levels::default();
        levels.set(Code::NonCausal, Some(Severity::Error));
        levels.set(Code::UnusedAllow, None);
        levels.set(Code::Syntax, Some(Severity::Error));
        assert_eq!(config.levels, levels);
        let empty = read("").expect("nothing is right too");
        assert_eq!((empty.levels.clone(), empty.max_file_size()), (Levels::default(), MAX_FILE_SIZE));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place() {
        check("[sevrity]\n", "1:2: no key is called `sevrity`; did you mean `severity`?");
        check("é = 1", "1:1: invalid unquoted key, expected letters, numbers, `-`, `_`");
        check("'é é' = 1", "1:1: no key is called `é é`; there are max-file-size, paths, severity, stop");
        check("max-file-size = 0", "1:17: `max-file-size` is a number of bytes, from 1 to 1073741824");
        check("max-file-size = '1 MiB'", "1:17: `max-file-size` is a number of bytes, from 1 to 1073741824");
        check("stop = 1", "1:8: `stop` is one symbol, as in `stop = \".\"`");
        check("severity = 1", "1:12: `severity` is a table, written under `[severity]`");
        check(
            "[severity]\nnon-casual = 'off'",
            "2:1: no diagnostic is called `non-casual`; did you mean `non-causal`?",
        );
        check(
            "[severity]\nnon-causal = 'of'",
            "2:14: no severity is called `of`; there are error, warning, info, hint, off",
        );
        check("[severity]\nnon-causal = 'hnit'", "2:14: no severity is called `hnit`; did you mean `hint`?");
        check("[severity]\nnon-causal = 0", "2:14: a severity is one of error, warning, info, hint, off, in quotes");
        check("[severity]\nsyntax = 'off'", "2:10: `syntax` is an error, and errors can be nothing else");
        check("[paths]\nexclud = []", "2:1: no key of `paths` is called `exclud`; did you mean `exclude`?");
        check("[paths]\nexclude = ['a', 1]", "2:17: `exclude` is a list of patterns, as in `exclude = [\"drafts/\"]`");
        check("[paths]\nexclude = ['a', '[z-a]']", "2:17: error parsing glob '[z-a]': invalid range; 'z' > 'a'");
        check("stop = ", "1:8: string values must be quoted, expected literal string");
    }
}
