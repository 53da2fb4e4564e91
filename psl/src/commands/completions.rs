//! `psl completions`: scripts that complete command lines.

use std::io::Write;

use clap::Command;
use clap_complete::Shell;

use crate::{
    examples::examples,
    failure::Failure,
    stdio::{Content, stdout_to_the_end},
};

/// The arguments of `psl completions`.
#[derive(clap::Args)]
#[command(after_help = examples(&[
    ("psl completions bash > ~/.local/share/bash-completion/completions/psl", "for bash-completion"),
    ("psl completions zsh > ~/.zfunc/_psl", "a folder in $fpath"),
    ("psl completions fish > ~/.config/fish/completions/psl.fish", "for fish"),
]))]
pub struct Args {
    /// The shell.
    shell: Shell,
}

/// Prints the script for a command and its subcommands.
pub fn run(args: &Args, mut command: Command) -> Result<bool, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "psl", &mut script);
    stdout_to_the_end(Content::People).write_all(&script)?;
    Ok(true)
}
