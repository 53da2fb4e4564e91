//! Changes of a program that make all of its examples pass.

use std::{
    cmp::Reverse,
    collections::BTreeSet,
    sync::atomic::{AtomicUsize, Ordering},
};

use psl_program::Runner;
use psl_syntax::{Checked, Diagnostic, Span, tree::Production};

use crate::{
    additions::Additions,
    assessment::{Assessment, warnings},
    blame::blame,
    change::{Change, apply_all},
    changes::changes,
    judge::{Judge, Verdict},
    new_productions::{Copies, NewProductions},
    pairs::{pair, triangle},
    productions::productions,
    words::Words,
    workers::{Workers, select},
};

/// The repairs of a program.
#[derive(Clone, Debug)]
pub struct Repairs {
    /// The repairs, best first.
    pub found: Vec<Repair>,
    /// The number of programs tried.
    pub tried: usize,
    /// Whether the search was stopped before it had tried everything.
    pub cut_off: bool,
}

/// A repair of a program.
#[derive(Clone, Debug)]
pub struct Repair {
    /// The changes of the program: one, or two if no single one is enough.
    pub changes: Vec<Change>,
    /// The repaired text.
    pub text: String,
    /// What it is worth beside the examples.
    pub assessment: Assessment,
}

/// The failed examples whose runs are followed back.
const FOLLOWED: usize = 8;
/// The programs that are tried before the search looks whether one was enough.
const AT_ONCE: usize = 4_096;
/// The changes that are tried in pairs.
const PAIRED: usize = 3_000;

/// Searches for changes that make a program complete all examples of `judge`, which `runner` runs: single changes first, those
/// of the layers that made the wrong symbols before others, then pairs. Examples held back only decide which repairs are better.
pub fn repair(judge: &Judge<'_>, held_back: Option<&Judge<'_>>, runner: &Runner, workers: &dyn Workers) -> Repairs {
    let before = judge.before();
    let text = &*before.tree.text;
    let tried = AtomicUsize::new(0);
    let passes = |changes: &[&Change]| {
        let changed = apply_all(changes, text)?;
        (judge.judge(&changed) == Verdict::Passes).then_some(changed)
    };
    let suspects = Suspects::new(judge, runner);
    let mut found: Vec<(Vec<Change>, String)> = Vec::new();
    let singles = suspects.changes();
    let copies = Copies::new(&before.tree, &suspects.productions, &singles);
    for (stage, is_likely) in [
        (&singles, true),
        (&suspects.additions(true), true),
        (&copies.with_one_change(), false),
        (&suspects.additions(false), false),
    ] {
        if is_likely || found.is_empty() {
            let passing = select(workers, stage.len(), &tried, |number| passes(&[stage.get(number)?]));
            let passing =
                passing.into_iter().filter_map(|(number, text)| Some((vec![stage.get(number)?.clone()], text)));
            found.extend(passing);
        }
    }
    let new = suspects.new_productions();
    let with_new = |change: Option<Change>| {
        let change = change?;
        let text = passes(&[&change])?;
        Some((vec![change], text))
    };
    if found.is_empty() {
        found = until_found(workers, &tried, new.small(), |number| with_new(new.small_change(number)));
    }
    if found.is_empty() {
        let all = copies.with_two_changes();
        found = until_found(workers, &tried, all.len(), |number| with_new(all.get(number).cloned()));
    }
    if found.is_empty() {
        let best = worth_pairing(judge, &singles, &tried, workers);
        found = until_found(workers, &tried, triangle(best.len()), |number| {
            let (one, other) = pair(number);
            let mut both = [*best.get(one)?, *best.get(other)?];
            both.sort_by_key(|change| change.span);
            let [one, other] = both;
            Some((vec![one.clone(), other.clone()], passes(&[one, other])?))
        });
    }
    if found.is_empty() {
        found = until_found(workers, &tried, new.large(), |number| with_new(new.large_change(number)));
    }
    let cut_off = workers.stopped();
    let known: Vec<Diagnostic> = warnings(before.findings()).cloned().collect();
    let assess = |(changes, text): (Vec<Change>, String)| {
        let (after, _) = judge.compile(&text)?;
        let assessment = Assessment::new(&known, &after, &text, held_back);
        Some(Repair { changes, text, assessment })
    };
    let mut found: Vec<Repair> = found.into_iter().filter_map(assess).collect();
    found.sort_by_cached_key(|repair| {
        let strange = repair.changes.iter().filter(|change| !change.fits).count();
        let size: usize = repair.changes.iter().map(|change| change.size(text)).sum();
        (strange, repair.assessment.rank(), size)
    });
    Repairs { found, tried: tried.load(Ordering::Relaxed), cut_off }
}

