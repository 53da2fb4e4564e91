//! `psl explain`: the meaning of a diagnostic or a word of the language.

use std::io::{self, IsTerminal, Write};

use psl_ide::{Topic, explain, topics};
use psl_render::{CODE, STRONG, Terminal};

use super::{examples::examples, suggested::Suggested};
use crate::{
    failure::Failure,
    output::{
        color::Color,
        markdown::rendered,
        stdio::{Content, stdout_to_the_end},
        terminal,
    },
};

/// The columns of the words in the list.
const WORDS: usize = 25;

/// The arguments of `psl explain`.
#[derive(clap::Args)]
#[command(after_help = examples(&[
    ("psl explain", "list all codes and words"),
    ("psl explain non-causal", "a diagnostic"),
    ("psl explain repeat", "a keyword"),
    ("psl explain @pos_increment", "a function"),
    ("psl explain reference/values", "a page of the reference"),
]))]
pub struct Args {
    /// Code, keyword, role, function, directive, sign or page of the reference [default: list all].
    #[arg(hide_possible_values = true, value_parser = Suggested::new(suggestions(), |word| Ok(word.to_owned())))]
    word: Option<String>,
}

/// The words that a shell takes without quotes.
fn suggestions() -> impl Iterator<Item = &'static str> {
    let words = topics().into_iter().flat_map(|of_kind| of_kind.topics).map(|topic| topic.word);
    words.filter(|word| word.chars().all(|char| char.is_ascii_alphanumeric() || "-_".contains(char)))
}

/// Explains one word, or lists all: for a terminal, or as Markdown for a pipe.
pub fn run(args: &Args, color: Color) -> Result<bool, Failure> {
    let terminal = terminal::stdout(color);
    let text = match &args.word {
        Some(word) => {
            let markdown = explain(word).map_err(Failure::Message)?;
            let is_terminal = io::stdout().is_terminal() || color == Color::Always;
            if is_terminal { rendered(&markdown, terminal) } else { markdown }
        }
        None => list(terminal),
    };
    stdout_to_the_end(Content::People).write_all(text.as_bytes())?;
    Ok(true)
}

/// All words by their kind, each with its summary.
fn list(terminal: Terminal) -> String {
    let kinds = topics().into_iter().map(|of_kind| {
        let rows: String = of_kind.topics.iter().map(|topic| row(topic, terminal)).collect();
        format!("{}:\n{rows}", terminal.paint(STRONG, of_kind.kind))
    });
    kinds.collect::<Vec<_>>().join("\n")
}

fn row(topic: &Topic, terminal: Terminal) -> String {
    let others = " ".repeat(WORDS);
    let blanks = " ".repeat(WORDS.saturating_sub(2 + topic.word.len()));
    let first = format!("  {}{blanks}", terminal.paint(CODE, topic.word));
    terminal.wrap(topic.summary, &first, &others).into_iter().map(|line| line + "\n").collect()
}
