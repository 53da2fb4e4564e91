//! Changes of a program that make all of its examples pass.

use std::{cmp::Reverse, collections::BTreeSet, mem, sync::atomic::AtomicUsize};

use psl_program::Runner;
use psl_syntax::{Checked, diagnostic::Edit, program::RegisterId, read, tree::Production};

use crate::{
    additions::Additions,
    assessment::{Assessment, Known},
    blame::blame,
    change::{Change, apply_all, edits},
    changes::changes_while,
    distinguishing_prompt::{Behaviors, COMPARED, DistinguishingPrompt},
    example::Example,
    judge::Judge,
    name_sorts::NameSorts,
    new_productions::{Copies, NewProductions, description},
    pairs::{pair, triangle},
    productions::{around, productions, repeats},
    workers::{AT_ONCE, Workers, tests},
};

/// The repairs of a program.
#[derive(Clone, Debug)]
pub struct Repairs {
    /// The repairs, best first.
    pub found: Vec<Repair>,
    /// A prompt on which programs of the first repairs differ, with the indices of the repairs.
    pub distinguishing_prompt: Option<DistinguishingPrompt>,
    /// The prompts on which those that do the same were compared, in words: `on all prompts of at most 5 symbols, and
    /// on the prompts of 9 tests with other symbols and up to one more equality`. `None` if none were compared.
    pub compared_on: Option<String>,
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
    /// The repair's value beside the examples.
    pub assessment: Assessment,
    /// Others whose programs do the same on all prompts on which the search compared them.
    pub same: Vec<Self>,
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

/// Searches for changes that make a program complete all `examples`, which `judge` has and `runner` runs: single
/// changes first, those of the layers that made the wrong symbols before others, then pairs. Examples held back only
/// decide which repairs are better.
pub fn repair(
    judge: &Judge<'_>,
    held_back: Option<&Judge<'_>>,
    runner: &Runner,
    examples: &[Example],
    workers: &dyn Workers,
) -> Repairs {
    let tree = &judge.before().tree;
    let suspects = Suspects::new(judge, runner, workers);
    let known = Known::new(judge.before());
    let mut search = Search { judge, workers, known, tried: AtomicUsize::new(0), found: Vec::new() };
    let singles = suspects.changes();
    search.all(singles.iter(), |change| Some(vec![Change::clone(change)]));
    search.all_of(suspects.additions(true));
    let copies = Copies::new(tree, &suspects.productions, &singles);
    search.all_of(copies.with_one_change());
    let new = suspects.new_productions();
    let small = |number: &usize| Some(vec![new.small_change(*number)?]);
    if new.small() <= FEW {
        search.all(0..new.small(), small);
    }
    let pairs = if search.found.is_empty() { search.worth_pairing(&singles) } else { Vec::new() };
    let both = |number: &usize| {
        let (one, other) = pair(*number);
        let mut both = vec![Change::clone(pairs.get(one)?), Change::clone(pairs.get(other)?)];
        both.sort_by_key(|change| change.span);
        Some(both)
    };
    search.until_found(0..triangle(pairs.len().min(LIKELY)), both);
    if new.small() <= SEVERAL {
        if new.small() > FEW {
            search.until_found(0..new.small(), small);
        }
        search.grow(&new, &suspects);
    }
    if search.found.is_empty() {
        search.all_of(suspects.additions(false));
    }
    search.until_found(copies.with_two_changes(), |change| Some(vec![change.clone()]));
    search.until_found(0..triangle(pairs.len()), both);
    if new.small() > SEVERAL {
        search.until_found(0..new.small(), small);
    }
    search.until_found(0..new.large(), |number| Some(vec![new.large_change(*number)?]));
    let repairs = search.finish(held_back, runner, examples);
    Repairs { cut_off: repairs.cut_off || (repairs.found.is_empty() && new.lacks_some()), ..repairs }
}

struct Search<'s, 'j> {
    judge: &'s Judge<'j>,
    workers: &'s dyn Workers,
    /// The warnings of the program.
    known: Known,
    tried: AtomicUsize,
    /// The first [`ASSESSED`] repairs.
    found: Vec<Repair>,
}

impl Search<'_, '_> {
    fn text(&self, changes: &[Change]) -> Option<String> {
        apply_all(&changes.iter().collect::<Vec<_>>(), &self.judge.before().tree.text)
    }

    /// The repair by some changes, if they are one.
    fn repair(&self, changes: Vec<Change>) -> Option<Repair> {
        let text = self.text(&changes)?;
        let (after, _) = self.judge.passing(&text)?;
        let assessment = Assessment::new(&self.known, &after);
        Some(Repair { changes, text, assessment, same: Vec::new() })
    }

