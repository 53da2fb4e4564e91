//! The program: its text in colors, its diagnostics, its layers and its tests.

use psl_ide::semantic_tokens;
use psl_program::{File, diagnostics};
use psl_runtime::{
    compile_production,
    qkvl::{Slots, Source},
};
use psl_syntax::{
    LineIndex, Span,
    program::{Production, Program as Psl, Repeat, Select, Statement, TestCase, TestPrompt, productions},
    roles::ANSWER,
};
use serde::Serialize;

use super::term::Operator;
use crate::positions::{LineSpan, unit};

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Program {
    tokens: Vec<Token>,
    diagnostics: Vec<Diagnostic>,
    /// The first error, or null if the program compiles. With an error, the lists below are empty.
    error: Option<String>,
    layers: Vec<Layer>,
    blocks: Vec<RepeatBlock>,
    registers: Vec<Register>,
    tests: Vec<TestLine>,
    /// Whether the module has a debugger.
    debugger: bool,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct Token {
    start: u32,
    end: u32,
    #[serde(rename = "type")]
    kind: &'static str,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct Diagnostic {
    #[serde(flatten)]
    span: LineSpan,
    #[cfg_attr(test, ts(as = "crate::protocol_names::Severity"))]
    severity: &'static str,
    code: &'static str,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    help: Option<String>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct Register {
    long: String,
    short: String,
    /// Those of the machine, and `answer` for the register of rows.
    roles: Vec<&'static str>,
    watched: bool,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct Slot {
    name: String,
    /// Null if the slot is the value of its only term.
    operator: Option<Operator>,
    /// Registers by their short names, and constants by their values.
    terms: Vec<String>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
struct Layer {
    /// 1-based.
    number: usize,
    /// The comment above the production, without its mark.
    label: Option<String>,
    /// The whole production.
    span: LineSpan,
    /// From `where` to the colon.
    head: LineSpan,
    /// The numbers of the enclosing repeat blocks, outermost first.
    blocks: Vec<usize>,
    #[cfg_attr(test, ts(as = "Option<crate::protocol_names::CausalAttn>"))]
    causal: Option<&'static str>,
    /// Whether the rightmost match wins.
    rightmost: bool,
    /// Whether a condition mentions `n`.
    binds_n: bool,
    q: Vec<Slot>,
    k: Vec<Slot>,
    v: Vec<Slot>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct RepeatBlock {
    number: usize,
    label: Option<String>,
    span: LineSpan,
    /// The first layer.
    first: usize,
    /// The last layer.
    last: usize,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct TestLine {
    name: Option<String>,
    /// The symbols of the prompt, or null if it is in a file.
    prompt: Option<String>,
    file: Option<String>,
    gold: String,
    line: usize,
}

pub fn program(file: &File) -> Program {
    let (whole, lines) = (Span::from(0..file.text().len()), file.line_index());
    let token = |token: psl_ide::Token| Token {
        start: unit(lines, token.span.start),
        end: unit(lines, token.span.end),
        kind: token.kind.name(),
    };
    let tokens = semantic_tokens(file, whole).into_iter().map(token).collect();
    let diagnostic = |found: psl_syntax::Diagnostic| Diagnostic {
        span: LineSpan::new(lines, found.span),
        severity: found.severity.as_str(),
        code: found.code.as_str(),
        message: found.message,
        help: found.help,
    };
    let diagnostics = diagnostics(file, None).into_iter().map(diagnostic).collect();
    let (layers, blocks, registers, tests, error) = match file.runner() {
        Err(error) => (Vec::new(), Vec::new(), Vec::new(), Vec::new(), Some(error.to_string())),
        Ok(runner) => {
            let program = &runner.executable().program;
            let mut parts = Parts { program, lines, layers: Vec::new(), blocks: Vec::new() };
            parts.statements(&program.statements, &[]);
            let Parts { layers, blocks, .. } = parts;
            let tests = program.tests.iter().map(|test| test_line(test, lines)).collect();
            (layers, blocks, registers(program), tests, None)
        }
    };
    let debugger = cfg!(feature = "debugger");
    Program { tokens, diagnostics, error, layers, blocks, registers, tests, debugger }
}

fn registers(program: &Psl) -> Vec<Register> {
    let roles = || program.roles.iter().chain([(ANSWER, program.answer)]);
    let register = |(index, register): (usize, &psl_syntax::program::Register)| {
        let has = |id: psl_syntax::program::RegisterId| id.0 as usize == index;
        Register {
            long: register.name.clone(),
            short: register.short.clone(),
            roles: roles().filter_map(|(role, of)| of.is_some_and(has).then_some(role)).collect(),
            watched: program.watch.iter().copied().any(has),
        }
    };
    program.registers.iter().enumerate().map(register).collect()
}

fn test_line(test: &TestCase, lines: &LineIndex) -> TestLine {
    let (prompt, file) = match &test.prompt {
        TestPrompt::Plain(symbols) => (Some(symbols.clone()), None),
        TestPrompt::Json(file) => (None, Some(file.clone())),
    };
    TestLine { name: test.name.clone(), prompt, file, gold: test.gold.clone(), line: lines.line(test.span.start) + 1 }
}

/// The layers and blocks of a program, in program order.
struct Parts<'p> {
    program: &'p Psl,
    lines: &'p LineIndex,
    layers: Vec<Layer>,
    blocks: Vec<RepeatBlock>,
}

impl Parts<'_> {
    fn statements(&mut self, statements: &[Statement], enclosing: &[usize]) {
        for statement in statements {
            match statement {
                Statement::Production(production) => self.layer(production, enclosing),
                Statement::Repeat(repeat) => self.block(repeat, enclosing),
            }
        }
    }

    fn layer(&mut self, production: &Production, enclosing: &[usize]) {
        let weights = compile_production(self.program, production).weights;
        self.layers.push(Layer {
            number: self.layers.len() + 1,
            label: label(production.label.as_deref()),
            span: LineSpan::new(self.lines, production.span),
            head: LineSpan::new(self.lines, production.head),
            blocks: enclosing.to_vec(),
            causal: production.causal_attn.map(psl_syntax::program::CausalAttn::as_str),
            rightmost: production.select == Select::Rightmost,
            binds_n: production.binds_n(),
            q: slots(&weights.q),
            k: slots(&weights.k),
            v: weights.v.iter().map(|(name, term)| slot(name, None, &[term])).collect(),
        });
    }

    fn block(&mut self, repeat: &Repeat, enclosing: &[usize]) {
        let number = self.blocks.len() + 1;
        let first = self.layers.len() + 1;
        self.blocks.push(RepeatBlock {
            number,
            label: label(repeat.label.as_deref()),
            span: LineSpan::new(self.lines, repeat.span),
            first,
            last: self.layers.len() + productions(&repeat.body).len(),
        });
        self.statements(&repeat.body, &[enclosing, &[number]].concat());
    }
}

fn slots(slots: &Slots) -> Vec<Slot> {
    let of_source = |(name, source): (&String, &Source)| match source {
        Source::Is(term) => slot(name, None, &[term]),
        Source::Not(term) => slot(name, Some(Operator::IsNot), &[term]),
        Source::In(list) => slot(name, Some(Operator::In), list),
        Source::NotIn(list) => slot(name, Some(Operator::NotIn), list),
    };
    slots.iter().map(of_source).collect()
}

fn slot(name: &str, operator: Option<Operator>, terms: &[impl ToString]) -> Slot {
    Slot { name: name.to_owned(), operator, terms: terms.iter().map(ToString::to_string).collect() }
}

/// A label without its comment mark.
fn label(comment: Option<&str>) -> Option<String> {
    comment.map(|comment| comment.trim_start_matches(['#', '/']).trim().to_owned())
}
