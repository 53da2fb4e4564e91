//! Detects whether a file has changed since it was read.

use std::{
    fs,
    path::Path,
    time::{Duration, SystemTime},
};

/// The resolution of file times. The second of two changes within this time may go unnoticed.
const GRANULARITY: Duration = Duration::from_millis(20);

/// The identity of a file's content: a different length, time or file means different content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
    /// The inode number, on Unix.
    inode: u64,
    /// The time since 1970 when the file or its names last changed. If the system does not report it, the time of the
    /// last write.
    changed: Duration,
}

impl Stamp {
    /// Returns the stamp of a path, or `None` if it is unknown. Take it before reading the file.
    pub fn of(path: &Path) -> Option<Self> {
        let metadata = fs::metadata(path).ok()?;
        let (inode, changed) = identity(&metadata);
        Some(Self { length: metadata.len(), modified: metadata.modified().ok(), inode, changed })
    }

    /// Whether every later change will change the stamp. Not the case right after a change.
    pub fn is_settled(&self) -> bool {
        since_1970(Some(SystemTime::now())).abs_diff(self.changed) > GRANULARITY
    }
}

fn since_1970(time: Option<SystemTime>) -> Duration {
    time.and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok()).unwrap_or_default()
}

#[cfg(unix)]
fn identity(metadata: &fs::Metadata) -> (u64, Duration) {
    use std::os::unix::fs::MetadataExt;
    let seconds = u64::try_from(metadata.ctime()).unwrap_or_default();
    let nanoseconds = u64::try_from(metadata.ctime_nsec()).unwrap_or_default();
    (metadata.ino(), Duration::from_secs(seconds) + Duration::from_nanos(nanoseconds))
}

#[cfg(not(unix))]
fn identity(metadata: &fs::Metadata) -> (u64, Duration) {
    (0, since_1970(metadata.modified().ok()))
}
