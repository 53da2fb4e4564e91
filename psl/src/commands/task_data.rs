//! Task data: the options and loops of the commands that generate and check it.

use std::{
    io::{BufWriter, Write},
    path::{Path, PathBuf},
};

use clap::ValueHint;
use psl_program::count;
use psl_render::shown;
use psl_tasks::{Line, LineFormat};

use crate::{
    failure::Failure,
    input::{choices::choices, data_lines::DataLines, paths::STDIN},
    output::{
        output_file::Output,
        progress::{Progress, Unit},
        stdio::{Content, print_to_stderr, stdout_to_the_end},
    },
};

/// The formats of lines.
const FORMATS: &[(&str, &str, LineFormat)] = &[
    ("tsv", "`prompt<TAB>gold<TAB>info`", LineFormat::Tsv),
    ("jsonl", "One JSON object, with `prompt`, `gold` and `info`", LineFormat::Jsonl),
];

/// The options of all tasks.
#[derive(clap::Args)]
pub struct TaskData {
    /// Number of lines.
    #[arg(long, value_name = "N", default_value_t = 100)]
    count: usize,
    /// Seed of the random numbers. The same seed gives the same lines.
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Format of the lines [default: jsonl for a file *.jsonl, tsv for others].
    #[arg(long, value_parser = choices(FORMATS))]
    format: Option<LineFormat>,
    /// Check the lines of this file, or - for standard input, instead of generating any.
    #[arg(long, value_name = "DATA", value_hint = ValueHint::FilePath, conflicts_with_all = ["count", "seed"])]
    check: Option<PathBuf>,
    /// Output file [default: standard output].
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::FilePath, conflicts_with = "check")]
    output: Option<PathBuf>,
}

impl TaskData {
    /// Checks lines, or generates them from the seed.
    pub fn run<L: Iterator<Item = Line<'static>>>(
        &self,
        generator: impl FnOnce(u64) -> L,
        validate: impl Fn(&Line<'_>) -> Result<(), String>,
    ) -> Result<bool, Failure> {
        match &self.check {
            Some(data) => self.check(data, validate),
            None => self.generate(generator(self.seed)),
        }
    }

    fn generate(&self, lines: impl Iterator<Item = Line<'static>>) -> Result<bool, Failure> {
        let path = self.output.as_deref().unwrap_or(Path::new(STDIN));
        let format = self.format(path);
        let mut out = Output::create(path)?;
        let progress = Progress::new(Unit::Items("lines"), Some(self.count as u64));
        for line in lines.take(self.count) {
            line.write(format, &mut out).map_err(|error| out.failure(error))?;
            progress.item(1);
        }
        out.commit()?;
        Ok(true)
    }

    fn check(&self, path: &Path, validate: impl Fn(&Line<'_>) -> Result<(), String>) -> Result<bool, Failure> {
        let format = self.format(path);
        let mut out = BufWriter::new(stdout_to_the_end(Content::People));
        let mut data = DataLines::open(path)?;
        let progress = Progress::new(Unit::Items("lines"), data.size);
        let (mut checked, mut wrong) = (0, 0);
        while let Some(line) = data.next()? {
            progress.item(line.len() as u64 + 1);
            if line.is_empty() {
                continue;
            }
            checked += 1;
            let line = str::from_utf8(line).map_err(|_| "the line is not UTF-8".to_owned());
            if let Err(violation) = line.and_then(|line| validate(&format.parse(line)?)) {
                writeln!(out, "{}", shown(&format!("{}:{}: {violation}", data.name, data.number)))?;
                wrong += 1;
            }
        }
        drop(progress);
        if checked == 0 {
            return Err(Failure::Message(format!("{} has no lines to check", data.name)));
        }
        out.flush()?;
        print_to_stderr(format_args!("{} checked: {wrong} wrong", count(checked, "line")));
        Ok(wrong == 0)
    }

    fn format(&self, path: &Path) -> LineFormat {
        self.format.unwrap_or_else(|| LineFormat::of(path))
    }
}
