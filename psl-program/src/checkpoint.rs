//! A program as a GPT-2 that the field's engines load: the bounds that it is built for, and what its tests show of it.

use std::fmt;

use psl_runtime::{
    Continuation, MachineKind, Options, Stopped, Update,
    gpt2::{Bounds, Checkpoint, CheckpointFile, Completion, End, MAX_PARAMETERS, Precision, Refusal, Request, build},
    to_the_end,
};
use psl_syntax::{
    Span,
    causality::{Causality, causality},
    program::{DEFAULT_STOP, ProductionId, TestPrompt},
};

use crate::{
    runner::Runner,
    tested_checkpoint::{Exactness, NotTested, Tested},
    vocabulary_needs::VocabularyNeeds,
};

/// The bounds that a user chooses. Each has a default from the program's tests.
#[derive(Clone, Debug, Default)]
pub struct CheckpointOptions {
    /// The longest prompt, in symbols. By default that of the longest test, and at least 16.
    pub max_prompt: Option<usize>,
    /// The longest continuation, in symbols. By default more than the tests generate and at least the longest prompt,
    /// but never more than the program's.
    pub max_new: Option<usize>,
    /// The passes of each repeat block. By default more than the tests take.
    pub passes: Option<usize>,
    /// The symbol that ends a continuation. By default the program's, or `.`.
    pub stop: Option<String>,
    /// The number format.
    pub precision: Precision,
}

impl CheckpointOptions {
    fn has_bounds(&self) -> bool {
        [self.max_prompt, self.max_new, self.passes].iter().any(Option::is_some)
    }
}

/// A checkpoint.
pub struct BuiltCheckpoint {
    /// The files, without the model card: see [`with_card`](crate::with_card).
    pub files: Vec<CheckpointFile>,
    /// The checkpoint read from the files.
    pub made: Checkpoint,
    /// The bounds.
    pub bounds: Bounds,
    /// The prompts that it completes, and those that it does not.
    pub exactness: Exactness,
    /// The prompt of the first test within the bounds.
    pub example: Option<String>,
}

/// The reason why there is no checkpoint.
#[derive(Debug)]
pub enum CheckpointFailure {
    /// The program has no equal GPT-2. The span is that of the production that is the reason.
    Refused {
        /// The reason.
        refusal: Refusal,
        /// The production.
        span: Option<Span>,
    },
    /// The checkpoint differs from the program on a test.
    Differs {
        /// The prompt.
        prompt: String,
        /// The difference.
        difference: String,
        /// The number format.
        precision: Precision,
    },
    /// The files cannot be made.
    Failed(String),
}

impl CheckpointFailure {
    /// A way out, as an imperative.
    pub fn help(&self) -> Option<&'static str> {
        match self {
            Self::Refused { refusal, .. } => Some(refusal.help()),
            Self::Differs { precision: Precision::Float32, .. } | Self::Failed(_) => None,
            Self::Differs { .. } => Some("choose a smaller --max-prompt or --max-new, or --dtype float32"),
        }
    }
}

impl fmt::Display for CheckpointFailure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused { refusal, .. } => refusal.fmt(out),
            Self::Differs { prompt, difference, precision } => {
                let name = precision.name();
                write!(
                    out,
                    "in {name}, the checkpoint differs from the program on the prompt \"{prompt}\": {difference}"
                )
            }
            Self::Failed(reason) => out.write_str(reason),
        }
    }
}

impl std::error::Error for CheckpointFailure {}

/// The most parameters if no bound is chosen: 1 GB of float32.
const UNASKED_PARAMETERS: usize = 250_000_000;
/// The shortest longest prompt by default, in symbols.
const PROMPT: usize = 16;
/// The passes of a repeat block by default, if no test runs one.
const PASSES: usize = 8;

