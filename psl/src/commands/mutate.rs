//! `psl mutate`: lists the changes of a program that its tests do not notice.

mod json;
mod resumed;
mod score;
mod stryker;
mod text;
mod tried;

use std::{io::Write, path::PathBuf};

use clap::{ValueEnum, ValueHint};
use psl_host::Configs;
use psl_ide::{Expected, save_test};
use psl_search::{Change, Fate, MutationTest, most_different};
use psl_syntax::diagnostic::Edit;

use self::{resumed::resumed, score::Score, tried::Tried};
use super::{
    examples::examples,
    search::{ProgramPath, Threads, examples_in, refused},
};
use crate::{
    failure::Failure,
    input::program_file::ProgramFile,
    output::{
        color::Color,
        stdio::{Content, print_to_stderr, stdout_to_the_end},
        terminal,
    },
};

/// The arguments of `psl mutate`.
#[derive(clap::Args)]
#[command(after_help = examples(&[
    ("psl mutate parity_log.psl", "the changes that its tests do not notice"),
    ("psl mutate parity_log.psl --apply 1", "add the prompt that tells the first one apart as a test"),
    ("psl mutate parity_log.psl --minimum-score 95", "fail if the tests notice fewer than 95 %"),
    ("psl mutate parity_log.psl --format stryker > report.json", "a report for Stryker's viewer"),
]))]
pub struct Args {
    #[command(flatten)]
    program: ProgramPath,
    /// Files with a line `prompt<TAB>gold` for each further test, or - for standard input.
    #[arg(value_hint = ValueHint::FilePath)]
    data: Vec<PathBuf>,
    /// Add conditions, assignments, functions and list entries, too.
    #[arg(long)]
    additions: bool,
    /// Exit with 1 if the tests notice a smaller percentage of the mutants that are not equal to the program.
    #[arg(long, value_name = "P", value_parser = percentage)]
    minimum_score: Option<f64>,
    /// Add the prompt that tells mutant K apart, as the output numbers them, to the program as a test. Standard input
    /// becomes standard output.
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    apply: Option<u32>,
    /// Maximum number of mutants to list.
    #[arg(long, value_name = "N", default_value_t = 10)]
    show: usize,
    /// Maximum number of lines of a data file.
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    limit: usize,
    /// Time limit in seconds [default: none]. The mutants that were tried by then are reported.
    #[arg(long, value_name = "SECONDS")]
    seconds: Option<u64>,
    /// Go on from the output of `--format json` of a run that was cut off.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    resume: Option<PathBuf>,
    /// Maximum number of mutants to run in parallel, which the number of cores limits too [default: the number of
    /// cores].
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Output format.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Text for people.
    #[default]
    #[value(alias = "text")]
    Human,
    /// JSON, one object, which `--resume` reads.
    Json,
    /// Stryker's format of mutation testing reports.
    Stryker,
}

/// Parses a percentage.
fn percentage(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| (0.0..=100.0).contains(number));
    number.ok_or_else(|| "expected a number from 0 to 100".to_owned())
}

/// Tries each mutant.
pub fn run(args: &Args, color: Color) -> Result<bool, Failure> {
    let source = ProgramFile::read(&args.program.file, &mut Configs::default())?;
    let data = examples_in(&args.data, &source, args.limit)?;
    let threads = Threads::new(args.jobs, args.seconds, "mutants")?;
    let trials = match MutationTest::new(&source.file, &data, &threads, threads.interrupted()) {
        Ok(trials) => trials,
        Err(why) => return Ok(refused(&source, &why, color)),
    };
    let mutants = trials.mutants(args.additions, &threads);
    let mut fates = match &args.resume {
        Some(path) => resumed(path, &source, &data, &mutants)?,
        None => vec![None; mutants.len()],
    };
    let (places, left): (Vec<usize>, Vec<&Change>) =
        mutants.iter().enumerate().filter(|(place, _)| fates.get(*place).is_none_or(Option::is_none)).unzip();
    for (place, fate) in places.into_iter().zip(trials.fates(&left, &threads)) {
        fates.get_mut(place).into_iter().for_each(|slot| slot.clone_from(&fate));
    }
    let told_apart = most_different(&fates);
    let score = Score::new(&fates);
    let seconds = threads.seconds();
    drop(threads);
    let mutants = mutants.into_iter().zip(fates).collect();
    let tried = Tried { source: &source, data: &data, mutants, told_apart, score, seconds };
    let filter = args.apply.is_some() && source.is_stdin();
    if !filter {
        let content = if args.format == Format::Human { Content::People } else { Content::Data };
        let mut out = stdout_to_the_end(content);
        match args.format {
            Format::Human => text::write(&mut out, &tried, args.show, terminal::stdout(color))?,
            Format::Json => json::write(&mut out, &tried)?,
            Format::Stryker => stryker::write(&mut out, &tried)?,
        }
    }
    if let Some(number) = args.apply {
        apply(&tried, number, filter)?;
    }
    Ok(args.minimum_score.is_none_or(|minimum| is_enough(&tried.score, minimum)))
}

/// Adds the prompt of a mutant to the program, or prints the program with it.
fn apply(tried: &Tried<'_>, number: u32, filter: bool) -> Result<(), Failure> {
    let place = tried.told_apart.get(number as usize - 1);
    let mutant = place.and_then(|place| tried.mutants.get(*place));
    let Some((_, Some(Fate::ToldApart(found)))) = mutant else {
        let all = tried.told_apart.len();
        return Err(Failure::Message(format!("cannot apply mutant {number}: the list has {all}")));
    };
    let expected = found.expected.as_ref().map_err(|why| {
        Failure::Message(format!("cannot add `{}` as a test: the program's own run fails: {why}", found.prompt))
    })?;
    let file = &tried.source.file;
    let saved = Expected { prompt: &found.prompt, gold: &expected.text(), row: expected.is_row() };
    let edits = save_test(file, saved).map_err(Failure::of)?;
    let text = Edit::apply(&edits, file.text());
    let text = text.ok_or_else(|| Failure::Message("cannot add the test to the program".to_owned()))?;
    if filter { Ok(stdout_to_the_end(Content::Data).write_all(text.as_bytes())?) } else { tried.source.write(&text) }
}

/// Whether the score is known and at least this one. Reports why it is not.
fn is_enough(score: &Score, minimum: f64) -> bool {
    if score.left > 0 {
        print_to_stderr("the score is not known: not all mutants were tried");
        return false;
    }
    let is_enough = score.percentage().is_none_or(|score| score >= minimum);
    if !is_enough {
        print_to_stderr(format_args!("the score is below {minimum} %"));
    }
    is_enough
}
