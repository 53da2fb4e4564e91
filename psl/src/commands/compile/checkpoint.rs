//! `psl compile --emit hf`: the checkpoint of a program as a directory.

use std::{fs, io::Write};

use psl_program::{CheckpointFailure, CheckpointOptions, Tested, VocabularyNeeds, count};
use psl_runtime::gpt2::Precision;

use super::{args::Args, symbols::needs_of_file};
use crate::{
    failure::Failure,
    input::{
        paths::{is_stdin, name},
        runnable::{Runnable, load_any},
    },
    output::{color::Color, output_file::Output, sizes::bytes, stdio::say},
};

/// Builds a checkpoint, and writes its files to a directory.
pub fn write(args: &Args, color: Color) -> Result<bool, Failure> {
    let Some(directory) = args.output.as_deref().filter(|path| !is_stdin(path)) else {
        return Err(Failure::Message("a checkpoint is a directory of files: add `-o DIRECTORY`".to_owned()));
    };
    let Some(loaded) = load_any(&args.file, color)? else { return Ok(false) };
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
    let title = args.file.file_stem().map_or_else(|| "program".to_owned(), |stem| stem.display().to_string());
    let built = match psl_program::checkpoint(runner, &title, &needs, &options) {
        Ok(built) => built,
        Err(failure) => {
            say_no_checkpoint(&loaded, &failure);
            return Ok(false);
        }
    };
    fs::create_dir_all(directory)
        .map_err(|error| Failure::Message(format!("cannot make the directory {}: {error}", name(directory))))?;
    for file in &built.files {
        let mut out = Output::create(&directory.join(file.name))?;
        out.check_room(file.bytes.len() as u64)?;
        out.write_all(&file.bytes).map_err(|error| out.failure(error))?;
        out.commit()?;
    }
    let size: usize = built.files.iter().map(|file| file.bytes.len()).sum();
    let Tested { equal, ended, margin, .. } = built.tested;
    say(format_args!(
        "{}: {}, {}, {} parameters, {}; prompts of at most {}, continuations of at most {}",
        name(directory),
        bytes(size as u64),
        count(built.blocks, "block"),
        built.parameters,
        format_args!("{} a symbol", count(built.tokens_per_cell, "token")),
        count(built.bounds.prompt, "symbol"),
        count(built.bounds.new, "symbol"),
    ));
    if equal > 0 {
        say(format_args!("equal to the program on {}, by a margin of {margin:.1} nats", count(equal, "prompt")));
    }
    if ended > 0 {
        say(format_args!(
            "note: ended early on {}: choose more --passes or a larger --max-new",
            count(ended, "prompt")
        ));
    }
    Ok(true)
}

fn say_no_checkpoint(loaded: &Runnable, failure: &CheckpointFailure) {
    let source = &loaded.source;
    let place = match failure {
        CheckpointFailure::Refused { span: Some(span), .. } => source.place(span.start),
        _ => source.name.clone(),
    };
    say(format_args!("error: {place}: {failure}"));
    if let Some(help) = failure.help() {
        say(format_args!("help: {help}"));
    }
}