/// Builds the checkpoint of a program for plain prompts of the symbols in `needs`, and compares it with the program on
/// the tests.
///
/// # Errors
///
/// Fails if the program has no equal GPT-2, or if a test shows a difference.
pub fn checkpoint(
    runner: &Runner,
    needs: &VocabularyNeeds,
    options: &CheckpointOptions,
) -> Result<BuiltCheckpoint, CheckpointFailure> {
    let executable = runner.executable();
    let program = &executable.program;
    if let Some(reason) = executable.why_not_on(MachineKind::Psm) {
        return Err(CheckpointFailure::Failed(format!("what its layers read cannot be proved: {reason}")));
    }
    if executable.registers.roles.output.is_none() {
        let reason = "it generates nothing: give the register with the next symbol the role `output`";
        return Err(CheckpointFailure::Failed(reason.to_owned()));
    }
    let prompts: Vec<Vec<&str>> = program
        .tests
        .iter()
        .filter(|test| test.law.is_none())
        .filter_map(|test| match &test.prompt {
            TestPrompt::Plain(prompt) => Some(prompt.split_whitespace().collect()),
            TestPrompt::Json(_) => None,
        })
        .filter(|prompt: &Vec<&str>| !prompt.is_empty())
        .collect();
    let prompt = options.max_prompt.unwrap_or_else(|| needs.cells.max(PROMPT));
    let own = runner.options(&Options { max_new: options.max_new, stop: options.stop.clone(), ..Options::default() });
    let prompts: Vec<Vec<&str>> = prompts.into_iter().filter(|symbols| symbols.len() <= prompt).collect();
    let reach = Reach::new(runner, &prompts, &own);
    let new = options.max_new.unwrap_or_else(|| {
        let with_room = prompt.max(reach.new + reach.new / 4);
        own.max_new.map_or(with_room, |most| most.min(with_room))
    });
    let with_room = || if reach.passes == 0 { PASSES } else { reach.passes + reach.passes / 4 + 2 };
    let bounds = Bounds { prompt, new, passes: options.passes.unwrap_or_else(with_room) };
    let symbols: Vec<&str> = needs.values.iter().map(String::as_str).collect();
    let long = long_prompts(&symbols, prompt);
    let stop = own.stop.unwrap_or_else(|| DEFAULT_STOP.to_owned());
    let looks_ahead: Vec<bool> = causality(program).iter().map(|it| !matches!(it, Causality::Proved(_))).collect();
    let mut request = Request {
        program: executable.qkvl(),
        looks_ahead: &looks_ahead,
        symbols: &symbols,
        stop: &stop,
        bounds,
        precision: options.precision,
        digits: if options.precision == Precision::Float32 { Precision::Bfloat16 } else { options.precision },
        max_parameters: if options.has_bounds() { MAX_PARAMETERS } else { UNASKED_PARAMETERS },
    };
    let failed = |error: &dyn fmt::Display| CheckpointFailure::Failed(error.to_string());
    let compile = |request: &Request<'_>| {
        let files = build(request).map_err(|refusal| refused(refusal, runner))?;
        let made = Checkpoint::read(&files).map_err(|error| failed(&error))?;
        Ok::<_, CheckpointFailure>((files, made))
    };
    let not_tested = |failure| match failure {
        NotTested::Program(error) => failed(&error),
        NotTested::Differs { prompt, difference } => {
            CheckpointFailure::Differs { prompt, difference, precision: options.precision }
        }
    };
    let (mut files, mut made) = compile(&request)?;
    let tested = if options.precision == Precision::Float32 {
        let digits = digits(&made, &prompts, &long).map_err(not_tested)?;
        if digits != request.digits {
            request.digits = digits;
            (files, made) = compile(&request)?;
        }
        Tested::new(&made, &made, &prompts)
    } else {
        let (_, exact) = compile(&Request { precision: Precision::Float32, ..request })?;
        // Half precision can fail at places that no test reaches: in longer prompts, and in longer continuations.
        let all = [prompts.as_slice(), &long].concat();
        let longest = Tested::new(&made.clone().without_stop(), &exact.clone().without_stop(), &all);
        longest.and_then(|_| Tested::new(&made, &exact, &all))
    };
    let tested = tested.map_err(not_tested)?;
    let more_passes = || {
        let enough = Options { max_new: Some(1), max_passes: Some(bounds.passes + 1), ..Options::default() };
        let mut all = long.iter().cloned().chain(of_one_symbol(&symbols, prompt));
        all.any(|symbols| Reach::new(runner, &[symbols], &enough).passes > bounds.passes)
    };
    let binds = (made.meaning.repeats() && more_passes()).then_some(End::MorePasses);
    let exactness = Exactness { tested, digits: request.digits, binds };
    let example = prompts.first().map(|symbols| symbols.join(" "));
    Ok(BuiltCheckpoint { files, made, bounds, exactness, example })
}

/// The most places of a sequence in half precision: beyond, the scores of neighbors are equal in `float16`.
const HALF_PLACES: usize = 1024;

