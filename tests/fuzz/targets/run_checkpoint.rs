#![no_main]

#[path = "../checkpoints.rs"]
mod checkpoints;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    checkpoints::verdicts(&checkpoints::changed(data));
});
