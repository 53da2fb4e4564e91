//! The symbols that a user adds to a vocabulary.

use std::path::Path;

use psl_program::VocabularyNeeds;
use psl_tasks::LineFormat;

use crate::{
    failure::Failure,
    input::{data_lines::DataLines, program_file::read_text},
};

/// The needs of task data: its prompts and golds. Those of another file are its symbols.
pub fn needs_of_file(path: &Path) -> Result<VocabularyNeeds, Failure> {
    let mut needs = VocabularyNeeds::default();
    if !path.extension().is_some_and(|extension| extension == "tsv" || extension == "jsonl") {
        let text = read_text(path).map_err(Failure::unreadable)?;
        needs.values = text.split_whitespace().map(str::to_owned).collect();
        return Ok(needs);
    }
    let format = LineFormat::of(path);
    let mut data = DataLines::open(path)?;
    while let Some(text) = data.next_text()? {
        if !text.trim().is_empty() {
            let line = format.parse(&text).map_err(|why| data.wrong(&why))?;
            needs.add(line.prompt.split_whitespace());
            needs.values.extend(line.gold.split_whitespace().map(str::to_owned));
        }
    }
    Ok(needs)
}
