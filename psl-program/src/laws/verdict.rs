//! A law of a program: whether it holds, and for which symbols.

use std::slice;

use psl_runtime::{FailureCause, MachineKind, Options, RunError, RunFailure, Task};
use psl_syntax::{
    Program,
    domains::{MetValues, met_values},
    law::{Law, Variable},
    program::{DEFAULT_STOP, TestCase, TestPrompt},
};

use super::search::{Equality, Found, Refuted, Shown, Trial, search};
use crate::{counting::count, prompt::Prompt, runner::Runner};

/// The result of a law.
#[derive(Clone, Debug, PartialEq)]
pub struct LawVerdict {
    /// The number of runs.
    pub runs: usize,
    /// A prompt with its expected continuation: the first that breaks the law, else the shortest.
    pub case: TestCase,
    /// The sentence of what was proved: `holds for all symbols`. `None` if the law is broken.
    pub holds: Option<String>,
    /// The symbols that break the law, if any do.
    pub refutation: Option<Refutation>,
}

/// Symbols that break a law.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refutation {
    /// The variables and their symbols, separated by spaces.
    pub symbols: Vec<(String, String)>,
    /// The numbers of symbols of the variables.
    pub lengths: Vec<usize>,
    /// The single equalities that break the law, in words, those of a variable together, then those that break it
    /// together while none does alone. Empty if it is broken for different symbols, too, or holds for all with one
    /// equality.
    pub equalities: Vec<String>,
}

impl Refutation {
    /// The symbols of the variables: `` `$a` = `a`, `$b` = `b1 b2` ``.
    pub fn symbols_in_words(&self) -> String {
        let one = |(variable, symbols): &(String, String)| format!("`${variable}` = `{symbols}`");
        self.symbols.iter().map(one).collect::<Vec<_>>().join(", ")
    }
}

/// The result of deciding a test.
#[derive(Clone, Debug, PartialEq)]
pub enum Decided {
    /// A test, whose prompt is what has to run.
    Test,
    /// A law.
    Law(Box<LawVerdict>),
    /// A law that took too much work, or was cancelled.
    No,
}

/// The most work for a law that nobody waits for, in comparisons: well under a second. `psl test` has no such limit.
pub const MAX_LAW_WORK: u64 = 10_000_000;

/// The greatest number of symbols that a sentence lists.
const LISTED: usize = 6;

impl Runner {
    /// Decides a test that is a law by running its prompts on a machine. It gives up after `max_work` on the DAT, in
    /// comparisons as [`Limits::max_work`](psl_runtime::Limits::max_work) counts them, or if `cancelled` returns true.
    ///
    /// # Errors
    ///
    /// Fails if the program has no form in PSL, if loaded weights have too few symbols, and if a run is cancelled.
    pub fn decide(
        &self,
        test: &TestCase,
        machine: MachineKind,
        cancelled: &dyn Fn() -> bool,
        max_work: u64,
    ) -> Result<Decided, RunFailure> {
        let Some(law) = &test.law else { return Ok(Decided::Test) };
        let symbols = self.law_symbols(law)?;
        let options = self.law_options(law)?;
        let mut runs = LawRuns { runner: self, options, machine, cancelled, max_work, work: 0 };
        match symbols.search(|trial| runs.holds(trial)) {
            Ok(found) => Ok(Decided::Law(Box::new(symbols.verdict(test, found)?))),
            Err(RunFailure { cause: FailureCause::Run(RunError::Ended), .. }) => Ok(Decided::No),
            Err(failure) => Err(failure),
        }
    }

