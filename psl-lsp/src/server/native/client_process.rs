//! Watches the editor's process: the server ends with its editor, even if a pipe stays open.

use std::{thread, time::Duration};

const INTERVAL: Duration = Duration::from_secs(2);

/// Ends this process soon after another one has ended.
pub fn watch(process: u32) {
    thread::spawn(move || {
        while lives(process) {
            thread::sleep(INTERVAL);
        }
        std::process::exit(1);
    });
}

/// Whether a process is running, if the system reports it.
#[cfg(unix)]
fn lives(process: u32) -> bool {
    use rustix::{
        io::Errno,
        process::{Pid, test_kill_process},
    };
    let id = i32::try_from(process).ok().and_then(Pid::from_raw);
    // A process of another user may not be signaled, but it exists.
    id.is_some_and(|id| test_kill_process(id) != Err(Errno::SRCH)) && !is_zombie(process)
}

/// Whether a process has ended but still waits for its parent. Systems without `/proc` report no such processes.
#[cfg(unix)]
fn is_zombie(process: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // The state follows the name, which may contain anything.
    stat.rsplit(')').next().is_some_and(|fields| fields.trim_start().starts_with(['Z', 'X']))
}

/// Whether a process is running, if the system reports it.
#[cfg(not(unix))]
fn lives(process: u32) -> bool {
    use sysinfo::{Pid, ProcessRefreshKind, ProcessesToUpdate, System};
    let process = Pid::from_u32(process);
    // If the system does not list processes, only the closed pipe ends the server.
    let Ok(mut system) = System::new() else { return true };
    system.refresh_processes_specifics(ProcessesToUpdate::Some(&[process]), true, ProcessRefreshKind::nothing());
    system.process(process).is_some()
}
