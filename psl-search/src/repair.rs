//! Changes of a program that make all of its examples pass.

use std::{
    cmp::Reverse,
    collections::BTreeSet,
    mem,
    sync::atomic::{AtomicUsize, Ordering},
};

use psl_program::{Runner, text_warnings};
use psl_syntax::{Checked, Span, diagnostic::Edit, read, tree::Production};

use crate::{
    additions::Additions,
    assessment::Assessment,
    blame::blame,
    change::{Change, apply_all, edits},
    changes::changes,
    example::Example,
    judge::{Judge, Verdict},
    new_productions::{Copies, NewProductions, says},
    pairs::{pair, triangle},
    productions::{productions, repeats},
    telling::{COMPARED, Telling, telling},
    words::Words,
    workers::{Workers, select, select_some},
};

/// The repairs of a program.
#[derive(Clone, Debug)]
pub struct Repairs {
    /// The repairs, best first.
    pub found: Vec<Repair>,
    /// A prompt on which programs of the first repairs differ, with the indices of the repairs.
    pub telling: Option<Telling>,
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
    /// Its value beside the examples.
    pub assessment: Assessment,
}

impl Repair {
    /// The edits of all changes, in text order.
    pub fn edits(&self) -> Vec<Edit> {
        edits(&self.changes.iter().collect::<Vec<_>>())
    }
}

/// The failed examples whose runs are followed back.
const FOLLOWED: usize = 8;
/// The new productions that are tried even if something else repairs the program.
const FEW: usize = 50_000;
/// The changes that are tried in pairs.
const PAIRED: usize = 3_000;
/// The new productions that are tried before less likely repairs.
const SEVERAL: usize = 200_000;
/// The new productions that grow.
const GROWN: usize = 30;
/// The clauses that are added to them.
const CLAUSES: usize = 3;
/// The changes that are tried in pairs before less likely repairs.
const LIKELY: usize = 300;
/// The repairs that are assessed.
const ASSESSED: usize = 1_000;
/// The repairs that run on examples held back.
const SCORED: usize = 200;

/// Searches for changes that make a program complete all `examples`, which `judge` has and `runner` runs: single changes first, those
/// of the layers that made the wrong symbols before others, then pairs. Examples held back only decide which repairs are better.
pub fn repair(
    judge: &Judge<'_>,
    held_back: Option<&Judge<'_>>,
    runner: &Runner,
    examples: &[Example],
    workers: &dyn Workers,
) -> Repairs {
    let tree = &judge.before().tree;
    let suspects = Suspects::new(judge, runner);
    let mut search = Search { judge, workers, tried: AtomicUsize::new(0), found: Vec::new() };
    let singles = suspects.changes();
    search.all_of(&singles);
    search.all_of(&suspects.additions(true));
    let copies = Copies::new(tree, &suspects.productions, &singles);
    search.all_of(&copies.with_one_change());
    let new = suspects.new_productions();
    let small = |number| Some(vec![new.small_change(number)?]);
    if new.small() <= FEW {
        search.all(new.small(), small);
    }
    let pairs = if search.found.is_empty() { search.worth_pairing(&singles) } else { Vec::new() };
    let both = |number| {
        let (one, other) = pair(number);
        let mut both = vec![Change::clone(pairs.get(one)?), Change::clone(pairs.get(other)?)];
        both.sort_by_key(|change| change.span);
        Some(both)
    };
    search.until_found(triangle(pairs.len().min(LIKELY)), both);
    if new.small() <= SEVERAL {
        if new.small() > FEW {
            search.until_found(new.small(), small);
        }
        search.grow(&new, &suspects);
    }
    if search.found.is_empty() {
        search.all_of(&suspects.additions(false));
    }
    if search.found.is_empty() {
        let all = copies.with_two_changes();
        search.until_found(all.len(), |number| Some(vec![all.get(number)?.clone()]));
    }
    search.until_found(triangle(pairs.len()), both);
    if new.small() > SEVERAL {
        search.until_found(new.small(), small);
    }
    search.until_found(new.large(), |number| Some(vec![new.large_change(number)?]));
    search.finish(held_back, runner, examples)
}

