//! The verdicts of `psl prove`, as text and as JSON.

use std::io::{self, Write};

use indicatif::HumanCount;
use psl_program::{
    Continuation,
    laws::{LawVerdict, Refutation},
};
use psl_render::{Terminal, grid::Part, shown_json, shown_line};
use psl_search::{Counterexample, Proof};
use psl_syntax::program::TestPrompt;
use serde_json::{Value, json};

use crate::{
    commands::{
        comparison::{cut, paragraph},
        search::Format,
    },
    output::{
        color::Color,
        part_colors::painter,
        stdio::{Content, stdout_to_the_end},
        terminal,
    },
};

/// The prompts of a proof.
pub struct Scope {
    /// The maximum number of symbols.
    pub up_to: usize,
    /// The last of the numbers from 0 that no prompt has.
    pub without_numbers: Option<usize>,
}

impl Scope {
    /// `all prompts of at most 9 symbols`.
    fn of(&self, symbols: usize) -> String {
        let numbers = self.without_numbers.map_or_else(String::new, |last| format!(" without the numbers 0 to {last}"));
        let symbols = if symbols == 1 { "one symbol".to_owned() } else { format!("at most {symbols} symbols") };
        format!("all prompts of {symbols}{numbers}")
    }
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

    /// Adds the proof of a claim.
    pub fn proof(&mut self, claim: &str, scope: &Scope, proof: &Proof) -> io::Result<()> {
        let Proof { proved, prompts, counterexample } = proof;
        let count = HumanCount(*prompts as u64);
        let verdict = match counterexample {
            Some(_) => Verdict::Refuted,
            None if *proved == scope.up_to => Verdict::Proved,
            None => Verdict::CutOff,
        };
        let says = match (verdict, counterexample) {
            (Verdict::Refuted, Some(Counterexample { why, .. })) => why.clone(),
            (Verdict::Proved, _) if *prompts == 1 => format!("for {}, whatever it is", scope.of(*proved)),
            (Verdict::Proved, _) => {
                format!("for {}, whatever they are: {count} prompts stand for them", scope.of(*proved))
            }
            _ if *proved == 0 => "no length was finished".to_owned(),
            _ => format!("it holds for {}, whatever they are", scope.of(*proved)),
        };
        let rows = counterexample.iter().flat_map(|Counterexample { prompt, continuation, .. }| {
            let got = continuation.as_ref().ok().map(Continuation::shown);
            [("prompt", Some(prompt.clone())), ("got", got)]
        });
        let rows = rows.filter_map(|(name, text)| Some((name, text?))).collect();
        let json = json!({
            "claim": claim,
            "verdict": verdict.text(),
            "up_to": proved,
            "prompts": prompts,
            "without_numbers_to": scope.without_numbers,
            "counterexample": counterexample.as_ref().map(|it| json!({
                "prompt": it.prompt,
                "continuation": it.continuation.as_ref().ok().map(Continuation::text),
                "why": it.why,
            })),
        });
        self.verdict(verdict, &self.file.clone(), claim, &says, rows, json)
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
                (Verdict::Refuted, format!("it is broken for {symbols}"), rows.into_iter().chain(breaks).collect())
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
                _ => writeln!(self.out, "{}", cut(name, &text, self.terminal))?,
            }
        }
        self.out.flush()
    }
}
