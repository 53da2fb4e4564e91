//! The functions of the module. `call` frees the request, and the caller frees the response with `free`.
#![allow(unsafe_code, reason = "a worker passes addresses in the module's memory")]

use std::{cell::RefCell, ptr::slice_from_raw_parts_mut};

use crate::session::PageSession;

thread_local! {
    static SESSION: RefCell<PageSession> = RefCell::default();
}

/// Allocates bytes for a request.
// SAFETY: the module has no other function of this name.
#[unsafe(no_mangle)]
extern "C" fn alloc(length: usize) -> *mut u8 {
    leak(vec![0; length])
}

/// Answers a request, which is in bytes from [`alloc`]. Returns the address of 4 bytes with the length of the response,
/// in little-endian order. The response follows them.
///
/// # Safety
///
/// `at` and `length` come from one call of [`alloc`].
// SAFETY: the module has no other function of this name.
#[unsafe(no_mangle)]
unsafe extern "C" fn call(at: *mut u8, length: usize) -> *mut u8 {
    // SAFETY: they come from one call of `alloc`, which leaked a box of this length.
    let request = unsafe { Box::from_raw(slice_from_raw_parts_mut(at, length)) };
    let response = SESSION.with_borrow_mut(|session| session.call(&String::from_utf8_lossy(&request)));
    let mut bytes = (response.len() as u32).to_le_bytes().to_vec();
    bytes.extend_from_slice(response.as_bytes());
    leak(bytes)
}

/// Frees a response.
///
/// # Safety
///
/// `at` comes from [`call`], and `length` is the length of the response plus 4 for the length itself.
// SAFETY: the module has no other function of this name.
#[unsafe(no_mangle)]
unsafe extern "C" fn free(at: *mut u8, length: usize) {
    // SAFETY: `call` leaked a box of this length.
    drop(unsafe { Box::from_raw(slice_from_raw_parts_mut(at, length)) });
}

fn leak(bytes: Vec<u8>) -> *mut u8 {
    Box::into_raw(bytes.into_boxed_slice()).cast()
}
