//! `psl prove`: tries claims with prompts that stand for all short ones.

pub mod report;

use std::{cell::LazyCell, path::PathBuf};

use clap::{ValueEnum, ValueHint};
use psl_program::{Runner, laws::Decided};
use psl_runtime::{MachineKind, Options, RunFailure};
use psl_search::{Against, Claim, ShortPrompts, Wanted, Workers, prove};
use psl_syntax::{
    law::Law,
    program::{DEFAULT_STOP, TestCase, TestPrompt},
};

use self::report::{Report, Said, Scope};
use super::{
    examples::examples,
    search::{Format, Threads},
};
use crate::{
    failure::Failure,
    input::{heads::Heads, load::load_any, paths::is_stdin, program_file::ProgramFile},
    output::{color::Color, stdio::print_to_stderr},
};

/// The arguments of `psl prove`.
#[derive(clap::Args)]
#[command(after_help = examples(&[
    ("psl prove pargen.psl", "its laws"),
    ("psl prove pargen.psl --that copies", "it generates only symbols of the prompt"),
    ("psl prove pargen.psl --that answers --like \"Q $x.. A $y.. . Q $z A\"", "prompts of this form"),
    ("psl prove pargen.psl --that machines,terminates --up-to 3", "two claims"),
    ("psl prove pargen.psl --against old.psl", "it continues prompts as another version does"),
]))]
pub struct Args {
    /// Program, or - for standard input: PSL or QKVL.
    #[arg(value_hint = ValueHint::FilePath)]
    file: PathBuf,
    /// Claims, separated by commas [default: laws, or answers if the program has no laws; none with `--against`].
    #[arg(long, value_enum, value_name = "CLAIM", value_delimiter = ',')]
    that: Vec<Name>,
    /// Another program that continues the prompts in the same way, also those of FILE's tests and laws with other
    /// symbols.
    ///
    /// Both run with the stop symbol and the maximum length of FILE. A run that fails should fail for the same kind of
    /// reason.
    #[arg(long, value_name = "OTHER", value_hint = ValueHint::FilePath)]
    against: Option<PathBuf>,
    /// Registers of the same name have the same values after the last layer, too.
    #[arg(long, requires = "against")]
    states: bool,
    /// Maximum number of symbols of a prompt [default: as many as 200,000 prompts suffice for].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    up_to: Option<u32>,
    /// Pattern of the prompts, in place of a maximum number of symbols. Several are allowed.
    ///
    /// Its variables, such as $x, or $x.. for one to three symbols, stand for different symbols, as in a law.
    #[arg(long, value_name = "PATTERN", allow_hyphen_values = true, conflicts_with = "up_to")]
    like: Vec<String>,
    /// Variables of the patterns stand for any symbols, equal or not.
    #[arg(long, requires = "like")]
    like_any: bool,
    /// Maximum length of a continuation [default: the program's, otherwise 64].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_new: Option<u32>,
    /// Symbols, separated by commas, that prompts have beside those that the program compares.
    #[arg(long, value_name = "SYMBOLS", value_delimiter = ',')]
    alphabet: Vec<String>,
    /// Symbols, separated by commas, that a continuation may have beside those of the prompt (`--that copies`).
    #[arg(long, value_name = "SYMBOLS", value_delimiter = ',')]
    allow_symbols: Vec<String>,
    /// Include prompts with the numbers of the run's positions, if the program compares symbols with positions.
    #[arg(long)]
    numbers: bool,
    #[command(flatten)]
    heads: Heads,
    /// Time limit in seconds [default: none].
    #[arg(long, value_name = "SECONDS")]
    seconds: Option<u64>,
    /// Maximum number of prompts to run in parallel, which the number of cores limits too [default: the number of
    /// cores].
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Output format.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// The name of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Name {
    /// The stop symbol ends each continuation, and no symbol is null.
    Answers,
    /// Each run ends.
    Terminates,
    /// No cell attends to one on its right.
    Causal,
    /// Continuations consist of symbols of the prompt, before the stop symbol.
    Copies,
    /// The machines agree in every state.
    Machines,
    /// The laws of the program hold, at all their lengths.
    Laws,
}

