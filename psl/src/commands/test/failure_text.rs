//! Failed tests, for people.

use std::borrow::Cow;

use psl_program::laws::Refutation;
use psl_render::{Terminal, shown_line};
use psl_runtime::MachineKind;

use super::suite::{Case, MachineRun, Problem};
use crate::commands::comparison::{Comparison, cut, named, paragraph};

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
    let broken = run.law.as_ref().and_then(|law| law.refutation.as_ref());
    if let Some(Refutation { equalities, .. }) = broken.filter(|it| !it.equalities.is_empty()) {
        lines.extend(paragraph("breaks", &format!("if {}", equalities.join("; if ")), terminal));
    }
    if let Some(cause) = &problem.cause {
        lines.extend(paragraph("why", cause, terminal));
    }
    // One line, so that users can copy it.
    lines.extend(command(case, problem, machines).map(|command| named("more", &shown_line(&command), terminal)));
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::Value;

    use super::*;

    const PLAIN: Terminal = Terminal { color: false, unicode: true, columns: 60 };

    fn run(machine: MachineKind, got: &str, cause: Option<&str>) -> MachineRun {
        let problem = cause.map(|cause| Problem {
            first_wrong: Some(2),
            message: "symbol 2 is `C`, not `B`".to_owned(),
            cause: Some(cause.to_owned()),
            options: vec!["--table".to_owned(), "--cells".to_owned(), "1,2".to_owned()],
        });
        MachineRun { machine, got: Some(got.to_owned()), problem, law: None, time: Duration::ZERO }
    }

    fn case(runs: Vec<MachineRun>) -> Case {
        Case {
            place: "a.psl:1:1".to_owned(),
            line: 1,
            name: None,
            number: 1,
            prompt: Value::Null,
            prompt_text: "A".to_owned(),
            gold: "A B".to_owned(),
            is_law: false,
            command: Some(["psl", "run", "a.psl", "--prompt", "it's A"].map(str::to_owned).to_vec()),
            runs,
        }
    }

    #[test]
    fn machines_that_differ_are_listed() {
        let wrong = |machine| run(machine, "A C", Some("layer 1 wrote it"));
        let case =
            case(vec![run(MachineKind::Psm, "A B", None), wrong(MachineKind::Qkvm), wrong(MachineKind::FullDat)]);
        let (message, lines) = failure_text(&case, PLAIN).expect("a failure");
        assert_eq!(message, "the machines differ");
        assert_eq!(
            lines,
            [
                "  prompt    A",
                "  on        psm: passed",
                "  on        qkvm, full-dat: symbol 2 is `C`, not `B`",
                "  expected  A B",
                "  got       A C",
                "              ^",
                "  why       layer 1 wrote it",
                "  more      psl run a.psl --prompt \"it's A\" --machine qkvm --table --cells 1,2",
            ]
        );
    }

    #[test]
    fn the_default_machine_is_not_named() {
        let case = case(vec![run(MachineKind::Dat, "A C", Some("why"))]);
        let (message, lines) = failure_text(&case, PLAIN).expect("a failure");
        assert_eq!(message, "symbol 2 is `C`, not `B`");
        assert!(lines.iter().all(|line| !line.contains("--machine")), "{lines:?}");
    }
}
