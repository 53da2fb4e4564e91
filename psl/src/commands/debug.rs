//! `psl debug`: a run forward and backward in time, in a terminal.

mod commands;
#[cfg(unix)]
mod editor;
// On Windows, the terminal edits lines, and rustyline needs a crate without a license file.
#[cfg(not(unix))]
#[path = "debug/plain_editor.rs"]
mod editor;

use std::{
    ffi::OsStr,
    io::{self, IsTerminal, Write},
    path::PathBuf,
    sync::{Arc, atomic::Ordering},
};

use clap::ValueHint;
use psl_debug::{
    Debugger, Launch,
    console::{Answer, Command, Console, Line},
};
use psl_program::{Progress, Prompt, RunFailure};
use psl_render::grid::Part;
use psl_runtime::MachineKind;

use self::{commands::Commands, editor::PROMPT};
use super::examples::examples;
use crate::{
    failure::Failure,
    input::{
        chosen_prompt::ChosenPrompt,
        load::load,
        machine::machine,
        paths::{STDIN, is_stdin, name, word},
        program_file::ProgramFile,
    },
    output::{
        color::Color,
        part_colors::painter,
        stdio::{Content, print_to_stderr, stdout},
        terminal,
    },
};

/// The arguments of `psl debug`.
#[derive(clap::Args)]
#[command(after_help = examples(&[
    ("psl debug pargen.psl --test swap", "the run of a test"),
    ("psl debug pargen.psl --prompt \"Q a A a . Q b A\"", "the run of a prompt"),
    ("echo next 3 | psl debug pargen.psl", "commands from a pipe"),
]))]
pub struct Args {
    /// Program, or - for standard input.
    #[arg(value_hint = ValueHint::FilePath)]
    file: PathBuf,
    #[command(flatten)]
    prompt: ChosenPrompt,
    /// Machine that runs the program.
    #[arg(long, default_value = "dat", value_name = "MACHINE", value_parser = machine())]
    machine: MachineKind,
    /// Run a second machine too, for `catch disagree`.
    #[arg(long)]
    verify: bool,
    /// Maximum number of passes of a repeat block [default: 10,000].
    #[arg(long, value_name = "N")]
    max_passes: Option<usize>,
    /// Ablate these layers, so that they attend but write nothing: `3`, `P3a,7`, `20-27`, `12-`
    ///
    /// A layer is named by its number, its label, or the start of its label up to a colon or a space. A repeat block
    /// with an ablated layer also ends with a pass that changes nothing. In the session, `ablate` changes the layers.
    #[arg(long, value_name = "LAYERS", allow_hyphen_values = true)]
    ablate: Option<String>,
    /// File with commands, one a line, or - for standard input [default: the terminal].
    ///
    /// Each command is printed before its answer. The first command that fails ends the session with exit code 1.
    #[arg(long, value_name = "COMMANDS", value_hint = ValueHint::FilePath)]
    script: Option<PathBuf>,
}

/// Debugs a run until `quit` or the end of the commands.
pub fn run(args: &Args, color: Color) -> Result<bool, Failure> {
    let commands = source_of_commands(args)?;
    if let Some("json" | "safetensors") = args.file.extension().and_then(OsStr::to_str) {
        let file = name(&args.file);
        let word = word(&args.file).unwrap_or_else(|| file.clone());
        let way = format!("`psl compile --emit psl {word} -o OUT.psl` prints it as PSL");
        return Err(Failure::Message(format!("{file}: the debugger needs PSL: {way}")));
    }
    let source = load(&args.file, color)?;
    let prompt = args.prompt.read(&source)?;
    let launch = launch(args, &source, prompt)?;
    let progress = Progress::default();
    let source_name = source.shown_name();
    let program = Arc::new(source.file);
    let commands = Commands::open(commands.as_deref(), &program, Arc::clone(&progress.cancelled))?;
    match Debugger::new(program, &launch, &progress) {
        Ok(debugger) => converse(debugger, commands, &progress, color),
        Err(RunFailure { message, .. }) => {
            print_to_stderr(format_args!("error: {source_name}: {message}"));
            Ok(false)
        }
    }
}

fn launch(args: &Args, source: &ProgramFile, prompt: Prompt) -> Result<Launch, Failure> {
    let ablated = args.ablate.as_ref().map(|layers| source.file.layer_names().layers(layers));
    let ablated = ablated.transpose().map_err(Failure::of)?;
    let Args { machine, max_passes, verify, .. } = *args;
    let case = source.file.runner().ok().and_then(|runner| runner.law_case(&prompt, u64::MAX));
    Ok(Launch { prompt, case, machine, max_passes, verify, ablated: ablated.unwrap_or_default() })
}

/// Executes the commands and prints their answers.
fn converse(
    mut debugger: Debugger,
    mut commands: Commands,
    progress: &Progress,
    color: Color,
) -> Result<bool, Failure> {
    let mut console = Console::new(terminal::table_columns(color));
    let mut out = stdout(Content::People);
    let paint = painter(terminal::stdout(color));
    let mut show = |answer: &Answer| -> io::Result<()> {
        for Line { part, text } in &answer.lines {
            writeln!(out, "{}", paint(*part, text))?;
        }
        out.flush()
    };
    show(&Console::start(&debugger))?;
    while let Some(line) = commands.next()? {
        if commands.is_script() {
            show(&Answer::of(Line::plain(format!("{PROMPT}{line}").trim_end())))?;
        }
        progress.cancelled.store(false, Ordering::Relaxed);
        let answer = Command::parse(&line).and_then(|command| console.execute(&mut debugger, &command, progress));
        match answer {
            Ok(answer) => {
                show(&answer)?;
                if answer.quit {
                    break;
                }
            }
            Err(error) => match commands.place() {
                Some(place) => {
                    print_to_stderr(format_args!("error: {place}: {error}"));
                    return Ok(false);
                }
                None => show(&Answer::of(Line { part: Part::Wrong, text: format!("error: {error}") }))?,
            },
        }
    }
    Ok(true)
}

/// The file of the commands: - for standard input, `None` for the terminal.
fn source_of_commands(args: &Args) -> Result<Option<PathBuf>, Failure> {
    let script = args.script.clone();
    let script = script.or_else(|| (!io::stdin().is_terminal()).then(|| PathBuf::from(STDIN)));
    let is_read = |path: Option<&PathBuf>| path.is_some_and(|path| is_stdin(path));
    let (of_prompt, of_program) = (is_read(args.prompt.json_file()), is_stdin(&args.file));
    args.prompt.check_stdin(&args.file)?;
    if (of_program || of_prompt) && script.as_deref().is_none_or(is_stdin) {
        let other = if of_program { "the program" } else { "the prompt" };
        return Err(Failure::both_from_stdin(other, "the commands", "--script"));
    }
    Ok(script)
}
