//! A command line and its expected effects:
//!
//! ```ignore
//! psl("fmt -").input("where x[N]==A:y[N]=B").prints("where x[N] == A:\n    y[N] = B\n");
//! psl("new a").file("a.psl", "mine").code(2).complains("psl: a.psl already exists: choose another name\n").prints("");
//! ```
//!
//! The command runs in a new folder that has only the files given here.

use std::{fs, path::Path};

use tempfile::TempDir;

use crate::binary;

/// A command with what it should do: succeed, and write nothing to standard error.
#[must_use = "`prints` runs it"]
pub struct Command {
    folder: TempDir,
    args: Vec<String>,
    input: Vec<u8>,
    code: i32,
    stderr: Stderr,
}

enum Stderr {
    Is(String),
    Has(Vec<String>),
}

/// The folder of a command that ran.
pub struct Ran(TempDir);

/// A command, with its arguments as words in a shell.
pub fn psl(args: &str) -> Command {
    Command::new(binary::folder(&[]), args)
}

impl Command {
    fn new(folder: TempDir, args: &str) -> Self {
        let args = shlex::split(args).expect("words");
        Self { folder, args, input: Vec::new(), code: 0, stderr: Stderr::Is(String::new()) }
    }

    pub fn file(self, name: &str, content: impl AsRef<[u8]>) -> Self {
        let file = self.folder.path().join(name);
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        fs::write(file, content).expect("a file");
        self
    }

    pub fn input(self, input: impl Into<Vec<u8>>) -> Self {
        Self { input: input.into(), ..self }
    }

    pub fn code(self, code: i32) -> Self {
        Self { code, ..self }
    }

    /// Expects this text on standard error.
    pub fn complains(self, text: &str) -> Self {
        Self { stderr: Stderr::Is(text.to_owned()), ..self }
    }

    /// Expects a text on standard error that contains this one.
    pub fn mentions(self, part: &str) -> Self {
        let mut parts = if let Stderr::Has(parts) = self.stderr { parts } else { Vec::new() };
        parts.push(part.to_owned());
        Self { stderr: Stderr::Has(parts), ..self }
    }

    /// Runs the command, and compares its output, exit code and files with the expected ones.
    #[track_caller]
    pub fn prints(self, text: &str) -> Ran {
        let args: Vec<&str> = self.args.iter().map(String::as_str).collect();
        let output = binary::psl_in(self.folder.path(), &args, &self.input);
        let (stdout, stderr) = (binary::out(&output), binary::err(&output));
        assert_eq!((binary::code(&output), stdout.as_str()), (self.code, text), "psl {args:?}: {stderr}");
        match self.stderr {
            Stderr::Is(text) => assert_eq!(stderr, text, "psl {args:?}"),
            Stderr::Has(parts) => {
                for part in parts {
                    assert!(stderr.contains(&part), "psl {args:?}: no {part:?} in\n{stderr}");
                }
            }
        }
        Ran(self.folder)
    }
}

impl Ran {
    /// The next command in the same folder.
    pub fn psl(self, args: &str) -> Command {
        Command::new(self.0, args)
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.path().join(name)).expect("a file of text")
    }

    pub fn names(&self) -> Vec<String> {
        names(self.0.path())
    }
}

/// The sorted names in a folder.
pub fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<_> = entries.map(|name| name.into_string().expect("UTF-8")).collect();
    names.sort();
    names
}
