//! The debug adapter: `psl_debug` over the Debug Adapter Protocol.
//!
//! ```text
//! transport      the connection of a client: its port, its messages, and the order in which they are answered
//! adapter        executes each request: its reply, and what follows
//! requests       the requests of a client
//! launch         the arguments of a launch, and the program that they name
//! session        a launched program, and the requests about it
//! breakpoints    the breakpoints that a client has set
//! resumption     the ways from one stop to the next
//! reply          the result of a request
//! refusal        the reasons why a request fails
//! source         the source of the program, and whether its file still has the text that runs
//! lines          lines of the text that runs, or of the edited file
//! numbering      lines and columns as a client counts them
//! path_format    names of files as paths or URIs
//! to_proto       our types as values and events of the protocol
//! ```
//!
//! Invariant: the protocol's values are read in `requests` and built in `to_proto`, and the messages around them in
//! `transport`.

mod adapter;
mod breakpoints;
mod launch;
mod lines;
mod numbering;
mod path_format;
mod refusal;
mod reply;
mod requests;
mod resumption;
mod session;
mod source;
mod to_proto;
mod transport;

pub use transport::{accept, serve};
