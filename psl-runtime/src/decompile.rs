//! From QKVL back to PSL: the program that compiles to it.
//!
//! Invariant: what is printed has no errors, is formatted, and compiles to the same layers, labels included; QKVL that no
//! program compiles to is refused.

mod conditions;
mod names;

use std::fmt::{self, Write as _};

use psl_syntax::Diagnostic;

use crate::compile::compile;
use crate::qkvl::{Block, CausalAttn, Function, Layer, Program, Repeat, Slots, Source, Term, Until};
use conditions::{Condition, conditions};
use names::Names;

/// Why no PSL program compiles to some QKVL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoPsl {
    /// Where: a layer by its number, from 1, or a part of the file.
    pub place: String,
    /// What PSL cannot say there.
    pub cause: String,
    /// What it could.
    pub help: String,
}

impl fmt::Display for NoPsl {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}; {}", self.place, self.cause, self.help)
    }
}

impl std::error::Error for NoPsl {}

type Said<T> = Result<T, NoPsl>;

fn no_psl<T>(place: impl Into<String>, cause: impl Into<String>, help: impl Into<String>) -> Said<T> {
    Err(NoPsl { place: place.into(), cause: cause.into(), help: help.into() })
}

/// The PSL text of a program.
///
/// Errors: the first thing that PSL has no words for.
pub fn decompile(program: &Program) -> Said<String> {
    let names = Names::new(program)?;
    let text = names.declarations(program)?;
    let mut printer = Printer { names, text, places: Vec::new(), causal_attn: None, layers: 0, repeats: 0 };
    printer.blocks(&program.weights, 0)?;
    let Printer { text, places, .. } = printer;
    let place = |offset: u32| {
        let before = places.iter().rfind(|(start, _)| *start <= offset as usize);
        before.map_or_else(|| "the names".to_owned(), |(_, place)| place.clone())
    };
    let checked = psl_syntax::check(&text);
    if let Some(Diagnostic { span, message, help, .. }) = checked.diagnostics.iter().find(|found| found.is_error()) {
        let help = help.clone().unwrap_or_else(|| "`psl explain` says why".to_owned());
        return no_psl(place(span.start), format!("PSL does not allow it: {message}"), help);
    }
    let compiled = compile(&checked.analysis.program).weights;
    if let Some(index) = compiled.iter().zip(&program.weights).position(|(ours, given)| ours != given) {
        let place = format!("weights[{index}]");
        return no_psl(place, "the nearest PSL compiles to other instructions", "change it to what PSL can say");
    }
    match psl_syntax::format(&text) {
        Ok(formatted) => Ok(formatted.text),
        Err(_) => Ok(text),
    }
}

struct Printer<'p> {
    names: Names<'p>,
    text: String,
    /// Where in the text each layer or block starts.
    places: Vec<(usize, String)>,
    /// What holds where the text ends.
    causal_attn: Option<CausalAttn>,
    layers: usize,
    repeats: usize,
}

