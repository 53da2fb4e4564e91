#![allow(clippy::expect_used, clippy::panic, reason = "a test may fail by panic")]

use clap::{Command, CommandFactory};

use crate::{Cli, commands::examples::HEADING};

/// All commands that have a help of ours, with their paths: `psl trace diff`.
fn commands() -> Vec<(String, Command)> {
    fn visit(path: String, command: &Command, found: &mut Vec<(String, Command)>) {
        for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help") {
            visit(format!("{path} {}", inner.get_name()), inner, found);
        }
        found.push((path, command.clone()));
    }
    let mut psl = Cli::command();
    psl.build();
    let mut found = Vec::new();
    visit("psl".to_owned(), &psl, &mut found);
    assert!(found.len() > 15, "{} commands", found.len());
    found
}

/// The example lines of a command, without their purposes.
fn lines(path: &str, command: &Command) -> Vec<Vec<String>> {
    let help = command.get_after_help().unwrap_or_else(|| panic!("{path} has examples")).to_string();
    let mut lines = help.lines();
    assert_eq!(lines.next(), Some(HEADING), "{path}");
    let lines: Vec<_> = lines.collect();
    assert!(lines.iter().all(|line| line.len() <= 80), "{path}: an example is wider than a terminal: {lines:#?}");
    let lines = lines.into_iter().filter(|line| !line.trim_start().starts_with('#'));
    lines.map(|line| shlex::split(line).unwrap_or_else(|| panic!("{path}: {line}"))).collect()
}

#[test]
fn every_help_has_its_form() {
    for (path, command) in commands() {
        let mut texts = vec![command.get_about().unwrap_or_else(|| panic!("{path} has a help")).to_string()];
        for arg in command.get_arguments().filter(|arg| !arg.is_hide_set()) {
            let id = arg.get_id();
            texts.push(arg.get_help().unwrap_or_else(|| panic!("{path}: {id} has a help")).to_string());
            texts.extend(arg.get_possible_values().iter().filter_map(|value| Some(value.get_help()?.to_string())));
        }
        for text in texts {
            let first = text.chars().next().unwrap_or_else(|| panic!("{path} has an empty help"));
            assert!(!first.is_lowercase(), "{path}: a help starts with a capital letter: {text}");
            assert!(!text.ends_with('.'), "{path}: a help has no full stop: {text}");
            assert!(text.is_ascii(), "{path}: groff renders only ASCII without a warning: {text}");
        }
    }
}

#[test]
fn global_options_are_at_the_end_of_each_help() {
    for (path, mut command) in commands() {
        for help in [command.render_help(), command.render_long_help()].map(|help| help.to_string()) {
            let (_, end) = help.split_once("\nGlobal options:\n").unwrap_or_else(|| panic!("{path}: {help}"));
            assert!(!end.contains("Options:") && end.contains(HEADING), "{path}: {help}");
            let options: Vec<_> = end.lines().filter_map(|line| line.split_once("--")).map(|(_, rest)| rest).collect();
            let first = |at: usize, name: &str| options.get(at).is_some_and(|rest| rest.starts_with(name));
            assert!(first(0, "color <WHEN>") && first(1, "help") && first(2, "version"), "{path}: {help}");
            assert!(!end.contains("ossible values"), "{path}: {help}");
        }
    }
}

#[test]
fn every_command_has_examples_that_it_takes() {
    for (path, command) in commands() {
        let lines = lines(&path, &command);
        assert!(!lines.is_empty(), "{path}");
        let mut own = 0;
        for line in &lines {
            for piped in line.split(|word| word == "|").filter(|words| words.first().is_some_and(|word| word == "psl"))
            {
                let words: Vec<_> = piped.iter().take_while(|word| !["<", ">"].contains(&word.as_str())).collect();
                if let Err(error) = Cli::command().try_get_matches_from(&words) {
                    let asks = !error.use_stderr();
                    assert!(asks, "{path}: {words:?}: {error}");
                }
                let start: Vec<_> = path.split(' ').collect();
                own += usize::from(words.iter().zip(&start).all(|(word, part)| word == part));
            }
        }
        assert!(own >= lines.len().div_ceil(2), "{path}: the examples are of another command");
    }
}
