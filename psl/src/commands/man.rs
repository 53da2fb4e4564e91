//! `psl man`: writes manual pages.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use clap::{Command, ValueHint};
use clap_mangen::Man;
use psl_host::{Existing, cannot_write, check_folder, write_folder};

use super::examples::{self, examples};
use crate::{
    failure::Failure,
    input::paths::name,
    output::stdio::{Content, stdout_to_the_end},
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
    let mut pages = Vec::new();
    let mut commands = vec![command];
    while let Some(command) = commands.pop() {
        commands.extend(command.get_subcommands().filter(|command| !command.is_hide_set()).cloned());
        let mut text = Vec::new();
        page(&command, &mut text)?;
        pages.push((Man::new(command).get_filename(), text));
    }
    let pages: Vec<_> = pages.iter().map(|(name, text)| (name.as_str(), text.as_slice())).collect();
    let names = pages.iter().map(|(name, _)| *name);
    let written = check_folder(folder, names, "this psl", whose).and_then(|()| write_folder(folder, &pages));
    written.map_err(|error| {
        let name = name(folder);
        Failure::Message(if folder.is_dir() {
            cannot_write(&name, &error, "choose another folder, or remove it")
        } else {
            format!("cannot create {name}: {error}")
        })
    })?;
    Ok(true)
}

/// Another program has a page `psl.1`, too: libpsl.
fn whose(name: &str, path: &Path) -> Existing {
    let title = format!("\n.TH {} ", name.trim_end_matches(".1"));
    let is_ours = fs::read_to_string(path).is_ok_and(|page| page.contains(&title) && page.starts_with(PREAMBLE));
    if is_ours { Existing::Ours } else { Existing::Foreign }
}

/// The start of each page that `clap_mangen` writes.
const PREAMBLE: &str = ".ie \\n(.g .ds Aq \\(aq";

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
