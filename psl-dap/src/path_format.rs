//! The names of files in messages: paths or URIs.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use url::Url;

/// The form of the names of files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum PathFormat {
    Uri,
    #[default]
    #[serde(other)]
    Path,
}

impl PathFormat {
    /// The name of a file. A path that is not absolute, such as `untitled:1`, is its own name.
    pub fn name(self, path: &Path) -> String {
        let uri = (self == Self::Uri).then(|| Url::from_file_path(path).ok()).flatten();
        uri.map_or_else(|| path.to_string_lossy().into_owned(), String::from)
    }
}

/// The path of a file by its name in either format.
pub fn path_of(name: &str) -> PathBuf {
    let uri = Url::parse(name).ok().filter(|uri| uri.scheme() == "file");
    uri.and_then(|uri| uri.to_file_path().ok()).unwrap_or_else(|| PathBuf::from(name))
}

/// The one name of a path, if it exists.
pub fn canonical(path: PathBuf) -> PathBuf {
    dunce::canonicalize(&path).unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_path_has_a_name_in_each_format() {
        let check = |path: &str, uri: &str| {
            assert_eq!(PathFormat::Uri.name(Path::new(path)), uri);
            assert_eq!(PathFormat::Path.name(Path::new(path)), path);
            assert_eq!((path_of(uri), path_of(path)), (PathBuf::from(path), PathBuf::from(path)));
        };
        check("/a b/é#?.psl", "file:///a%20b/%C3%A9%23%3F.psl");
        check("untitled:1", "untitled:1");
        check("c:/a.psl", "c:/a.psl");
        check("", "");
        assert_eq!(path_of("file://host/a.psl"), PathBuf::from("file://host/a.psl"));
    }
}
