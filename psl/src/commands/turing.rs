//! `psl turing`: compiles Turing machines, and runs them.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use clap::ValueHint;
use psl_host::{Existing, check_folder, read_regular};
use psl_program::count;
use psl_runtime::{MachineKind, Options};
use psl_tasks::turing::{
    NoTape, Table, Tape, Test, TuringProgram,
    simulation::{self, NoEnd, Outcome},
};

use super::examples::examples;
use crate::{
    failure::Failure,
    input::{
        machine::machine,
        paths::{STDIN, is_stdin, name},
        program_file::read_text,
    },
    output::{
        output_file::{Output, commit_all},
        progress::{Progress, Unit},
        stdio::{Content, print_to_stderr, stdout, stdout_to_the_end},
    },
};

/// The arguments of `psl turing`.
#[derive(clap::Args)]
#[command(after_help = examples(&[
    ("psl turing increment.tm", "print the program"),
    ("psl turing increment.tm --tape \"_ 1 0 1 1\" --head 5 --run", "print the final tape"),
    ("psl turing beaver.tm --tape 0 --pad 2 --blank 0 --steps", "print each step"),
    ("psl turing increment.tm --tape \"_ 1 0 1 1\" --head 5 -o increment.psl", "also increment.json"),
]))]
pub struct Args {
    /// Table with an instruction on each line, or - for standard input.
    ///
    /// An instruction is `state symbol new_state new_symbol L|R`, separated by blanks. `#` starts a comment.
    #[arg(value_hint = ValueHint::FilePath)]
    table: PathBuf,
    /// Symbols of the tape, separated by spaces.
    #[arg(long, value_name = "SYMBOLS", allow_hyphen_values = true)]
    tape: Option<String>,
    /// Square of the tape with the head. The first square is 1, and blanks of --pad do not count.
    #[arg(long, value_name = "K", default_value_t = 1, requires = "tape")]
    head: usize,
    /// State to start in [default: the state of the first instruction].
    #[arg(long, value_name = "STATE", allow_hyphen_values = true, requires = "tape")]
    start: Option<String>,
    /// Number of blanks to add on each side of the tape.
    #[arg(long, value_name = "N", default_value_t = 0, requires = "tape")]
    #[arg(value_parser = clap::value_parser!(u32).range(..=Options::MAX_CELLS as i64))]
    pad: u32,
    /// Symbol of the blanks.
    #[arg(long, value_name = "SYMBOL", default_value = "_", allow_hyphen_values = true, requires = "pad")]
    blank: String,
    /// Run the machine, and print the final tape.
    #[arg(long, requires = "tape")]
    run: bool,
    /// Run the machine, and print each step: its number, the state, and the tape with `^` before the head.
    #[arg(long, alias = "trace", requires = "tape")]
    steps: bool,
    /// Machine that runs the program.
    #[arg(long, default_value = "dat", value_name = "MACHINE", value_parser = machine())]
    machine: MachineKind,
    /// Maximum number of passes, one for each step and one to halt [default: 10,000].
    #[arg(long, value_name = "N", requires = "tape")]
    max_passes: Option<usize>,
    /// Output file of the program. With --tape, also writes the prompt: X.json for X.psl [default: standard output].
    #[arg(short, long, value_name = "X.psl", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
}

/// Compiles a machine, and runs it.
pub fn run(args: &Args) -> Result<bool, Failure> {
    let table = table(&args.table)?;
    let tape = args.tape.as_deref().map(|symbols| tape(args, symbols, &table)).transpose()?;
    let program = TuringProgram::new(&table, tape.as_ref());
    let output = args.output.as_deref().unwrap_or(Path::new(STDIN));
    let runs = args.run || args.steps;
    let Some(tape) = tape.as_ref().filter(|_| runs || !is_stdin(output)) else {
        write_program(&program, None, Output::create(output)?)?.commit()?;
        if tape.is_some() {
            print_to_stderr("note: `-o X.psl` also writes the prompt, X.json, and `--run` runs the machine");
        }
        return Ok(true);
    };
    let files = if is_stdin(output) { None } else { Some(Files::create(output, &args.table)?) };
    let end = match simulate(args, &program, tape) {
        Ok(outcome) => Ok(outcome),
        Err(NoEnd::Failed(message)) => Err(message),
        Err(NoEnd::Unreported(error)) => return Err(error.into()),
    };
    if let Some(files) = files {
        files.write(&program, tape, &end)?;
    }
    let failure = match end {
        Ok(Outcome { tape, state, steps, left: None }) => {
            if runs {
                print_to_stderr(format_args!("halted after {} in state `{state}`", count(steps, "step")));
                writeln!(stdout(Content::Data), "{tape}")?;
            }
            return Ok(true);
        }
        Ok(Outcome { steps, left: Some(direction), .. }) => {
            let side = direction.word();
            format!("the head left the tape on the {side} in step {steps}: add blanks with `--pad`")
        }
        Err(message) => message,
    };
    if runs {
        print_to_stderr(format_args!("error: {}: {failure}", name(&args.table)));
    } else {
        print_to_stderr(format_args!("note: the program has no test: {failure}"));
    }
    Ok(!runs)
}

