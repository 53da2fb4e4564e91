//! The schedule of the program: the layers that its productions can share, as heads.

use std::num::NonZeroUsize;

use psl_program::{File, Plan};
use psl_render::{plan_picture, plan_summary};
use psl_syntax::program::ProductionId;
use serde::Serialize;

use crate::no_answer::NoAnswer;

/// The layers and heads of a schedule, with a picture of them.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Schedule {
    /// The number of productions, layers and heads, in words.
    summary: String,
    /// SVG. The attribute `data-production` of a head is the number of its production.
    picture: String,
    /// By layer: its heads.
    layers: Vec<Vec<Head>>,
}

/// A production as a head of a layer.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Head {
    /// The production's number in the program, 1-based, which is that of its layer in the shown run.
    production: usize,
    /// The short name.
    name: String,
}

/// Schedules a program, with at most `limit` heads in a layer.
///
/// # Errors
///
/// Fails if the program has errors.
pub fn schedule(file: &File, limit: Option<NonZeroUsize>) -> Result<Schedule, NoAnswer> {
    let program = file.runner()?.unscheduled()?;
    let plan = Plan::new(program, Some(file.line_index()), limit);
    let layers = plan.schedule.layers.iter().map(|productions| heads(&plan, productions)).collect();
    Ok(Schedule { summary: plan_summary(&plan), picture: plan_picture(&plan, program), layers })
}

/// Productions of a plan, given by their indices, as heads.
pub fn heads(plan: &Plan, productions: &[usize]) -> Vec<Head> {
    productions
        .iter()
        .map(|index| Head { production: ProductionId::new(*index).number(), name: plan.name(*index).to_owned() })
        .collect()
}
