//! Runs pages.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;

use super::{
    blocks::{CodeBlock, Directive, Failure, blocks, rewritten},
    computed::computed,
    console::{ConsoleSession, Typed, from_command, steady, typed},
    data::parses,
    exercise,
    folder::Folder,
    fragment::check_fragment,
    hover::hover_at,
    pages::Page,
    python,
};
use crate::diff::changed_lines;

/// Blocks in these languages are not tested.
const FREE: [&str; 2] = ["text", "ebnf"];

/// The result of a page.
#[derive(Default)]
pub struct Outcome {
    pub failures: Vec<Failure>,
    /// The page with its current output.
    pub text: String,
    /// The lines of the blocks with output, and the current output.
    pub output: Vec<(usize, String)>,
    /// The number of blocks that were tested, and of commands that ran.
    pub blocks: usize,
    pub commands: usize,
}

impl Outcome {
    /// The failures on a page, and its first line that differs.
    pub fn report(&self, page: &Page) -> Vec<String> {
        let mut report: Vec<_> =
            self.failures.iter().map(|found| page.place(found.line, found.message.trim_end())).collect();
        if self.text != page.text {
            let same = page.text.lines().zip(self.text.lines()).take_while(|(before, after)| before == after).count();
            let changed = changed_lines(&page.text, &self.text);
            report.push(page.place(same + 1, &format!("the output differs (`UPDATE=1` rewrites it):\n{changed}")));
        }
        report
    }
}

/// A page that runs in a folder.
struct Run<'a> {
    folder: &'a Folder,
    with_python: bool,
    failures: Vec<Failure>,
    /// The blocks with output, and the output found.
    found: Vec<(&'a CodeBlock, String)>,
    /// The programs in Python so far.
    python: Vec<&'a str>,
    /// The last command of a console, which later blocks can continue.
    session: Option<ConsoleSession>,
    blocks: usize,
    commands: usize,
}

/// Runs pages one after another in a folder. Output must be the same each time, so pages with new output run twice.
pub fn run(pages: &[Page], linked: &[PathBuf], with_python: bool) -> Vec<Outcome> {
    let once = || {
        let folder = Folder::new(linked);
        pages.iter().map(|page| run_page(page, &folder, with_python)).collect::<Vec<Outcome>>()
    };
    let mut outcomes = once();
    if outcomes.iter().zip(pages).any(|(outcome, page)| outcome.text != page.text) {
        for ((outcome, again), page) in outcomes.iter_mut().zip(once()).zip(pages) {
            for ((line, first), (_, second)) in outcome.output.iter().zip(&again.output) {
                if first != second {
                    let message = format!("the output changes each time:\n{}", changed_lines(first, second));
                    outcome.failures.push(Failure::new(*line, message));
                    outcome.text.clone_from(&page.text);
                }
            }
        }
    }
    outcomes
}

fn run_page(page: &Page, folder: &Folder, with_python: bool) -> Outcome {
    let (blocks, failures) = blocks(&page.text);
    let mut run = Run {
        folder,
        with_python,
        failures,
        found: Vec::new(),
        python: Vec::new(),
        session: None,
        blocks: 0,
        commands: 0,
    };
    // Blocks after a failure run too, so one run reports all failures.
    for block in &blocks {
        if let Err((line, message)) = run.block(block) {
            run.failures.push(Failure::new(line, message));
        }
    }
    run.failures.extend(exercise::solved(folder, &blocks));
    let found: Vec<_> = run.found.iter().map(|(block, text)| (*block, text.as_str())).collect();
    let text = rewritten(&page.text, &found);
    let output = run.found.into_iter().map(|(block, text)| (block.line, text)).collect();
    Outcome { failures: run.failures, text, output, blocks: run.blocks, commands: run.commands }
}

