#![no_main]

#[path = "../running.rs"]
mod running;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    running::weights(data);
    running::weights(&running::changed(data));
});
