//! The folder in which pages run.

use std::{
    env, fs,
    os::unix::fs::symlink,
    path::PathBuf,
    process::{Command, Stdio},
};

use tempfile::TempDir;

/// A folder with links to some of the repository, and the commands that run in it.
pub struct Folder {
    /// A folder with the working folder, the home folder, and one with `psl` for the `PATH`.
    around: TempDir,
    path: PathBuf,
}

impl Folder {
    pub fn new(linked: &[PathBuf]) -> Self {
        let around = tempfile::tempdir().expect("a folder");
        let path = around.path().join("book");
        for folder in ["book", "home", "bin"] {
            fs::create_dir(around.path().join(folder)).expect("a folder");
        }
        symlink(env!("CARGO_BIN_EXE_psl"), around.path().join("bin/psl")).expect("a link");
        for folder in linked {
            symlink(folder, path.join(folder.file_name().expect("a name"))).expect("a link");
        }
        Self { around, path }
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Writes a file, and the folders around it.
    pub fn write(&self, name: &str, text: &str) {
        let file = self.file(name);
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        fs::write(file, text).expect("the file can be written");
    }

    /// Runs a script in bash, and returns its output and exit code.
    pub fn bash(&self, script: &str) -> (String, i32) {
        self.run(Command::new("bash").args(["-euc", &format!("exec 2>&1\n{script}")]))
    }

    /// Runs a command, and returns its standard output and its exit code.
    pub fn run(&self, command: &mut Command) -> (String, i32) {
        let path = format!("{}:{}", self.around.path().join("bin").display(), env::var("PATH").expect("PATH"));
        let output = command
            .env_clear()
            .envs([("PATH", path.as_str()), ("LANG", "C.UTF-8"), ("COLUMNS", "80"), ("TERM", "dumb")])
            .env("HOME", self.around.path().join("home"))
            // A browser that opens every page.
            .env("BROWSER", "true")
            .current_dir(&self.path)
            .stdin(Stdio::null())
            .output()
            .expect("the command runs");
        (String::from_utf8(output.stdout).expect("UTF-8"), output.status.code().unwrap_or(-1))
    }
}
