//! The colors of tables.

use anstyle::{AnsiColor, Style};
use psl_render::{FRAME, STRONG, Terminal, grid::Part, shown};

/// Colors the parts of a table.
pub fn painter(terminal: Terminal) -> impl Fn(Part, &str) -> String {
    move |part, text| {
        let style = match part {
            Part::Title | Part::Symbol => STRONG,
            Part::Name | Part::Number | Part::Frame => FRAME,
            Part::Value => Style::new(),
            Part::Passed => AnsiColor::Green.on_default(),
            Part::Changed => AnsiColor::Green.on_default().bold(),
            Part::Wrong => AnsiColor::Red.on_default().bold(),
        };
        terminal.paint(style, &shown(text))
    }
}
