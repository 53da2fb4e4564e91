//! Paths as URIs, those of Windows too.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// The characters that a segment of a URI's path has unescaped.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A path as a URI: a relative one stays relative.
pub fn uri(path: &str) -> String {
    if cfg!(windows) { with_drives(&path.replace('\\', "/")) } else { without_drives(path) }
}

fn without_drives(path: &str) -> String {
    match path.strip_prefix('/') {
        Some(rest) => format!("file:///{}", segments(rest)),
        None => segments(path),
    }
}

/// `C:/a`, `//server/share/a`, and both as they are written for Windows to take them as they are.
fn with_drives(path: &str) -> String {
    let verbatim = path.strip_prefix("//?/");
    let shared = verbatim.map_or_else(|| path.strip_prefix("//"), |rest| rest.strip_prefix("UNC/"));
    if let Some(shared) = shared {
        return format!("file://{}", segments(shared));
    }
    let path = verbatim.unwrap_or(path);
    match path.split_once(":/") {
        Some((drive, rest)) if drive.len() == 1 => format!("file:///{drive}:/{}", segments(rest)),
        _ => without_drives(path),
    }
}

fn segments(path: &str) -> String {
    let segments = path.split('/').filter(|segment| !matches!(*segment, "" | "."));
    segments.map(|segment| utf8_percent_encode(segment, SEGMENT).to_string()).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::{with_drives, without_drives};

    #[test]
    fn a_relative_path_stays_relative() {
        for uri in [with_drives, without_drives] {
            assert_eq!(uri("./sub/../a b é%.psl"), "sub/../a%20b%20%C3%A9%25.psl");
        }
        assert_eq!(without_drives("C:/a"), "C%3A/a");
    }

    #[test]
    fn an_absolute_path_is_a_file() {
        assert_eq!(without_drives("/x//a.psl"), "file:///x/a.psl");
        assert_eq!(with_drives("C:/x/a.psl"), "file:///C:/x/a.psl");
        assert_eq!(with_drives("//?/c:/x/a.psl"), "file:///c:/x/a.psl");
    }

    #[test]
    fn a_share_has_its_server() {
        assert_eq!(with_drives("//server/share/a.psl"), "file://server/share/a.psl");
        assert_eq!(with_drives("//?/UNC/server/share/a.psl"), "file://server/share/a.psl");
    }
}
