//! The connection of a client: its port, its messages, and the order in which they are answered.

mod interruptions;
mod port;
pub mod protocol;
mod service;

pub use port::accept;
pub use service::serve;
