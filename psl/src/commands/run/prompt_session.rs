//! A program and the prompts that it completes.

use std::{
    collections::BTreeSet,
    io::{self, Write},
    ops::ControlFlow,
};

use psl_program::{Continuation, NoSelection, Prompt, RunFailure, TableSelection, count};
use psl_render::RunTable;
use psl_runtime::{MachineKind, Observer, Options, Stopped, Task, Update, record::Recorder};
use psl_syntax::program::ProductionId;
use serde_json::json;

use super::{
    args::{Args, Format},
    asking::Prompts,
};
use crate::{
    failure::Failure,
    input::{
        data_lines::{NOT_UTF8, NotUtf8},
        paths::{STDIN, name},
        program_file::ProgramFile,
        program_file::read_structured_prompt,
    },
    output::{
        color::Color,
        output_file::Output,
        part_colors::painter,
        stdio::{Content, print_to_stderr, stdout, stdout_to_the_end},
        terminal,
    },
};

/// A program and its prompts.
pub struct PromptSession<'a> {
    pub args: &'a Args,
    pub color: Color,
    pub loaded: ProgramFile,
    pub ablated: BTreeSet<ProductionId>,
    /// The part of a run that a table shows.
    pub selection: TableSelection,
    pub trace: Option<Output>,
    /// Whether all prompts so far could be completed.
    pub all_completed: bool,
}

/// The run of a prompt.
struct Completed {
    result: Result<Continuation, RunFailure>,
    /// The table up to the end or the failure, if it was wanted.
    table: Option<Result<String, NoSelection>>,
    /// The number of cells in the prompt, 0 if the run could not start.
    prompt_cells: usize,
}

impl Completed {
    /// A run that could not start.
    const fn not_started(failure: RunFailure) -> Self {
        Self { result: Err(failure), table: None, prompt_cells: 0 }
    }

    fn without_table(result: Result<Continuation, RunFailure>, task: &Task) -> Self {
        Self { result, table: None, prompt_cells: task.input.cells.len() }
    }
}

