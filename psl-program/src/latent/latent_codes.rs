//! The codes of a run, checked against the weights.

use std::num::NonZeroUsize;

use psl_runtime::{Continuation, MachineKind, Options, RunFailure};
use psl_syntax::LineIndex;
use thiserror::Error;

use super::{
    check::{Difference, check},
    heads::{layers, sound_productions},
    scheduled::Scheduled,
    scheduled_layer::ScheduledLayer,
};
use crate::{
    layer_names::{LayerNames, NotALayer},
    progress::Progress,
    prompt::Prompt,
    ranges::NoLayer,
    runner::Runner,
};

/// The codes of a run.
pub struct LatentCodes<'r> {
    /// The continuation of the prompt.
    pub continuation: &'r Continuation,
    /// The number of codes, all of which agree with the weights.
    pub verified: usize,
    /// The chosen layers of the schedule.
    pub layers: Vec<ScheduledLayer<'r>>,
}

/// The run and the layers whose codes are asked for.
#[derive(Clone, Debug)]
pub struct LatentRequest {
    /// The prompt.
    pub prompt: Prompt,
    /// Names and ranges of layers of the schedule with commas. All by default.
    pub layers: Option<String>,
    /// The maximum number of heads in a layer.
    pub max_heads: Option<NonZeroUsize>,
}

/// A reason why there are no codes.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum NoCodes {
    /// The program has no schedule.
    #[error("{}", .0.message)]
    NotScheduled(RunFailure),
    /// The schedule lacks a layer.
    #[error(transparent)]
    NotALayer(#[from] NotALayer),
    /// The run cannot start or finish.
    #[error("{}", .0.message)]
    Failed(RunFailure),
    /// The codes and the weights disagree.
    #[error("the codes do not agree with the weights: {0}")]
    Difference(Box<Difference>),
}

impl From<NoLayer> for NoCodes {
    fn from(error: NoLayer) -> Self {
        Self::NotALayer(error.into())
    }
}

/// Schedules a program, runs a prompt, and shows its codes to `show`. `lines` are those of the program's text.
///
/// # Errors
///
/// Fails if the program has no schedule, if it lacks a chosen layer, if the run fails, and if a code does not agree
/// with the weights.
pub fn latent_codes<T>(
    runner: &Runner,
    lines: Option<&LineIndex>,
    request: LatentRequest,
    progress: &Progress,
    show: impl FnOnce(&LatentCodes<'_>) -> T,
) -> Result<T, NoCodes> {
    let LatentRequest { prompt, layers: chosen, max_heads } = request;
    let scheduled = Scheduled::new(runner, max_heads).map_err(NoCodes::NotScheduled)?;
    let of_schedule = scheduled.runner();
    let mut heads = layers(of_schedule.executable());
    if let Some(names) = chosen {
        let chosen = LayerNames::new(of_schedule, None).ranges(&names)?.layers(heads.len())?;
        heads.retain(|it| chosen.contains(&it.layer));
    }
    let options = of_schedule.options(&Options::default());
    let task = of_schedule.prompt_task(&prompt, &options).map_err(NoCodes::Failed)?;
    let run = of_schedule.record(task, MachineKind::Dat, progress);
    let continuation = run.outcome().as_ref().map_err(|failure| NoCodes::Failed(failure.clone()))?;
    let verified = check(of_schedule.executable(), &run, &heads).map_err(NoCodes::Difference)?;
    let sound = sound_productions(scheduled.program());
    let layer = |heads| ScheduledLayer::new(lines, &scheduled, &sound, &run, heads);
    Ok(show(&LatentCodes { continuation, verified, layers: heads.iter().map(layer).collect() }))
}
