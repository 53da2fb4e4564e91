//! The options of commands that can schedule a program.

use std::num::NonZeroUsize;

use psl_program::Runner;

use crate::failure::Failure;

/// Whether productions share layers.
#[derive(clap::Args)]
pub struct Heads {
    /// Schedule productions that do not affect each other as the heads of one layer, as `psl schedule` shows.
    #[arg(long)]
    pub heads: bool,
    /// Maximum number of heads in a layer [default: unlimited].
    #[arg(long, value_name = "K", value_parser = number_of_heads, requires = "heads")]
    pub max_heads: Option<NonZeroUsize>,
}

/// Reads a maximum number of heads.
pub fn number_of_heads(text: &str) -> Result<NonZeroUsize, String> {
    text.parse().map_err(|_| "a layer has at least 1 head".to_owned())
}

impl Heads {
    /// The scheduled program, or `None` without `--heads`. `name` is that of its file.
    pub fn scheduled(&self, name: &str, runner: &Runner) -> Result<Option<Runner>, Failure> {
        if !self.heads {
            return Ok(None);
        }
        let cannot = |reason| Failure::Message(format!("cannot schedule {name}: {reason}; leave out `--heads`"));
        runner.scheduled(self.max_heads).map(Some).map_err(|failure| cannot(failure.message))
    }
}
