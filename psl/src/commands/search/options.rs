//! The options of a search.

use std::path::PathBuf;

use clap::ValueEnum;
use psl_search::Example;
use psl_syntax::program::TestPrompt;
use psl_tasks::LineFormat;

use super::threads::Threads;
use crate::{
    failure::Failure,
    input::{data_lines::DataLines, paths::is_stdin, program_file::ProgramFile},
};

/// The options of a search.
#[derive(clap::Args)]
pub struct SearchOptions {
    /// Write result K, as the output numbers them, to the program. Standard input becomes standard output.
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    pub apply: Option<u32>,
    /// Maximum number of results to list.
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub show: usize,
    #[command(flatten)]
    pub limits: SearchLimits,
}

/// The options of every search.
#[derive(clap::Args)]
pub struct SearchLimits {
    /// Maximum number of lines of a data file.
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    limit: usize,
    /// Time limit of the search in seconds. What it has found by then is the result.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    seconds: u64,
    /// Maximum number of programs to run in parallel, which the number of cores limits too [default: the number of
    /// cores].
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Output format.
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Text for people.
    #[default]
    #[value(alias = "text")]
    Human,
    /// JSON, one object per line.
    Json,
}

impl SearchLimits {
    /// The threads of a search, which ends at the time limit or on Ctrl-C. `items` is the name of what they try.
    pub fn threads(&self, items: &'static str) -> Result<Threads, Failure> {
        Threads::new(self.jobs, Some(self.seconds), items)
    }

    /// The examples in files of task data.
    pub fn examples(&self, source: &ProgramFile, data: &[PathBuf]) -> Result<Vec<Example>, Failure> {
        examples_in(data, source, self.limit)
    }
}

/// The examples in files of task data, at most `limit` of each. Standard input can be read only once: it is the program
/// or one of them.
pub fn examples_in(data: &[PathBuf], source: &ProgramFile, limit: usize) -> Result<Vec<Example>, Failure> {
    let from_stdin = data.iter().filter(|path| is_stdin(path)).count();
    if from_stdin + usize::from(source.is_stdin()) > 1 {
        return Err(Failure::both_from_stdin("the program", "the data", "a file"));
    }
    let mut examples = Vec::new();
    for path in data {
        let mut lines = DataLines::open(path)?;
        let mut format = (!is_stdin(path)).then(|| LineFormat::of(path));
        let before = examples.len();
        while examples.len() - before < limit
            && let Some(text) = lines.next_text()?
        {
            if text.trim().is_empty() {
                continue;
            }
            let format = *format.get_or_insert_with(|| LineFormat::of_line(&text));
            let line = format.parse(&text).map_err(|why| lines.wrong(&why))?;
            let prompt = TestPrompt::Plain(line.prompt.into_owned());
            examples.push(Example { prompt, gold: line.gold.into_owned(), row: false });
        }
        if examples.len() == before {
            return Err(Failure::Message(format!("{} has no examples", lines.name)));
        }
    }
    Ok(examples)
}
