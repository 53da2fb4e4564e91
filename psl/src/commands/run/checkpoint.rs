//! `psl run DIRECTORY`: completes prompts by the checkpoint of a program.

use std::{
    io::{self, Write},
    path::Path,
};

use psl_host::{MAX_TEXT_OF_CHECKPOINT, read_regular};
use psl_program::{Continuation, NO_LAYERS, complete_by, continuation, count};
use psl_runtime::{
    MachineKind, Stopped,
    equality::{Equal, ReferenceProgram, Unequal},
    gpt2::{Checkpoint, CheckpointError, CheckpointFile, End},
};
use serde_json::json;

use super::{
    args::{Args, Format},
    prompt_session::check_some,
};
use crate::{
    failure::Failure,
    input::{
        data_lines::{DataLines, NOT_UTF8, NotUtf8},
        paths::{STDIN, name},
    },
    output::stdio::{Content, print_to_stderr, stdout},
};

/// Completes all prompts by the checkpoint in a directory.
pub fn run(directory: &Path, args: &Args) -> Result<bool, Failure> {
    if let Some(option) = unsupported(args) {
        let why = format!("`{option}` is for a program, and {} is a checkpoint", name(directory));
        return Err(Failure::Message(format!("{why}: leave it out, or give the program")));
    }
    let made = read(directory)?;
    let original = args.verify.then(|| ReferenceProgram::new(&made)).transpose();
    let original = original.map_err(|error| refused(directory, &error))?;
    let mut session = Session { directory, args, made, original, all_completed: true };
    let done = session.complete_all();
    match done {
        // The reader has closed the output.
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(session.all_completed),
        done => done.map(|()| session.all_completed),
    }
}

/// The first option that a checkpoint does not have.
fn unsupported(args: &Args) -> Option<&'static str> {
    let given = [
        (args.prompt_json.is_some(), "--prompt-json"),
        (args.embedding.is_some(), "--embedding"),
        (args.stop.is_some(), "--stop"),
        (args.max_passes.is_some(), "--max-passes"),
        (args.recompute, "--recompute"),
        (args.row, "--row"),
        (args.ablate.is_some(), "--ablate"),
        (args.machine != MachineKind::Dat, "--machine"),
        (args.trace.is_some(), "--trace"),
        (args.table, "--table"),
    ];
    given.into_iter().find(|(given, _)| *given).map(|(_, option)| option)
}

/// Reads the files of a checkpoint. The texts, which are first, limit the size of the
/// parameters.
fn read(directory: &Path) -> Result<Checkpoint, Failure> {
    let mut files: Vec<CheckpointFile> = Vec::new();
    for file in Checkpoint::FILES {
        let path = directory.join(file);
        let is_text = file != Checkpoint::PARAMETERS;
        let limit = if is_text { Ok(MAX_TEXT_OF_CHECKPOINT) } else { Checkpoint::most_bytes(&files) };
        let limit = limit.map_err(|error| refused(directory, &error))?;
        match read_regular(&path, limit) {
            Ok(bytes) => files.push(CheckpointFile { name: file, bytes }),
            Err(error) if error.kind() == io::ErrorKind::FileTooLarge => {
                let by = if is_text { "" } else { ", the most by the sizes in config.json" };
                let reason = format!("it is larger than {limit} bytes{by}");
                return Err(refused(directory, &CheckpointError { file, reason }));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let why = format!("the directory {} is not a checkpoint: it lacks {file}", name(directory));
                return Err(Failure::Message(format!("{why}; `psl compile --emit hf -o DIRECTORY` writes one")));
            }
            Err(error) => return Err(Failure::reading(&path, &error)),
        }
    }
    Checkpoint::read(&files).map_err(|error| refused(directory, &error))
}

/// Reports a file that does not fit the others.
fn refused(directory: &Path, error: &CheckpointError) -> Failure {
    print_to_stderr(format_args!("error: {}: {}", name(&directory.join(error.file)), error.reason));
    print_to_stderr("help: get the whole checkpoint again, or compile the program again with `psl compile --emit hf`");
    Failure::Errors
}

struct Session<'a> {
    directory: &'a Path,
    args: &'a Args,
    made: Checkpoint,
    /// The program, to compare with.
    original: Option<ReferenceProgram>,
    all_completed: bool,
}

