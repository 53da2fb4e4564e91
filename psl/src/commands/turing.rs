//! `psl turing`: compiles Turing machines, and runs them.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use clap::ValueHint;
use psl_runtime::MachineKind;

use crate::{
    counting::count,
    examples::examples,
    failure::Failure,
    input_file::read_text,
    machine::machine,
    output::Output,
    paths::{STDIN, is_stdin, name},
    progress::{Progress, Unit},
    stdio::{Content, say, stdout},
    turing::{
        Program, Table, Tape, Test,
        simulation::{self, NoEnd, Outcome},
    },
};

/// The arguments of `psl turing`.
#[derive(clap::Args)]
#[command(after_help = examples(&[
    ("psl turing increment.tm", "print the program"),
    ("psl turing increment.tm --tape \"_ 1 0 1 1\" --head 5 --run", "print the final tape"),
    ("psl turing beaver.tm --tape 0 --pad 4 --blank 0 --trace", "print each step"),
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
    /// Blanks to add on both sides of the tape.
    #[arg(long, value_name = "N", default_value_t = 0, requires = "tape")]
    pad: usize,
    /// Symbol of a blank.
    #[arg(long, value_name = "SYMBOL", default_value = "_", allow_hyphen_values = true, requires = "pad")]
    blank: String,
    /// Run the machine, and print the final tape.
    #[arg(long, requires = "tape")]
    run: bool,
    /// Run the machine, and print each step: its number, the state, and the tape with `^` before the head.
    #[arg(long, requires = "tape")]
    trace: bool,
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
    let Some(table) = table(&args.table)? else { return Ok(false) };
    let tape = args.tape.as_deref().map(|symbols| tape(args, symbols, &table)).transpose()?;
    let output = args.output.as_deref().filter(|path| !is_stdin(path));
    let Some(tape) = tape else {
        write_program(&Program::new(&table, None), None, output.unwrap_or(Path::new(STDIN)))?;
        return Ok(true);
    };
    let program = Program::new(&table, Some(&tape));
    let runs = args.run || args.trace;
    let prompt = output.map(|path| prompt_file(path, &args.table)).transpose()?;
    let end = if runs || prompt.is_some() { Some(simulate(args, &table, &tape)?) } else { None };
    match (output, &prompt) {
        (Some(output), Some(prompt)) => {
            let test = match end.as_ref() {
                Some(Ok(Outcome { tape, left: None, .. })) => Some(Test {
                    prompt: prompt.file_name().unwrap_or_default().to_string_lossy().into_owned(),
                    gold: format!("{tape} {}", program.stop),
                }),
                _ => None,
            };
            let mut cells = Output::create(prompt)?;
            cells.write_all(tape.to_json().as_bytes()).map_err(|error| cells.failure(error))?;
            write_program(&program, test.as_ref(), output)?;
            cells.commit()?;
        }
        _ if !runs => {
            write_program(&program, None, Path::new(STDIN))?;
            say("note: `-o X.psl` also writes the prompt, X.json, and `--run` runs the machine");
        }
        _ => {}
    }
    let Some(end) = end else { return Ok(true) };
    let failure = match end {
        Ok(Outcome { tape, state, steps, left: None }) => {
            if runs {
                writeln!(stdout(Content::Data), "{tape}")?;
                say(format_args!("halted after {} in state `{state}`", count(steps, "step")));
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
        say(format_args!("error: {}: {failure}", name(&args.table)));
        return Ok(false);
    }
    say(format_args!("note: the program has no test: {failure}"));
    Ok(true)
}

/// Reads a table, or reports its errors on standard error and returns `None`.
fn table(path: &Path) -> Result<Option<Table>, Failure> {
    let file = name(path);
    match read_text(path)?.map(|text| Table::parse(&text)) {
        Ok(Ok(table)) => return Ok(Some(table)),
        Ok(Err(errors)) => {
            errors.iter().for_each(|error| say(format_args!("error: {file}:{}: {}", error.line, error.message)))
        }
        Err(why) => say(format_args!("error: {file}: {why}")),
    }
    Ok(None)
}

/// The tape that the arguments describe.
fn tape(args: &Args, symbols: &str, table: &Table) -> Result<Tape, Failure> {
    let symbols: Vec<String> = symbols.split_whitespace().map(str::to_owned).collect();
    if symbols.is_empty() {
        return Err(Failure::Message("the tape is empty: give at least one symbol with `--tape`".to_owned()));
    }
    let squares = symbols.len();
    let Some(head) = args.head.checked_sub(1).filter(|head| *head < squares) else {
        let squares = count(squares, "square");
        return Err(Failure::Message(format!("square {} is not on the tape, which has {squares}", args.head)));
    };
    let state = match args.start.as_deref() {
        None => table.start(),
        Some(state) if table.states().any(|other| other == state) => state,
        Some(state) => {
            let nearest = psl_syntax::nearest(state, table.states());
            let help = nearest.map_or_else(
                || "give one of the table with `--start`".to_owned(),
                |nearest| format!("did you mean `{nearest}`?"),
            );
            return Err(Failure::Message(format!("unknown state `{state}`; {help}")));
        }
    };
    if args.pad > 0 && !table.reads(&args.blank) {
        say(format_args!("note: no instruction is for the blank `{}`: choose another with `--blank`", args.blank));
    }
    let tape = Tape { symbols, head, state: state.to_owned() };
    Ok(tape.padded(&args.blank, args.pad))
}

/// Runs the machine and prints its steps. The inner error is the reason why it came to no end.
fn simulate(args: &Args, table: &Table, tape: &Tape) -> Result<Result<Outcome, String>, Failure> {
    let mut out = io::BufWriter::new(stdout(Content::Data));
    let progress = Progress::new(Unit::Items("steps"), None);
    let end = simulation::run((table, tape), args.machine, args.max_passes, &mut |configuration| {
        if configuration.steps > 0 {
            progress.item(1);
        }
        if args.trace {
            writeln!(out, "{} {} | {}", configuration.steps, configuration.state(), configuration.marked_tape())?;
        }
        Ok(())
    });
    out.flush()?;
    match end {
        Ok(outcome) => Ok(Ok(outcome)),
        Err(NoEnd::Failed(message)) => Ok(Err(message)),
        Err(NoEnd::Unreported(error)) => Err(error.into()),
    }
}

/// The file of the prompt, beside that of the program. Neither replaces the table.
fn prompt_file(program: &Path, table: &Path) -> Result<PathBuf, Failure> {
    let prompt = program.with_extension("json");
    if prompt == program {
        return Err(Failure::Message(format!("{} is for the prompt: give the program another name", name(program))));
    }
    if [program, &prompt].contains(&table) {
        return Err(Failure::Message(format!("{} is the table: choose another name", name(table))));
    }
    Ok(prompt)
}

fn write_program(program: &Program<'_>, test: Option<&Test>, path: &Path) -> Result<(), Failure> {
    program.changes.iter().for_each(|change| say(format_args!("note: {change}")));
    let mut output = Output::create(path)?;
    output.write_all(program.text(test).as_bytes()).map_err(|error| output.failure(error))?;
    output.commit()
}
