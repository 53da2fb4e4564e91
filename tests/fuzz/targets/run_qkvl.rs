#![no_main]

#[path = "../running.rs"]
mod running;

libfuzzer_sys::fuzz_target!(|text: &str| running::qkvl(text));
