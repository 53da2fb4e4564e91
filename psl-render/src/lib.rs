//! Diagnostics and texts for people, as the command line prints them.
//!
//! ```text
//! human        diagnostics, with the lines of the program that they are about
//! terminal     the width and colors of what shows them
//! shown        external text, made safe for a terminal
//! ```

mod excerpt;
mod human;
mod labeled_line;
mod measured;
mod shown;
mod terminal;

pub use human::human;
pub use shown::{shown, shown_json, shown_line};
pub use terminal::{CODE, FRAME, STRONG, Terminal, severity_style};
