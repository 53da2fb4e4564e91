//! The names of files in reports for services that show a repository.

use std::{
    env,
    path::{Path, PathBuf},
};

/// The variable in which GitHub Actions gives the folder of the repository.
const WORKSPACE: &str = "GITHUB_WORKSPACE";

/// The path of a file from the root of its repository, with `/` between folders, or `None` outside of any. The root is
/// the workspace of GitHub Actions, or else the nearest folder with the files of git.
pub fn from_root(file: &Path) -> Option<String> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = dunce::canonicalize(folder).ok()?;
    let workspace = env::var_os(WORKSPACE).and_then(|root| dunce::canonicalize(root).ok());
    let with_git = || folder.ancestors().find(|root| root.join(".git").exists()).map(PathBuf::from);
    let root = workspace.filter(|root| folder.starts_with(root)).or_else(with_git)?;
    let path = folder.strip_prefix(root).ok()?.join(file.file_name()?);
    Some(path.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/"))
}