    /// Whether a law is broken, by the first prompt that breaks it, and the work on the DAT, as in [`Runner::decide`].
    /// `None` if it took too much work or was cancelled.
    ///
    /// # Errors
    ///
    /// The failures of [`Runner::decide`].
    pub fn breaks(
        &self,
        law: &Law,
        cancelled: &dyn Fn() -> bool,
        max_work: u64,
    ) -> Result<(Option<bool>, u64), RunFailure> {
        let symbols = self.law_symbols(law)?;
        let (options, machine) = (self.law_options(law)?, MachineKind::Dat);
        let mut runs = LawRuns { runner: self, options, machine, cancelled, max_work, work: 0 };
        let mut is_broken = false;
        let found = symbols.search(|trial| {
            is_broken = !runs.holds(trial)?;
            if is_broken { Err(stopped()) } else { Ok(true) }
        });
        let broken = match found {
            Ok(_) => Some(false),
            Err(_) if is_broken => Some(true),
            Err(RunFailure { cause: FailureCause::Run(RunError::Ended), .. }) => None,
            Err(failure) => return Err(failure),
        };
        Ok((broken, runs.work))
    }

    fn law_symbols<'r>(&'r self, law: &'r Law) -> Result<Symbols<'r>, RunFailure> {
        let executable = self.executable();
        if let Some(reason) = executable.why_not_on(MachineKind::Psm) {
            return Err(RunFailure::refused(format!("a law needs a program with a form in PSL: {reason}")));
        }
        let options = self.law_options(law)?;
        let met = met_values(&executable.program, options.stop.as_deref().unwrap_or(DEFAULT_STOP));
        Symbols::new(self, law, &options, met)
    }

    fn law_options(&self, law: &Law) -> Result<Options, RunFailure> {
        self.expecting(law.row, self.options(&Options::default()))
    }

    /// The prompts of a law with different symbols that the program cannot meet: one for each combination of lengths,
    /// the shortest first, up to `most` of them.
    ///
    /// # Errors
    ///
    /// Fails if loaded weights have too few symbols.
    pub fn law_prompts(&self, law: &Law, most: usize) -> Result<Vec<String>, RunFailure> {
        let options = self.law_options(law)?;
        let met = met_values(&self.executable().program, options.stop.as_deref().unwrap_or(DEFAULT_STOP));
        let symbols = Symbols::new(self, law, &options, met)?;
        let prompt = |lengths: Vec<usize>| Ok(law.prompt_of(&symbols.names(&lengths)?).join(" "));
        law.lengths().into_iter().take(most).map(prompt).collect()
    }

    /// The prompt to open for a test that is a law, with its expected continuation: the first that breaks it, else the
    /// shortest. `None` for another prompt, and if the law cannot be decided with this work.
    pub fn law_case(&self, prompt: &Prompt, max_work: u64) -> Option<TestCase> {
        let (_, test) = prompt.test(&self.executable().program).ok()??;
        match self.decide(test, MachineKind::Dat, &|| false, max_work) {
            Ok(Decided::Law(law)) => Some(law.case),
            Ok(Decided::Test | Decided::No) | Err(_) => None,
        }
    }
}

/// The failure of a search that is given up.
fn stopped() -> RunFailure {
    RunFailure { message: String::new(), cause: FailureCause::Run(RunError::Ended) }
}

/// The runs of a law's prompts.
struct LawRuns<'r> {
    runner: &'r Runner,
    options: Options,
    machine: MachineKind,
    cancelled: &'r dyn Fn() -> bool,
    max_work: u64,
    /// The work of the runs on the DAT.
    work: u64,
}

impl LawRuns<'_> {
    /// Whether the law holds for a prompt.
    fn holds(&mut self, trial: &Trial<'_>) -> Result<bool, RunFailure> {
        if (self.cancelled)() || self.work > self.max_work {
            return Err(stopped());
        }
        let mut task = self.runner.executable().task(&trial.prompt, &self.options)?;
        let (own, left) = (task.limits.max_work, self.max_work.saturating_sub(self.work));
        task.limits.max_work = own.min(left);
        match self.continues(&task, trial) {
            Ok((right, spent)) => {
                self.work += spent;
                Ok(right)
            }
            Err(RunError::TooMuchWork { .. }) if left < own => Err(stopped()),
            // Such a run has no continuation.
            Err(_) => Ok(false),
        }
    }

    /// Whether a run has the expected continuation or row, and its work on the DAT.
    fn continues(&self, task: &Task, trial: &Trial<'_>) -> Result<(bool, u64), RunError> {
        let executable = self.runner.executable();
        let is = |value: Option<_>, expected: Option<&str>| value.and_then(|it| task.vocabulary.text(it)) == expected;
        let mut expected = trial.gold.iter();
        let mut right = true;
        let generated = (self.machine == MachineKind::Dat).then(|| {
            executable.generate(task, |value| {
                right = expected.next().is_some_and(|expected| is(value, *expected));
                right
            })
        });
        if let Some(work) = generated.flatten() {
            return Ok((right && expected.next().is_none(), work?));
        }
        let run = executable.run(self.machine, task, None)?;
        let values = run.output.iter().zip(trial.gold.iter().copied());
        let right = run.output.len() == trial.gold.len() && values.into_iter().all(|(value, gold)| is(*value, gold));
        Ok((right, 0))
    }
}

