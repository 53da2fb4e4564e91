//! Colors in output for people.

use std::env;

/// When to color the output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Color {
    /// On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Color {
    /// Whether to color what goes to a terminal, or to something else.
    pub fn on(self, terminal: bool) -> bool {
        match self {
            Self::Auto => terminal && !is_dumb() && env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
            Self::Always => true,
            Self::Never => false,
        }
    }
}

/// Whether the terminal shows escape sequences as text, as that of some editors does.
pub fn is_dumb() -> bool {
    env::var_os("TERM").is_some_and(|term| term == "dumb")
}
