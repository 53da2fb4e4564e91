//! `psl run`: completes prompts.

mod args;
mod asking;
mod checkpoint;
mod prompt_session;

use std::io;

use psl_runtime::MachineKind;

pub use self::args::Args;
use self::prompt_session::PromptSession;
use crate::{
    failure::Failure,
    input::{load::load_any, paths::is_stdin, program_file::ProgramFile},
    output::{color::Color, output_file::Output},
};

/// Completes all prompts.
pub fn run(args: &Args, color: Color) -> Result<bool, Failure> {
    if let Some(directory) = args.file.as_deref().filter(|path| path.is_dir()) {
        if args.heads.heads {
            return Err(Failure::Message("a checkpoint has its own heads: leave out `--heads`".to_owned()));
        }
        return checkpoint::run(directory, args);
    }
    let program_is_stdin = args.file.as_deref().is_some_and(is_stdin);
    if program_is_stdin && args.prompt_json.as_deref().is_some_and(is_stdin) {
        return Err(Failure::both_from_stdin("the program", "the prompt", "a file"));
    }
    if program_is_stdin && args.prompt.is_none() && args.prompt_json.is_none() {
        return Err(Failure::both_from_stdin("the program", "the prompts", "--prompt"));
    }
    if args.embedding.is_some() && args.machine != MachineKind::FullDat {
        let machine = args.machine.name();
        return Err(Failure::Message(format!(
            "--embedding needs the machine full-dat: leave out `--machine {machine}`"
        )));
    }
    let loaded = match &args.file {
        Some(path) => load_any(path, color)?,
        None => ProgramFile::pargen(),
    };
    let loaded = loaded.with_heads(&args.heads)?;
    let selection = args.table_selection(&loaded.file).map_err(Failure::of)?;
    selection.check(loaded.runner()).map_err(Failure::of)?;
    let ablated = args.ablate.as_ref().map(|layers| loaded.file.layer_names().layers(layers));
    let ablated = ablated.transpose().map_err(Failure::of)?;
    let trace = args.trace.as_deref().map(Output::create).transpose()?;
    let ablated = ablated.unwrap_or_default();
    let mut session = PromptSession { args, color, loaded, ablated, selection, trace, all_completed: true };
    let done = session.complete_all();
    match done.and_then(|()| session.trace.map_or(Ok(()), Output::commit)) {
        // The reader has closed the output.
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(session.all_completed),
        done => done.map(|()| session.all_completed),
    }
}
