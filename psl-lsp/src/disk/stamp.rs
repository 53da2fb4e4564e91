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
    /// The file's number, on Unix.
    inode: u64,
    /// When the file or its names last changed, since 1970; where the system does not tell, when its content did.
    changed: Duration,
}

impl Stamp {
    /// That of what a path leads to; nothing where that cannot be told. Take it before the file is read.
    pub fn of(path: &Path) -> Option<Self> {
        let metadata = fs::metadata(path).ok()?;
        let (inode, changed) = identity(&metadata);
        Some(Self { length: metadata.len(), modified: metadata.modified().ok(), inode, changed })
    }

    /// Whether every later change will show: not so right after a change.
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
