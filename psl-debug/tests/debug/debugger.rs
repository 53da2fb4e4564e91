//! A debugger against brute force over the whole trace: random programs and prompts on every machine, and programs by
//! hand.
//!
//! `CASES=n` tries n cases (default: 200). `SEED=n` sets the first seed.

mod ablation;
mod forks;
mod gold;
mod interventions;
mod nested;

mod seen;
mod session;
mod walks;

use std::{collections::BTreeSet, sync::Arc};

use psl_debug::{Debugger, Launch, Moment, StepPlace, Timeline};
use psl_program::{File, Progress, Prompt};
use psl_runtime::MachineKind;

/// A debugger of a plain prompt on the PSM.
fn debugger(text: &str, prompt: &str) -> Debugger {
    launched(text, Prompt::Plain(prompt.to_owned()))
}

fn launched(text: &str, prompt: Prompt) -> Debugger {
    let ablated = BTreeSet::new();
    let launch = Launch { prompt, case: None, machine: MachineKind::Psm, max_passes: None, verify: false, ablated };
    let file = Arc::new(File::new(text, Arc::default()));
    Debugger::new(file, &launch, &Progress::default()).expect("a run")
}

/// A moment as text: step, place and cell.
fn shown(timeline: Timeline<'_>, moment: Moment) -> String {
    let place = match timeline.place(moment) {
        StepPlace::Block { block, pass } => format!("block {block} {pass:?}"),
        StepPlace::Layer(row) => format!("layer {} {:?} cell {}", row.layer, row.pass, moment.cell),
        StepPlace::Until { block, pass } => format!("until {block} {pass:?}"),
        StepPlace::Symbol => "symbol".to_owned(),
        StepPlace::End => "end".to_owned(),
    };
    format!("{}: {place}", moment.step)
}