/// Reads a table, or reports its errors on standard error.
fn table(path: &Path) -> Result<Table, Failure> {
    Table::parse(&read_text(path)?).map_err(|errors| {
        for error in errors {
            print_to_stderr(format_args!("error: {}:{}: {}", name(path), error.line, error.message));
        }
        Failure::Errors
    })
}

/// The tape that the arguments describe.
fn tape(args: &Args, symbols: &str, table: &Table) -> Result<Tape, Failure> {
    let tape = Tape::new(symbols, args.head, args.start.as_deref(), table);
    let tape = tape.and_then(|tape| tape.padded(&args.blank, args.pad as usize)).map_err(|why| {
        let option = match why {
            NoTape::Empty => "--tape",
            NoTape::UnknownState { near: None, .. } => "--start",
            NoTape::NotABlank(_) => "--blank",
            NoTape::NotOnTape { .. } | NoTape::UnknownState { .. } => return Failure::of(why),
        };
        Failure::Message(format!("{why} with `{option}`"))
    })?;
    if args.pad > 0 && !table.reads(&args.blank) {
        print_to_stderr(format_args!(
            "note: no instruction is for the blank `{}`: choose another with `--blank`",
            args.blank
        ));
    }
    Ok(tape)
}

/// Runs the machine and prints its steps.
fn simulate(args: &Args, program: &TuringProgram<'_>, tape: &Tape) -> Result<Outcome, NoEnd> {
    // Files are written even if the steps are no longer read.
    let out = if args.output.is_some() { stdout_to_the_end(Content::Data) } else { stdout(Content::Data) };
    let mut out = io::BufWriter::new(out);
    let progress = Progress::new(Unit::Items("steps"), None);
    let end = simulation::run(program, tape, args.machine, args.max_passes, &mut |configuration| {
        if configuration.steps > 0 {
            progress.item(1);
        }
        if args.steps {
            writeln!(out, "{} {} | {}", configuration.steps, configuration.state(), configuration.marked_tape())?;
        }
        Ok(())
    });
    out.flush().map_err(NoEnd::Unreported)?;
    end
}

/// The files of a program and its prompt, open for writing.
struct Files {
    program: Output,
    prompt: Output,
    /// The name of the prompt's file.
    prompt_name: String,
}

impl Files {
    /// Opens the files. The prompt is beside the program, and neither replaces the table.
    fn create(program: &Path, table: &Path) -> Result<Self, Failure> {
        let prompt = program.with_extension("json");
        if prompt == program {
            return Err(Failure::Message(format!(
                "{} is for the prompt: give the program another name",
                name(program)
            )));
        }
        if [program, &prompt].contains(&table) {
            return Err(Failure::Message(format!("{} is the table: choose another name", name(table))));
        }
        let prompt_name = prompt.file_name().unwrap_or_default().to_string_lossy().into_owned();
        // The user has named the program alone.
        let folder = prompt.parent().unwrap_or(Path::new(""));
        check_folder(folder, [prompt_name.as_str()], "`psl turing`", whose).map_err(|error| {
            let why = format!("cannot write {}: {error}", name(&prompt));
            Failure::Message(format!("{why}: choose another name for the program, or remove it"))
        })?;
        Ok(Self { program: Output::create(program)?, prompt: Output::replacing(&prompt)?, prompt_name })
    }

    /// Writes the files, with a test if the machine halts.
    fn write(mut self, program: &TuringProgram<'_>, tape: &Tape, end: &Result<Outcome, String>) -> Result<(), Failure> {
        let example = match end {
            Ok(Outcome { tape, left: None, .. }) => {
                Some(Test { prompt: self.prompt_name, gold: format!("{tape} {}", program.stop) })
            }
            _ => None,
        };
        self.prompt.write_all(tape.to_json().as_bytes()).map_err(|error| self.prompt.failure(error))?;
        commit_all(vec![write_program(program, example.as_ref(), self.program)?, self.prompt])
    }
}

fn whose(_: &str, prompt: &Path) -> Existing {
    let is_ours = read_regular(prompt, MAX_PROMPT).is_ok_and(|prompt| Tape::is_prompt(&prompt));
    if is_ours { Existing::Ours } else { Existing::Foreign }
}

/// The most bytes of a prompt that is replaced.
const MAX_PROMPT: u64 = 1 << 30;

fn write_program(program: &TuringProgram<'_>, example: Option<&Test>, mut output: Output) -> Result<Output, Failure> {
    for change in &program.changes {
        print_to_stderr(format_args!("note: {change}"));
    }
    output.write_all(program.text(example).as_bytes()).map_err(|error| output.failure(error))?;
    Ok(output)
}
