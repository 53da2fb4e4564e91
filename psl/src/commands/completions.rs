//! `psl completions`: scripts that complete command lines.

use std::io::{self, Write};

use clap::{Command, builder::PossibleValue};
use clap_complete::Shell;

use super::examples::examples;
use crate::{
    failure::Failure,
    output::stdio::{Content, stdout_to_the_end},
};

/// The arguments of `psl completions`.
#[derive(clap::Args)]
#[command(after_help = examples(&[
    ("psl completions bash > ~/.local/share/bash-completion/completions/psl", "for bash-completion"),
    ("psl completions zsh > ~/.zfunc/_psl", "a folder in $fpath"),
    ("psl completions fish > ~/.config/fish/completions/psl.fish", "for fish"),
]))]
pub struct Args {
    /// Shell that reads the script.
    shell: Shell,
}

/// Prints the script for a command and its subcommands.
pub fn run(args: &Args, mut command: Command) -> Result<bool, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "psl", &mut script);
    match args.shell {
        Shell::Fish => fish_arguments(&command, &mut script)?,
        Shell::Zsh => script = zsh_options_after_arguments(&script),
        _ => {}
    }
    stdout_to_the_end(Content::People).write_all(&script)?;
    Ok(true)
}

/// Lets zsh complete options after arguments that take several values.
///
/// The generator marks such an argument by `*::`, which hides the words before it from the completion, the option's
/// name among them; `*:` keeps them.
fn zsh_options_after_arguments(script: &[u8]) -> Vec<u8> {
    String::from_utf8_lossy(script).replace("\n'*::", "\n'*:").into_bytes()
}

/// Writes the values of the subcommands' arguments: for fish, the generator covers only the values of options.
fn fish_arguments(command: &Command, script: &mut Vec<u8>) -> io::Result<()> {
    for subcommand in command.get_subcommands() {
        for argument in subcommand.get_positionals() {
            let values = argument.get_possible_values();
            if !values.is_empty() {
                let names: Vec<_> = values.iter().map(PossibleValue::get_name).collect();
                let (name, names) = (subcommand.get_name(), names.join(" "));
                writeln!(script, "complete -c psl -n \"__fish_psl_using_subcommand {name}\" -f -a \"{names}\"")?;
            }
        }
    }
    Ok(())
}
