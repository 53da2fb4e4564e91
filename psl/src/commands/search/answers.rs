//! The results of a search, as text and as JSON.

use std::io::{self, Write};

use psl_ide::others_do_the_same;
use psl_program::count;
use psl_render::{FRAME, STRONG, Terminal, shown, shown_json};
use psl_search::{Assessment, DistinguishingPrompt};
use psl_syntax::{LineIndex, Span, diagnostic::Edit};
use serde_json::{Value, json};

use super::options::{Format, SearchOptions};
use crate::{
    failure::Failure,
    input::program_file::ProgramFile,
    output::{
        color::Color,
        stdio::{Content, print_to_stderr, stdout_to_the_end},
        terminal,
        unified_diff::changed_lines,
    },
    render::json::with_place,
};

/// One result of a search.
pub struct Answer {
    /// The changes, each with its place.
    pub changes: Vec<(Span, String)>,
    pub edits: Vec<Edit>,
    /// The changed text.
    pub text: String,
    pub assessment: Assessment,
    /// Others that do the same on all prompts that were tried.
    pub same: Vec<Self>,
}

impl Answer {
    fn json(&self, lines: &LineIndex) -> Value {
        let Self { changes, edits, assessment, .. } = self;
        json!({
            "changes": changes.iter().map(|(span, says)| with_place(lines, *span, "message", says)).collect::<Vec<_>>(),
            "edits": edits.iter().map(|edit| with_place(lines, edit.span, "text", &edit.text)).collect::<Vec<_>>(),
            "warnings": assessment.new_warnings.iter().map(|warning| &warning.message).collect::<Vec<_>>(),
            "data": assessment.held_back.map(|(right, total)| json!({"correct": right, "total": total})),
            "same": self.same.iter().map(|answer| answer.json(lines)).collect::<Vec<_>>(),
        })
    }
}

/// The results of a search, best first.
pub struct Answers {
    /// The name of a result, such as `repair`.
    pub name: &'static str,
    pub found: Vec<Answer>,
    pub distinguishing_prompt: Option<DistinguishingPrompt>,
    /// The prompts on which those that do the same were compared, in words.
    pub compared_on: Option<String>,
    pub tried: usize,
    pub cut_off: bool,
    pub seconds: f64,
}

/// The line below the first of several results.
pub fn more(listed: usize, all: usize) -> String {
    format!("and {} more: `--show {all}` lists them", all - listed)
}

impl Answers {
    /// Prints the results and applies one. Returns whether there is one.
    pub fn finish(self, source: &ProgramFile, options: &SearchOptions, color: Color) -> Result<bool, Failure> {
        let filter = options.apply.is_some() && source.is_stdin();
        if !filter {
            let content = if options.limits.format == Format::Human { Content::People } else { Content::Data };
            let mut out = stdout_to_the_end(content);
            match options.limits.format {
                Format::Human => self.human(&mut out, source, options, terminal::stdout(color))?,
                Format::Json => writeln!(out, "{}", shown_json(&self.json(source).to_string()))?,
            }
        }
        if options.limits.format == Format::Human || filter {
            print_to_stderr(self.summary());
        }
        if self.found.is_empty() {
            return Ok(false);
        }
        match options.apply.map(|number| self.chosen(number)).transpose()? {
            Some(answer) if filter => stdout_to_the_end(Content::Data).write_all(answer.text.as_bytes())?,
            Some(answer) => source.write(&answer.text)?,
            None => {}
        }
        Ok(true)
    }

    fn chosen(&self, number: u32) -> Result<&Answer, Failure> {
        let found = self.found.get(number as usize - 1);
        found.ok_or_else(|| {
            let found = count(self.found.len(), self.name);
            Failure::Message(format!("cannot apply {} {number}: the search found {found}", self.name))
        })
    }

    fn human(
        &self,
        out: &mut impl Write,
        source: &ProgramFile,
        options: &SearchOptions,
        terminal: Terminal,
    ) -> io::Result<()> {
        for (answer, number) in self.found.iter().zip(1..).take(options.show) {
            for (index, (span, says)) in answer.changes.iter().enumerate() {
                let start = if index == 0 { format!("{number}.") } else { " ".repeat(number.to_string().len() + 1) };
                let line = format!("line {}: {}", source.line(span.start), shown(says));
                writeln!(out, "{start} {}", terminal.paint(STRONG, &line))?;
            }
            for line in changed_lines(source.file.text(), &answer.text).lines() {
                writeln!(out, "   {}", terminal.paint(FRAME, &shown(line)))?;
            }
            for warning in &answer.assessment.new_warnings {
                writeln!(out, "   warning: {}", shown(&warning.message))?;
            }
            if let Some((right, all)) = answer.assessment.held_back {
                writeln!(out, "   {right} of {} of the data right", count(all, "line"))?;
            }
            if let Some(same) = others_do_the_same(answer.same.len()) {
                writeln!(out, "   {same}")?;
            }
        }
        if self.found.len() > options.show {
            writeln!(out, "{}", more(options.show, self.found.len()))?;
        }
        match &self.distinguishing_prompt {
            Some(distinguishing_prompt) => {
                writeln!(out, "they differ on the prompt `{}`:", shown(&distinguishing_prompt.prompt))?;
                for (continuation, answers) in &distinguishing_prompt.continuations {
                    let numbers: Vec<String> = answers.iter().map(|index| (index + 1).to_string()).collect();
                    let continuation = continuation.as_deref().map_or("the run fails".to_owned(), abridged);
                    writeln!(out, "   {}: {continuation}", numbers.join(", "))?;
                }
            }
            None if self.found.len() > 1 && !self.cut_off => {
                writeln!(out, "no prompt was found on which they differ")?;
            }
            None => {}
        }
        if let Some(compared_on) = &self.compared_on {
            writeln!(out, "compared {compared_on}")?;
        }
        Ok(())
    }

    fn summary(&self) -> String {
        let found =
            if self.found.is_empty() { format!("no {}", self.name) } else { count(self.found.len(), self.name) };
        let end = if self.cut_off { ", and the search was cut off" } else { "" };
        format!("{found}: {} tried in {:.1} s{end}", count(self.tried, "program"), self.seconds)
    }

    fn json(&self, source: &ProgramFile) -> Value {
        let lines = source.file.line_index();
        let distinguishing_prompt =
            self.distinguishing_prompt.as_ref().map(|DistinguishingPrompt { prompt, continuations }| {
                let continuations = continuations.iter().map(|(continuation, answers)| {
                    let numbers: Vec<usize> = answers.iter().map(|index| index + 1).collect();
                    json!({"continuation": continuation, "by": numbers})
                });
                json!({"prompt": prompt, "continuations": continuations.collect::<Vec<_>>()})
            });
        json!({
            "file": source.name,
            "found": self.found.iter().map(|answer| answer.json(lines)).collect::<Vec<_>>(),
            "differ": distinguishing_prompt,
            "compared_on": self.compared_on,
            "tried": self.tried,
            "cut_off": self.cut_off,
            "seconds": self.seconds,
        })
    }
}

/// The symbols that a long continuation is cut to.
const SHOWN_SYMBOLS: usize = 12;

/// A continuation on one line. Long ones end with the number of the other symbols.
fn abridged(continuation: &str) -> String {
    let symbols: Vec<&str> = continuation.split_whitespace().collect();
    match symbols.split_at_checked(SHOWN_SYMBOLS) {
        Some((start, rest)) if rest.len() > 1 => {
            format!("{} … and {}", shown(&start.join(" ")), count(rest.len(), "more symbol"))
        }
        _ => shown(continuation),
    }
}