impl Printer<'_> {
    fn blocks(&mut self, blocks: &[Block], depth: usize) -> Said<()> {
        blocks.iter().try_for_each(|block| match block {
            Block::Layer(layer) => self.layer(layer, depth),
            Block::Repeat(repeat) => self.repeat(repeat, depth),
        })
    }

    fn line(&mut self, depth: usize, line: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{:1$}{line}", "", 4 * depth);
    }

    /// Starts a statement: a blank line, then its label.
    fn start(&mut self, depth: usize, place: &str, label: Option<&str>) -> Said<()> {
        self.text.push('\n');
        self.places.push((self.text.len(), place.to_owned()));
        let Some(label) = label else { return Ok(()) };
        let is_comment = label.starts_with('#') || label.starts_with("//");
        if !is_comment || label.trim() != label || label.contains(['\r', '\n']) {
            let help = "write it as a comment: begin it with `#` or `//`, end it with its line";
            return no_psl(place, format!("no comment reads `{}`", label.escape_debug()), help);
        }
        self.line(depth, label);
        Ok(())
    }

    fn layer(&mut self, layer: &Layer, depth: usize) -> Said<()> {
        self.layers += 1;
        let place = format!("layer {}", self.layers);
        if layer.causal_attn != self.causal_attn {
            let Some(setting) = layer.causal_attn else {
                let cause = "`causal_attn` is null behind a layer that sets it";
                return no_psl(place, cause, "say \"false\", which means the same");
            };
            self.text.push('\n');
            self.line(depth, &format!("causal_attn: {}", setting.as_str()));
            self.causal_attn = layer.causal_attn;
        }
        self.start(depth, &place, layer.layer_comment.as_deref())?;
        let (conditions, binds_n) = self.conditions(&layer.weights.q, &layer.weights.k, &place)?;
        let keyword = if layer.right_match { "where_rm" } else { "where" };
        self.line(depth, &format!("{keyword} {conditions}:"));
        if layer.weights.v.is_empty() {
            return no_psl(place, "it sets no register", "give it an entry in v, or leave it out");
        }
        for (target, term) in &layer.weights.v {
            let target = self.names.register(&place, target)?;
            let value = self.term(&place, term, if binds_n { "n" } else { "N" })?;
            self.line(depth + 1, &format!("{target}[N] = {value}"));
        }
        Ok(())
    }

    fn repeat(&mut self, repeat: &Repeat, depth: usize) -> Said<()> {
        self.repeats += 1;
        let place = format!("repeat block {}", self.repeats);
        if depth >= Program::MAX_NESTING {
            let help = format!("they may nest {} deep", Program::MAX_NESTING);
            return no_psl(place, "repeat blocks nest too deep", help);
        }
        if repeat.weights.is_empty() {
            return no_psl(place, "there is no layer inside", "leave it out");
        }
        self.start(depth, &place, repeat.layer_comment.as_deref())?;
        self.line(depth, "repeat:");
        self.blocks(&repeat.weights, depth + 1)?;
        self.places.push((self.text.len(), place.clone()));
        let until = match &repeat.until {
            Until::NoChange {} => "NO_CHANGE".to_owned(),
            Until::Conditions { q, k } => self.conditions(q, k, &place)?.0,
        };
        self.line(depth, &format!("until {until}"));
        Ok(())
    }

    /// The conditions, and whether one mentions `n`.
    fn conditions(&self, q: &Slots, k: &Slots, place: &str) -> Said<(String, bool)> {
        let (conditions, binds_n) = conditions(q, k, self.names.position, place)?;
        let written = conditions.iter().map(|condition| self.condition(place, condition)).collect::<Said<Vec<_>>>()?;
        Ok((written.join(" and "), binds_n))
    }

    fn condition(&self, place: &str, condition: &Condition) -> Said<String> {
        let Condition { register, cell, right, right_cell } = condition;
        let list = |constants: &[String]| {
            if constants.is_empty() {
                return no_psl(place, format!("`{register}` is held against an empty list"), "list a constant");
            }
            let names = constants.iter().map(|constant| self.names.constant(place, constant));
            Ok(format!("[{}]", names.collect::<Said<Vec<_>>>()?.join(", ")))
        };
        let test = match right {
            Source::Is(term) => format!("== {}", self.term(place, term, right_cell)?),
            Source::Not(term) => format!("!= {}", self.term(place, term, right_cell)?),
            Source::In(constants) => format!("in {}", list(constants)?),
            Source::NotIn(constants) => format!("not in {}", list(constants)?),
        };
        Ok(format!("{}[{cell}] {test}", self.names.register(place, register)?))
    }

    fn term(&self, place: &str, term: &Term, cell: &str) -> Said<String> {
        Ok(match term {
            Term::Constant(value) => self.names.constant(place, value)?,
            Term::Register(short, function) => {
                let function = function.map(Function::as_str).map(|name| format!("@{name}")).unwrap_or_default();
                format!("{}[{cell}]{function}", self.names.register(place, short)?)
            }
        })
    }
}