/// Tries each claim.
pub fn run(args: &Args, color: Color) -> Result<bool, Failure> {
    if is_stdin(&args.file) && args.against.as_deref().is_some_and(is_stdin) {
        return Err(Failure::both_from_stdin("one program", "the other", "a file"));
    }
    let source = load_any(&args.file, color)?;
    let against = args.against.as_ref().map(|path| load_any(path, color)).transpose()?;
    for file in [&source].into_iter().chain(&against) {
        takes_plain_prompts(file).map_err(Failure::Message)?;
    }
    let scheduled = args.heads.scheduled(&source.shown_name(), source.file.compiled())?;
    let runner = scheduled.as_ref().unwrap_or_else(|| source.file.compiled());
    let program = &runner.executable().program;
    let options = runner.options(&Options { max_new: args.max_new.map(|most| most as usize), ..Options::default() });
    let pattern = |text: &String| {
        Law::pattern(args.like_any, text).map_err(|why| Failure::Message(format!("`--like {text}`: {why}")))
    };
    let wanted = Wanted {
        up_to: args.up_to.map(|most| most as usize),
        like: args.like.iter().map(pattern).collect::<Result<_, _>>()?,
        alphabet: args.alphabet.clone(),
        numbers: args.numbers,
        ..Wanted::default()
    };
    let prompts = LazyCell::new(|| ShortPrompts::new(&[runner.executable()], &options, &wanted));
    let has_laws = program.tests.iter().any(|test| test.law.is_some());
    let mut names = args.that.clone();
    if names.is_empty() && against.is_none() {
        names.push(if has_laws { Name::Laws } else { Name::Answers });
    }
    if names.contains(&Name::Laws) && !has_laws {
        let name = source.shown_name();
        let message = format!("{name}: it has no laws: add one such as `//@ law \"A $x\" => \"$x\"`");
        return Err(Failure::Message(message));
    }
    let threads = Threads::new(args.jobs, args.seconds, "prompts")?;
    let mut report = Report::new(source.name.clone(), args.format, color);
    for name in names {
        match Claim::named(&name.text(), args.allow_symbols.clone()) {
            Some(claim) => {
                let prompts = prompts.as_ref().map_err(|failure| refused(failure.clone()))?;
                let proof = prove(runner, &claim, prompts, &threads).map_err(refused)?;
                let scope = Scope { like: &args.like, any: args.like_any, prompts };
                report.proof(&source, &Said::Claim(&name.text()), &scope, &proof)?;
            }
            None => laws(&mut report, &source, runner, &threads)?,
        }
    }
    if let Some(other) = &against {
        let other_runner = other.file.compiled();
        let statement =
            if args.states { Against::with_states(runner, other_runner) } else { Against::new(other_runner) };
        if args.states && statement.registers() == 0 {
            let (one, two) = (source.shown_name(), other.shown_name());
            return Err(Failure::Message(format!("{one} and {two} have no register of the same name to compare")));
        }
        let prompts = &statement.prompts(runner, &options, &wanted).map_err(refused)?;
        note_differences(&source, other, prompts);
        let proof = prove(runner, &statement, prompts, &threads).map_err(refused)?;
        let scope = Scope { like: &args.like, any: args.like_any, prompts };
        report.proof(&source, &Said::Against { other: &other.name, states: args.states }, &scope, &proof)?;
    }
    drop(threads);
    Ok(report.holds)
}

/// Refuses a program all of whose tests have structured prompts.
pub fn takes_plain_prompts(source: &ProgramFile) -> Result<(), String> {
    let program = &source.file.compiled().executable().program;
    let is_structured = |test: &TestCase| matches!(test.prompt, TestPrompt::Json(_));
    if program.input.is_empty() || !program.tests.iter().all(is_structured) {
        return Ok(());
    }
    Err(format!(
        "{}: its prompts are structured (`//@ input`), and a proof is about plain ones; \
         add a test with a plain prompt if it takes those, too",
        source.shown_name()
    ))
}

/// Tells which directives of the other program do not count.
fn note_differences(source: &ProgramFile, other: &ProgramFile, prompts: &ShortPrompts) {
    let own = other.file.compiled().options(&Options::default());
    let other_name = other.shown_name();
    let stop = own.stop.as_deref().unwrap_or(DEFAULT_STOP);
    if stop != prompts.stop() {
        let used = prompts.stop();
        print_to_stderr(format_args!("note: {other_name} ends with `{stop}`, and both runs end with `{used}` here"));
    }
    let given = source.file.compiled().options(&Options::default()).max_new;
    if let (Some(own), Some(used)) = (own.max_new, prompts.options().max_new)
        && own != used
        && given == Some(used)
    {
        print_to_stderr(format_args!("note: {other_name} has `//@ max-new {own}`, and both runs have {used} here"));
    }
}

impl Name {
    fn text(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

fn refused(failure: RunFailure) -> Failure {
    Failure::Message(failure.message)
}

fn laws(report: &mut Report, source: &ProgramFile, runner: &Runner, threads: &Threads) -> Result<(), Failure> {
    let laws = runner.executable().program.tests.iter().zip(1..).filter(|(test, _)| test.law.is_some());
    for (test, number) in laws {
        let name = test.name.clone().unwrap_or_else(|| format!("test {number}"));
        let line = source.line(test.span.start);
        match runner.decide(test, MachineKind::Dat, &|| threads.stopped(), u64::MAX) {
            Ok(Decided::Law(law)) => report.law(&name, line, &law)?,
            Ok(Decided::Test | Decided::No) => report.cut_off_law(&name, line)?,
            Err(failure) => return Err(refused(failure)),
        }
    }
    Ok(())
}
