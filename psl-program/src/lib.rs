//! A program as its users see it: a file with its configuration, prompts and tests, its diagnostics and runs.
//!
//! ```text
//! File::new(text, config).with_prompts(read)   a program and the facts derived from it, computed on demand
//! diagnostics(&file, report)                   its diagnostics, with those of its tests, at the configured severities
//! run_test(&file, index, &cancelled)           one test; a TestReport holds all of them
//! run(&file, …)                                a run that a user requests, which a `RunHistory` records
//! coverage(&file, tests, &progress)             the parts that tests reach, and those that decide something
//! Runner::complete                             a program in any of its forms completes a prompt
//! ```
//!
//! Invariant: this crate does no I/O. It has no access to terminals, editor protocols, URLs, clocks, the environment or
//! threads; callers pass in what it needs. It compiles to WebAssembly.
#![warn(missing_docs)]

mod align;
mod brief_run;
mod checkpoint;
mod checkpoint_files;
mod compile;
pub mod config;
mod counting;
mod coverage;
mod diagnostics;
mod failed_test;
mod failure_explanation;
mod file;
#[cfg(test)]
#[path = "../../tests/cases/fixture.rs"]
mod fixture;
mod intervention;
pub mod latent;
pub mod laws;
mod layer_names;
mod patch;
mod plan;
mod progress;
mod prompt;
mod ranges;
mod recording;
mod refused;
mod run;
mod run_history;
mod run_outcome;
mod runner;
mod structured_prompt;
mod table_selection;
mod test_name;
mod test_prompts;
mod test_report;
mod tested_checkpoint;
mod versions;
mod vocabulary_needs;

// The fixture names this crate as other crates do.
#[cfg(test)]
extern crate self as psl_program;

pub use align::{Pair, align};
pub use brief_run::run_briefly;
pub use checkpoint::{
    BuiltCheckpoint, CheckpointFailure, CheckpointOptions, EndedEarly, checkpoint, complete_by, continuation,
};
pub use checkpoint_files::{CheckpointFiles, ListedFile, Sum, Summing, with_card};
pub use compile::{Compiled, CompiledLayer, Emit, compile};
pub use config::Config;
pub use counting::count;
pub use coverage::{
    CoveredCondition, CoveredProduction, CoveredRepeat, FileCoverage, Part, PartKind, Verdict, coverage,
};
pub use diagnostics::{diagnostics, prepare_diagnostics, text_warnings};
pub use failed_test::{FailedTest, failed_test};
pub use failure_explanation::{FailureExplanation, explain_failure, explain_symbol};
pub use file::{File, NotCompiled};
pub use intervention::{Intervention, NotAPlace, SeveralWords, notes_about_values, value_in};
pub use layer_names::{LayerNames, NotALayer};
pub use patch::{
    Alignment, NoScore, NotAligned, NotParts, NotPatched, PatchBy, PatchKey, PatchOptions, PatchPlace, PatchRows,
    Patched, Patching, Score,
};
pub use plan::{Flow, Plan, PlannedProduction, PlannedRepeat};
pub use progress::Progress;
pub use prompt::Prompt;
pub use psl_runtime::{Continuation, RunFailure, gpt2::CheckpointFile};
pub use ranges::{NoLayer, NotRanges, Ranges};
pub use run::{MAX_TRACE, RunRefusal, RunRequest, choose, chosen_task, run, run_listed_test, trace};
pub use run_history::{RunHistory, RunResults};
pub use run_outcome::RunOutcome;
pub use runner::{NO_LAYERS, Runner};
pub use structured_prompt::{NotAPrompt, StructuredPrompt, UnknownRegister};
pub use table_selection::{NoSelection, TableSelection};
pub use test_name::{TestName, UnknownTest, matching_tests};
pub use test_prompts::{NoPrompt, TestPrompts};
pub use test_report::{Ahead, LayerStats, Outcome, TestReport, TestRun, run_test};
pub use tested_checkpoint::{Exactness, Tested};
pub use versions::layers_in_new_version;
pub use vocabulary_needs::VocabularyNeeds;