/// Like [`select`], but ends soon after the first value.
fn until_found<T: Send>(
    workers: &dyn Workers,
    tried: &AtomicUsize,
    count: usize,
    test: impl Fn(usize) -> Option<T> + Sync,
) -> Vec<T> {
    for start in (0..count).step_by(AT_ONCE) {
        let found = select(workers, AT_ONCE.min(count - start), tried, |number| test(start + number));
        if !found.is_empty() {
            return found.into_iter().map(|(_, value)| value).collect();
        }
        if workers.stopped() {
            break;
        }
    }
    Vec::new()
}

/// How much the failed examples suspect a layer: the number of those that blame it, and its distance from a wrong symbol. More is
/// more.
type Suspicion = (usize, Reverse<usize>);

/// The productions of a program that fails examples.
struct Suspects<'j> {
    before: &'j Checked,
    words: Words,
    /// The productions in program order.
    productions: Vec<&'j Production>,
    /// The layers, the most suspected ones first.
    ranked: Vec<usize>,
    /// Whether each layer wrote a value that led to a wrong symbol.
    wrote: Vec<bool>,
    /// The registers whose values led to a wrong symbol, or would have been needed.
    registers: BTreeSet<usize>,
}

impl<'j> Suspects<'j> {
    fn new(judge: &Judge<'j>, runner: &Runner) -> Self {
        let before = judge.before();
        let productions = productions(&before.tree);
        let mut suspicions: Vec<Suspicion> = vec![(0, Reverse(usize::MAX)); productions.len()];
        let mut wrote = vec![false; productions.len()];
        let mut registers = BTreeSet::new();
        for (example, symbol) in judge.failures().into_iter().take(FOLLOWED) {
            let Some(task) = judge.task(example) else { continue };
            let blamed = blame(runner, task, symbol);
            for (suspicion, distance) in suspicions.iter_mut().zip(blamed.layers) {
                if let Some(distance) = distance {
                    *suspicion = (suspicion.0 + 1, suspicion.1.max(Reverse(distance)));
                }
            }
            wrote.iter_mut().zip(blamed.wrote).for_each(|(all, one)| *all |= one);
            registers.extend(blamed.registers);
        }
        let mut ranked: Vec<(usize, Suspicion)> = suspicions.into_iter().enumerate().collect();
        ranked.sort_by_key(|(_, suspicion)| Reverse(*suspicion));
        let ranked = ranked.into_iter().map(|(layer, _)| layer).collect();
        Self { before, words: Words::new(before), productions, ranked, wrote, registers }
    }

    /// The productions, the most suspected ones first, and whether each wrote a value that led to a wrong symbol.
    fn ranked(&self) -> impl Iterator<Item = (&'j Production, bool)> {
        let layer = |layer: &usize| Some((*self.productions.get(*layer)?, self.wrote.get(*layer) == Some(&true)));
        self.ranked.iter().filter_map(layer)
    }

    /// Changes of what the program has, those of the most suspected productions first.
    fn changes(&self) -> Vec<Change> {
        let spans: Vec<Span> = self.ranked().map(|(production, _)| production.span).collect();
        let place = |change: &Change| {
            let inside = |span: &Span| span.start <= change.span.start && change.span.end <= span.end;
            spans.iter().position(inside).unwrap_or(spans.len())
        };
        let mut changes = changes(self.before);
        changes.sort_by_key(place);
        changes
    }

    /// Conditions added to productions that wrote what led to a wrong symbol, and assignments of registers that led to it: only
    /// those that fit, or the others.
    fn additions(&self, fitting: bool) -> Vec<Change> {
        let additions = Additions::new(&self.before.tree, &self.words);
        let of = |(production, wrote): (&Production, bool)| {
            let conditions = if wrote { additions.conditions(production, fitting) } else { Vec::new() };
            let assignments = additions.assignments(production, &self.registers, fitting);
            conditions.into_iter().chain(assignments)
        };
        self.ranked().flat_map(of).collect()
    }

    fn new_productions(&self) -> NewProductions {
        NewProductions::new(&self.before.tree, &self.before.analysis.program, &self.words)
    }
}

/// The changes to try in pairs: those that complete more examples first.
fn worth_pairing<'c>(
    judge: &Judge<'_>,
    singles: &'c [Change],
    tried: &AtomicUsize,
    workers: &dyn Workers,
) -> Vec<&'c Change> {
    let text = &*judge.before().tree.text;
    let score = |number: usize| judge.score(&singles.get(number)?.apply(text)?);
    let mut scored = select(workers, singles.len().min(PAIRED), tried, score);
    scored.sort_by_key(|(_, score)| Reverse(*score));
    scored.into_iter().filter_map(|(number, _)| singles.get(number)).collect()
}
