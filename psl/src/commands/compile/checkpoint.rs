//! `psl compile --emit hf`: the checkpoint of a program as a directory.

use std::{io, path::Path};

use psl_host::{cannot_write, check_checkpoint_folder, write_checkpoint};
use psl_program::{CheckpointFailure, CheckpointOptions, Tested, VocabularyNeeds, count, with_card};
use psl_render::model_card;
use psl_runtime::gpt2::Precision;

use super::{args::Args, symbols::needs_of_file};
use crate::{
    failure::Failure,
    input::{
        load::load_any,
        paths::{is_stdin, name},
        program_file::ProgramFile,
    },
    output::{color::Color, sizes::bytes, stdio::print_to_stderr},
};

/// Builds a checkpoint, and writes its files to a directory.
pub fn write(args: &Args, color: Color) -> Result<bool, Failure> {
    let Some(directory) = args.output.as_deref().filter(|path| !is_stdin(path)) else {
        return Err(Failure::Message("a checkpoint is a directory of files: add `-o DIRECTORY`".to_owned()));
    };
    // A large checkpoint takes a while, and must not be made for nothing.
    check(directory, args)?;
    let loaded = load_any(&args.file, color)?;
    let runner = loaded.runner();
    let mut needs = VocabularyNeeds::of_tests(runner).map_err(Failure::of)?;
    if let Some(path) = &args.vocabulary {
        let given = needs_of_file(path)?;
        needs.values.extend(given.values);
        needs.cells = needs.cells.max(given.cells);
    }
    let number = |option: Option<u32>| option.map(|number| number as usize);
    let options = CheckpointOptions {
        max_prompt: number(args.max_prompt),
        max_new: number(args.max_new),
        passes: number(args.passes),
        stop: None,
        precision: args.dtype.map(Precision::from).unwrap_or_default(),
    };
    let built = match psl_program::checkpoint(runner, &needs, &options) {
        Ok(built) => built,
        Err(failure) => {
            say_no_checkpoint(&loaded, &failure);
            return Ok(false);
        }
    };
    let title = args.file.file_stem().map_or_else(|| "program".to_owned(), |stem| stem.display().to_string());
    let card = model_card(&title, runner.executable(), &built);
    let files = with_card(built.files, card);
    check(directory, args)?;
    write_checkpoint(directory, &files).map_err(|error| refused(directory, &error))?;
    let size: usize = files.iter().map(|file| file.bytes.len()).sum();
    let Tested { equal, ended, margin, .. } = built.exactness.tested;
    let (model, meaning) = (&built.made.model, &built.made.meaning);
    let passes =
        meaning.repeats().then(|| format!(", repeat blocks of at most {}", count(built.bounds.passes, "pass")));
    print_to_stderr(format_args!(
        "{}: {}, {}, {} parameters, {}; prompts of at most {}, continuations of at most {}{}",
        name(directory),
        bytes(size as u64),
        count(model.blocks.len(), "block"),
        model.parameters(),
        format_args!("{} a symbol", count(meaning.cell.len(), "token")),
        count(built.bounds.prompt, "symbol"),
        count(built.bounds.new, "symbol"),
        passes.unwrap_or_default(),
    ));
    match count(equal, "prompt") {
        _ if equal == 0 => {
            print_to_stderr(
                "note: no test was compared with the program: `psl run DIRECTORY --verify` compares a prompt",
            );
        }
        prompts if margin.is_finite() => {
            print_to_stderr(format_args!("equal to the program on {prompts}, by a margin of {margin:.1} nats"));
        }
        // The continuations are empty.
        prompts => print_to_stderr(format_args!("equal to the program on {prompts}")),
    }
    let more = "choose more --passes or a larger --max-new";
    if ended > 0 {
        print_to_stderr(format_args!("note: ended early on {}: {more}", count(ended, "prompt")));
    }
    if let Some(end) = built.exactness.binds {
        let length = count(built.bounds.prompt, "symbol");
        print_to_stderr(format_args!("note: some prompts of {length} end in `{}`: {more}", end.text()));
    }
    Ok(true)
}

/// Refuses a directory with files that would be lost.
fn check(directory: &Path, args: &Args) -> Result<(), Failure> {
    let checked = if args.force { Ok(()) } else { check_checkpoint_folder(directory) };
    checked.map_err(|error| refused(directory, &error))
}

fn refused(directory: &Path, error: &io::Error) -> Failure {
    let way = "choose another directory, or replace it with `--force`";
    Failure::Message(cannot_write(&name(directory), error, way))
}

fn say_no_checkpoint(source: &ProgramFile, failure: &CheckpointFailure) {
    let place = match failure {
        CheckpointFailure::Refused { span: Some(span), .. } => source.place(span.start),
        _ => source.name.clone(),
    };
    print_to_stderr(format_args!("error: {place}: {failure}"));
    if let Some(help) = failure.help() {
        print_to_stderr(format_args!("help: {help}"));
    }
}