    fn all_of(&mut self, changes: impl Iterator<Item = Change>) {
        self.all(changes, |change| Some(vec![change.clone()]));
    }

    /// Tries the changes that `make` makes of items.
    fn all<T: Sync>(&mut self, items: impl Iterator<Item = T>, make: impl Fn(&T) -> Option<Vec<Change>> + Sync) {
        let mut found = mem::take(&mut self.found);
        let repair = |item: &T| self.repair(make(item)?);
        for part in tests(self.workers, items, AT_ONCE, &self.tried, repair) {
            found.extend(part);
            found.truncate(ASSESSED);
        }
        self.found = found;
    }

    /// Like `all` until a repair is found. Tries none if there is one.
    fn until_found<T: Sync>(
        &mut self,
        items: impl Iterator<Item = T>,
        make: impl Fn(&T) -> Option<Vec<Change>> + Sync,
    ) {
        if self.found.is_empty() {
            let repair = |item: &T| self.repair(make(item)?);
            let found = tests(self.workers, items, AT_ONCE, &self.tried, repair).find(|found| !found.is_empty());
            self.found = found.unwrap_or_default();
            self.found.truncate(ASSESSED);
        }
    }

    /// Adds clauses to the new productions that get the most symbols right, one after the other, unless a repair is
    /// found.
    fn grow(&mut self, new: &NewProductions<'_>, suspects: &Suspects<'_>) {
        if !self.found.is_empty() {
            return;
        }
        let best = self.most_progress(0..new.small(), |number| new.small_change(*number));
        let mut grown: Vec<Change> = best.into_iter().filter_map(|number| new.small_change(number)).collect();
        for _ in 0..CLAUSES {
            let larger = || grown.iter().flat_map(|change| suspects.extensions(change));
            self.all_of(larger());
            if !self.found.is_empty() {
                return;
            }
            grown = self.most_progress(larger(), |change| Some(change.clone()));
        }
    }

    /// The items whose changes get the most symbols right, and more than none at all.
    fn most_progress<T: Clone + Send + Sync>(
        &self,
        items: impl Iterator<Item = T>,
        make: impl Fn(&T) -> Option<Change> + Sync,
    ) -> Vec<T> {
        let before = self.judge.progress(&self.judge.before().tree.text).unwrap_or_default();
        let progress =
            |item: &T| self.judge.progress(&self.text(&[make(item)?])?).filter(|progress| *progress > before);
        self.best(items, GROWN, progress)
    }

    /// The `most` items with the highest scores, these first. Some have none.
    fn best<T: Clone + Send + Sync>(
        &self,
        items: impl Iterator<Item = T>,
        most: usize,
        score: impl Fn(&T) -> Option<usize> + Sync,
    ) -> Vec<T> {
        let scored = |item: &T| Some((score(item)?, item.clone()));
        let mut best: Vec<(usize, T)> = Vec::new();
        for part in tests(self.workers, items, AT_ONCE, &self.tried, scored) {
            best.extend(part);
            best.sort_by_key(|(score, _)| Reverse(*score));
            best.truncate(most);
        }
        best.into_iter().map(|(_, item)| item).collect()
    }

    /// The changes to try in pairs: those that complete more examples first, and of these those that fit.
    fn worth_pairing<'c>(&self, singles: &'c [Change]) -> Vec<&'c Change> {
        let fitting = |fits: bool| singles.iter().filter(move |change| change.fits == fits);
        let text = &*self.judge.before().tree.text;
        let score = |change: &&Change| self.judge.score(&apply_all(&[change], text)?);
        self.best(fitting(true).chain(fitting(false)).take(PAIRED), PAIRED, score)
    }

    /// The repairs, best first.
    fn finish(mut self, held_back: Option<&Judge<'_>>, runner: &Runner, examples: &[Example]) -> Repairs {
        let before = self.judge.before();
        let mut found = mem::take(&mut self.found);
        let rank = |repair: &Repair| {
            let strange = repair.changes.iter().filter(|change| !change.fits).count();
            let replaces = repair.changes.iter().all(|change| change.replaces_a_token(&before.tree.text));
            let size: usize = repair.changes.iter().map(|change| change.size(&before.tree.text)).sum();
            let assessment = &repair.assessment;
            (assessment.wrong(), strange, assessment.rank(), !replaces, assessment.newly_unused, size)
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
        let compared = found.iter().take(COMPARED).take_while(|_| !self.workers.stopped());
        let programs = compared.filter_map(|repair| Some(self.judge.compile(&repair.text)?.1));
        let behaviors = Behaviors::new(runner, &programs.collect::<Vec<_>>(), examples, self.workers);
        Repairs {
            found: behaviors.join(found, |one, other| one.same.push(other)),
            distinguishing_prompt: behaviors.distinguishing_prompt,
            compared_on: behaviors.compared_on,
            tried: self.tried.into_inner(),
            cut_off: self.workers.stopped(),
        }
    }
}

