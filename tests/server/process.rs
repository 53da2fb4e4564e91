//! Facts about a process from the system.

use std::fs;

/// The resident memory of a process, in KiB.
pub fn resident_kib(process: u32) -> u64 {
    status(process, "VmRSS:")
}

/// The peak resident memory of a process, in KiB.
pub fn peak_kib(process: u32) -> u64 {
    status(process, "VmHWM:")
}

fn status(process: u32, field: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).expect("a running process");
    let line = status.lines().find(|line| line.starts_with(field)).expect("the field");
    line.split_whitespace().nth(1).expect("a number").parse().expect("a number")
}

/// The CPU time of a process, in ticks of 10 ms.
pub fn cpu_ticks(process: u32) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).expect("a running process");
    // The fields after the name, which may contain anything.
    let fields: Vec<&str> = stat.rsplit(')').next().expect("fields").split_whitespace().collect();
    fields[11..13].iter().map(|ticks| ticks.parse::<u64>().expect("a number")).sum()
}
