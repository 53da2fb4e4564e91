//! The server in a browser's worker: the functions of the module, and what they need.

mod exports;
mod host;
mod one_thread;
