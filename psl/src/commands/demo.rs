//! `psl demo`: a tour of the tools with an induction head and the program of the paper.

use std::{
    fmt::Display,
    io::{self, IsTerminal, Write},
    sync::Arc,
    time::Instant,
};

use psl_debug::{Timeline, from_text};
use psl_ide::SKELETON;
use psl_program::{CheckpointOptions, File, Progress, RunFailure, VocabularyNeeds, checkpoint, count};
use psl_runtime::{MachineKind, compile_production, qkvl::Slots};
use psl_syntax::program::{TestCase, TestPrompt};

use crate::{
    failure::Failure,
    input::program_file::ProgramFile,
    output::{
        color::Color,
        stdio::{Content, stdout_to_the_end},
    },
};

/// The prompts of the paper that are shown.
const SHOWN: usize = 3;

const NEXT: &str = "  psl new first                                    # write the induction head to first.psl
  psl test first.psl                               # run its test
  psl run first.psl --table -p \"a x . a y . a\"     # show the cells after each layer
  psl explore first.psl --open                     # see in the browser why each cell attends
  psl compile first.psl --emit hf -o first-gpt2    # write it as a GPT-2 that transformers loads
  psl help                                         # list all commands
In an editor: `psl lsp` is the language server. The extensions for VS Code, Neovim and others start it.";

/// Runs the tour.
pub fn run(color: Color) -> Result<bool, Failure> {
    let bold = color.on(io::stdout().is_terminal());
    let mut tour = Tour { out: stdout_to_the_end(Content::People), bold, passed: true };
    tour.heading("An induction head in PSL: each production is one attention layer")?;
    tour.induction_head()?;
    tour.heading("PARGEN, the program of the paper: it completes a pattern from one example")?;
    tour.pargen(&ProgramFile::pargen().file)?;
    tour.heading("Next")?;
    writeln!(tour.out, "{NEXT}")?;
    Ok(tour.passed)
}

struct Tour<W> {
    out: W,
    bold: bool,
    passed: bool,
}

impl<W: Write> Tour<W> {
    fn heading(&mut self, text: &str) -> io::Result<()> {
        let text = if self.bold { format!("\x1b[1m{text}\x1b[0m") } else { text.to_owned() };
        writeln!(self.out, "{text}\n")
    }

    fn line(&mut self, name: &str, text: impl Display) -> io::Result<()> {
        writeln!(self.out, "  {name:8} {text}")
    }

    /// A line of what failed, which the tour goes on after.
    fn failed(&mut self, name: &str, text: impl Display) -> io::Result<()> {
        self.passed = false;
        self.line(name, format_args!("FAILED: {text}"))
    }

    /// The program that `psl new` writes: its source, a run, the way of its answer, its weights and its checkpoint.
    fn induction_head(&mut self) -> io::Result<()> {
        let file = File::new(SKELETON, Arc::default());
        let is_code = |line: &&str| !line.is_empty() && !line.starts_with(['#', '/']);
        for line in SKELETON.lines().filter(is_code) {
            writeln!(self.out, "  {line}")?;
        }
        writeln!(self.out)?;
        let (program, runner) = (file.program(), file.compiled());
        for test in &program.tests {
            self.test(&file, test)?;
            let Ok(task) = runner.test_task(test) else { continue };
            let answering = format!("symbol[{}]", task.input.cells.len());
            let run = runner.record(task, MachineKind::Psm, &Progress::default());
            let end = Timeline::new(&run).end();
            for (number, link) in from_text(&file, &run, end, &answering).into_iter().flatten().enumerate() {
                self.line(if number == 0 { "why" } else { "" }, link.text)?;
            }
        }
        for (production, layer) in program.productions().iter().zip(1..) {
            let weights = &compile_production(program, production).weights;
            let entries =
                |map: &Slots| map.iter().map(|(slot, source)| format!("{slot}: {source}")).collect::<Vec<_>>();
            let values: Vec<String> =
                weights.v.iter().map(|(register, value)| format!("{register}: {value}")).collect();
            let maps = [("q", entries(&weights.q)), ("k", entries(&weights.k)), ("v", values)];
            let maps = maps.map(|(name, entries)| format!("{name} {{{}}}", entries.join(", ")));
            self.line(&format!("layer {layer}"), maps.join("   "))?;
        }
        let needs = VocabularyNeeds::of_tests(runner);
        let built = needs.map_err(|failure| failure.to_string()).and_then(|needs| {
            checkpoint(runner, &needs, &CheckpointOptions::default()).map_err(|failure| failure.to_string())
        });
        match built {
            Ok(built) => {
                let model = &built.made.model;
                let size = format!("{}, {} parameters", count(model.blocks.len(), "block"), model.parameters());
                let equal = count(built.exactness.tested.equal, "prompt");
                self.line("GPT-2", format_args!("{size}: equal to the program on {equal}\n"))
            }
            Err(message) => self.failed("GPT-2", message),
        }
    }

    /// Completes the prompts of the paper on the transformer, of which some are shown, and the first on all machines.
    fn pargen(&mut self, file: &File) -> io::Result<()> {
        let (program, runner) = (file.program(), file.compiled());
        let productions = count(program.productions().len(), "production");
        self.line("source", format_args!("{} lines, {productions}", file.text().lines().count()))?;
        for test in program.tests.iter().take(SHOWN) {
            self.test(file, test)?;
        }
        let start = Instant::now();
        let is_right = |test: &&TestCase| runner.test(test, MachineKind::Dat).is_ok_and(|done| done.is(&test.gold));
        let (right, all) = (program.tests.iter().filter(is_right).count(), program.tests.len());
        self.passed &= right == all;
        self.line("test", format_args!("{right} of {all} prompts right, in {}", elapsed(start)))?;
        let Some(test) = program.tests.first() else { return Ok(()) };
        let start = Instant::now();
        match runner.test_task(test).and_then(|task| runner.verify(&task)) {
            Ok(_) => {
                let machines = MachineKind::ALL.map(MachineKind::name).join(" = ");
                let time = elapsed(start);
                let everywhere = "in every register of every cell after every layer";
                self.line("verify", format_args!("{machines} {everywhere}, in {time}\n"))
            }
            Err(RunFailure { message, .. }) => self.failed("verify", message),
        }
    }

    /// Completes the prompt of a test on the transformer.
    fn test(&mut self, file: &File, test: &TestCase) -> io::Result<()> {
        let TestPrompt::Plain(prompt) = &test.prompt else { return Ok(()) };
        match file.compiled().test(test, MachineKind::Dat) {
            Ok(done) if done.is(&test.gold) => self.line("run", format_args!("{prompt} => {}", done.text())),
            Ok(done) => self.failed("run", format_args!("{prompt} => {}", done.text())),
            Err(RunFailure { message, .. }) => self.failed("run", message),
        }
    }
}

fn elapsed(start: Instant) -> String {
    let time = start.elapsed();
    if time.as_millis() > 9 { format!("{} ms", time.as_millis()) } else { format!("{} µs", time.as_micros()) }
}
