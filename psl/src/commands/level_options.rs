//! The options that deny and allow diagnostics. Of two that name the same code, the last one wins.

use clap::{ArgMatches, Args, Command, FromArgMatches};
use psl_syntax::{Code, Levels, Severity, nearest};

use super::suggested::Suggested;

/// The options as given.
#[derive(Args)]
struct Given {
    /// Turn a warning, or all `warnings`, into errors.
    #[arg(long, value_name = "CODE", hide_possible_values = true)]
    #[arg(value_parser = Suggested::new(WARNINGS.into_iter().chain(codes()), code_or_warnings))]
    deny: Vec<Chosen>,
    /// Suppress a warning.
    #[arg(long, value_name = "CODE", hide_possible_values = true)]
    #[arg(value_parser = Suggested::new(codes(), allowable))]
    allow: Vec<Code>,
}

/// The changes of severities, in the order of the command line. `None` turns a code off.
pub struct LevelOptions(Vec<(Chosen, Option<Severity>)>);

impl LevelOptions {
    /// Changes severities.
    pub fn apply(&self, levels: &mut Levels) {
        for (chosen, severity) in &self.0 {
            match chosen {
                Chosen::Code(code) => levels.set(*code, *severity),
                Chosen::Warnings => levels.deny_warnings(),
            }
        }
    }
}

impl Args for LevelOptions {
    fn augment_args(command: Command) -> Command {
        Given::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Given::augment_args_for_update(command)
    }
}

impl FromArgMatches for LevelOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let Given { deny, allow } = Given::from_arg_matches(matches)?;
        let places = |option| matches.indices_of(option).into_iter().flatten();
        let denied = places("deny").zip(deny).map(|(place, chosen)| (place, (chosen, Some(Severity::Error))));
        let allowed = places("allow").zip(allow).map(|(place, code)| (place, (Chosen::Code(code), None)));
        let mut changes: Vec<_> = denied.chain(allowed).collect();
        changes.sort_by_key(|(place, _)| *place);
        Ok(Self(changes.into_iter().map(|(_, change)| change).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Chosen {
    Code(Code),
    Warnings,
}

/// All warnings, as a value of `--deny`.
const WARNINGS: [&str; 1] = ["warnings"];

/// The codes that can be denied and allowed.
fn codes() -> impl Iterator<Item = &'static str> {
    Code::ALL.iter().filter(|code| !code.is_error()).map(|code| code.as_str())
}

fn code(name: &str) -> Result<Code, String> {
    Code::from_name(name).ok_or_else(|| {
        let suggestion = nearest(name, Code::ALL.iter().map(|code| code.as_str()))
            .map_or_else(|| "`psl explain` lists all codes".to_owned(), |near| format!("did you mean `{near}`?"));
        format!("unknown code `{name}`; {suggestion}")
    })
}

fn allowable(name: &str) -> Result<Code, String> {
    let code = code(name)?;
    if code.is_error() { Err(format!("`{name}` is an error, and errors cannot be allowed")) } else { Ok(code) }
}

fn code_or_warnings(name: &str) -> Result<Chosen, String> {
    if WARNINGS.contains(&name) { Ok(Chosen::Warnings) } else { code(name).map(Chosen::Code) }
}
