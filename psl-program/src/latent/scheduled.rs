//! A program whose layers can have several heads.

use std::num::NonZeroUsize;

use psl_runtime::RunFailure;
use psl_syntax::{Program, program::ProductionId, schedule::schedule};

use crate::runner::Runner;

/// A program in the order of a schedule, or as it is if its layers have several heads already.
pub struct Scheduled<'r> {
    original: &'r Runner,
    /// `None` if the original has several heads already.
    reordered: Option<Runner>,
    /// In running order: the productions in the original program.
    originals: Vec<ProductionId>,
}

impl<'r> Scheduled<'r> {
    /// Schedules a program with at most `max_heads` heads in a layer.
    ///
    /// # Errors
    ///
    /// Fails if it has no form in PSL, or if its layers have several heads already and there is a limit on them.
    pub fn new(original: &'r Runner, max_heads: Option<NonZeroUsize>) -> Result<Self, RunFailure> {
        let program = &original.executable().program;
        let productions = program.productions();
        if max_heads.is_none() && productions.iter().any(|production| production.shares_layer) {
            return Ok(Self { original, reordered: None, originals: productions.ids().collect() });
        }
        let reordered = Some(original.scheduled(max_heads)?);
        let order = schedule(program, max_heads).layers.concat();
        Ok(Self { original, reordered, originals: order.into_iter().map(ProductionId::new).collect() })
    }

    /// The program that runs.
    pub fn runner(&self) -> &Runner {
        self.reordered.as_ref().unwrap_or(self.original)
    }

    /// The productions in the order of the schedule.
    pub fn program(&self) -> &Program {
        &self.runner().executable().program
    }

    /// The productions in the original program, in running order.
    pub fn originals(&self) -> &[ProductionId] {
        &self.originals
    }
}
