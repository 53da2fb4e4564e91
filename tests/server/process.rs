//! What the system tells of a process.

use std::fs;

/// The memory that a process holds, in KiB.
pub fn resident_kib(process: u32) -> u64 {
    status(process, "VmRSS:")
}

/// The most memory that a process ever held, in KiB.
pub fn peak_kib(process: u32) -> u64 {
    status(process, "VmHWM:")
}

fn status(process: u32, field: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).expect("the process lives");
    let line = status.lines().find(|line| line.starts_with(field)).expect("the kernel tells");
    line.split_whitespace().nth(1).expect("a number").parse().expect("a number")
}

/// How long a process has computed, in ticks of 10 ms.
pub fn cpu_ticks(process: u32) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).expect("the process lives");
    // Behind the name, which may hold anything.
    let fields: Vec<&str> = stat.rsplit(')').next().expect("fields").split_whitespace().collect();
    fields[11..13].iter().map(|ticks| ticks.parse::<u64>().expect("a number")).sum()
}
