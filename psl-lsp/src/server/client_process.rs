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
    let id = i32::try_from(process).ok().and_then(Pid::from_raw);
    // Another user's process may not be asked, but it is there.
    id.is_some_and(|id| test_kill_process(id) != Err(Errno::SRCH)) && !is_zombie(process)
}

/// Whether a process has ended, and only waits for its parent to ask how. Systems that do not tell it here have none.
#[cfg(unix)]
fn is_zombie(process: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // Its state stands behind its name, which may hold anything.
    stat.rsplit(')').next().is_some_and(|fields| fields.trim_start().starts_with(['Z', 'X']))
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
