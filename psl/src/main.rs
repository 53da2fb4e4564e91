//! `psl`: checker, compiler, runtime and language server for PSL, the Production System Language.
//!
//! Exit codes: 0 fine, 1 errors in programs or failed tests, 2 wrong usage, a file that cannot be read, or a bug in
//! `psl`.

mod commands;
mod failure;
#[cfg(test)]
mod help_tests;
mod input;
mod line_to_type;
mod output;
mod render;

use std::{
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
};

use clap::{CommandFactory, Parser, Subcommand, ValueHint};
use psl_lsp::defect::Defect;

use crate::{
    commands::{examples::examples, global_options::GlobalOptions},
    failure::Failure,
    output::stdio::{Content, print_to_stderr, stdout_to_the_end},
};

/// Runs are short and make many small vectors. This allocator saves a tenth of their time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Checker, compiler, runtime and language server for PSL, the Production System Language.
#[derive(Parser)]
#[command(name = "psl", version, propagate_version = true, disable_help_flag = true, disable_version_flag = true)]
#[command(max_term_width = 100)]
#[command(after_help = examples(&[
    ("psl demo", "tour the tools"),
    ("psl new first", "create a program, first.psl"),
    ("psl check", "check the programs in this folder"),
    ("psl test", "run their tests"),
    ("psl run --prompt \"Q a A a . Q b A\"", "complete a prompt"),
    ("psl help check", "describe a command"),
]))]
struct Cli {
    #[command(flatten)]
    global: GlobalOptions,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Create a new program.
    New(commands::new::Args),
    /// Import a program of the reference implementation, with its examples as tests.
    Import(commands::import::Args),
    /// Check programs for errors and warnings.
    Check(commands::check::Args),
    /// Format programs.
    Fmt(commands::fmt::Args),
    /// Compile a program to QKVL or to weights, or decompile it to PSL.
    Compile(commands::compile::Args),
    /// Complete prompts.
    Run(commands::run::Args),
    /// Run the `//@ test` lines of programs.
    Test(commands::test::Args),
    /// Prove claims about all short prompts, whatever their symbols.
    Prove(commands::prove::Args),
    /// Search for what belongs in the holes of a program.
    Fill(commands::fill::Args),
    /// Search for changes of a program that make its tests pass.
    Repair(commands::repair::Args),
    /// Leave out what a program or a failing prompt does not need.
    Minimize(commands::minimize::Args),
    /// List the changes of a program that its tests do not notice.
    Mutate(commands::mutate::Args),
    /// Schedule productions that do not affect each other as the heads of one layer.
    Schedule(commands::schedule::Args),
    /// Write a page that shows what a program does, layer by layer.
    Explore(commands::explore::Args),
    /// Debug a run forward and backward in time.
    Debug(commands::debug::Args),
    /// Show what the heads of each layer do together to pairs of cells.
    Latent(commands::latent::Args),
    /// Patch the run of a prompt with values of another run, and measure the effects.
    Patch(commands::patch::Args),
    /// Measure the accuracy of a program on a data set.
    Eval(commands::eval::Args),
    /// Generate templatic generation data, or check it.
    Tgt(commands::tgt::Args),
    /// Generate nested function evaluation data, or check it.
    Nfe(commands::nfe::Args),
    /// Compile a Turing machine to a program, and run it.
    Turing(commands::turing::Args),
    /// Compare traces.
    Trace(commands::trace::Args),
    /// Explain a diagnostic or a word of the language.
    Explain(commands::explain::Args),
    /// Tour the tools with the program of the paper.
    #[command(after_help = examples(&[("psl demo", "check, compile and run PARGEN")]))]
    Demo,
    /// Serve editors on standard input and output.
    #[command(after_help = examples(&[("psl lsp --log session.jsonl", "record what editor and server send")]))]
    Lsp {
        /// Write each message of the session, and the time of each piece of work, to a file as lines of JSON.
        #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
        log: Option<PathBuf>,
        /// Taken for editors that say so; there is no other way.
        #[arg(long, hide = true)]
        stdio: bool,
    },
    /// Serve debuggers of editors on standard input and output.
    Dap(commands::dap::Args),
    /// Print the JSON schema of `psl.toml`, for editors of TOML.
    #[command(after_help = examples(&[("psl schema > psl.schema.json", "write it to a file")]))]
    Schema,
    /// Print the manual page, or write the pages of all commands.
    Man(commands::man::Args),
    /// Print a completion script for a shell.
    Completions(commands::completions::Args),
}

