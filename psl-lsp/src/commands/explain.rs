//! `psl explain`: what a diagnostic means.

use std::io::{self, Write};

use psl_syntax::Code;

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
        None => {
            for code in Code::ALL {
                let entry = code.entry();
                writeln!(out, "{:22} {:8} {}", entry.name, entry.severity.as_str(), entry.summary)?;
            }
        }
    }
    Ok(true)
}
