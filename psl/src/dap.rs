//! The debug adapter: `psl_ide::debugger` over the Debug Adapter Protocol.
//!
//! ```text
//! service      reads requests on one thread, and answers them on another, so that a run can be paused
//! protocol     requests, responses and events
//! adapter      the requests of a client
//! session      a launched program, and the requests about it
//! breakpoints  the breakpoints that a client has set
//! ```

mod adapter;
mod breakpoints;
mod launch;
mod numbering;
mod protocol;
mod service;
mod session;
mod stop;

pub use service::serve;