/// The number of failed examples that blame a layer, and its distance from a wrong symbol. More is more suspicious.
type Suspicion = (usize, Reverse<usize>);

/// The productions of a program that fails examples.
struct Suspects<'j> {
    before: &'j Checked,
    names: NameSorts,
    /// The productions in program order.
    productions: Vec<&'j Production>,
    /// The layers, the most suspected ones first.
    ranked: Vec<usize>,
    /// Whether each layer wrote a value that led to a wrong symbol.
    wrote: Vec<bool>,
    /// The registers whose values led to a wrong symbol, or would have been needed.
    registers: BTreeSet<RegisterId>,
    workers: &'j dyn Workers,
}

impl<'j> Suspects<'j> {
    fn new(judge: &Judge<'j>, runner: &Runner, workers: &'j dyn Workers) -> Self {
        let before = judge.before();
        let productions = productions(&before.tree);
        let mut suspicions: Vec<Suspicion> = vec![(0, Reverse(usize::MAX)); productions.len()];
        let mut wrote = vec![false; productions.len()];
        let mut registers = BTreeSet::new();
        for (example, symbol) in judge.failures().into_iter().take(FOLLOWED).take_while(|_| !workers.stopped()) {
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
        Self { before, names: NameSorts::new(before), productions, ranked, wrote, registers, workers }
    }

    /// The productions, the most suspected ones first, and whether each wrote a value that led to a wrong symbol.
    fn ranked(&self) -> impl Iterator<Item = (&'j Production, bool)> {
        let layer = |layer: &usize| Some((*self.productions.get(*layer)?, self.wrote.get(*layer) == Some(&true)));
        self.ranked.iter().filter_map(layer)
    }

    /// Changes of what the program has, those of the most suspected productions first.
    fn changes(&self) -> Vec<Change> {
        let mut ranks = vec![self.productions.len(); self.productions.len()];
        for (rank, layer) in self.ranked.iter().enumerate() {
            if let Some(slot) = ranks.get_mut(*layer) {
                *slot = rank;
            }
        }
        let place = |change: &Change| {
            let production = around(&self.productions, change.span);
            production.and_then(|production| ranks.get(production).copied()).unwrap_or(ranks.len())
        };
        let mut changes = changes_while(self.before, &mut || !self.workers.stopped());
        changes.sort_by_key(place);
        changes
    }

    /// Other ends of blocks, conditions added to productions that wrote what led to a wrong symbol, and assignments of
    /// registers that led to it: only those that fit, or the others.
    fn additions(&self, fitting: bool) -> impl Iterator<Item = Change> {
        let additions = Additions { tree: &self.before.tree, names: &self.names, workers: self.workers };
        let of = move |(production, wrote): (&'j Production, bool)| {
            let conditions = wrote.then(|| additions.conditions(production, fitting));
            let assignments = additions.assignments(production, &self.registers, fitting);
            conditions.into_iter().flatten().chain(assignments)
        };
        let blocks = if fitting { repeats(&self.before.tree) } else { Vec::new() };
        self.ranked().flat_map(of).chain(blocks.into_iter().flat_map(move |repeat| additions.ends(repeat)))
    }

    /// A new production with one more clause that fits.
    fn extensions(&self, new: &Change) -> Vec<Change> {
        let extended = || {
            let edit = new.edits.first()?;
            let after = read(apply_all(&[new], &self.before.tree.text)?);
            let added = edit.span.start as usize..edit.span.start as usize + edit.text.len();
            let inside = |it: &&Production| added.contains(&(it.span.start as usize));
            let production = productions(&after.tree).into_iter().find(inside)?;
            let additions = Additions { tree: &after.tree, names: &self.names, workers: self.workers };
            let all = additions.conditions(production, true);
            let all = all.chain(additions.assignments(production, &self.registers, true));
            let extend = |clause: Change| {
                let text = apply_all(&[&clause], &after.tree.text)?;
                let length = (added.len() + text.len()).checked_sub(after.tree.text.len())?;
                let text = text.get(added.start..added.start + length)?.to_owned();
                Some(Change {
                    description: description(&text),
                    edits: vec![Edit { span: edit.span, text }],
                    ..new.clone()
                })
            };
            Some(all.filter_map(extend).collect())
        };
        extended().unwrap_or_default()
    }

    fn new_productions(&self) -> NewProductions<'_> {
        NewProductions::new(&self.before.tree, &self.before.analysis.program, &self.names, self.workers)
    }
}