/// The format with the fewest digits in which a checkpoint is right, and in those with more.
fn digits(exact: &Checkpoint, prompts: &[Vec<&str>], long: &[Vec<&str>]) -> Result<Precision, NotTested> {
    let mut least = Precision::Float32;
    if exact.model.wpe.rows > HALF_PLACES {
        return Ok(least);
    }
    for precision in [Precision::Float16, Precision::Bfloat16] {
        let mut made = exact.clone();
        made.model = made.model.in_precision(precision);
        let tested = Tested::new(&made, exact, prompts);
        // Long continuations take time, and are as hard after one prompt as after another.
        match tested.and_then(|_| Tested::new(&made.without_stop(), &exact.clone().without_stop(), long)) {
            Ok(_) => least = precision,
            Err(NotTested::Differs { .. }) => break,
            Err(failure) => return Err(failure),
        }
    }
    Ok(least)
}

fn refused(refusal: Refusal, runner: &Runner) -> CheckpointFailure {
    let productions = runner.executable().program.productions();
    let production = refusal.layer.and_then(|layer| productions.find(ProductionId::of_number(layer)?).copied());
    let span = production.map(|production| production.span).filter(|_| runner.is_located());
    CheckpointFailure::Refused { refusal, span }
}

/// Two prompts of the greatest length: the symbols in turn, and mixed.
fn long_prompts<'s>(symbols: &[&'s str], length: usize) -> Vec<Vec<&'s str>> {
    let mixed = |place: usize| place * place + place / 3;
    let orders: [&dyn Fn(usize) -> usize; 2] = [&|place| place, &mixed];
    let prompt = |order: &dyn Fn(usize) -> usize| {
        (0..length).filter_map(|place| symbols.get(order(place) % symbols.len().max(1)).copied()).collect()
    };
    orders.into_iter().map(prompt).collect()
}

/// The most prompts of one symbol that are tried.
const ALIKE: usize = 8;

/// Prompts of the greatest length that repeat a symbol.
fn of_one_symbol<'s>(symbols: &[&'s str], length: usize) -> Vec<Vec<&'s str>> {
    symbols.iter().take(ALIKE).map(|symbol| vec![*symbol; length]).collect()
}

/// The largest runs of the tests.
#[derive(Default)]
struct Reach {
    /// The symbols generated.
    new: usize,
    /// The passes of a repeat block, 0 if there is none.
    passes: usize,
}

impl Reach {
    fn new(runner: &Runner, prompts: &[Vec<&str>], options: &Options) -> Self {
        let mut reach = Self::default();
        for symbols in prompts {
            let Ok(task) = runner.executable().task(symbols, options) else { continue };
            let passes = &mut reach.passes;
            let note = |update: &Update| *passes = (*passes).max(update.pass.iter().copied().max().unwrap_or_default());
            // A test that fails tells nothing of others.
            let Ok(run) = runner.executable().run(MachineKind::Dat, &task, Some(&mut to_the_end(note))) else {
                continue;
            };
            reach.new = reach.new.max(run.output.len());
        }
        reach
    }
}

/// The completion of a prompt by a checkpoint, as users see it.
///
/// # Errors
///
/// Fails if the prompt is beyond the bounds of the checkpoint.
pub fn complete_by(made: &Checkpoint, prompt: &str, max_new: Option<usize>) -> Result<Continuation, EndedEarly> {
    let symbols: Vec<&str> = prompt.split_whitespace().collect();
    let done = made.complete(&symbols, max_new.unwrap_or(made.meaning.max_new), |_| ());
    let done = done.ok_or(EndedEarly { symbols: Vec::new(), end: End::PromptTooLong })?;
    match done.end {
        Some(end) => Err(EndedEarly { symbols: done.output, end }),
        None => Ok(continuation(made, done)),
    }
}

/// A completion that has not ended early, as users see it.
pub fn continuation(made: &Checkpoint, done: Completion) -> Continuation {
    let is_stop = done.output.last() == Some(&made.meaning.stop);
    let stopped = if is_stop { Stopped::StopSymbol } else { Stopped::MaxNew };
    Continuation { symbols: done.output, stopped }
}

/// A continuation that a checkpoint ends before it is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndedEarly {
    /// The symbols before.
    pub symbols: Vec<String>,
    /// The reason.
    pub end: End,
}

impl fmt::Display for EndedEarly {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.end.meaning())
    }
}

impl std::error::Error for EndedEarly {}