struct Search<'s, 'j> {
    judge: &'s Judge<'j>,
    workers: &'s dyn Workers,
    tried: AtomicUsize,
    /// The changes of each repair.
    found: Vec<Vec<Change>>,
}

impl Search<'_, '_> {
    fn text(&self, changes: &[Change]) -> Option<String> {
        apply_all(&changes.iter().collect::<Vec<_>>(), &self.judge.before().tree.text)
    }

    fn repairs(&self, changes: &[Change]) -> bool {
        self.text(changes).is_some_and(|text| self.judge.judge(&text) == Verdict::Passes)
    }

    fn all_of(&mut self, changes: &[Change]) {
        self.all(changes.len(), |number| Some(vec![changes.get(number)?.clone()]));
    }

    /// Tries changes by their numbers.
    fn all(&mut self, count: usize, make: impl Fn(usize) -> Option<Vec<Change>> + Sync) {
        let test = |number| make(number).is_some_and(|changes| self.repairs(&changes));
        let found = select(self.workers, count, &self.tried, test);
        self.found.extend(found.into_iter().filter_map(make));
    }

    /// Tries changes by their numbers, unless a repair is found, until one is.
    fn until_found(&mut self, count: usize, make: impl Fn(usize) -> Option<Vec<Change>> + Sync) {
        if self.found.is_empty() {
            let test = |number| make(number).is_some_and(|changes| self.repairs(&changes));
            let found = select_some(self.workers, count, &self.tried, test);
            self.found = found.into_iter().filter_map(make).collect();
        }
    }

    /// Adds clauses to the new productions that get the most symbols right, one after the other, unless a repair is found.
    fn grow(&mut self, new: &NewProductions, suspects: &Suspects<'_>) {
        if !self.found.is_empty() {
            return;
        }
        let best = self.most_progress(new.small(), |number| new.small_change(number));
        let mut grown: Vec<Change> = best.into_iter().filter_map(|number| new.small_change(number)).collect();
        for _ in 0..CLAUSES {
            let larger: Vec<Change> = grown.iter().flat_map(|change| suspects.extensions(change)).collect();
            self.all_of(&larger);
            if !self.found.is_empty() {
                return;
            }
            let best = self.most_progress(larger.len(), |number| larger.get(number).cloned());
            grown = best.into_iter().filter_map(|number| larger.get(number).cloned()).collect();
        }
    }

    /// The numbers of the changes that get the most symbols right, and more than none at all.
    fn most_progress(&self, count: usize, make: impl Fn(usize) -> Option<Change> + Sync) -> Vec<usize> {
        let before = self.judge.progress(&self.judge.before().tree.text).unwrap_or_default();
        let progress =
            |number| self.judge.progress(&self.text(&[make(number)?])?).filter(|progress| *progress > before);
        self.best(count, progress).into_iter().take(GROWN).collect()
    }

    /// The numbers below `count` that have a score, those with the highest first.
    fn best(&self, count: usize, score: impl Fn(usize) -> Option<usize> + Sync) -> Vec<usize> {
        let scores: Vec<AtomicUsize> = (0..count).map(|_| AtomicUsize::new(0)).collect();
        let has_score = |number: usize| {
            let score = score(number);
            if let (Some(slot), Some(score)) = (scores.get(number), score) {
                slot.store(score, Ordering::Relaxed);
            }
            score.is_some()
        };
        let mut found = select(self.workers, count, &self.tried, has_score);
        found.sort_by_key(|number| Reverse(scores.get(*number).map(|score| score.load(Ordering::Relaxed))));
        found
    }

