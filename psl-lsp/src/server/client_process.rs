//! The editor's process: a server whose editor is gone ends, even where a pipe stays open.

use std::{thread, time::Duration};

use sysinfo::{Pid, ProcessRefreshKind, ProcessesToUpdate, System};

const INTERVAL: Duration = Duration::from_secs(2);

/// Ends this process soon after that one has ended.
pub fn watch(process: u32) {
    let parent = Pid::from_u32(process);
    thread::spawn(move || {
        // A system that does not show processes leaves it at the closed pipe.
        let Ok(mut system) = System::new() else { return };
        while lives(&mut system, parent) {
            thread::sleep(INTERVAL);
        }
        std::process::exit(1);
    });
}

fn lives(system: &mut System, process: Pid) -> bool {
    system.refresh_processes_specifics(ProcessesToUpdate::Some(&[process]), true, ProcessRefreshKind::nothing());
    system.process(process).is_some()
}
