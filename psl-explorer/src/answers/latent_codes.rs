//! The codes of a layer of the schedule: the heads with which cells attend to each other.

use psl_program::latent::{Statistics, meaning, pairs, sound_productions};
use psl_runtime::LayerId;
use serde::Serialize;

use super::schedule::{Head, heads};
use crate::{no_answer::NoAnswer, scheduled_run::ScheduledRun};

/// The codes of a layer. Heads are given by their indices in the layer.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Codes {
    /// The number of the layer in the schedule, 1-based.
    layer: usize,
    heads: Vec<Head>,
    /// The passes of the enclosing repeat blocks whose pairs are given, outermost first.
    pass: Vec<usize>,
    distinct: Vec<Code>,
    /// The pairs of that pass: N, n, and the index of the code.
    pairs: Vec<[usize; 3]>,
    /// By two heads: the cosine of their mean codes, or null if one of them never attends.
    similarities: Vec<Vec<Option<f32>>>,
}

/// A set of heads with which some cell attends to another.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct Code {
    heads: Vec<usize>,
    /// The code's effect in words.
    meaning: String,
    /// The number of pairs in the whole run.
    pairs: usize,
}

/// The codes of a layer, with the pairs of one pass. If the layer did not run in this pass, it is the first one.
///
/// # Errors
///
/// Fails if the layer is unknown, or if the run failed.
pub fn latent_codes(scheduled: &ScheduledRun, layer: usize, pass: Vec<usize>) -> Result<Codes, NoAnswer> {
    let ScheduledRun { plan, runner, run, layers, .. } = scheduled;
    if let Err(failure) = run.outcome() {
        return Err(failure.clone().into());
    }
    let known = LayerId::of_number(layer).map(LayerId::index);
    let known = known.and_then(|index| layers.get(index).zip(plan.schedule.layers.get(index)));
    let (of_layer, productions) = known.ok_or(NoAnswer::UnknownLayer(layer))?;
    let mut passes = run.rows().iter().filter(|row| row.layer == of_layer.productions.start).map(|row| &row.pass);
    let first = passes.clone().next().cloned().unwrap_or_default();
    let pass = if passes.any(|ran| *ran == pass) { pass } else { first };
    let mut shown = Vec::new();
    let statistics = Statistics::new(of_layer.count(), pairs(run, of_layer), |pair, code| {
        if pair.pass == pass {
            shown.push([pair.cell.number(), pair.attends.number(), code]);
        }
    });
    let program = &runner.executable().program;
    let sound = sound_productions(program);
    let sources = of_layer.of(&sound);
    let similarity = |value: Option<f64>| value.map(|value| value as f32);
    let similarities = statistics.similarities().into_iter().map(|row| row.into_iter().map(similarity).collect());
    let distinct = statistics.code_counts.iter().map(|counted| {
        let heads = counted.first.code.clone();
        let selected = heads.iter().filter_map(|head| sources.get(*head).copied());
        Code { meaning: meaning(program, selected), pairs: counted.pairs, heads }
    });
    Ok(Codes {
        layer,
        heads: heads(plan, productions),
        pass,
        distinct: distinct.collect(),
        pairs: shown,
        similarities: similarities.collect(),
    })
}
