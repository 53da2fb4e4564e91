//! The functions of the module. Texts are passed through its memory: 4 bytes with the length, in little-endian order,
//! and then UTF-8.
#![allow(unsafe_code, reason = "a worker passes addresses in the module's memory")]

use std::{cell::RefCell, ptr::slice_from_raw_parts_mut};

use super::worker::Worker;

thread_local! {
    static WORKER: RefCell<Option<Worker>> = const { RefCell::new(None) };
}

/// Starts a server. Unless `runs` is 0, it also does what may take long.
// SAFETY: the module has no other function of this name.
#[unsafe(no_mangle)]
extern "C" fn server_start(runs: u32) {
    WORKER.set(Some(Worker::new(runs != 0)));
}

/// Allocates bytes for a message.
// SAFETY: the module has no other function of this name.
#[unsafe(no_mangle)]
extern "C" fn server_alloc(length: usize) -> *mut u8 {
    leak(vec![0; length])
}

/// Handles a message, which is in bytes from [`server_alloc`], and frees them. Returns 0 once the session has ended.
///
/// # Safety
///
/// `at` and `length` come from one call of [`server_alloc`].
// SAFETY: the module has no other function of this name.
#[unsafe(no_mangle)]
unsafe extern "C" fn server_receive(at: *mut u8, length: usize) -> u32 {
    // SAFETY: they come from one call of `server_alloc`, which leaked a box of this length.
    let message = unsafe { Box::from_raw(slice_from_raw_parts_mut(at, length)) };
    with(|worker| worker.receive(&String::from_utf8_lossy(&message))).map_or(0, u32::from)
}

/// Does one piece of work. Returns 0 if there was none.
// SAFETY: the module has no other function of this name.
#[unsafe(no_mangle)]
extern "C" fn server_work() -> u32 {
    with(Worker::work).map_or(0, u32::from)
}

/// The time until work is due, in milliseconds. Negative if none is.
// SAFETY: the module has no other function of this name.
#[unsafe(no_mangle)]
extern "C" fn server_wait() -> f64 {
    with(|worker| worker.wait()).flatten().map_or(-1.0, |wait| wait.as_secs_f64() * 1000.0)
}

/// Takes the next message to the client. Returns its address, or 0 if there is none. The caller frees it with
/// [`server_free`].
// SAFETY: the module has no other function of this name.
#[unsafe(no_mangle)]
extern "C" fn server_send() -> *mut u8 {
    let Some(message) = with(|worker| worker.outbox.take()).flatten() else { return std::ptr::null_mut() };
    let mut bytes = Vec::with_capacity(message.len() + 4);
    bytes.extend_from_slice(&(message.len() as u32).to_le_bytes());
    bytes.extend_from_slice(message.as_bytes());
    leak(bytes)
}

/// Frees a message to the client.
///
/// # Safety
///
/// `at` comes from [`server_send`], and `length` is the length of the message plus 4 for the length itself.
// SAFETY: the module has no other function of this name.
#[unsafe(no_mangle)]
unsafe extern "C" fn server_free(at: *mut u8, length: usize) {
    // SAFETY: `server_send` leaked a box of this length.
    drop(unsafe { Box::from_raw(slice_from_raw_parts_mut(at, length)) });
}

fn with<T>(use_worker: impl FnOnce(&mut Worker) -> T) -> Option<T> {
    WORKER.with_borrow_mut(|worker| worker.as_mut().map(use_worker))
}

fn leak(bytes: Vec<u8>) -> *mut u8 {
    Box::into_raw(bytes.into_boxed_slice()).cast()
}
