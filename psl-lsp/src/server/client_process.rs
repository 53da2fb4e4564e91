//! The editor's process: a server whose editor is gone ends, even where a pipe stays open.

use std::{thread, time::Duration};

const INTERVAL: Duration = Duration::from_secs(2);

/// Ends this process soon after that one has ended.
pub fn watch(process: u32) {
    thread::spawn(move || {
        while lives(process) {
            thread::sleep(INTERVAL);
        }
        std::process::exit(1);
    });
}

/// Whether a process lives, as far as the system tells.
#[cfg(unix)]
fn lives(process: u32) -> bool {
    use rustix::{
        io::Errno,
        process::{Pid, test_kill_process},
    };
    let process = i32::try_from(process).ok().and_then(Pid::from_raw);
    // Another user's process may not be asked, but it is there.
    process.is_some_and(|process| test_kill_process(process) != Err(Errno::SRCH))
}

/// Whether a process lives, as far as the system tells.
#[cfg(not(unix))]
fn lives(process: u32) -> bool {
    use sysinfo::{Pid, ProcessRefreshKind, ProcessesToUpdate, System};
    let process = Pid::from_u32(process);
    // A system that does not show processes leaves it at the closed pipe.
    let Ok(mut system) = System::new() else { return true };
    system.refresh_processes_specifics(ProcessesToUpdate::Some(&[process]), true, ProcessRefreshKind::nothing());
    system.process(process).is_some()
}