fn main() -> ExitCode {
    #[cfg(unix)]
    survive_file_size_limits();
    ExitCode::from(finish(|| match Cli::try_parse() {
        Ok(cli) => run(cli),
        Err(answer) => answer_in_place(&answer),
    }))
}

/// Does the work of a command, reports its failure, and returns the exit code.
fn finish(work: impl FnOnce() -> Result<bool, Failure>) -> u8 {
    let done = Defect::guard(work).unwrap_or_else(|defect| Err(Failure::of(defect)));
    // If the reader has closed the pipe, the last output is lost, but the result of the command stays.
    let done = done.and_then(|fine| match io::stdout().flush() {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::Output(error)),
        _ => Ok(fine),
    });
    match done {
        Ok(true) => 0,
        Ok(false) => 1,
        // The reader closed the pipe.
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => 0,
        Err(failure) => failure.report(),
    }
}

fn run(cli: Cli) -> Result<bool, Failure> {
    let color = cli.global.color;
    match cli.command {
        Command::New(args) => commands::new::run(&args),
        Command::Import(args) => commands::import::run(&args, color),
        Command::Check(args) => commands::check::run(&args, color),
        Command::Fmt(args) => commands::fmt::run(&args, color),
        Command::Compile(args) => commands::compile::run(&args, color),
        Command::Run(args) => commands::run::run(&args, color),
        Command::Test(args) => commands::test::run(&args, color),
        Command::Fill(args) => commands::fill::run(&args, color),
        Command::Prove(args) => commands::prove::run(&args, color),
        Command::Repair(args) => commands::repair::run(&args, color),
        Command::Minimize(args) => commands::minimize::run(&args, color),
        Command::Mutate(args) => commands::mutate::run(&args, color),
        Command::Schedule(args) => commands::schedule::run(&args, color),
        Command::Explore(args) => commands::explore::run(&args, color),
        Command::Debug(args) => commands::debug::run(&args, color),
        Command::Latent(args) => commands::latent::run(&args, color),
        Command::Patch(args) => commands::patch::run(&args, color),
        Command::Eval(args) => commands::eval::run(&args, color),
        Command::Tgt(args) => commands::tgt::run(&args),
        Command::Nfe(args) => commands::nfe::run(&args),
        Command::Turing(args) => commands::turing::run(&args),
        Command::Trace(args) => commands::trace::run(&args),
        Command::Explain(args) => commands::explain::run(&args, color),
        Command::Demo => commands::demo::run(color),
        Command::Lsp { log, stdio: _ } => {
            let served = psl_lsp::server::stdio::run(log.as_deref(), commands::explore::built_page());
            served.map_err(|error| Failure::Message(error.to_string()))
        }
        Command::Dap(args) => commands::dap::run(&args),
        Command::Schema => {
            let mut out = stdout_to_the_end(Content::People);
            writeln!(out, "{:#}", psl_program::config::schema())?;
            Ok(true)
        }
        Command::Man(args) => commands::man::run(&args, Cli::command()),
        Command::Completions(args) => commands::completions::run(&args, Cli::command()),
    }
}

/// Answers a command line that requests help or the version, or is wrong.
fn answer_in_place(answer: &clap::Error) -> Result<bool, Failure> {
    if answer.use_stderr() {
        // The message repeats the arguments, which may contain control characters.
        print_to_stderr(answer.render().to_string().trim_end());
        let arguments: Vec<String> = std::env::args_os().skip(1).filter_map(|word| word.into_string().ok()).collect();
        if let Some(line) = line_to_type::line_to_type(answer, &arguments) {
            print_to_stderr(format_args!("\nDid you mean this?\n  {}", psl_render::shown_line(&line)));
        }
        return Err(Failure::Reported);
    }
    answer.print()?;
    Ok(true)
}

/// Catches the signal of `ulimit -f`, which would end the process. A write beyond the limit is then an ordinary error.
#[cfg(unix)]
fn survive_file_size_limits() {
    use signal_hook::{consts::SIGXFSZ, flag};
    if let Err(error) = flag::register(SIGXFSZ, std::sync::Arc::default()) {
        print_to_stderr(format_args!("psl: cannot survive the signal of a file that is too large: {error}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_defect_exits_with_2() {
        assert_eq!([finish(|| Ok(true)), finish(|| Ok(false)), finish(|| panic!("a layer is missing"))], [0, 1, 2]);
    }
}
