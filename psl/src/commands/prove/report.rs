//! The verdicts of `psl prove`, as text and as JSON.

use std::io::{self, Write};

use indicatif::HumanCount;
use psl_ide::{Expected, test_line};
use psl_program::{
    Continuation,
    laws::{LawVerdict, Refutation},
};
use psl_render::{Terminal, grid::Part, shown_json, shown_line};
use psl_runtime::Stopped;
use psl_search::{Counterexample, Proof, ShortPrompts};
use psl_syntax::program::TestPrompt;
use serde_json::{Value, json};

use crate::{
    commands::{
        comparison::{cut, paragraph},
        search::Format,
    },
    input::program_file::ProgramFile,
    output::{
        color::Color,
        part_colors::painter,
        stdio::{Content, stdout_to_the_end},
        terminal,
    },
};

/// A statement about prompts.
pub enum Said<'s> {
    /// The claim with this name.
    Claim(&'s str),
    /// Another program does the same.
    Against {
        other: &'s str,
        /// Whether states count, too.
        states: bool,
    },
}

impl Said<'_> {
    /// The name of the statement in a report.
    pub fn text(&self) -> String {
        match self {
            Self::Claim(name) => (*name).to_owned(),
            Self::Against { other, states: false } => format!("same continuations as {other}"),
            Self::Against { other, states: true } => format!("same continuations and states as {other}"),
        }
    }
}

/// The row with a line to paste.
const TEST: &str = "test";

/// The prompts of a proof.
pub struct Scope<'p> {
    /// The patterns, if there are any.
    pub like: &'p [String],
    /// Whether variables of the patterns stand for any symbols.
    pub any: bool,
    pub prompts: &'p ShortPrompts,
}

impl Scope<'_> {
    /// The sentence of a proof for so many shapes: `for all prompts of at most 9 symbols, whatever they are`.
    fn of(&self, proved: usize) -> String {
        let short = self.short(proved.min(self.prompts.short()));
        match self.prompts.tests_in_words(proved) {
            Some(tests) => format!("{short}, and for {tests}"),
            None => short,
        }
    }

    fn short(&self, proved: usize) -> String {
        if self.like.is_empty() {
            return format!("for {}, whatever they are", self.prompts.short_in_words(proved));
        }
        let numbers = self.prompts.numbers_in_words(self.prompts.short());
        let like: Vec<String> = self.like.iter().map(|pattern| format!("`{pattern}`")).collect();
        let symbols =
            if self.any { "whatever the symbols" } else { "with different symbols that the program does not compare" };
        format!("for all prompts like {}{numbers}, {symbols}", like.join(" or "))
    }
}

/// The result of a proof, in words.
pub fn in_words(source: &ProgramFile, scope: &Scope<'_>, proof: &Proof) -> String {
    let Proof { proved, prompts, counterexample } = proof;
    let (count, shapes) = (HumanCount(*prompts as u64), scope.prompts.shapes().len());
    match counterexample {
        Some(Counterexample { why, explanation, .. }) => explanation
            .as_ref()
            .map_or_else(|| why.clone(), |it| it.in_words(source.file.program(), |span| Some(source.line(span.start)))),
        None if *proved == shapes && *prompts == 1 => format!("{}: one prompt stands for them", scope.of(*proved)),
        None if *proved == shapes => format!("{}: {count} prompts stand for them", scope.of(*proved)),
        None if *proved == 0 => "no length was finished".to_owned(),
        None if scope.like.is_empty() => format!("it holds {}", scope.of(*proved)),
        None => format!("it holds for the {proved} shortest of {shapes} combinations of lengths"),
    }
}

/// The lines about a prompt that refutes a statement, by name.
pub fn rows(source: &ProgramFile, counterexample: &Counterexample) -> Vec<(&'static str, String)> {
    let Counterexample { prompt, continuation, expected, .. } = counterexample;
    let expected = expected.as_ref().and_then(|it| it.as_ref().ok());
    // A test has the program's own maximum length.
    let max_new = source.file.program().max_new;
    let is_test = |it: &&Continuation| it.stopped != Stopped::MaxNew || max_new == Some(it.symbols.len());
    let line = |it: &Continuation| test_line(Expected { prompt, gold: &it.text(), row: it.is_row() });
    let test = expected.filter(is_test).map(line);
    let got = continuation.as_ref().ok().map(Continuation::shown);
    let rows =
        [("prompt", Some(prompt.clone())), ("expected", expected.map(Continuation::shown)), ("got", got), (TEST, test)];
    rows.into_iter().filter_map(|(name, text)| Some((name, text?))).collect()
}

/// A prompt that refutes a statement, as JSON.
pub fn json_of(counterexample: &Counterexample) -> Value {
    json!({
        "prompt": counterexample.prompt,
        "continuation": counterexample.continuation.as_ref().ok().map(Continuation::text),
        "expected": counterexample.expected.as_ref().and_then(|it| it.as_ref().ok()).map(Continuation::text),
        "why": counterexample.why,
    })
}

/// The row as a line. A line to copy stays whole.
pub fn row(name: &str, text: &str, terminal: Terminal) -> String {
    if name == TEST { shown_line(text) } else { cut(name, text, terminal) }
}

