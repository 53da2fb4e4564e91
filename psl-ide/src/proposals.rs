//! Searches for repairs of a program and for what belongs in its holes, in the form that editors show.

use std::sync::{Arc, atomic::AtomicBool};

use psl_program::File;
use psl_search::{
    Change, DistinguishingPrompt, Fate, Filling, Fillings, MutationTest, NoSearch, Repair, Repairs, Workers, fill_file,
    most_different, repair_file,
};
use psl_syntax::{Span, diagnostic::Edit};

use crate::saved_test::{Expected, save_test};

/// A kind of search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Search {
    /// For changes that make the tests of a program pass.
    Repair,
    /// For what belongs in the holes of a program.
    Fill,
    /// For the changes of the production with this 0-based index that no test notices, each with a prompt that would.
    Unnoticed(usize),
}

/// The results of a search.
#[derive(Clone, Debug)]
pub struct Proposals {
    /// The kind of search.
    pub search: Search,
    /// The first [`MOST`] results, best first.
    pub found: Vec<Proposal>,
    /// The number of all results.
    pub count: usize,
    /// A prompt on which results differ, with their indices.
    pub distinguishing_prompt: Option<DistinguishingPrompt>,
    /// The prompts on which those that do the same were compared, in words.
    pub compared_on: Option<String>,
    /// Whether the search was stopped before it had tried everything.
    pub cut_off: bool,
}

/// A change of a program that makes its tests pass, or a test to add.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// A phrase such as "replace `A` with `B`, line 12" for a repair or for what a test would notice, and the parts
    /// such as "`A` and `B`" for a filling.
    pub description: String,
    /// The edits, in text order.
    pub edits: Vec<Edit>,
    /// The messages of the warnings that it brings.
    pub warnings: Vec<String>,
    /// The number of others whose programs do the same on all prompts that were tried.
    pub same: usize,
}

/// A sentence about the results that do the same as another one, if there are any.
pub fn others_do_the_same(others: usize) -> Option<String> {
    match others {
        0 => None,
        1 => Some("1 other does the same".to_owned()),
        _ => Some(format!("{others} others do the same")),
    }
}

/// Maximum number of results that are kept. Nobody reads a longer list.
pub const MOST: usize = 50;

/// Searches for proposals until `workers` are stopped. All runs end soon after `cancelled` is set.
///
/// # Errors
///
/// Fails if the program has no tests or holes to search for, or has other errors.
pub fn propose(
    file: &File,
    search: Search,
    workers: &dyn Workers,
    cancelled: &Arc<AtomicBool>,
) -> Result<Proposals, NoSearch> {
    let messages = |warnings: Vec<psl_syntax::Diagnostic>| warnings.into_iter().map(|it| it.message).collect();
    match search {
        Search::Repair => {
            let Repairs { found, distinguishing_prompt, compared_on, cut_off, .. } =
                repair_file(file, &[], workers, cancelled)?;
            let count = found.len();
            let proposal = |repair: Repair| {
                let description = repair.changes.iter().map(|change| said(file, &change.description, change.span));
                let description = description.collect::<Vec<_>>().join(", and ");
                let (edits, same) = (repair.edits(), repair.same.len());
                Proposal { description, edits, warnings: messages(repair.assessment.new_warnings), same }
            };
            let found = found.into_iter().take(MOST).map(proposal).collect();
            Ok(Proposals { search, found, count, distinguishing_prompt, compared_on, cut_off })
        }
        Search::Fill => {
            let Fillings { found, distinguishing_prompt, compared_on, cut_off, .. } =
                fill_file(file, &[], workers, cancelled)?;
            let count = found.len();
            let proposal = |filling: Filling| {
                let parts: Vec<String> = filling.parts.iter().map(|part| format!("`{part}`")).collect();
                let description = parts.join(" and ");
                let (edits, same) = (filling.edits, filling.same.len());
                Proposal { description, edits, warnings: messages(filling.assessment.new_warnings), same }
            };
            let found = found.into_iter().take(MOST).map(proposal).collect();
            Ok(Proposals { search, found, count, distinguishing_prompt, compared_on, cut_off })
        }
        Search::Unnoticed(production) => unnoticed(file, production, workers, cancelled),
    }
}

/// Tests that would notice changes of a production. A prompt that tells several apart is one test.
fn unnoticed(
    file: &File,
    production: usize,
    workers: &dyn Workers,
    cancelled: &Arc<AtomicBool>,
) -> Result<Proposals, NoSearch> {
    let trials = MutationTest::new(file, &[], workers, cancelled)?;
    let productions = file.program().productions();
    let span = productions.as_slice().get(production).map(|production| production.span).unwrap_or_default();
    let mutants = trials.mutants(false, workers);
    let here: Vec<&Change> =
        mutants.iter().filter(|it| span.start <= it.span.start && it.span.end <= span.end).collect();
    let fates = trials.fates(&here, workers);
    let mut found: Vec<(&str, Proposal)> = Vec::new();
    for index in most_different(&fates) {
        let (Some(mutant), Some(Some(Fate::ToldApart(told)))) = (here.get(index), fates.get(index)) else { continue };
        let Ok(expected) = &told.expected else { continue };
        let description = said(file, &mutant.description, mutant.span);
        if let Some((_, known)) = found.iter_mut().find(|(prompt, _)| *prompt == told.prompt) {
            known.description.push_str("; ");
            known.description.push_str(&description);
        } else if let Ok(edits) =
            save_test(file, Expected { prompt: &told.prompt, gold: &expected.text(), row: expected.is_row() })
        {
            found.push((&told.prompt, Proposal { description, edits, warnings: Vec::new(), same: 0 }));
        }
    }
    let titled = |(prompt, proposal): (&str, Proposal)| Proposal {
        description: format!("`{prompt}`, which notices: {}", proposal.description),
        ..proposal
    };
    Ok(Proposals {
        search: Search::Unnoticed(production),
        count: found.len(),
        found: found.into_iter().take(MOST).map(titled).collect(),
        distinguishing_prompt: None,
        compared_on: None,
        cut_off: workers.stopped(),
    })
}

/// A sentence about a change as a phrase with its line.
fn said(file: &File, sentence: &str, at: Span) -> String {
    let mut rest = sentence.chars();
    let first = rest.next().map(|first| first.to_lowercase().to_string()).unwrap_or_default();
    format!("{first}{}, line {}", rest.as_str(), file.line_index().line(at.start) + 1)
}

impl Proposals {
    /// The title of the action that applies a proposal.
    pub fn title(&self, proposal: &Proposal) -> String {
        match self.search {
            Search::Repair => format!("Repair: {}", proposal.description),
            Search::Fill if proposal.edits.len() == 1 => format!("Fill the hole with {}", proposal.description),
            Search::Fill => format!("Fill the holes with {}", proposal.description),
            Search::Unnoticed(_) => format!("Save as a test: {}", proposal.description),
        }
    }

    /// The number of results and their kind, such as "3 repairs". A search that was stopped may have missed some.
    pub fn counted(&self) -> String {
        let (one, many) = match self.search {
            Search::Repair => ("repair", "repairs"),
            Search::Fill => ("filling", "fillings"),
            Search::Unnoticed(_) if self.count == 0 && !self.cut_off => {
                return "the tests notice each change of this production".to_owned();
            }
            Search::Unnoticed(_) => ("test that would notice more", "tests that would notice more"),
        };
        match self.count {
            0 if self.cut_off => format!("no {one} found in time"),
            0 => format!("no {one} found"),
            1 => format!("1 {one}"),
            count => format!("{count} {many}"),
        }
    }
}
