//! The options that every command has, at the end of each help.

use clap::ArgAction;

use crate::output::color::Color;

const HEADING: &str = "Global options";

/// The options that every command has.
#[derive(clap::Args)]
pub struct GlobalOptions {
    /// Color the output: auto, always or never.
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    #[arg(help_heading = HEADING, hide_possible_values = true)]
    pub color: Color,
    /// Print help, or a summary with `-h`.
    #[arg(short, long, global = true, action = ArgAction::Help, help_heading = HEADING)]
    help: Option<bool>,
    /// Print the version.
    #[arg(short = 'V', long, global = true, action = ArgAction::Version, help_heading = HEADING)]
    version: Option<bool>,
}
