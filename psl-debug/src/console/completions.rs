//! Completions of a line of the console.

use psl_program::File;
use psl_syntax::{plain_label, token::constant_as_written};

use super::catalogue::{COMMANDS, CommandHelp, find};

/// A text that completes a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The offset in the line at which the replaced text starts, up to the end.
    pub start: usize,
    pub text: String,
    /// The kind of thing that it names.
    pub kind: CompletionKind,
}

/// The kind of thing that a completion names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompletionKind {
    Command,
    /// A word of the arguments, such as `layer`.
    Word,
    /// A production.
    Label,
    Register,
    Constant,
}

/// The words of a condition that no program declares.
const COUNTERS: [&str; 3] = ["cell", "step", "pass"];

/// The usage of an expression.
const EXPRESSION: &str = "EXPRESSION";

/// The words that begin a clause of a breakpoint.
const CLAUSES: &str = "if | hits | log";

/// The completions of a line that is typed so far: commands, and what the arguments of its command can name.
pub fn completions(file: &File, typed: &str) -> Vec<Completion> {
    let start = typed.len() - typed.trim_start().len();
    let line = typed.trim_start();
    let Some((name, rest)) = line.split_once(char::is_whitespace) else {
        let names = COMMANDS.iter().map(|entry| entry.name.to_owned());
        let commands = matching(start, line, CompletionKind::Command, names);
        // The name of a command may also be a word of a condition, but not at the start of a line.
        return commands.chain(arguments(file, typed, start, "REGISTER")).collect();
    };
    let rest_start = typed.len() - rest.trim_start().len();
    // A line without a command is an expression.
    let has_clause = rest.split_whitespace().any(|word| matches!(word, "if" | "log"));
    let usage = match find(name) {
        Ok(entry) if entry.sets_breakpoint() => {
            format!("{} | {CLAUSES}", if has_clause { EXPRESSION } else { entry.arguments })
        }
        Ok(CommandHelp { arguments, .. }) => (*arguments).to_owned(),
        Err(_) => EXPRESSION.to_owned(),
    };
    arguments(file, typed, rest_start, &usage).collect()
}

/// The completions that a usage such as `LINE | LABEL | layer L` allows at the end of a line whose arguments start at
/// `start`.
fn arguments<'f>(
    file: &'f File,
    typed: &'f str,
    start: usize,
    usage: &'f str,
) -> impl Iterator<Item = Completion> + 'f {
    use CompletionKind::{Command, Constant, Label, Register, Word};
    let program = file.program();
    let of_usage = || usage.split(|char: char| !char.is_ascii_alphabetic()).filter(|word| word.len() > 1);
    let has = |names: &[&str]| of_usage().any(|word| names.contains(&word));
    let is_condition = has(&[EXPRESSION]);
    let counters = COUNTERS.into_iter().filter(move |_| is_condition);
    let literals = of_usage().filter(|word| word.starts_with(char::is_lowercase));
    let registers = program.registers.iter().filter(move |_| is_condition || usage.contains("REGISTER"));
    let constants = program.constants.iter().filter(move |_| is_condition || usage.contains("VALUE"));
    let commands = COMMANDS.iter().filter(move |_| usage.contains("COMMAND"));
    let labels = program.productions().into_iter().filter_map(|production| production.label.as_deref());
    let labels = labels.filter(move |_| usage.contains("LABEL"));

    let word_start = typed.rfind(|char: char| !char.is_alphanumeric() && char != '_').map_or(0, |before| {
        before + typed.get(before..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8)
    });
    let word_start = word_start.max(start);
    let (word, all) = (typed.get(word_start..).unwrap_or_default(), typed.get(start..).unwrap_or_default());
    matching(word_start, word, Word, literals.chain(counters).map(str::to_owned))
        .chain(matching(start, all, Label, labels.map(|label| plain_label(label).to_owned())))
        .chain(matching(word_start, word, Register, registers.map(|register| register.name.clone())))
        .chain(matching(word_start, word, Constant, constants.map(|constant| constant_as_written(&constant.name))))
        .chain(matching(start, all, Command, commands.map(|entry| entry.name.to_owned())))
}

/// The texts that begin with what is typed from `start` on.
fn matching<'t>(
    start: usize,
    typed: &'t str,
    kind: CompletionKind,
    texts: impl Iterator<Item = String> + 't,
) -> impl Iterator<Item = Completion> + 't {
    texts.filter(move |text| text.starts_with(typed)).map(move |text| Completion { start, text, kind })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::file;

    const PROGRAM: &str = "\
registers: {symbol: 's', position: 'p', mark: 'm'}
constants: {ON, OFF, SPACE: ' '}
# P1: mark
where symbol[N] == ON:
    mark[N] = ON
# P2: mark again
where mark[N] == ON:
    mark[N] = ON
";

    /// Checks the lines that the completions make of a line.
    fn check(typed: &str, expected: &[&str]) {
        let completed = |Completion { start, text, .. }| format!("{}{text}", &typed[..start]);
        let found: Vec<String> = completions(&file(PROGRAM), typed).into_iter().map(completed).collect();
        assert_eq!(found, expected, "{typed}");
    }

    #[test]
    fn a_line_begins_with_a_command_or_an_expression() {
        check("st", &["step", "stepback"]);
        check("  ne", &["  next"]);
        check("ma", &["mark"]);
        check("symbol[N] == O", &["symbol[N] == ON", "symbol[N] == OFF"]);
        check("(é", &[]);
        check("é", &[]);
    }

    #[test]
    fn arguments_follow_the_usage_of_their_command() {
        check("help stepb", &["help stepback"]);
        check("catch en", &["catch endless"]);
        check("break 4 hi", &["break 4 hits"]);
        check("goto step 3 la", &["goto step 3 layer"]);
        check("b P", &["b P1: mark", "b P2: mark again"]);
        check("b P2: m", &["b P2: mark again"]);
        check("ablate P2", &["ablate P2: mark again"]);
        check("ablate n", &["ablate none"]);
        check("b 4 if c", &["b 4 if cell"]);
        check("break 4 if cell == 2 and sy", &["break 4 if cell == 2 and symbol"]);
        check("b 4 if cell == 2 l", &["b 4 if cell == 2 log"]);
        check("watch mark[2] log {ma", &["watch mark[2] log {mark"]);
        check("watch! p", &["watch! position"]);
        check("watch mark[2] == S", &["watch mark[2] == SPACE"]);
        check("from ma", &["from mark"]);
        check("next ", &[]);
        check("list ma", &[]);
        check("why 1 ", &[]);
    }
}
