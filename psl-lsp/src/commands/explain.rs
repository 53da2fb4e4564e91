//! `psl explain`: what a diagnostic means.

use std::io::{self, Write};

use psl_syntax::{
    Code,
    codes::{self, Entry},
};

use crate::source::Failure;

/// The arguments of `psl explain`.
#[derive(clap::Args)]
pub struct Args {
    /// The diagnostic's code; none lists them all.
    code: Option<String>,
}

/// Explains one code, or lists all.
pub fn run(args: &Args) -> Result<bool, Failure> {
    let mut out = io::stdout().lock();
    match &args.code {
        Some(name) => match Code::from_name(name) {
            Some(code) => write!(out, "{}", code.entry().markdown())?,
            None => {
                return Err(Failure::Message(format!(
                    "no diagnostic is called `{name}`; `psl explain` lists them all"
                )));
            }
        },
        None => write!(out, "{}", list())?,
    }
    Ok(true)
}

/// All codes, the worst first.
fn list() -> String {
    let groups = codes::by_severity().into_iter().map(|(severity, entries)| {
        let rows: String = entries.iter().map(row).collect();
        format!("{}:\n{rows}", severity.as_str())
    });
    groups.collect::<Vec<_>>().join("\n")
}

fn row(entry: &Entry) -> String {
    let off = if entry.off { " (off unless asked for)" } else { "" };
    format!("  {:22} {}{off}\n", entry.name, entry.summary)
}
