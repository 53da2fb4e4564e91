//! The debug adapter: `psl_record::debugger` over the Debug Adapter Protocol.
//!
//! ```text
//! port           the connection of a client to a port
//! service        reads requests on one thread, and answers them on another, so that a run can be paused
//! interruptions  the requests that end a movement
//! protocol       requests, responses and events
//! requests       the arguments of requests
//! adapter        the requests of a client
//! session        a launched program, and the requests about it
//! breakpoints    the breakpoints that a client has set
//! ```

mod adapter;
mod breakpoints;
mod completions;
mod interruptions;
mod launch;
mod numbering;
mod port;
mod protocol;
mod requests;
mod scopes;
mod service;
mod session;
mod stop;
mod table;

pub use port::accept;
pub use service::serve;
