//! `psl`: checker, compiler, runtime and language server for PSL, the Production System Language.
//!
//! Exit codes: 0 fine, 1 errors in programs or failed tests, 2 wrong usage or a file that cannot be read.

mod color;
mod commands;
mod counting;
mod failure;
mod file_format;
mod input_file;
mod input_files;
mod lines;
mod loading;
mod output;
mod paths;
mod render;
mod shown;
mod stdio;
mod terminal;
mod tgt;
mod unified_diff;

use std::{
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
};

use clap::{CommandFactory, Parser, Subcommand};

use crate::{
    color::Color,
    failure::Failure,
    stdio::{Content, say, say_failure, stdout_to_the_end},
};

/// Runs are short and make many small vectors: a tenth of their time goes with the system's allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Checker, compiler, runtime and language server for PSL, the Production System Language.
#[derive(Parser)]
#[command(name = "psl", version, propagate_version = true)]
struct Cli {
    /// When to colour output for people.
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    color: Color,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Write a program to start from.
    New(commands::new::Args),
    /// Report everything wrong with programs.
    Check(commands::check::Args),
    /// Lay programs out.
    Fmt(commands::fmt::Args),
    /// Compile a program.
    Compile(commands::compile::Args),
    /// Complete prompts.
    Run(commands::run::Args),
    /// Run the `//@ test` lines of programs.
    Test(commands::test::Args),
    /// Score a program on a file of prompts and continuations.
    Eval(commands::eval::Args),
    /// Make templatic generation data, or check it.
    Tgt(commands::tgt::Args),
    /// Compare traces.
    Trace(commands::trace::Args),
    /// Explain a diagnostic or a word of the language, or list all.
    Explain(commands::explain::Args),
    /// Take a short tour with the paper's program.
    Demo,
    /// Serve editors on standard input and output.
    Lsp {
        /// Write every message of the session to this file, one JSON object a line.
        #[arg(long, value_name = "FILE")]
        log: Option<PathBuf>,
        /// Taken for editors that say so; there is no other way.
        #[arg(long, hide = true)]
        stdio: bool,
    },
    /// Print the JSON schema of `psl.toml`, for editors of TOML.
    Schema,
    /// Print the manual page, or write one for each command.
    Man(commands::man::Args),
    /// Print a completion script for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
}

fn main() -> ExitCode {
    #[cfg(unix)]
    survive_file_size_limits();
    let done = match Cli::try_parse() {
        Ok(cli) => run(cli),
        Err(answer) => answer_in_place(&answer),
    };
    // What is still to be written is lost where nobody reads it; what was found stays.
    let done = done.and_then(|fine| match io::stdout().flush() {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::Output(error)),
        _ => Ok(fine),
    });
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        // Whoever reads the output has had enough: no error of ours.
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(failure) => {
            match failure {
                Failure::Message(message) => say_failure(&message),
                Failure::Output(error) => say(format_args!("psl: cannot write to standard output: {error}")),
                Failure::Said => {}
            }
            ExitCode::from(2)
        }
    }
}

fn run(cli: Cli) -> Result<bool, Failure> {
    match cli.command {
        Command::New(args) => commands::new::run(&args),
        Command::Check(args) => commands::check::run(&args, cli.color),
        Command::Fmt(args) => commands::fmt::run(&args, cli.color),
        Command::Compile(args) => commands::compile::run(&args, cli.color),
        Command::Run(args) => commands::run::run(&args, cli.color),
        Command::Test(args) => commands::test::run(&args, cli.color),
        Command::Eval(args) => commands::eval::run(&args, cli.color),
        Command::Tgt(args) => commands::tgt::run(&args),
        Command::Trace(args) => commands::trace::run(&args),
        Command::Explain(args) => commands::explain::run(&args),
        Command::Demo => commands::demo::run(cli.color),
        Command::Lsp { log, stdio: _ } => psl_lsp::server::run(log.as_deref()).map_err(Failure::Message),
        Command::Schema => {
            let mut out = stdout_to_the_end(Content::People);
            writeln!(out, "{:#}", psl_ide::config::schema())?;
            Ok(true)
        }
        Command::Man(args) => commands::man::run(&args, Cli::command()),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "psl", &mut script);
            stdout_to_the_end(Content::People).write_all(&script)?;
            Ok(true)
        }
    }
}

/// What the command line alone asks for: help, the version, or to be told what is wrong with it.
fn answer_in_place(answer: &clap::Error) -> Result<bool, Failure> {
    if answer.use_stderr() {
        // It repeats what was typed, or came from a script.
        say(answer.render().to_string().trim_end());
        return Err(Failure::Said);
    }
    answer.print()?;
    Ok(true)
}

/// A write beyond the limit of `ulimit -f` is then an error like others; unheard, the signal would end the process.
#[cfg(unix)]
fn survive_file_size_limits() {
    use signal_hook::{consts::SIGXFSZ, flag};
    if let Err(error) = flag::register(SIGXFSZ, std::sync::Arc::default()) {
        say(format_args!("psl: cannot listen to signals: {error}"));
    }
}
