//! The paths of prompt files after files and folders are renamed.
//!
//! Paths are compared by their names, without the disk: the editor is about to rename the files.

use std::path::{Component, Path, PathBuf};

/// Files and folders with their new paths.
pub struct Renames(Vec<(PathBuf, PathBuf)>);

impl Renames {
    /// Files and folders, each with its old and its new path.
    pub fn new(renames: impl IntoIterator<Item = (PathBuf, PathBuf)>) -> Self {
        Self(renames.into_iter().map(|(old, new)| (normal(&old), normal(&new))).collect())
    }

    /// The path of a file after the renames.
    fn of(&self, path: &Path) -> PathBuf {
        let moved = self.0.iter().find_map(|(old, new)| Some((new, path.strip_prefix(old).ok()?)));
        moved.map_or_else(
            || path.to_owned(),
            |(new, below)| if below == Path::new("") { new.clone() } else { new.join(below) },
        )
    }

    /// The new path of a prompt file as a test names it, or `None` if the old one still leads to it. `program` is the
    /// file of the program before the renames.
    pub fn new_path(&self, program: &Path, prompt: &str) -> Option<String> {
        let (program, folder) = (normal(program), program.parent()?);
        let new_folder = self.of(&program).parent()?.to_owned();
        let new_file = self.of(&normal(&folder.join(prompt)));
        if normal(&new_folder.join(prompt)) == new_file {
            return None;
        }
        let path = if Path::new(prompt).is_absolute() { new_file } else { relative(&new_folder, &new_file) };
        Some(path.to_str()?.replace(std::path::MAIN_SEPARATOR, "/"))
    }
}

/// A path without `.` and `..`.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                normal.pop();
            }
            part => normal.push(part),
        }
    }
    normal
}

/// The path of a file from a folder. The file's own path if they have no common root.
fn relative(folder: &Path, file: &Path) -> PathBuf {
    let shared = folder.components().zip(file.components()).take_while(|(one, other)| one == other).count();
    if shared == 0 {
        return file.to_owned();
    }
    let up = folder.components().skip(shared).map(|_| Component::ParentDir);
    up.chain(file.components().skip(shared)).collect()
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    /// Checks the new path of a prompt file of `/w/p/a.psl`.
    fn check(renames: &[(&str, &str)], prompt: &str, expected: Option<&str>) {
        let renames = renames.iter().map(|(old, new)| (PathBuf::from(old), PathBuf::from(new)));
        let found = Renames::new(renames).new_path(Path::new("/w/p/a.psl"), prompt);
        assert_eq!(found.as_deref(), expected, "{prompt}");
    }

    #[test]
    fn a_renamed_file_has_a_new_path() {
        check(&[("/w/p/x.json", "/w/p/y z.json")], "x.json", Some("y z.json"));
        check(&[("/w/p/x.json", "/w/p/d/x.json")], "./x.json", Some("d/x.json"));
        check(&[("/w/d/x.json", "/w/p/x.json")], "../d/x.json", Some("x.json"));
        check(&[("/w/p/x.json", "/w/d/x.json")], "x.json", Some("../d/x.json"));
        check(&[("/w/p/x.json", "/w/p/y.json")], "/w/p/x.json", Some("/w/p/y.json"));
        check(&[("/w/p/x.json", "/w/p/y.json")], "xx.json", None);
        check(&[("/w/p/x", "/w/p/y")], "x.json", None);
    }

    #[test]
    fn a_moved_program_finds_its_files() {
        check(&[("/w/p/a.psl", "/w/p/b.psl")], "x.json", None);
        check(&[("/w/p/a.psl", "/w/a.psl")], "x.json", Some("p/x.json"));
        check(&[("/w/p/a.psl", "/w/q/r/a.psl")], "../d/x.json", Some("../../d/x.json"));
        check(&[("/w/p/a.psl", "/w/q/a.psl"), ("/w/p/x.json", "/w/q/x.json")], "x.json", None);
        check(&[("/w/p/a.psl", "/w/q/a.psl")], "/w/p/x.json", None);
    }

    #[test]
    fn a_renamed_folder_takes_its_files_along() {
        check(&[("/w/p", "/w/q")], "x.json", None);
        check(&[("/w/p", "/v/q")], "../d/x.json", Some("../../w/d/x.json"));
        check(&[("/w/p/d", "/w/p/e")], "d/x.json", Some("e/x.json"));
        check(&[("/w", "/v")], "../d/x.json", None);
        check(&[("/w/d/", "/w/e")], "../d/x.json", Some("../e/x.json"));
    }
}
