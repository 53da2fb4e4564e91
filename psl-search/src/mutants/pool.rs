//! Prompts on which changed programs may differ from the program: all short ones, the prompts of examples with other
//! symbols, and variations of these.

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    sync::{Arc, Mutex, PoisonError, atomic::AtomicUsize},
};

use psl_program::{Continuation, RunFailure, Runner};
use psl_runtime::{Executable, MachineKind, Options};
use psl_syntax::{
    domains::met_values,
    program::{DEFAULT_STOP, EOP, PARSING},
};

use super::{fate::ToldApart, variations::Variations};
use crate::{
    proof::{Shape, ShortPrompts, Wanted},
    reference_run::ReferenceRun,
    shrink::shrink,
    workers::{Uncounted, Workers, tests},
};

/// The number of short prompts that decides how long they are.
const SHORT: u64 = 4_000;
/// The number of prompts of examples with other symbols.
const RENAMED: u64 = 1_000;
/// The number of variations of the examples' prompts.
const VARIED: usize = 2_000;
/// The number of prompts that tell how often a program differs.
const SAMPLE: usize = 100;
/// The work of the program for one prompt, in comparisons.
const MAX_WORK: u64 = 400_000;
/// The work for all short prompts, and for all others, in comparisons.
const MAX_WORK_OF_ALL: u64 = 40_000_000;
/// The maximum number of symbols of the short prompts that are tried before those like the examples'.
const FIRST: usize = 2;
/// The prompts that run before the work is counted.
const AT_ONCE: usize = 256;

/// Prompts with what the program does for them.
pub struct Pool<'r> {
    runner: &'r Runner,
    /// The options for each kind of result that is compared: continuations, rows or both.
    options: Vec<Options>,
    /// Those like the examples'.
    like_examples: Vec<PoolPrompt>,
    /// The short ones, by the values that a symbol can be compared with.
    short: Mutex<HashMap<Met, Arc<Short>>>,
}

/// The values that a symbol can be compared with in a program or a change of it, and whether positions are among them.
type Met = (BTreeSet<String>, bool);

/// All prompts of at most this many symbols that stand for others.
struct Short {
    prompts: Vec<PoolPrompt>,
    up_to: usize,
}

struct PoolPrompt {
    symbols: Vec<String>,
    /// The index of its options.
    kind: usize,
    run: ReferenceRun,
    turn: Turn,
}

/// The prompts that are tried together: those that the program answers come first.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Turn {
    is_whole: bool,
    place: Place,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    VeryShort,
    LikeExamples,
    Short,
}

impl Turn {
    const ALL: [Self; 6] = {
        const fn turn(is_whole: bool, place: Place) -> Turn {
            Turn { is_whole, place }
        }
        [
            turn(true, Place::VeryShort),
            turn(true, Place::LikeExamples),
            turn(true, Place::Short),
            turn(false, Place::VeryShort),
            turn(false, Place::LikeExamples),
            turn(false, Place::Short),
        ]
    };
}

/// The result of comparing a changed program.
pub enum Told {
    /// A prompt for which it does something else.
    Apart(Box<ToldApart>),
    /// Equal for all prompts of at most this many symbols, perhaps without numbers.
    EqualUpTo { symbols: usize, without_numbers: bool },
}

impl<'r> Pool<'r> {
    /// Runs the program on prompts like those of examples, for continuations, for rows or for both.
    ///
    /// # Errors
    ///
    /// A program without a form in PSL.
    pub fn new(
        runner: &'r Runner,
        examples: &[Vec<String>],
        [continuations, rows]: [bool; 2],
        workers: &dyn Workers,
    ) -> Result<Self, RunFailure> {
        let own = runner.options(&Options::default());
        let wanted = [(false, continuations || !rows), (true, rows)].into_iter().filter(|(_, wanted)| *wanted);
        let mut options = wanted.map(|(row, _)| runner.expecting(row, own.clone())).collect::<Result<Vec<_>, _>>()?;
        // A program without the role `output` gives rows only.
        options.dedup();
        let wanted = Wanted {
            tests: examples.iter().map(|prompt| vec![prompt.clone()]).collect(),
            few: 0,
            few_per_test: RENAMED / examples.len().max(1) as u64,
            ..Wanted::default()
        };
        let all = ShortPrompts::new(&[runner.executable()], &own, &wanted)?;
        let renamed = all.shapes().iter().skip(all.short()).flat_map(symbols_of);
        let constants = runner.executable().program.constants.iter().map(|constant| constant.value.as_str());
        let values = constants.chain([PARSING, EOP, own.stop.as_deref().unwrap_or(DEFAULT_STOP)]);
        let is_symbol = |value: &&str| !value.is_empty() && !value.contains(char::is_whitespace);
        let values: Vec<String> = values.filter(is_symbol).map(str::to_owned).collect();
        let varied = Variations::new(examples, &values).take(VARIED);
        let mut known = HashSet::new();
        let candidates: Vec<_> = renamed.chain(varied).filter(|candidate| known.insert(candidate.clone())).collect();
        let mut pool = Self { runner, options, like_examples: Vec::new(), short: Mutex::default() };
        let mut work = 0;
        // One prompt after the other of each kind, if not all are tried.
        let step = candidates.len().div_ceil(AT_ONCE).max(1);
        let order = (0..step).flat_map(|start| candidates.iter().skip(start).step_by(step));
        let order = order.flat_map(|symbols| (0..pool.options.len()).map(move |kind| (symbols, kind)));
        let run = |(symbols, kind): &(&Vec<String>, usize)| pool.reference(symbols, *kind, Place::LikeExamples);
        let (uncounted, tried) = (Uncounted(workers), AtomicUsize::new(0));
        let found = tests(&uncounted, order, AT_ONCE, &tried, run).take_while(|part: &Vec<PoolPrompt>| {
            work += part.iter().map(|prompt| prompt.run.work()).sum::<u64>();
            work <= MAX_WORK_OF_ALL
        });
        pool.like_examples = found.flatten().collect();
        Ok(pool)
    }

