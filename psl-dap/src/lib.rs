//! The debug adapter: `psl_debug` over the Debug Adapter Protocol.
//!
//! ```text
//! port           the connection of a client to a port
//! service        reads requests on one thread, and answers them on another, so that a run can be paused
//! interruptions  the requests that interrupt a running debuggee
//! protocol       requests, responses and events
//! requests       the requests of a client
//! source         the source of the program, and whether its file still has the text that runs
//! lines          lines of the text that runs, or of the edited file
//! path_format    names of files as paths or URIs
//! adapter        executes each request: its reply, and what follows
//! reply          the result of a request
//! refusal        the reasons why a request fails
//! session        a launched program, and the requests about it
//! resumption     the ways from one stop to the next
//! ending         the result of a run without debugging
//! breakpoints    the breakpoints that a client has set
//! ```

mod adapter;
mod breakpoints;
mod completions;
mod ending;
mod interruptions;
mod launch;
mod lines;
mod numbering;
mod path_format;
mod port;
mod protocol;
mod refusal;
mod reply;
mod requests;
mod resumption;
mod scopes;
mod service;
mod session;
mod source;
mod stop;
mod table;

pub use port::accept;
pub use service::serve;
