//! Searches for repairs of a program and for what belongs in its holes, in the form that editors show.

use std::sync::{Arc, atomic::AtomicBool};

use psl_program::File;
use psl_search::{DistinguishingPrompt, Filling, Fillings, NoSearch, Repair, Repairs, Workers, fill_file, repair_file};
use psl_syntax::{Span, diagnostic::Edit};

/// A kind of search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Search {
    /// For changes that make the tests of a program pass.
    Repair,
    /// For what belongs in the holes of a program.
    Fill,
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

/// A change of a program that makes its tests pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// A phrase such as "replace `A` with `B`, line 12" for a repair, and the parts such as "`A` and `B`" for a
    /// filling.
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
    }
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
        }
    }

    /// The number of results and their kind, such as "3 repairs". A search that was stopped may have missed some.
    pub fn counted(&self) -> String {
        let (one, many) = match self.search {
            Search::Repair => ("repair", "repairs"),
            Search::Fill => ("filling", "fillings"),
        };
        match self.count {
            0 if self.cut_off => format!("no {one} found in time"),
            0 => format!("no {one} found"),
            1 => format!("1 {one}"),
            count => format!("{count} {many}"),
        }
    }
}