/// The symbols that a law can be tried with.
struct Symbols<'r> {
    program: &'r Program,
    law: &'r Law,
    met: MetValues,
    last_position: usize,
    /// The values of loaded weights that are neither met nor in the law. `None` for a program, which takes any.
    known_free: Option<Vec<String>>,
    /// Whether loaded weights have a value.
    has: Box<dyn Fn(&str) -> bool + 'r>,
}

impl<'r> Symbols<'r> {
    fn new(runner: &'r Runner, law: &'r Law, options: &Options, met: MetValues) -> Result<Self, RunFailure> {
        let executable = runner.executable();
        let longest: Vec<usize> = law.variables.iter().map(|variable| variable.longest).collect();
        let last_position = if let Some(last) = executable.last_position() {
            last
        } else {
            let names = law.names(&longest, |_| true);
            let task = executable.task(&law.prompt_of(&names), options)?;
            task.vocabulary.positions().len().saturating_sub(1)
        };
        let mut symbols = Self {
            program: &executable.program,
            law,
            met,
            last_position,
            known_free: None,
            has: Box::new(|it| executable.unknown(&[it]).is_empty()),
        };
        if let Some(model) = executable.model() {
            let values = model.vocabulary.iter().filter(|value| is_symbol(value) && symbols.is_free(value));
            symbols.known_free = Some(values.map(str::to_owned).collect());
        }
        Ok(symbols)
    }