/// Prints each verdict when it is there.
pub struct Report {
    file: String,
    format: Format,
    out: Box<dyn Write>,
    terminal: Terminal,
    /// Whether everything that was asked holds.
    pub holds: bool,
}

/// The state of a claim.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Proved,
    Refuted,
    CutOff,
}

impl Verdict {
    const fn text(self) -> &'static str {
        match self {
            Self::Proved => "proved",
            Self::Refuted => "refuted",
            Self::CutOff => "cut off",
        }
    }
}

impl Report {
    /// The report about the program in this file.
    pub fn new(file: String, format: Format, color: Color) -> Self {
        let content = if format == Format::Human { Content::People } else { Content::Data };
        Self { file, format, out: stdout_to_the_end(content), terminal: terminal::stdout(color), holds: true }
    }

    /// Adds the proof of a statement about the prompts of a program.
    pub fn proof(&mut self, source: &ProgramFile, said: &Said<'_>, scope: &Scope<'_>, proof: &Proof) -> io::Result<()> {
        let Proof { proved, prompts, counterexample } = proof;
        let verdict = match counterexample {
            Some(_) => Verdict::Refuted,
            None if *proved == scope.prompts.shapes().len() => Verdict::Proved,
            None => Verdict::CutOff,
        };
        let says = in_words(source, scope, proof);
        let rows = counterexample.as_ref().map(|it| rows(source, it)).unwrap_or_default();
        let mut json = json!({
            "claim": match said { Said::Claim(name) => name, Said::Against { .. } => "against" },
            "verdict": verdict.text(),
            "up_to": scope.like.is_empty().then_some((*proved).min(scope.prompts.short())),
            "like": scope.like,
            "any": scope.any,
            "prompts": prompts,
            "without_numbers_to": scope.prompts.without_numbers(),
            "counterexample": counterexample.as_ref().map(json_of),
        });
        if let (Said::Against { other, states }, Some(fields)) = (said, json.as_object_mut()) {
            fields.insert("other".to_owned(), (*other).into());
            fields.insert("states".to_owned(), (*states).into());
            fields.insert("tests".to_owned(), scope.prompts.tests_in_words(*proved).into());
        }
        self.verdict(verdict, &self.file.clone(), &said.text(), &says, rows, json)
    }

    /// Adds the verdict on a law in this 1-based line.
    pub fn law(&mut self, name: &str, line: usize, law: &LawVerdict) -> io::Result<()> {
        let TestPrompt::Plain(prompt) = &law.case.prompt else { return Ok(()) };
        let (verdict, says, rows) = match (&law.holds, &law.refutation) {
            (Some(holds), _) => (Verdict::Proved, holds.clone(), Vec::new()),
            (None, refutation) => {
                let symbols = refutation.as_ref().map_or_else(String::new, Refutation::symbols_in_words);
                let breaks = refutation.as_ref().filter(|it| !it.equalities.is_empty());
                let breaks = breaks.map(|it| ("breaks", format!("if {}", it.equalities.join("; if "))));
                let rows = [("prompt", prompt.clone()), ("expected", law.case.gold.clone())];
                let test = (TEST, test_line(Expected { prompt, gold: &law.case.gold, row: law.case.row }));
                let rows = rows.into_iter().chain(breaks).chain([test]).collect();
                (Verdict::Refuted, format!("it is broken for {symbols}"), rows)
            }
        };
        let counterexample = law
            .refutation
            .as_ref()
            .map(|it| json!({"prompt": prompt, "gold": law.case.gold, "breaks_if": it.equalities}));
        let json = json!({
            "claim": "laws", "law": name, "line": line, "verdict": verdict.text(), "prompts": law.runs,
            "holds": law.holds, "counterexample": counterexample,
        });
        self.verdict(verdict, &format!("{}:{line}", self.file), name, &says, rows, json)
    }

    /// Adds a law that was cut off.
    pub fn cut_off_law(&mut self, name: &str, line: usize) -> io::Result<()> {
        let json = json!({"claim": "laws", "law": name, "line": line, "verdict": Verdict::CutOff.text()});
        self.verdict(Verdict::CutOff, &format!("{}:{line}", self.file), name, "it is not decided", Vec::new(), json)
    }

    fn verdict(
        &mut self,
        verdict: Verdict,
        place: &str,
        name: &str,
        says: &str,
        rows: Vec<(&str, String)>,
        mut json: Value,
    ) -> io::Result<()> {
        self.holds &= verdict == Verdict::Proved;
        if self.format == Format::Json {
            if let Some(fields) = json.as_object_mut() {
                fields.insert("file".to_owned(), self.file.as_str().into());
            }
            return writeln!(self.out, "{}", shown_json(&json.to_string()));
        }
        let part = if verdict == Verdict::Proved { Part::Passed } else { Part::Wrong };
        let mark = painter(self.terminal)(part, verdict.text());
        writeln!(self.out, "{mark} {}", shown_line(&format!("{place}: {name}: {says}")))?;
        for (name, text) in rows {
            match name {
                "breaks" => {
                    for line in paragraph(name, &text, self.terminal) {
                        writeln!(self.out, "{line}")?;
                    }
                }
                _ => writeln!(self.out, "{}", row(name, &text, self.terminal))?,
            }
        }
        self.out.flush()
    }
}
