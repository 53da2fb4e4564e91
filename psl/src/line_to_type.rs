//! The line that a user meant, where the command line says something else.

use clap::error::{ContextKind, ContextValue, ErrorKind};

/// Names of commands elsewhere, with the command of `psl`.
const COMMANDS: [(&str, &str); 7] = [
    ("format", "fmt"),
    ("lint", "check"),
    ("validate", "check"),
    ("build", "compile"),
    ("execute", "run"),
    ("complete", "run"),
    ("tests", "test"),
];

const PROMPT: &str = "--prompt";

/// The line for these arguments without the name of the program, if the error shows what was meant: a prompt without
/// quotes, a prompt without its option, or the name of a command elsewhere.
pub fn line_to_type(error: &clap::Error, arguments: &[String]) -> Option<String> {
    let Some(ContextValue::String(wrong)) = error.get(match error.kind() {
        ErrorKind::InvalidSubcommand => ContextKind::InvalidSubcommand,
        ErrorKind::UnknownArgument => ContextKind::InvalidArg,
        _ => return None,
    }) else {
        return None;
    };
    let meant = if error.kind() == ErrorKind::InvalidSubcommand {
        let (_, command) = COMMANDS.into_iter().find(|(other, _)| other == wrong)?;
        arguments.iter().map(|word| if word == wrong { command.to_owned() } else { word.clone() }).collect()
    } else {
        with_prompt(wrong, arguments)?
    };
    shlex::try_join(std::iter::once("psl").chain(meant.iter().map(String::as_str))).ok()
}

/// The arguments with the words from `wrong` to the next option as the prompt, or as its end.
fn with_prompt(wrong: &str, arguments: &[String]) -> Option<Vec<String>> {
    let takes_prompt = ["run", "debug", "explore"].contains(&arguments.first()?.as_str());
    if !takes_prompt || wrong.starts_with('-') {
        return None;
    }
    let option = arguments.iter().position(|word| word == PROMPT);
    let start = match option {
        Some(option) => option + 1,
        None => arguments.iter().position(|word| word == wrong)?,
    };
    let rest = arguments.get(start..)?;
    let length = rest.iter().take_while(|word| !word.starts_with('-')).count();
    let (words, after) = rest.split_at_checked(length)?;
    let before = arguments.get(..option.unwrap_or(start))?;
    let prompt = [PROMPT.to_owned(), words.join(" ")];
    Some([before, prompt.as_slice(), after].concat())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::Cli;

    fn check(line: &str, expected: Option<&str>) {
        let arguments = shlex::split(line).expect("words");
        let error = Cli::try_parse_from(std::iter::once("psl").chain(arguments.iter().map(String::as_str)));
        let found = error.err().and_then(|error| line_to_type(&error, &arguments));
        assert_eq!(found.as_deref(), expected, "{line}");
    }

    #[test]
    fn a_prompt_gets_its_quotes_and_its_option() {
        check("run f.psl --prompt a b . a", Some("psl run f.psl --prompt 'a b . a'"));
        check("run f.psl --prompt a b . a --table", Some("psl run f.psl --prompt 'a b . a' --table"));
        check("run --prompt a b", None);
        check("run f.psl 'a b'", Some("psl run f.psl --prompt 'a b'"));
        check("run f.psl a b", Some("psl run f.psl --prompt 'a b'"));
        check("debug f.psl a b", Some("psl debug f.psl --prompt 'a b'"));
        check("run f.psl --promt a", None);
        check("check --fmt f.psl", None);
    }

    #[test]
    fn a_command_elsewhere_has_its_name_here() {
        check("format", Some("psl fmt"));
        check("lint f.psl", Some("psl check f.psl"));
        check("frobnicate", None);
    }
}
