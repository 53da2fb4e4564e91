//! What a file's tests show of its program, and how that joins what the text alone tells.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use psl_runtime::{MachineKind, Task, Update};
use psl_syntax::{
    Analysis, Code, Diagnostic, Severity,
    program::{Production, TestCase},
};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use crate::{
    execute::{Completion, RunFailure, Runner},
    parting::{Parting, parting},
};

/// The codes whose diagnostics the tests decide.
const CODES: [Code; 3] = [Code::NonCausal, Code::NeverFires, Code::FailingTest];

/// A test is given up after so many cells of layers, well under a second of work: checking is no long run. `psl test` runs it whole.
const MAX_UPDATES: usize = 300_000;

/// What the tests of a file showed; nothing, and all there is, by default: that of a file without tests.
#[derive(Default)]
pub struct Evidence {
    /// What each test gave; none where it was given up.
    outcomes: Vec<Option<Outcome>>,
    /// What each layer did on all of them: entry i is layer i + 1.
    layers: Vec<Deeds>,
}

/// What a test gave.
struct Outcome {
    result: Result<Completion, RunFailure>,
    /// Where it failed, how.
    parting: Option<Parting>,
}

/// What a layer did.
#[derive(Clone, Copy, Default)]
struct Deeds {
    /// In how many cells it matched, all passes counted.
    matches: usize,
    /// In how many of them with a cell n > N.
    ahead: usize,
    /// The first of those: the test by its index, N and n.
    example: Option<(usize, usize, usize)>,
}

impl Evidence {
    /// Runs all tests of a program without errors, in parallel; nothing where `cancelled` was set meanwhile.
    pub fn gather(runner: &Runner, tests: &[TestCase], cancelled: &AtomicBool) -> Option<Self> {
        let indexed: Vec<(usize, &TestCase)> = tests.iter().enumerate().collect();
        let runs: Vec<_> = indexed.par_iter().map(|(index, test)| run(runner, *index, test, cancelled)).collect();
        if cancelled.load(Ordering::Relaxed) {
            return None;
        }
        let mut layers = vec![Deeds::default(); runner.executable().qkvl.layers().len()];
        let mut outcomes = Vec::with_capacity(runs.len());
        for (outcome, deeds) in runs {
            outcomes.push(outcome);
            for (all, one) in layers.iter_mut().zip(deeds) {
                all.matches += one.matches;
                all.ahead += one.ahead;
                all.example = all.example.or(one.example);
            }
        }
        Some(Self { outcomes, layers })
    }

    /// How often a layer, counted from 0, matched, and how often with a cell to the right of its own.
    pub fn look_ahead(&self, layer: usize) -> Option<(usize, usize)> {
        self.layers.get(layer).filter(|_| !self.outcomes.is_empty()).map(|deeds| (deeds.matches, deeds.ahead))
    }

    /// What a test gave, by its index; nothing where it was given up.
    pub fn result(&self, test: usize) -> Option<&Result<Completion, RunFailure>> {
        self.outcomes.get(test)?.as_ref().map(|outcome| &outcome.result)
    }

    /// Whether no test was given up.
    fn is_whole(&self) -> bool {
        self.outcomes.iter().all(Option::is_some)
    }
}

/// The codes of which there may be more diagnostics than are known.
pub fn pending(evidence: Option<&Evidence>) -> &'static [Code] {
    if evidence.is_some_and(Evidence::is_whole) { &[] } else { &CODES }
}

fn run(runner: &Runner, index: usize, test: &TestCase, cancelled: &AtomicBool) -> (Option<Outcome>, Vec<Deeds>) {
    let task = match runner.test_task(&test.prompt) {
        Ok(task) => task,
        Err(failure) => return (Some(Outcome { result: Err(failure), parting: None }), Vec::new()),
    };
    let mut layers = vec![Deeds::default(); runner.executable().qkvl.layers().len()];
    let result = run_briefly(runner, task, MachineKind::Dat, cancelled, |update| {
        let deeds = update.layer.checked_sub(1).and_then(|layer| layers.get_mut(layer));
        if let (Some(deeds), Some(n)) = (deeds, update.attends) {
            deeds.matches += 1;
            if n > update.cell {
                deeds.ahead += 1;
                deeds.example.get_or_insert((index, update.cell, n));
            }
        }
    });
    let outcome = result.map(|result| {
        let parting =
            result.as_ref().ok().and_then(|completion| parting(runner, test, completion, MachineKind::Dat, cancelled));
        Outcome { result, parting }
    });
    (outcome, layers)
}

