//! Failed tests, for people.

use std::borrow::Cow;

use psl_runtime::MachineKind;

use super::suite::{Case, MachineRun, Problem};
use crate::{
    comparison::{Comparison, cut, named, paragraph},
    shown::shown,
    terminal::Terminal,
};

/// The failure in a few words, and the lines that show it; `None` if the test passed.
pub fn failure_text(case: &Case, terminal: Terminal) -> Option<(String, Vec<String>)> {
    if case.passed() {
        return None;
    }
    let groups = case.groups();
    let mut lines = vec![cut("prompt", &case.prompt_text, terminal)];
    if let [(machines, run)] = groups.as_slice() {
        let problem = run.problem.as_ref()?;
        lines.extend(details(case, run, problem, machines, terminal));
        return Some((problem.message.clone(), lines));
    }
    for (machines, run) in groups {
        let names: Vec<&str> = machines.iter().map(|machine| machine.name()).collect();
        let message = run.problem.as_ref().map_or("passed", |problem| problem.message.as_str());
        lines.extend(paragraph("on", &format!("{}: {message}", names.join(", ")), terminal));
        if let Some(problem) = &run.problem {
            lines.extend(details(case, run, problem, &machines, terminal));
        }
    }
    Some(("the machines differ".to_owned(), lines))
}

fn details(
    case: &Case,
    run: &MachineRun,
    problem: &Problem,
    machines: &[MachineKind],
    terminal: Terminal,
) -> Vec<String> {
    let mut lines = run.got.as_ref().map_or_else(Vec::new, |got| Comparison::new(&case.gold, got).lines(terminal));
    if let Some(cause) = &problem.cause {
        lines.extend(paragraph("why", cause, terminal));
    }
    // It is one line, to be copied.
    lines.extend(command(case, problem, machines).map(|command| named("more", &shown(&command), terminal)));
    lines
}

/// The command that shows more, for a shell.
fn command(case: &Case, problem: &Problem, machines: &[MachineKind]) -> Option<String> {
    let mut words = case.command.clone()?;
    if let Some(machine) = machines.first().filter(|_| !machines.contains(&MachineKind::Dat)) {
        words.extend(["--machine".to_owned(), machine.name().to_owned()]);
    }
    words.extend(problem.options.iter().cloned());
    words.iter().map(|word| quoted(word)).collect::<Option<Vec<_>>>().map(|words| words.join(" "))
}

/// A word for a shell. A comma needs no quotes.
fn quoted(word: &str) -> Option<Cow<'_, str>> {
    let is_plain = |part: &str| shlex::try_quote(part).is_ok_and(|quoted| quoted == part);
    if word.split(',').all(is_plain) { Some(word.into()) } else { shlex::try_quote(word).ok() }
}
