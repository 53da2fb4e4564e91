//! `psl man`: writes manual pages.

use std::{
    fs,
    io::{self, Write},
    path::PathBuf,
};

use clap::{Command, ValueHint};
use clap_mangen::Man;

use super::examples::{self, examples};
use crate::{
    failure::Failure,
    input::paths::name,
    output::{
        output_file::Output,
        stdio::{Content, stdout_to_the_end},
    },
};

/// The arguments of `psl man`.
#[derive(clap::Args)]
#[command(after_help = examples(&[
    ("psl man | man -l -", "read the page of psl"),
    ("psl man -o ~/.local/share/man/man1", "install the pages of all commands"),
]))]
pub struct Args {
    /// Folder for the pages of all commands, created if it is missing [default: print the page of psl].
    #[arg(short, long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    output: Option<PathBuf>,
}

/// Prints the page of a command, or writes its page and those of its subcommands.
pub fn run(args: &Args, command: Command) -> Result<bool, Failure> {
    // Building gives the subcommands their full names.
    let mut command = command.disable_help_subcommand(true);
    command.build();
    let Some(folder) = &args.output else {
        page(&command, &mut stdout_to_the_end(Content::People))?;
        return Ok(true);
    };
    fs::create_dir_all(folder).map_err(|error| Failure::Message(format!("cannot create {}: {error}", name(folder))))?;
    let mut commands = vec![command];
    while let Some(command) = commands.pop() {
        commands.extend(command.get_subcommands().filter(|command| !command.is_hide_set()).cloned());
        let mut out = Output::create(&folder.join(Man::new(command.clone()).get_filename()))?;
        page(&command, &mut out).map_err(|error| out.failure(error))?;
        out.commit()?;
    }
    Ok(true)
}

/// Writes the page of a command, with the examples of its help.
fn page(command: &Command, out: &mut dyn Write) -> io::Result<()> {
    let man = Man::new(command.clone());
    man.render_title(out)?;
    man.render_name_section(out)?;
    man.render_synopsis_section(out)?;
    man.render_description_section(out)?;
    man.render_options_section(out)?;
    if command.has_subcommands() {
        man.render_subcommands_section(out)?;
    }
    if let Some(help) = command.get_after_help() {
        writeln!(out, ".SH EXAMPLES\n.nf")?;
        for line in help.to_string().lines().filter(|line| *line != examples::HEADING) {
            // Unescaped, a hyphen is a dash and `~` and `^` are accents.
            let escaped = line.replace('\\', "\\e").replace('-', "\\-").replace('~', "\\(ti").replace('^', "\\(ha");
            writeln!(out, "{}", escaped.trim_start())?;
        }
        writeln!(out, ".fi")?;
    }
    man.render_version_section(out)
}