/// Runs a task as far as checking may; nothing where it would take longer, or `cancelled` was set meanwhile.
pub fn run_briefly(
    runner: &Runner,
    mut task: Task,
    machine: MachineKind,
    cancelled: &AtomicBool,
    mut observe: impl FnMut(&Update),
) -> Option<Result<Completion, RunFailure>> {
    let given_up = Arc::new(AtomicBool::new(false));
    task.limits.cancelled = Some(Arc::clone(&given_up));
    let mut updates = 0;
    let mut observer = |update: &Update| {
        updates += 1;
        if updates > MAX_UPDATES || cancelled.load(Ordering::Relaxed) {
            given_up.store(true, Ordering::Relaxed);
        }
        observe(update);
    };
    let result = runner.complete(&task, machine, Some(&mut observer));
    (!given_up.load(Ordering::Relaxed)).then_some(result)
}

/// What the text of a program tells together with what its tests showed. Without evidence, what it may still decide is left out.
pub fn join(analysis: &Analysis, of_text: &[Diagnostic], evidence: Option<&Evidence>) -> Vec<Diagnostic> {
    let program = &analysis.program;
    let mut found = of_text.to_vec();
    if program.tests.is_empty() || found.iter().any(Diagnostic::is_error) {
        return found;
    }
    let Some(evidence) = evidence else {
        found.retain(|found| !(found.code == Code::NonCausal && found.severity == Severity::Hint));
        return found;
    };
    let productions = program.productions();
    for found in found.iter_mut().filter(|found| found.code == Code::NonCausal && found.severity == Severity::Hint) {
        let after = productions.partition_point(|production| production.head.start <= found.span.start);
        let deeds = after.checked_sub(1).and_then(|layer| evidence.layers.get(layer));
        if let Some(deeds) = deeds {
            add_look_ahead(found, deeds, &program.tests, evidence.is_whole());
        }
    }
    let layers = (0..).zip(productions.iter().zip(&evidence.layers));
    // One that is proved to fire in no run is reported for that.
    let idle = layers.filter(|(layer, (_, deeds))| deeds.matches == 0 && !analysis.verdicts().never_fires(*layer));
    found.extend(idle.filter(|_| evidence.is_whole()).map(|(_, (production, _))| never_fired(production)));
    let outcomes = program.tests.iter().zip(&evidence.outcomes);
    found.extend(outcomes.filter_map(|(test, outcome)| failing_test(test, outcome.as_ref()?)));
    found
}

fn never_fired(production: &Production) -> Diagnostic {
    let message = "this production did not fire on any of the file's tests";
    let hint = Diagnostic::new(Code::NeverFires, production.head, message)
        .help("add a `//@ test` line with a prompt on which it must fire, or leave it out");
    Diagnostic { severity: Severity::Hint, ..hint }
}

fn add_look_ahead(found: &mut Diagnostic, deeds: &Deeds, tests: &[TestCase], whole: bool) {
    let Deeds { matches, ahead, example } = deeds;
    let Some((index, cell, n)) = example else {
        if whole {
            let never = if *matches == 0 { "it did not fire" } else { "it never did" };
            found.message = format!("{}; on the file's tests {never}", found.message);
        }
        return;
    };
    let test = tests.get(*index);
    let name = test.and_then(|test| test.name.as_deref());
    let place = name.map_or_else(|| format!("test {}", index + 1), |name| format!("test `{name}`"));
    found.severity = Severity::Warning;
    found.message = format!(
        "cell N reads a cell to its right in {ahead} of {matches} matches on the file's tests; \
         in {place}, cell {cell} reads cell {n}"
    );
    if let Some(test) = test {
        *found = found.clone().label(test.span, format!("cell {cell} reads cell {n} here"));
    }
}

fn failing_test(test: &TestCase, outcome: &Outcome) -> Option<Diagnostic> {
    let name = test.name.as_deref().map_or_else(|| "this test".to_owned(), |name| format!("test `{name}`"));
    let parting = outcome.parting.as_ref();
    let (why, place) = match &outcome.result {
        Ok(completion) if completion.is(&test.gold) => return None,
        Ok(completion) => {
            let how = parting.map_or_else(String::new, |parting| format!("; {}", parting.in_words(|_| None)));
            let why = format!("expected `{}`, got `{}`{how}", test.gold, completion.text());
            (why, parting.and_then(Parting::written))
        }
        Err(failure) => (failure.message.clone(), failure.span.map(|block| (block, "this block"))),
    };
    let found = Diagnostic::new(Code::FailingTest, test.span, format!("{name} fails: {why}"))
        .help("repair the program, or what the test expects; `psl run --trace` shows what each layer did");
    Some(match place {
        Some((span, what)) => found.label(span, what),
        None => found,
    })
}
