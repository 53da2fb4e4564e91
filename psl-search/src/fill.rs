//! The search for the parts that belong in the holes of a program.

use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize},
    },
};

use psl_program::{RunFailure, Runner};
use psl_runtime::Executable;
use psl_syntax::{
    Checked,
    diagnostic::Edit,
    holes::{Hole, holes},
    read,
};

use crate::{
    assessment::{Assessment, Known},
    distinguishing_prompt::{Behaviors, COMPARED, DistinguishingPrompt},
    example::Example,
    fillings::{Slot, Slots},
    judge::Judge,
    name_sorts::NameSorts,
    phrases::Phrase,
    workers::{AT_ONCE, Workers, going_on, tests},
};

/// The fillings of a program's holes.
#[derive(Clone, Debug)]
pub struct Fillings {
    /// The fillings with which the program completes all examples, best first.
    pub found: Vec<Filling>,
    /// A prompt on which programs of the first fillings differ, with the indices of the fillings.
    pub distinguishing_prompt: Option<DistinguishingPrompt>,
    /// The prompts on which those that do the same were compared, in words: `on all prompts of at most 5 symbols, and
    /// on the prompts of 9 tests with other symbols and up to one more equality`. `None` if none were compared.
    pub compared_on: Option<String>,
    /// The number of programs tried.
    pub tried: usize,
    /// Whether the search was stopped before it had tried everything.
    pub cut_off: bool,
}

/// Parts for all holes.
#[derive(Clone, Debug)]
pub struct Filling {
    /// The parts, one for each hole in text order.
    pub parts: Vec<String>,
    /// The edits that write them.
    pub edits: Vec<Edit>,
    /// The text without holes.
    pub text: String,
    /// The filling's value beside the examples.
    pub assessment: Assessment,
    /// Others whose programs do the same on all prompts on which the search compared them.
    pub same: Vec<Self>,
}

/// The fillings that are assessed.
const ASSESSED: usize = 1_000;
/// The parts for all holes that exist at the same time.
const PARTS: usize = 1_000_000;
/// The fillings that exist at the same time even if they have more parts.
const FEW: usize = 16;

/// Searches for what belongs in the holes of a program, which has no other errors. `runner` makes a runner for a
/// program without errors. Parts that have to do with their place elsewhere in the program are tried first. All runs
/// end soon after `cancelled` is set.
///
/// # Errors
///
/// An example whose prompt cannot be used.
pub fn fill(
    checked: &Checked,
    runner: impl Fn(&Checked) -> Runner,
    examples: &[Example],
    workers: &dyn Workers,
    cancelled: &Arc<AtomicBool>,
) -> Result<Fillings, RunFailure> {
    let text = &*checked.tree.text;
    let names = NameSorts::new(checked);
    let holes = holes(&checked.tree);
    let slots = Slots::new(&checked.tree, &names);
    let distinct = Distinct::new(holes.iter().map(|hole| slots.of(*hole)));
    let mut choices = Choices::new(&slots, &distinct, workers);
    let mut nothing =
        Fillings { found: Vec::new(), distinguishing_prompt: None, compared_on: None, tried: 0, cut_off: false };
    let edits = |parts: &[Phrase]| -> Vec<Edit> {
        let edit = |(hole, part): (&Hole, &Phrase)| Edit { span: hole.span, text: part.text(&names) };
        holes.iter().zip(parts).map(edit).collect()
    };
    // Changes of this one are compiled faster than whole programs.
    let first = choices.by_ref().take_while(|_| !workers.stopped()).inspect(|_| nothing.tried += 1);
    let mut first = first.filter_map(|parts| Some(read(Edit::apply(&edits(&parts), text)?)));
    let Some(first) = first.find(Checked::compiles) else {
        nothing.cut_off = workers.stopped();
        return Ok(nothing);
    };
    choices.restart();
    let runner = runner(&first);
    let known = Known::new(checked);
    let judge = Judge::new(&first, &runner, examples, cancelled)?;
    let tried = AtomicUsize::new(0);
    let filling = |(number, parts): &(usize, Vec<Phrase>)| {
        let edits = edits(parts);
        let text = Edit::apply(&edits, text)?;
        let (after, _) = judge.passing(&text)?;
        let newly_used = parts.iter().map(|part| part.newly_used(&names)).sum();
        let assessment = Assessment::of_filling(&known, &after, newly_used);
        let fits = parts.iter().all(|part| part.fits);
        let parts = edits.iter().map(|edit| edit.text.clone()).collect();
        Some((Filling { parts, edits, text, assessment, same: Vec::new() }, fits, *number))
    };
    let at_once = AT_ONCE.min(PARTS / holes.len().max(1)).max(FEW);
    let mut found: Vec<(Filling, bool, usize)> = Vec::new();
    for part in tests(workers, choices.enumerate(), at_once, &tried, filling) {
        found.extend(part);
        found.truncate(ASSESSED);
    }
    found.sort_by_cached_key(|(filling, fits, number)| {
        let length: usize = filling.parts.iter().map(|part| part.matches(['[', ' ', '@']).count()).sum();
        (filling.assessment.rank(), !fits, length, *number)
    });
    let found: Vec<Filling> = found.into_iter().map(|(filling, ..)| filling).collect();
    let compared = found.iter().take(COMPARED).take_while(|_| !workers.stopped());
    let programs: Vec<Executable> = compared.filter_map(|it| Some(judge.compile(&it.text)?.1)).collect();
    let behaviors = Behaviors::new(&runner, &programs, examples, workers);
    Ok(Fillings {
        found: behaviors.join(found, |one, other| one.same.push(other)),
        distinguishing_prompt: behaviors.distinguishing_prompt,
        compared_on: behaviors.compared_on,
        tried: tried.into_inner(),
        cut_off: workers.stopped(),
    })
}

