//! `psl run DIRECTORY`: completes prompts by the checkpoint of a program.

use std::{
    io::{self, Write},
    path::Path,
};

use psl_host::read_regular;
use psl_program::{Continuation, complete_by, continuation, count};
use psl_runtime::{
    MachineKind, Stopped,
    equality::{Original, Unequal},
    gpt2::{Checkpoint, CheckpointFile, End},
};
use serde_json::json;

use super::args::{Args, Format};
use crate::{
    failure::Failure,
    input::{
        data_lines::DataLines,
        paths::{STDIN, name},
    },
    output::stdio::{Content, say, stdout},
};

/// Completes all prompts by the checkpoint in a directory.
pub fn run(directory: &Path, args: &Args) -> Result<bool, Failure> {
    if let Some(option) = unsupported(args) {
        let why = format!("`{option}` is for a program, and {} is a checkpoint", name(directory));
        return Err(Failure::Message(format!("{why}: leave it out, or give the program")));
    }
    let Some(made) = read(directory)? else { return Ok(false) };
    let original = match args.verify.then(|| Original::new(&made)).transpose() {
        Ok(original) => original,
        Err(error) => {
            say(format_args!("error: {}: the program in psl.json: {error}", name(directory)));
            return Ok(false);
        }
    };
    let mut session = Session { directory, args, made, original, fine: true };
    let done = session.complete_all();
    match done {
        // The reader has closed the output.
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(session.fine),
        done => done.map(|()| session.fine),
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
        (args.ablate.is_some(), "--ablate"),
        (args.machine != MachineKind::Dat, "--machine"),
        (args.trace.is_some(), "--trace"),
        (args.table, "--table"),
    ];
    given.into_iter().find(|(given, _)| *given).map(|(_, option)| option)
}

/// The most bytes of a file: twice those of the largest checkpoint.
const MAX_FILE: u64 = 8_000_000_000;

/// Reads the files of a checkpoint, or reports on standard error why it is none.
fn read(directory: &Path) -> Result<Option<Checkpoint>, Failure> {
    let mut files = Vec::new();
    for file in Checkpoint::FILES {
        let path = directory.join(file);
        match read_regular(&path, MAX_FILE) {
            Ok(bytes) => files.push(CheckpointFile { name: file, bytes }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let why = format!("the directory {} is not a checkpoint: it lacks {file}", name(directory));
                return Err(Failure::Message(format!("{why}; `psl compile --emit hf -o DIRECTORY` writes one")));
            }
            Err(error) => return Err(Failure::reading(&path, &error)),
        }
    }
    match Checkpoint::read(&files) {
        Ok(made) => Ok(Some(made)),
        Err(error) => {
            say(format_args!("error: {}: {}", name(&directory.join(error.file)), error.reason));
            Ok(None)
        }
    }
}

struct Session<'a> {
    directory: &'a Path,
    args: &'a Args,
    made: Checkpoint,
    /// The program, to compare with.
    original: Option<Original>,
    fine: bool,
}

impl Session<'_> {
    fn complete_all(&mut self) -> Result<(), Failure> {
        if let Some(prompt) = &self.args.prompt {
            return self.complete(prompt);
        }
        let mut prompts = DataLines::open(Path::new(STDIN))?;
        while let Some(prompt) = prompts.next_text()? {
            self.complete(&prompt)?;
        }
        Ok(())
    }

    fn complete(&mut self, prompt: &str) -> Result<(), Failure> {
        let result = match &self.original {
            Some(original) => self.verified(original, prompt),
            None => complete_by(&self.made, prompt, self.args.max_new).map_err(|ended| ended.to_string()),
        };
        let mut out = stdout(Content::Data);
        match (result, self.args.format) {
            (Ok(continuation), Format::Human) => {
                writeln!(out, "{}", continuation.text())?;
                if continuation.stopped == Stopped::MaxNew {
                    let symbols = count(continuation.symbols.len(), "symbol");
                    say(format_args!("note: stopped after {symbols} without the stop symbol"));
                }
            }
            (Ok(continuation), Format::Json) => {
                let (stopped, continuation) = (continuation.stopped.as_str(), continuation.text());
                writeln!(out, "{}", json!({"prompt": prompt, "continuation": continuation, "stopped": stopped}))?;
            }
            (Err(message), format) => {
                self.fine = false;
                say(format_args!("error: {}: {message}", name(self.directory)));
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
    fn verified(&self, original: &Original, prompt: &str) -> Result<Continuation, String> {
        let done = complete_by(&self.made, prompt, self.args.max_new).map_err(|ended| ended.to_string())?;
        let symbols: Vec<&str> = prompt.split_whitespace().collect();
        let equal = match original.compare(&self.made, &symbols, done.symbols.len()) {
            Ok(equal) => equal,
            Err(Unequal::Input(error)) => return Err(error.to_string()),
            Err(Unequal::Run(message)) => return Err(message),
            Err(Unequal::Ended(end)) => return Err(end.meaning().to_owned()),
            Err(Unequal::TooLong) => return Err(End::PromptTooLong.meaning().to_owned()),
            Err(Unequal::Differs(difference)) => return Err(format!("it differs from the program: {difference}")),
        };
        let (registers, margin) = (count(equal.registers, "register"), equal.completion.margin);
        say(format_args!("verified: equal to dat on {registers}, by a margin of {margin:.1} nats"));
        Ok(continuation(&self.made, equal.completion))
    }
}
