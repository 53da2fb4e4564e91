//! A run of the scheduled program, whose layers have several heads.

use std::{collections::BTreeSet, num::NonZeroUsize};

use psl_program::{
    File, Plan, Progress, Prompt, Runner,
    latent::{LayerHeads, layers},
};
use psl_runtime::{MachineKind, Options, record::RecordedRun};
use psl_syntax::program::ProductionId;

use crate::no_answer::NoAnswer;

pub struct ScheduledRun {
    /// The maximum number of heads in a layer.
    pub limit: Option<NonZeroUsize>,
    pub plan: Plan,
    pub runner: Runner,
    pub run: RecordedRun,
    pub layers: Vec<LayerHeads>,
}

impl ScheduledRun {
    /// Schedules the program and runs a prompt, without the writes of the ablated productions.
    ///
    /// # Errors
    ///
    /// Fails if the program has errors, or if the prompt cannot be used.
    pub fn new(
        file: &File,
        prompt: &Prompt,
        machine: MachineKind,
        ablated: &BTreeSet<ProductionId>,
        limit: Option<NonZeroUsize>,
    ) -> Result<Self, NoAnswer> {
        let source = file.runner()?;
        let plan = Plan::new(source.unscheduled()?, Some(file.line_index()), limit);
        let runner = source.scheduled(limit)?;
        let mut task = runner.prompt_task(prompt, &runner.options(&Options::default()))?;
        // The heads of the schedule are numbered in its order.
        let order = (0..).map(ProductionId::new).zip(plan.schedule.layers.iter().flatten());
        let is_ablated = |(_, production): &(_, &usize)| ablated.contains(&ProductionId::new(**production));
        task.limits.ablated = order.filter(is_ablated).map(|(head, _)| head).collect();
        let run = runner.record(task, machine, &Progress::default());
        let layers = layers(runner.executable());
        Ok(Self { limit, plan, runner, run, layers })
    }
}
