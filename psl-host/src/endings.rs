//! The end of the process by a signal. Unfinished files are removed first.
//!
//! Invariant: a file is created, finished or removed while its list is locked. A signal takes the lock and keeps it, so
//! no file appears after the last one is removed.

use std::{
    collections::BTreeSet,
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
    process,
    sync::{
        Arc, Mutex, MutexGuard, Once, PoisonError,
        atomic::{AtomicI32, Ordering},
    },
};

use tempfile::{NamedTempFile, PathPersistError, TempPath};

static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// The exit code after Ctrl-C, if it is not that of the signal.
static EXIT_CODE: Mutex<Option<Arc<AtomicI32>>> = Mutex::new(None);

/// A file that replaces another when it is finished. Until then, dropping it removes it, and so does a signal that ends
/// the process.
pub(crate) struct Unfinished(Option<TempPath>);

impl Unfinished {
    /// Creates a file.
    pub(crate) fn create(create: impl FnOnce() -> io::Result<NamedTempFile>) -> io::Result<(fs::File, Self)> {
        listen();
        let mut unfinished = unfinished();
        let (file, path) = create()?.into_parts();
        unfinished.insert(path.to_path_buf());
        Ok((file, Self(Some(path))))
    }

    /// Gives the file its final name, by a function of [`TempPath`].
    pub(crate) fn finish(
        mut self,
        target: &Path,
        persist: impl FnOnce(TempPath, &Path) -> Result<(), PathPersistError>,
    ) -> io::Result<()> {
        let mut unfinished = unfinished();
        let Some(path) = self.0.take() else { return Ok(()) };
        unfinished.remove(&*path);
        persist(path, target).map_err(|error| error.error)
    }

    /// Gives several files their final names, in their order, and lets no signal end the process in between.
    pub(crate) fn finish_all(files: Vec<(Self, PathBuf)>) -> io::Result<()> {
        let mut files: Vec<_> = files.into_iter().map(|(mut file, target)| (file.0.take(), target)).collect();
        let mut unfinished = unfinished();
        for (path, target) in &mut files {
            if let Some(path) = path.take() {
                unfinished.remove(&*path);
                path.persist(target).map_err(|error| error.error)?;
            }
        }
        Ok(())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        let mut unfinished = unfinished();
        if let Some(path) = self.0.take() {
            unfinished.remove(&*path);
        }
    }
}

fn unfinished() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

fn exit_code() -> Option<Arc<AtomicI32>> {
    EXIT_CODE.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Ends the process with this exit code on Ctrl-C.
pub fn exit_on_interrupt(code: Arc<AtomicI32>) {
    *EXIT_CODE.lock().unwrap_or_else(PoisonError::into_inner) = Some(code);
    listen();
}

static STARTED: Once = Once::new();

/// Leaves all signals to the program around this library, such as Python. Call it before the first file is written.
pub fn leave_signals() {
    STARTED.call_once(|| {});
}

/// Starts to listen to the signals that end the process.
fn listen() {
    STARTED.call_once(|| {
        if let Err(error) = system::listen(exit_code().is_some(), end) {
            // A process without standard error cannot report it.
            writeln!(io::stderr(), "psl: cannot listen to signals: {error}").ok();
        }
    });
}

/// Removes the unfinished files, and ends the process.
fn end(is_interrupt: bool, otherwise: &dyn Fn()) -> ! {
    let unfinished = unfinished();
    for file in &*unfinished {
        // Nobody would see an error, because the process ends.
        fs::remove_file(file).ok();
    }
    let code = exit_code().filter(|_| is_interrupt);
    if code.is_none() {
        otherwise();
    }
    process::exit(code.map_or(INTERRUPTED, |code| code.load(Ordering::Relaxed)))
}

/// The exit code of a shell after Ctrl-C.
pub const INTERRUPTED: i32 = 130;

/// Runs `end` on Ctrl-C.
///
/// # Errors
///
/// Returns the error of the system.
#[cfg(unix)]
pub fn on_interrupt(end: impl Fn() + Send + 'static) -> io::Result<()> {
    let mut signals = signal_hook::iterator::Signals::new([signal_hook::consts::SIGINT])?;
    std::thread::spawn(move || signals.forever().for_each(|_| end()));
    Ok(())
}

/// Runs `end` on Ctrl-C.
///
/// # Errors
///
/// Returns the error of the system.
#[cfg(not(unix))]
pub fn on_interrupt(end: impl Fn() + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(end).map_err(io::Error::other)
}

#[cfg(unix)]
mod system {
    use std::{fs, io, sync::Arc, thread};

    use signal_hook::{
        consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ},
        flag,
        iterator::Signals,
        low_level::emulate_default_handler,
    };

    /// Listens to the signals that end the process. Ignored signals, as under `nohup`, stay ignored, except for Ctrl-C
    /// in a command that watches, which has no other end.
    pub fn listen(watches: bool, end: fn(bool, &dyn Fn()) -> !) -> io::Result<()> {
        // A write beyond the limit on the size of files then fails, and does not end the process.
        flag::register(SIGXFSZ, Arc::default())?;
        let ignored = ignored();
        let is_heard = |signal: &i32| ignored & (1 << (signal - 1)) == 0 || *signal == SIGINT && watches;
        let heard = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(is_heard);
        let mut signals = Signals::new(heard)?;
        thread::spawn(move || {
            if let Some(signal) = signals.forever().next() {
                end(signal == SIGINT, &|| drop(emulate_default_handler(signal)));
            }
        });
        Ok(())
    }

    /// The mask of the ignored signals, if the system reports it.
    fn ignored() -> u64 {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default()
    }
}

#[cfg(not(unix))]
mod system {
    use std::io;

    pub fn listen(_: bool, end: fn(bool, &dyn Fn()) -> !) -> io::Result<()> {
        ctrlc::set_handler(move || end(true, &|| {})).map_err(io::Error::other)
    }
}