    /// The changes to try in pairs: those that complete more examples first, and of these those that fit.
    fn worth_pairing<'c>(&self, singles: &'c [Change]) -> Vec<&'c Change> {
        let (mut paired, others): (Vec<&Change>, Vec<&Change>) = singles.iter().partition(|change| change.fits);
        paired.extend(others);
        paired.truncate(PAIRED);
        let text = &*self.judge.before().tree.text;
        let score = |number: usize| self.judge.score(&apply_all(&[paired.get(number)?], text)?);
        let best = self.best(paired.len(), score).into_iter();
        best.filter_map(|number| paired.get(number).copied()).collect()
    }

    /// The repairs, best first.
    fn finish(mut self, held_back: Option<&Judge<'_>>, runner: &Runner, examples: &[Example]) -> Repairs {
        let before = self.judge.before();
        let known = text_warnings(before);
        let found = mem::take(&mut self.found);
        let assess = |changes: Vec<Change>| {
            let text = self.text(&changes)?;
            let (after, _) = self.judge.compile(&text)?;
            let assessment = Assessment::new(&known, &after);
            Some(Repair { changes, text, assessment })
        };
        let mut found: Vec<Repair> = found.into_iter().take(ASSESSED).filter_map(assess).collect();
        let rank = |repair: &Repair| {
            let strange = repair.changes.iter().filter(|change| !change.fits).count();
            let size: usize = repair.changes.iter().map(|change| change.size(&before.tree.text)).sum();
            (repair.assessment.wrong(), strange, repair.assessment.rank(), size)
        };
        found.sort_by_cached_key(rank);
        if let Some(held_back) = held_back {
            found.truncate(SCORED);
            let texts: Vec<&str> = found.iter().map(|repair| repair.text.as_str()).collect();
            let scores = held_back.scores(&texts, self.workers);
            for (repair, score) in found.iter_mut().zip(scores) {
                repair.assessment.held_back = score;
            }
            found.sort_by_cached_key(rank);
        }
        let programs = found.iter().take(COMPARED).filter_map(|repair| Some(self.judge.compile(&repair.text)?.1));
        let telling = telling(runner, &programs.collect::<Vec<_>>(), examples, self.workers);
        Repairs { found, telling, tried: self.tried.into_inner(), cut_off: self.workers.stopped() }
    }
}

/// The number of failed examples that blame a layer, and its distance from a wrong symbol. More is more suspicious.
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

    /// Other ends of blocks, conditions added to productions that wrote what led to a wrong symbol, and assignments of registers that led to it: only
    /// those that fit, or the others.
    fn additions(&self, fitting: bool) -> Vec<Change> {
        let additions = Additions::new(&self.before.tree, &self.words);
        let of = |(production, wrote): (&Production, bool)| {
            let conditions = if wrote { additions.conditions(production, fitting) } else { Vec::new() };
            let assignments = additions.assignments(production, &self.registers, fitting);
            conditions.into_iter().chain(assignments)
        };
        let mut all: Vec<Change> = self.ranked().flat_map(of).collect();
        if fitting {
            all.extend(repeats(&self.before.tree).into_iter().flat_map(|repeat| additions.ends(repeat)));
        }
        all
    }

    /// A new production with one more clause that fits.
    fn extensions(&self, new: &Change) -> Vec<Change> {
        let extended = || {
            let edit = new.edits.first()?;
            let after = read(apply_all(&[new], &self.before.tree.text)?.into());
            let added = edit.span.start as usize..edit.span.start as usize + edit.text.len();
            let inside = |it: &&Production| added.contains(&(it.span.start as usize));
            let production = productions(&after.tree).into_iter().find(inside)?;
            let additions = Additions::new(&after.tree, &self.words);
            let all = additions.conditions(production, true).into_iter();
            let all = all.chain(additions.assignments(production, &self.registers, true));
            let extend = |clause: Change| {
                let text = apply_all(&[&clause], &after.tree.text)?;
                let length = (added.len() + text.len()).checked_sub(after.tree.text.len())?;
                let text = text.get(added.start..added.start + length)?.to_owned();
                Some(Change { says: says(&text), edits: vec![Edit { span: edit.span, text }], ..new.clone() })
            };
            Some(all.filter_map(extend).collect())
        };
        extended().unwrap_or_default()
    }

    fn new_productions(&self) -> NewProductions {
        NewProductions::new(&self.before.tree, &self.before.analysis.program, &self.words)
    }
}
