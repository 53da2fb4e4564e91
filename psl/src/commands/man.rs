//! `psl man`: writes manual pages.

use std::{fs, path::PathBuf};

use clap::Command;
use clap_mangen::Man;

use crate::{
    failure::Failure,
    output::Output,
    stdio::{Content, stdout_to_the_end},
};

/// The arguments of `psl man`.
#[derive(clap::Args)]
pub struct Args {
    /// Write one page for each command to this folder, and create it if needed [default: print the page of `psl`].
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

/// Prints the page of a command, or writes its page and those of its subcommands.
pub fn run(args: &Args, command: Command) -> Result<bool, Failure> {
    // Building gives the subcommands their full names.
    let mut command = command.disable_help_subcommand(true);
    command.build();
    let Some(folder) = &args.output else {
        Man::new(command).render(&mut stdout_to_the_end(Content::People))?;
        return Ok(true);
    };
    fs::create_dir_all(folder)
        .map_err(|error| Failure::Message(format!("cannot create {}: {error}", folder.display())))?;
    let mut commands = vec![command];
    while let Some(command) = commands.pop() {
        commands.extend(command.get_subcommands().filter(|command| !command.is_hide_set()).cloned());
        let page = Man::new(command);
        let mut out = Output::create(&folder.join(page.get_filename()))?;
        page.render(&mut out).map_err(|error| out.failure(error))?;
        out.commit()?;
    }
    Ok(true)
}
