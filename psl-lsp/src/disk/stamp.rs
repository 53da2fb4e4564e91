//! Whether a file is still the one that was read.

use std::{
    fs,
    path::Path,
    time::{Duration, SystemTime},
};

/// File systems tell times no finer: of two changes so close to each other the second may not show.
const GRANULARITY: Duration = Duration::from_millis(20);

/// What tells a file from the one that its path led to before: another length, time or file means other content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
    /// On Unix: the file's number, and when it or its names last changed, in nanoseconds.
    inode: Option<(u64, i128)>,
}

impl Stamp {
    /// That of what a path leads to; nothing where that cannot be told. Take it before the file is read.
    pub fn of(path: &Path) -> Option<Self> {
        let metadata = fs::metadata(path).ok()?;
        Some(Self { length: metadata.len(), modified: metadata.modified().ok(), inode: inode(&metadata) })
    }

    /// Whether every later change will show: not so right after a change.
    pub fn is_settled(&self) -> bool {
        let changed = match self.inode {
            Some((_, nanoseconds)) => u64::try_from(nanoseconds).map(Duration::from_nanos).ok(),
            None => self.modified.and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok()),
        };
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        changed.is_some_and(|changed| now.abs_diff(changed) > GRANULARITY)
    }
}

#[cfg(unix)]
#[allow(clippy::unnecessary_wraps, reason = "other systems tell nothing")]
fn inode(metadata: &fs::Metadata) -> Option<(u64, i128)> {
    use std::os::unix::fs::MetadataExt;
    let nanoseconds = i128::from(metadata.ctime()) * 1_000_000_000 + i128::from(metadata.ctime_nsec());
    Some((metadata.ino(), nanoseconds))
}

#[cfg(not(unix))]
fn inode(_: &fs::Metadata) -> Option<(u64, i128)> {
    None
}