    /// A short prompt for which a changed program does something else, or how far it does the same.
    ///
    /// # Errors
    ///
    /// A prompt that has too many cells.
    pub fn tell(&self, changed: &Executable) -> Result<Told, RunFailure> {
        let short = self.short(changed)?;
        let departs = |prompt: &&PoolPrompt| prompt.run.departure(changed).is_some();
        let all = || short.1.prompts.iter().chain(&self.like_examples);
        let in_turn = Turn::ALL.into_iter().flat_map(|turn| all().filter(move |prompt| prompt.turn == turn));
        // A run may take more work than is allowed here, and end in the same way.
        let apart = in_turn.filter(departs).find_map(|prompt| self.apart(prompt, changed));
        let (_, without_numbers) = short.0;
        Ok(apart.map_or(Told::EqualUpTo { symbols: short.1.up_to, without_numbers }, |it| Told::Apart(Box::new(it))))
    }

    fn apart(&self, found: &PoolPrompt, changed: &Executable) -> Option<ToldApart> {
        let is_whole = found.turn.is_whole;
        let mut keeps = |symbols: &[String]| {
            let shorter = self.reference(symbols, found.kind, Place::Short);
            shorter.is_some_and(|it| (it.turn.is_whole || !is_whole) && it.run.departure(changed).is_some())
        };
        let continuations = |symbols: &[String]| {
            let [expected, got] =
                [self.runner.executable(), changed].map(|it| self.continuation(it, symbols, found.kind));
            (expected != got).then_some((expected, got))
        };
        // A shorter prompt may only take more work.
        let shrunk = shrink(&found.symbols, &mut keeps);
        let mut candidates = [&shrunk, &found.symbols].into_iter();
        let (symbols, (expected, got)) = candidates.find_map(|it| Some((it, continuations(it)?)))?;
        let step = self.like_examples.len().div_ceil(SAMPLE).max(1);
        let sample: Vec<_> = self.like_examples.iter().step_by(step).collect();
        let differs_on = sample.iter().filter(|prompt| prompt.run.departure(changed).is_some()).count();
        let prompt = symbols.join(" ");
        Some(ToldApart { prompt, expected, got, is_whole, differs_on, compared_on: sample.len() })
    }

    /// The short prompts for a changed program, and whether they have no numbers.
    fn short(&self, changed: &Executable) -> Result<(Met, Arc<Short>), RunFailure> {
        let stop = self.options.first().and_then(|options| options.stop.as_deref()).unwrap_or(DEFAULT_STOP);
        let mut met = met_values(&self.runner.executable().program, stop);
        let of_changed = met_values(&changed.program, stop);
        met.values.extend(of_changed.values);
        met.positions |= of_changed.positions;
        let met = (met.values, met.positions);
        let known = || self.short.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known().get(&met).cloned();
        let short = if let Some(short) = found { short } else { Arc::new(self.new_short(changed)?) };
        let short = Arc::clone(known().entry(met.clone()).or_insert(short));
        Ok((met, short))
    }

    fn new_short(&self, changed: &Executable) -> Result<Short, RunFailure> {
        let wanted = Wanted { few: SHORT, ..Wanted::default() };
        let all = ShortPrompts::new(
            &[self.runner.executable(), changed],
            &self.runner.options(&Options::default()),
            &wanted,
        )?;
        let (mut short, mut work) = (Short { prompts: Vec::new(), up_to: 0 }, 0);
        for shape in all.shapes() {
            let before = short.prompts.len();
            let place = if shape.len() > FIRST { Place::Short } else { Place::VeryShort };
            let prompts = symbols_of(shape).flat_map(|it| (0..self.options.len()).map(move |kind| (it.clone(), kind)));
            for (symbols, kind) in prompts {
                let prompt = self.reference(&symbols, kind, place).filter(|_| work <= MAX_WORK_OF_ALL);
                let Some(prompt) = prompt else {
                    // The prompts of a length stand for all of it only together.
                    short.prompts.truncate(before);
                    return Ok(short);
                };
                work += prompt.run.work();
                short.prompts.push(prompt);
            }
            short.up_to = shape.len();
        }
        Ok(short)
    }

    fn reference(&self, symbols: &[String], kind: usize, place: Place) -> Option<PoolPrompt> {
        let words: Vec<&str> = symbols.iter().map(String::as_str).collect();
        let task = self.runner.executable().task(&words, self.options.get(kind)?).ok()?;
        let run = ReferenceRun::new(self.runner.executable(), task, MAX_WORK)?;
        let turn = Turn { is_whole: run.is_whole(), place };
        Some(PoolPrompt { symbols: symbols.to_vec(), kind, run, turn })
    }

    /// The continuation or row, or the message of a run that fails.
    fn continuation(&self, executable: &Executable, symbols: &[String], kind: usize) -> Result<Continuation, String> {
        let symbols: Vec<&str> = symbols.iter().map(String::as_str).collect();
        let options = self.options.get(kind).cloned().unwrap_or_default();
        let task = self.runner.executable().task(&symbols, &options).map_err(|error| error.to_string())?;
        let run = executable.run(MachineKind::Dat, &task, None);
        let run = run.map_err(|error| error.message(&executable.registers, &task.vocabulary))?;
        Ok(Continuation::new(&run, &task.vocabulary))
    }
}

fn symbols_of(shape: &Shape) -> impl Iterator<Item = Vec<String>> {
    shape.prompts().map(|prompt| prompt.into_iter().map(str::to_owned).collect())
}
