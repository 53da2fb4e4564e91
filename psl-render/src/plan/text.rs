//! A plan as text.

use std::{collections::BTreeMap, fmt::Write as _};

use psl_program::{Plan, PlannedRepeat, count};
use psl_syntax::program::Program;

use super::words::reason;

/// A plan as lines of text: a summary, the layers with their heads, and the critical path.
pub fn plan_text(plan: &Plan, program: &Program) -> String {
    let mut text = format!("{}\n\n", plan_summary(plan));
    let layer_width = plan.schedule.depth().to_string().len();
    let mut starting = BTreeMap::<usize, Vec<&PlannedRepeat>>::new();
    let mut around = vec![0; plan.schedule.depth()];
    for repeat in &plan.repeats {
        starting.entry(repeat.layers.start).or_default().push(repeat);
        for blocks in around.iter_mut().take(repeat.layers.end).skip(repeat.layers.start) {
            *blocks += 1;
        }
    }
    for ((index, heads), around) in plan.schedule.layers.iter().enumerate().zip(around) {
        for repeat in starting.get(&index).into_iter().flatten() {
            let _ = writeln!(text, "{}repeat: {}", indentation(repeat.nesting), repeat.name);
        }
        let names: Vec<&str> = heads.iter().map(|production| plan.name(*production)).collect();
        let number = index + 1;
        let _ = writeln!(text, "{}layer {number:<layer_width$}  {}", indentation(around), names.join(" | "));
    }
    let path = &plan.schedule.critical_path;
    let _ = writeln!(text, "\ncritical path: {}", certificate(plan));
    let width = path.iter().map(|step| plan.name(*step).chars().count()).max().unwrap_or_default();
    let mut before = None;
    for step in path {
        let (name, reason) = (plan.name(*step), reason(plan, program, before, *step));
        let _ = writeln!(text, "{}", format!("  {name:<width$}  {reason}").trim_end());
        before = Some(*step);
    }
    text
}

/// `31 productions in 27 layers of up to 2 heads`.
pub fn plan_summary(plan: &Plan) -> String {
    let productions = count(plan.productions.len(), "production");
    let layers = count(plan.schedule.depth(), "layer");
    let heads = count(plan.schedule.width(), "head");
    let fewest = match plan.schedule.fewest {
        fewest if fewest < plan.schedule.depth() => format!("; at least {} needed", is_or_are(fewest)),
        _ => String::new(),
    };
    format!("{productions} in {layers} of up to {heads}{fewest}")
}

/// The claim that the critical path proves.
fn certificate(plan: &Plan) -> String {
    match plan.schedule.critical_path.len() {
        0 | 1 => "no production waits for another".to_owned(),
        needed => format!("these {needed} productions wait for each other"),
    }
}

fn is_or_are(layers: usize) -> String {
    if layers == 1 { "1 is".to_owned() } else { format!("{layers} are") }
}

fn indentation(nesting: usize) -> String {
    "  ".repeat(nesting)
}