impl Session<'_> {
    fn complete_all(&mut self) -> Result<(), Failure> {
        if let Some(prompt) = &self.args.prompt {
            return self.complete(prompt);
        }
        let mut prompts = DataLines::open(Path::new(STDIN))?;
        while let Some(prompt) = prompts.next_line()? {
            match prompt {
                Ok(prompt) => self.complete(&prompt)?,
                Err(NotUtf8 { readable }) => {
                    let place = format!("{}:{}", prompts.name, prompts.number);
                    self.write(&readable, Err(NOT_UTF8.to_owned()), &place)?;
                }
            }
        }
        check_some(prompts.number, self.args.verify)
    }

    fn complete(&mut self, prompt: &str) -> Result<(), Failure> {
        let result = match &self.original {
            Some(original) => self.verified(original, prompt),
            None => complete_by(&self.made, prompt, self.args.max_new).map_err(|ended| ended.to_string()),
        };
        self.write(prompt, result, &name(self.directory))
    }

    /// Writes the continuation of a prompt, or the reason why there is none, with the place of the problem.
    fn write(&mut self, prompt: &str, result: Result<Continuation, String>, place: &str) -> Result<(), Failure> {
        let mut out = stdout(Content::Data);
        match (result, self.args.format) {
            (Ok(continuation), Format::Human) => {
                writeln!(out, "{}", continuation.text())?;
                if continuation.stopped == Stopped::MaxNew {
                    let symbols = count(continuation.symbols.len(), "symbol");
                    print_to_stderr(format_args!("note: stopped after {symbols} without the stop symbol"));
                }
            }
            (Ok(continuation), Format::Json) => {
                let (stopped, continuation) = (continuation.stopped.as_str(), continuation.text());
                writeln!(out, "{}", json!({"prompt": prompt, "continuation": continuation, "stopped": stopped}))?;
            }
            (Err(message), format) => {
                self.all_completed = false;
                print_to_stderr(format_args!("error: {place}: {message}"));
                // Each prompt has a line.
                match format {
                    Format::Human => writeln!(out)?,
                    Format::Json => writeln!(out, "{}", json!({"prompt": prompt, "error": message}))?,
                }
            }
        }
        Ok(())
    }

    /// Completes a prompt, and compares every register of every cell after every layer with the program's.
    fn verified(&self, original: &ReferenceProgram, prompt: &str) -> Result<Continuation, String> {
        let symbols: Vec<&str> = prompt.split_whitespace().collect();
        let max_new = self.args.max_new.unwrap_or(self.made.meaning.max_new);
        // If the program cannot complete a prompt, the checkpoint may end it with a better reason.
        let or_ended = |why: String| match complete_by(&self.made, prompt, self.args.max_new) {
            Ok(_) => why,
            Err(ended) => ended.to_string(),
        };
        let equal = match original.compare(&self.made, &symbols, max_new) {
            Ok(equal) => equal,
            Err(Unequal::Input(error)) => return Err(or_ended(error.to_string())),
            Err(Unequal::Run(message)) => return Err(or_ended(message)),
            Err(Unequal::Ended(end)) => return Err(end.meaning().to_owned()),
            Err(Unequal::TooLong) => return Err(End::PromptTooLong.meaning().to_owned()),
            Err(Unequal::Nothing) => return Err(NO_LAYERS.to_owned()),
            Err(Unequal::Differs(difference)) => return Err(format!("it differs from the program: {difference}")),
        };
        print_to_stderr(format_args!("verified: equal to dat on {}", in_words(&equal)));
        Ok(continuation(&self.made, equal.completion))
    }
}

/// The registers that were compared, and those that were not.
fn in_words(equal: &Equal) -> String {
    let Equal { registers, dropped, completion, .. } = equal;
    let registers = count(*registers, "register");
    // Without a generated token there is no margin.
    let margin =
        if completion.tokens > 0 { format!(", by a margin of {:.1} nats", completion.margin) } else { String::new() };
    let dropped = match dropped {
        0 => String::new(),
        dropped => format!("; {} of generated cells not compared, which psl.json drops", count(*dropped, "register")),
    };
    format!("{registers}{margin}{dropped}")
}