impl PromptSession<'_> {
    /// Completes the prompts of the arguments, or else each line of standard input.
    pub fn complete_all(&mut self) -> Result<(), Failure> {
        if let Some(prompt) = &self.args.prompt {
            return self.complete(&Prompt::Plain(prompt.clone()));
        }
        if let Some(path) = &self.args.prompt_json {
            return self.complete(&Prompt::Structured(read_structured_prompt(path)?));
        }
        let mut prompts = Prompts::of_stdin(&self.loaded.runner().executable().program)?;
        while let Some(prompt) = prompts.next()? {
            match prompt {
                Ok(prompt) => self.complete(&Prompt::Plain(prompt))?,
                Err(NotUtf8 { readable }) => {
                    let failure = RunFailure::refused(format!("prompt {}: {NOT_UTF8}", prompts.number()));
                    self.show(&Prompt::Plain(readable), &Completed::not_started(failure))?;
                }
            }
        }
        check_some(prompts.number(), self.args.verify)
    }

    fn complete(&mut self, prompt: &Prompt) -> Result<(), Failure> {
        let runner = self.loaded.runner();
        let options = runner.expecting(self.args.row, self.options());
        let completed = match options.and_then(|options| runner.prompt_task(prompt, &options)) {
            Ok(task) => self.run(&task)?,
            Err(failure) => Completed::not_started(failure),
        };
        self.show(prompt, &completed)
    }

    /// Writes the continuation of a prompt, or the reason why there is none.
    fn show(&mut self, prompt: &Prompt, completed: &Completed) -> Result<(), Failure> {
        let mut out: Box<dyn Write> = match &self.args.trace {
            Some(path) if path.as_os_str() == STDIN => Box::new(io::sink()),
            // The trace holds all prompts, even if the continuations are no longer read.
            Some(_) => stdout_to_the_end(Content::Data),
            None if self.args.table => stdout(Content::People),
            None => stdout(Content::Data),
        };
        match &completed.result {
            Ok(continuation) => {
                if let (Some(file), Some(note)) = (self.prompt_file(), self.loaded.runner().prompt_note(prompt)) {
                    print_to_stderr(format_args!("note: {file}: {note}"));
                }
                self.write_continuation(&mut out, prompt, continuation, completed)
            }
            Err(failure) => {
                self.all_completed = false;
                self.write_failure(&mut out, prompt, failure, completed)
            }
        }
    }

    fn options(&self) -> Options {
        let Args { max_new, stop, max_passes, recompute, .. } = self.args;
        self.loaded.runner().options(&Options {
            max_new: *max_new,
            stop: stop.clone(),
            max_passes: *max_passes,
            recompute: *recompute,
            ablated: self.ablated.clone(),
            answer: None,
        })
    }

    /// The name of the structured prompt's file.
    fn prompt_file(&self) -> Option<String> {
        self.args.prompt_json.as_deref().map(name)
    }

    fn run(&mut self, task: &Task) -> Result<Completed, Failure> {
        let runner = self.loaded.runner();
        if self.args.verify {
            let result = runner.verify(task).map(|(continuation, states)| {
                print_to_stderr(format_args!("verified: {} agree on {}", all_machines(), count(states, "state")));
                continuation
            });
            return Ok(Completed::without_table(result, task));
        }
        if self.args.table {
            let mut recorder = Recorder::new(runner.executable(), task, usize::MAX);
            let result = self.run_on_machine(task, Some(&mut |update| recorder.read(update)));
            let run = recorder.finish(&[], result);
            let (text, columns) = (self.loaded.file.text(), terminal::table_columns(self.color));
            let (selection, paint) = (&self.selection, painter(terminal::stdout(self.color)));
            let table = RunTable::new(runner, &run, selection).map(|table| table.text(text, columns, &paint));
            return Ok(Completed { table: Some(table), ..Completed::without_table(run.outcome().clone(), task) });
        }
        match self.trace.take() {
            None => Ok(Completed::without_table(self.run_on_machine(task, None), task)),
            Some(trace) => self.run_traced(task, trace),
        }
    }

    /// Writes every update to the trace. The run ends at the first that cannot be written.
    fn run_traced(&mut self, task: &Task, mut trace: Output) -> Result<Completed, Failure> {
        let mut written = Ok(());
        let mut observer = |update: &Update| {
            written = writeln!(trace, "{}", self.loaded.runner().trace_line(update, task));
            if written.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let result = self.run_on_machine(task, Some(&mut observer));
        let written = written.map_err(|error| trace.failure(error));
        self.trace = Some(trace);
        written.map(|()| Completed::without_table(result, task))
    }

    fn run_on_machine(&self, task: &Task, observer: Option<Observer<'_>>) -> Result<Continuation, RunFailure> {
        match self.args.embedding() {
            Some(embedding) => self.loaded.runner().complete_embedded(task, embedding, observer),
            None => self.loaded.runner().complete(task, self.args.machine, observer),
        }
    }

    fn write_continuation(
        &self,
        out: &mut dyn Write,
        prompt: &Prompt,
        continuation: &Continuation,
        completed: &Completed,
    ) -> Result<(), Failure> {
        match self.args.format {
            Format::Human => {
                match &completed.table {
                    Some(table) => write!(out, "{}", table.as_ref().map_err(Failure::of)?)?,
                    None => writeln!(out, "{}", continuation.text())?,
                }
                if continuation.stopped == Stopped::MaxNew {
                    self.say_stopped(continuation.symbols.len(), completed.prompt_cells);
                }
            }
            Format::Json => {
                let prompt = self.loaded.runner().prompt_to_json(prompt);
                let (stopped, continuation) = (continuation.stopped.as_str(), continuation.text());
                writeln!(out, "{}", json!({"prompt": prompt, "continuation": continuation, "stopped": stopped}))?;
            }
        }
        Ok(())
    }

    /// Notes that the limit ended the continuation, with the option that allows more.
    fn say_stopped(&self, symbols: usize, prompt_cells: usize) {
        let last = self.loaded.runner().executable().last_position().filter(|_| self.args.max_new.is_none());
        let more = match last {
            Some(last) if last <= prompt_cells + symbols + 1 => {
                "the weights end there; psl compile --positions allows more"
            }
            _ => "--max-new allows more",
        };
        let symbols = count(symbols, "symbol");
        print_to_stderr(format_args!("note: stopped after {symbols} without the stop symbol ({more})"));
    }

    fn write_failure(
        &self,
        out: &mut dyn Write,
        prompt: &Prompt,
        failure: &RunFailure,
        completed: &Completed,
    ) -> Result<(), Failure> {
        let place = match self.loaded.runner().block(failure) {
            Some(span) => self.loaded.place(span.start),
            None => self.prompt_file().unwrap_or_else(|| self.loaded.name.clone()),
        };
        let message = &failure.message;
        print_to_stderr(format_args!("error: {place}: {message}"));
        // Each prompt has a line. A table shows the run up to the failure.
        match self.args.format {
            Format::Human => match &completed.table {
                Some(table) => write!(out, "{}", table.as_ref().map_or("", String::as_str))?,
                None => writeln!(out)?,
            },
            Format::Json => {
                let prompt = self.loaded.runner().prompt_to_json(prompt);
                writeln!(out, "{}", json!({"prompt": prompt, "error": message}))?;
            }
        }
        Ok(())
    }
}

/// Fails if prompts should be verified, and there are none.
pub fn check_some(prompts: usize, verify: bool) -> Result<(), Failure> {
    if verify && prompts == 0 {
        return Err(Failure::Message("nothing is verified: standard input has no prompts".to_owned()));
    }
    Ok(())
}

/// `psm, qkvm, dat and full-dat`.
fn all_machines() -> String {
    let names = MachineKind::ALL.map(MachineKind::name);
    names.split_last().map_or_else(String::new, |(last, others)| format!("{} and {last}", others.join(", ")))
}