/// The slots of holes, of which many may be equal.
struct Distinct {
    slots: Vec<Slot>,
    /// The index of the slot of each hole.
    of_holes: Vec<usize>,
}

impl Distinct {
    fn new(slots: impl Iterator<Item = Slot>) -> Self {
        let mut numbers: HashMap<Slot, usize> = HashMap::new();
        let mut of_holes = Vec::new();
        for slot in slots {
            let next = numbers.len();
            of_holes.push(*numbers.entry(slot).or_insert(next));
        }
        let mut slots: Vec<(Slot, usize)> = numbers.into_iter().collect();
        slots.sort_unstable_by_key(|(_, number)| *number);
        Self { slots: slots.into_iter().map(|(slot, _)| slot).collect(), of_holes }
    }
}

/// The parts that a slot could have, which are made when they are tried.
struct Parts<'s> {
    made: Vec<Phrase>,
    others: Box<dyn Iterator<Item = Phrase> + 's>,
}

impl Parts<'_> {
    fn get(&mut self, index: usize) -> Option<Phrase> {
        while self.made.len() <= index {
            self.made.push(self.others.next()?);
        }
        self.made.get(index).copied()
    }
}

/// The ways to fill all holes. The last hole changes first.
struct Choices<'s> {
    /// The parts of each slot.
    parts: Vec<Parts<'s>>,
    /// The slot of each hole with the index of the part to try next.
    next: Vec<(usize, usize)>,
    ended: bool,
}

impl<'s> Choices<'s> {
    fn new(slots: &'s Slots<'_>, distinct: &'s Distinct, workers: &'s dyn Workers) -> Self {
        let parts = |slot| Parts { made: Vec::new(), others: Box::new(slots.phrases(slot, going_on(workers))) };
        Self {
            parts: distinct.slots.iter().map(parts).collect(),
            next: distinct.of_holes.iter().map(|slot| (*slot, 0)).collect(),
            ended: false,
        }
    }

    fn restart(&mut self) {
        self.next.iter_mut().for_each(|(_, index)| *index = 0);
        self.ended = false;
    }

    /// Goes to the next way. Returns whether there is one.
    fn advance(&mut self) -> bool {
        for (slot, index) in self.next.iter_mut().rev() {
            if self.parts.get_mut(*slot).is_some_and(|parts| parts.get(*index + 1).is_some()) {
                *index += 1;
                return true;
            }
            *index = 0;
        }
        false
    }
}

impl Iterator for Choices<'_> {
    type Item = Vec<Phrase>;

    fn next(&mut self) -> Option<Vec<Phrase>> {
        if self.ended {
            return None;
        }
        let parts = &mut self.parts;
        let mut part = |(slot, index): &(usize, usize)| parts.get_mut(*slot)?.get(*index);
        let found = self.next.iter().map(&mut part).collect::<Option<Vec<Phrase>>>();
        self.ended = found.is_none() || !self.advance();
        found
    }
}