impl<'a> Run<'a> {
    fn block(&mut self, block: &'a CodeBlock) -> Result<(), (usize, String)> {
        let here = |message| (block.line, message);
        let language = block.language.as_str();
        self.blocks += usize::from(block.directive.is_some() || !FREE.contains(&language));
        parses(language, &block.text).map_err(here)?;
        match &block.directive {
            Some(Directive::File(name, codes)) => {
                self.folder.write(name, &block.text);
                self.check(block, name, codes, 0)
            }
            Some(Directive::Append(name, codes)) => {
                let before = fs::read_to_string(self.folder.file(name));
                let before = before.map_err(|_| here(format!("`{name}` does not exist")))? + "\n";
                self.folder.write(name, &format!("{before}{}", block.text));
                self.check(block, name, codes, before.lines().count())
            }
            Some(Directive::Exercise(name, other)) => {
                exercise::start(self.folder, block, name, other.as_deref()).map_err(here)
            }
            Some(Directive::Hover(name, line, column)) => {
                let program = fs::read_to_string(self.folder.file(name));
                let program = program.map_err(|_| here(format!("`{name}` does not exist")))?;
                let hover = hover_at(&program, *line, *column).map_err(here)?;
                self.shows(block, hover)
            }
            Some(Directive::Computed(name)) => {
                let text = computed(name).ok_or_else(|| here(format!("unknown function `{name}`")))?;
                self.shows(block, text)
            }
            Some(Directive::Prints) if !self.with_python => Ok(()),
            Some(Directive::Prints) if self.python.is_empty() => {
                Err(here("expected a block `python` above it".to_owned()))
            }
            Some(Directive::Prints) => {
                let output = python::output(self.folder, &self.python).map_err(here)?;
                self.shows(block, output)
            }
            Some(Directive::Diagnostics(codes)) => fragment(block, codes),
            Some(Directive::Exit(code)) => self.console(block, *code),
            None => match language {
                "psl" => fragment(block, &[]),
                "console" => self.console(block, 0),
                "sh" => {
                    self.commands += block.text.lines().filter(|line| !line.trim().is_empty()).count();
                    let (output, code) = self.folder.bash(&block.text);
                    if code == 0 {
                        Ok(())
                    } else {
                        Err(here(format!("the block ends with exit code {code}:\n{output}")))
                    }
                }
                "python" => {
                    self.python.push(&block.text);
                    if self.with_python {
                        python::output(self.folder, &self.python).map_err(here)?;
                    }
                    Ok(())
                }
                // `python/tests/test_pages.py` runs a session, which needs the package.
                "json" | "pycon" | "toml" | "yaml" => Ok(()),
                _ if FREE.contains(&language) => Ok(()),
                _ => Err(here(format!("unknown language `{language}`"))),
            },
        }
    }

    /// Notes the output of a block, without empty lines at its end.
    fn shows(&mut self, block: &'a CodeBlock, mut output: String) -> Result<(), (usize, String)> {
        output.truncate(output.trim_end_matches('\n').len());
        if output.lines().any(|line| line.trim_start().starts_with(&block.fence)) {
            return Err((block.line, format!("the output has a line with `{}`: use a longer fence", block.fence)));
        }
        self.found.push((block, output));
        Ok(())
    }

    /// Checks a program in a file that has `above` lines before the block.
    fn check(&mut self, block: &CodeBlock, name: &str, codes: &[String], above: usize) -> Result<(), (usize, String)> {
        let is_program = Path::new(name).extension().is_some_and(|extension| extension == "psl");
        if !is_program && block.language != "psl" && codes.is_empty() {
            return Ok(());
        }
        let (output, code) = self.folder.run(Command::new("psl").args(["check", "--format", "json", name]));
        if code > 1 {
            let (output, _) = self.folder.bash(&format!("psl check '{name}'"));
            return Err((block.line, format!("`psl check {name}` ends with exit code {code}:\n{output}")));
        }
        let mut found = Vec::new();
        for report in output.lines() {
            let report: Value = serde_json::from_str(report).map_err(|_| (block.line, output.clone()))?;
            let text = |key: &str| report[key].as_str().unwrap_or_default().to_owned();
            if !["error", "warning"].contains(&text("severity").as_str()) {
                continue;
            }
            if !codes.contains(&text("code")) {
                let at = report["start"]["line"].as_u64().unwrap_or_default() as usize;
                let message = format!("`{name}`: {}[{}]: {}", text("severity"), text("code"), text("message"));
                self.failures.push(Failure::new(block.line + at.saturating_sub(above), message));
            }
            found.push(text("code"));
        }
        let missing = codes.iter().filter(|code| !found.contains(code));
        self.failures.extend(
            missing.map(|code| Failure::new(block.line, format!("`{name}`: the diagnostic `{code}` is missing"))),
        );
        Ok(())
    }

    fn console(&mut self, block: &'a CodeBlock, last_code: i32) -> Result<(), (usize, String)> {
        let unexpected = || (block.line + 1, "expected `$ COMMAND`".to_owned());
        let commands = typed(&block.text).ok_or_else(unexpected)?;
        let mut shown = String::new();
        for (left, Typed { at, command, input }) in (0..commands.len()).rev().zip(commands) {
            let continues = command.is_none();
            if let Some(command) = command {
                shown.extend(["$ ", &command, "\n"]);
                self.session = Some(ConsoleSession::new(command));
            }
            let session = self.session.as_mut().ok_or_else(unexpected)?;
            let before = session.typed();
            let script = session.script(input);
            let (output, code) = self.folder.bash(&script);
            self.commands += 1;
            shown.push_str(&steady(if continues { from_command(&output, before) } else { &output }));
            if !shown.ends_with('\n') {
                shown.push('\n');
            }
            let expected = if left == 0 { last_code } else { 0 };
            if code != expected {
                let message = format!("`{script}` ends with exit code {code}, not {expected}:\n{output}");
                self.failures.push(Failure::new(block.line + 1 + at, message));
            }
        }
        self.shows(block, shown)
    }
}

fn fragment(block: &CodeBlock, codes: &[String]) -> Result<(), (usize, String)> {
    check_fragment(&block.text, codes).map_err(|(line, message)| (block.line + line, message))
}