    /// Tries the law with symbols that stand for all that it is about.
    fn search(&self, holds: impl FnMut(&Trial<'_>) -> Result<bool, RunFailure>) -> Result<Found, RunFailure> {
        let symbols = self.of_prompts();
        let met: Vec<&str> = symbols.iter().map(String::as_str).collect();
        search(self.law, &met, |lengths| self.names(lengths), holds)
    }

    fn is_free(&self, value: &str) -> bool {
        !self.met.has(value, self.last_position) && !self.law.literals().any(|literal| literal == value)
    }

    /// Different free symbols for the variables.
    fn names(&self, lengths: &[usize]) -> Result<Vec<Vec<String>>, RunFailure> {
        let Some(known) = &self.known_free else {
            // Constants are not shown as symbols of variables, even free ones.
            return Ok(self.law.names(lengths, |name| self.is_free(name) && !self.program.mentions(name)));
        };
        let needed = lengths.iter().sum();
        if known.len() < needed {
            let (needed, known) = (count(needed, "symbol"), known.len());
            let message = format!(
                "too few symbols: the law needs {needed} that the weights do not compare, and they have {known}"
            );
            return Err(RunFailure::refused(message));
        }
        let mut known = known.iter().cloned();
        Ok(lengths.iter().map(|&length| known.by_ref().take(length).collect()).collect())
    }

    /// The met symbols that a prompt may have. Met positions are left out.
    fn of_prompts(&self) -> Vec<String> {
        let mut symbols: Vec<&str> = self.met.symbols(self.last_position).collect();
        for literal in self.law.literals() {
            if !self.met.has(literal, self.last_position) && !symbols.contains(&literal) {
                symbols.push(literal);
            }
        }
        symbols.into_iter().filter(|symbol| (self.has)(symbol)).map(str::to_owned).collect()
    }

    fn verdict(&self, test: &TestCase, Found { runs, shown, refuted }: Found) -> Result<LawVerdict, RunFailure> {
        let law = self.law;
        let symbols = match &refuted {
            Some(refuted) => refuted.symbols.clone(),
            None => self.names(&vec![1; law.variables.len()])?,
        };
        let (prompt, gold) = law.case(&symbols);
        let case = TestCase { prompt: TestPrompt::Plain(prompt), gold, law: None, ..test.clone() };
        let holds = refuted.is_none().then(|| self.sentence(shown));
        let refutation = refuted.map(|Refuted { symbols, equalities, pairs }| Refutation {
            lengths: symbols.iter().map(Vec::len).collect(),
            symbols: law.variables.iter().zip(&symbols).map(|(it, own)| (it.name.clone(), own.join(" "))).collect(),
            equalities: self.in_words(&equalities).into_iter().chain(pairs.iter().map(|it| self.both(it))).collect(),
        });
        Ok(LawVerdict { runs, case, holds, refutation })
    }

    /// The sentence of what the runs prove.
    fn sentence(&self, shown: Shown) -> String {
        let numbers = self.met.positions.then(|| format!("the numbers 0 to {}", self.last_position));
        match shown {
            Shown::All => match numbers {
                Some(numbers) => format!("holds for all symbols but {numbers}"),
                None => "holds for all symbols".to_owned(),
            },
            Shown::Equalities(most) => {
                let numbers = numbers.map_or_else(String::new, |numbers| format!(" but {numbers}"));
                let most = if most == 1 { "one of them" } else { "two of them" };
                format!("holds for all symbols{numbers}, with at most {most} equal to another or met")
            }
            Shown::Different => {
                let met = self.of_prompts();
                let mut but: Vec<String> = match met.len() {
                    0..=LISTED => met.iter().map(|symbol| format!("`{symbol}`")).collect(),
                    many => vec![format!("the {many} that the program compares or the law writes")],
                };
                but.extend(numbers);
                match listed(&but, "and") {
                    but if but.is_empty() => "holds for all different symbols".to_owned(),
                    but => format!("holds for all different symbols but {but}"),
                }
            }
        }
    }

    /// Two equalities together.
    fn both(&self, [one, other]: &[Equality; 2]) -> String {
        let [one, other] = [one, other].map(|it| self.in_words(slice::from_ref(it)).concat());
        if one == other { format!("{one}, twice") } else { format!("{one} and {other}") }
    }

    /// The equalities, those of each variable together.
    fn in_words(&self, equalities: &[Equality]) -> Vec<String> {
        let of_variable = |(index, variable): (usize, &Variable)| {
            let Variable { name, longest } = variable;
            let met = equalities.iter().filter_map(|equality| match equality {
                Equality::Met(one, met) if *one == index => Some(format!("`{met}`")),
                Equality::Met(..) | Equality::Variables(..) => None,
            });
            let others = (index + 1..self.law.variables.len())
                .filter(|other| equalities.contains(&Equality::Variables(index, *other)));
            let others = others.filter_map(|other| {
                let Variable { name, longest } = self.law.variables.get(other)?;
                Some(if *longest == 1 { format!("`${name}`") } else { format!("one of `${name}`") })
            });
            let found: Vec<String> = met.chain(others).collect();
            let one = if *longest == 1 { format!("`${name}`") } else { format!("a symbol of `${name}`") };
            let equal = (!found.is_empty()).then(|| format!("{one} is {}", listed(&found, "or")));
            let own = equalities.contains(&Equality::Variables(index, index));
            equal.into_iter().chain(own.then(|| format!("two symbols of `${name}` are equal")))
        };
        self.law.variables.iter().enumerate().flat_map(of_variable).collect()
    }
}

/// Whether a plain prompt can have a value as a symbol.
fn is_symbol(value: &str) -> bool {
    !value.is_empty() && !value.contains(char::is_whitespace)
}

/// `a, b or c`.
fn listed(words: &[String], conjunction: &str) -> String {
    match words.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} {conjunction} {last}", others.join(", ")),
        _ => words.concat(),
    }
}
