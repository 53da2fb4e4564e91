//! The verdicts of `psl prove`, as text and as JSON.

use std::io::{self, Write};

use indicatif::HumanCount;
use psl_program::{
    Continuation,
    laws::{LawVerdict, Refutation},
};
use psl_render::{Terminal, grid::Part, shown_json, shown_line};
use psl_search::{Counterexample, Proof, ShortPrompts};
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
        let last = self.prompts.without_numbers;
        let numbers = last.map_or_else(String::new, |last| format!(" without the numbers 0 to {last}"));
        if self.like.is_empty() {
            let most = if proved == 1 { "one symbol".to_owned() } else { format!("at most {proved} symbols") };
            return format!("for all prompts of {most}{numbers}, whatever they are");
        }
        let like: Vec<String> = self.like.iter().map(|pattern| format!("`{pattern}`")).collect();
        let symbols =
            if self.any { "whatever the symbols" } else { "with different symbols that the program does not compare" };
        format!("for all prompts like {}{numbers}, {symbols}", like.join(" or "))
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
    pub fn proof(&mut self, claim: &str, scope: &Scope<'_>, proof: &Proof) -> io::Result<()> {
        let Proof { proved, prompts, counterexample } = proof;
        let (count, shapes) = (HumanCount(*prompts as u64), scope.prompts.shapes().len());
        let verdict = match counterexample {
            Some(_) => Verdict::Refuted,
            None if *proved == shapes => Verdict::Proved,
            None => Verdict::CutOff,
        };
        let says = match (verdict, counterexample) {
            (_, Some(Counterexample { why, .. })) => why.clone(),
            (Verdict::Proved, None) if *prompts == 1 => format!("{}: one prompt stands for them", scope.of(*proved)),
            (Verdict::Proved, None) => format!("{}: {count} prompts stand for them", scope.of(*proved)),
            _ if *proved == 0 => "no length was finished".to_owned(),
            _ if scope.like.is_empty() => format!("it holds {}", scope.of(*proved)),
            _ => format!("it holds for the {proved} shortest of {shapes} combinations of lengths"),
        };
        let rows = counterexample.iter().flat_map(|Counterexample { prompt, continuation, .. }| {
            let got = continuation.as_ref().ok().map(Continuation::shown);
            [("prompt", Some(prompt.clone())), ("got", got)]
        });
        let rows = rows.filter_map(|(name, text)| Some((name, text?))).collect();
        let json = json!({
            "claim": claim,
            "verdict": verdict.text(),
            "up_to": scope.like.is_empty().then_some(proved),
            "like": scope.like,
            "any": scope.any,
            "prompts": prompts,
            "without_numbers_to": scope.prompts.without_numbers,
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
