//! The search for the parts that belong in the holes of a program.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

use psl_program::{RunFailure, Runner, text_warnings};
use psl_runtime::Executable;
use psl_syntax::{
    Checked,
    diagnostic::Edit,
    holes::{Hole, holes},
    read,
};

use crate::{
    assessment::Assessment,
    example::Example,
    fillings::fillings,
    judge::{Judge, Verdict},
    phrases::Phrase,
    telling::{COMPARED, Telling, telling},
    words::Words,
    workers::{Workers, select},
};

/// The fillings of a program's holes.
#[derive(Clone, Debug)]
pub struct Fillings {
    /// The fillings with which the program completes all examples, best first.
    pub found: Vec<Filling>,
    /// A prompt on which programs of the first fillings differ, with the indices of the fillings.
    pub telling: Option<Telling>,
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
    /// Its value beside the examples.
    pub assessment: Assessment,
}

/// The fillings that are assessed.
const ASSESSED: usize = 1_000;

/// Searches for what belongs in the holes of a program, which has no other errors. `runner` makes a runner for a program without
/// errors. Parts that have to do with their place elsewhere in the program are tried first. All runs end soon after `cancelled` is
/// set.
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
    let words = Words::new(checked);
    let holes = holes(&checked.tree);
    let choices = Choices { holes: &holes, parts: holes.iter().map(|hole| fillings(checked, &words, *hole)).collect() };
    let tried = AtomicUsize::new(0);
    let mut nothing = Fillings { found: Vec::new(), telling: None, tried: 0, cut_off: false };
    let filled = |number: usize| Edit::apply(&choices.edits(number)?, text);
    // Changes of this one are compiled faster than whole programs.
    let numbers = (0..choices.count()).take_while(|_| !workers.stopped());
    let mut first = numbers.inspect(|_| nothing.tried += 1).filter_map(|number| Some(read(filled(number)?.into())));
    let Some(first) = first.find(Checked::compiles) else {
        nothing.cut_off = workers.stopped();
        return Ok(nothing);
    };
    let runner = runner(&first);
    let known = text_warnings(checked);
    let judge = Judge::new(&first, &runner, examples, cancelled)?;
    let passes = |number: usize| filled(number).is_some_and(|text| judge.judge(&text) == Verdict::Passes);
    let passing = select(workers, choices.count(), &tried, passes);
    let assess = |number: usize| {
        let text = filled(number)?;
        let (after, executable) = judge.compile(&text)?;
        let assessment = Assessment::new(&known, &after);
        let (edits, fits) = (choices.edits(number)?, choices.fit(number));
        let parts = edits.iter().map(|edit| edit.text.clone()).collect();
        Some((Filling { parts, edits, text, assessment }, executable, fits, number))
    };
    let mut found: Vec<(Filling, Executable, bool, usize)> =
        passing.into_iter().take(ASSESSED).filter_map(assess).collect();
    found.sort_by_cached_key(|(filling, _, fits, number)| {
        let length: usize = filling.parts.iter().map(|part| part.matches(['[', ' ', '@']).count()).sum();
        (filling.assessment.rank(), !fits, length, *number)
    });
    let programs: Vec<Executable> = found.iter().take(COMPARED).map(|(_, program, ..)| program.clone()).collect();
    Ok(Fillings {
        telling: telling(&runner, &programs, examples, workers),
        found: found.into_iter().map(|(filling, ..)| filling).collect(),
        tried: tried.load(Ordering::Relaxed),
        cut_off: workers.stopped(),
    })
}

/// The parts that each hole could have.
struct Choices<'h> {
    holes: &'h [Hole],
    parts: Vec<Vec<Phrase>>,
}

impl Choices<'_> {
    /// The number of ways to fill all holes.
    fn count(&self) -> usize {
        self.parts.iter().map(Vec::len).fold(1, usize::saturating_mul)
    }

    /// The part of each hole in one of these ways, by its number.
    fn parts(&self, mut number: usize) -> Option<Vec<&Phrase>> {
        let mut chosen = Vec::with_capacity(self.parts.len());
        for parts in self.parts.iter().rev() {
            chosen.push(parts.get(number.checked_rem(parts.len())?)?);
            number /= parts.len();
        }
        chosen.reverse();
        Some(chosen)
    }

    fn edits(&self, number: usize) -> Option<Vec<Edit>> {
        let parts = self.parts(number)?.into_iter();
        let edit = |(hole, part): (&Hole, &Phrase)| Edit { span: hole.span, text: part.text.clone() };
        Some(self.holes.iter().zip(parts).map(edit).collect())
    }

    fn fit(&self, number: usize) -> bool {
        self.parts(number).is_some_and(|parts| parts.iter().all(|part| part.fits))
    }
}
