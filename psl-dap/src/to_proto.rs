//! Converts our types to the protocol's.

mod answers;
mod breakpoints;
mod capabilities;
mod completions;
mod ending;
mod frames;
mod news;
mod scopes;
mod stop;
mod table;
mod variables;

pub use answers::{changed_value, content, continued, exception_info, goto_targets, result};
pub use breakpoints::{breakpoint_locations, breakpoints, data_breakpoint_info, refused_breakpoints};
pub use capabilities::capabilities;
pub use completions::completions;
pub use ending::Ending;
pub use frames::{stack_frame, stack_trace, threads};
pub use news::News;
pub use scopes::{scopes, shown_scopes};
pub use stop::Stop;
pub use table::table;
pub use variables::variables;
