//! Counts the parts of a program that its tests reach, and those that decide something there.

mod json;
mod parts;

use psl_runtime::{
    MachineKind, RunFailure, Task,
    record::{ConditionCounts, Coverage, ProductionCounts, RepeatCounts},
};
use psl_syntax::{
    Span, plain_label,
    program::{Condition, Production, Program, TestCase, TestPrompt},
    tree::{self, Comparison, Statement},
};

pub use self::parts::{CoveredCondition, CoveredProduction, CoveredRepeat, FileCoverage, Part, PartKind, Verdict};
use crate::{
    file::{File, NotCompiled},
    progress::Progress,
    runner::Runner,
};

/// The most prompts of a law that run, the shortest first.
const PROMPTS: usize = 200;

/// Runs the tests of a file with these indices, and counts the parts that decided in their runs. A law runs with
/// different symbols in place of its variables. A run that fails counts up to there, and so do all if `progress` is
/// cancelled.
///
/// # Errors
///
/// Fails if the program does not compile.
pub fn coverage(file: &File, tests: &[usize], progress: &Progress) -> Result<FileCoverage, NotCompiled> {
    let runner = file.runner()?;
    let program = &runner.executable().program;
    let mut counts = Coverage::new(program);
    let mut runs = 0;
    for (done, index) in tests.iter().enumerate() {
        progress.reach(done);
        let tasks = program.tests.get(*index).map_or_else(Vec::new, |test| tasks(runner, test));
        for task in tasks.into_iter().flatten() {
            if !progress.is_cancelled() {
                counts.add(program, &runner.record(task, MachineKind::Dat, progress));
                runs += 1;
            }
        }
    }
    let mut written = Written { program, lists: Vec::new(), until: Vec::new() };
    written.read(&file.checked().tree.statements);
    let productions = program.productions().into_iter().zip(counts.productions);
    Ok(FileCoverage {
        runs,
        productions: productions.map(|(production, counts)| written.production(production, &counts)).collect(),
        repeats: written.until.iter().zip(&counts.repeats).map(|(until, counts)| repeat(*until, counts)).collect(),
    })
}

/// The runs of a test: that of its prompt, or those of the law.
fn tasks(runner: &Runner, test: &TestCase) -> Vec<Result<Task, RunFailure>> {
    let Some(law) = &test.law else { return vec![runner.test_task(test)] };
    match runner.law_prompts(law, PROMPTS) {
        Ok(prompts) => {
            let case = |prompt| TestCase { prompt: TestPrompt::Plain(prompt), ..test.clone() };
            prompts.into_iter().map(|prompt| runner.test_task(&case(prompt))).collect()
        }
        Err(failure) => vec![Err(failure)],
    }
}

/// The spans that the resolved program lacks.
struct Written<'p> {
    program: &'p Program,
    /// The conditions with lists, and the spans of their entries.
    lists: Vec<(Span, Vec<Span>)>,
    /// The `until` clauses, in the order in which their blocks open.
    until: Vec<Span>,
}

impl Written<'_> {
    fn read(&mut self, statements: &[Statement]) {
        for statement in statements {
            match statement {
                Statement::Production(production) => {
                    let list = |condition: &tree::Condition| match &condition.comparison {
                        Comparison::Membership { list, .. } => {
                            Some((condition.span, list.iter().map(tree::Operand::span).collect()))
                        }
                        Comparison::Equality { .. } => None,
                    };
                    self.lists.extend(production.conditions.iter().filter_map(list));
                }
                Statement::Repeat(repeat) => {
                    let until = repeat.until_keyword.unwrap_or(repeat.keyword);
                    self.until.push(Span::new(until.start, repeat.span.end));
                    self.read(&repeat.body);
                }
                Statement::CausalAttn(_) => {}
            }
        }
    }

    fn production(&self, production: &Production, counts: &ProductionCounts) -> CoveredProduction {
        let ProductionCounts { fired, passed, conditions, assignments } = counts;
        let part = |kind, span, mattered| Part { kind, span, reached: *fired, mattered };
        let written = production.assignments.iter().zip(assignments);
        let conditions = production.conditions.iter().zip(conditions);
        CoveredProduction {
            label: production.label.as_deref().map(|label| plain_label(label).to_owned()),
            head: production.head,
            part: part(PartKind::Production, production.span, assignments.iter().sum()),
            conditions: conditions
                .filter(|(condition, _)| !self.program.holds_in_every_cell(condition))
                .map(|(condition, counts)| self.condition(condition, *passed, counts))
                .collect(),
            assignments: written.map(|(it, changed)| part(PartKind::Assignment, it.span, *changed)).collect(),
        }
    }

    fn condition(&self, condition: &Condition, passed: u64, counts: &ConditionCounts) -> CoveredCondition {
        let part = |kind, span, mattered| Part { kind, span, reached: passed + counts.refused, mattered };
        let entries = self.lists.iter().find(|(span, _)| *span == condition.span);
        let entries = entries.into_iter().flat_map(|(_, entries)| entries.iter().zip(&counts.entries));
        CoveredCondition {
            part: part(PartKind::Condition, condition.span, counts.refused),
            entries: entries.map(|(span, equal)| part(PartKind::Entry, *span, *equal)).collect(),
        }
    }
}

fn repeat(until: Span, counts: &RepeatCounts) -> CoveredRepeat {
    let part = |kind, count| Part { kind, span: until, reached: count, mattered: count };
    CoveredRepeat { went_on: part(PartKind::WentOn, counts.went_on), ended: part(PartKind::Ended, counts.ended) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::file;

    const DECLARATIONS: &str = "registers: {symbol: 's', position: 'p', mark: 'm', last: 'l'}\n\
                                constants: {A, B, C, D, '.'}\n\
                                system: {symbol: symbol, position: position, output: symbol}\n//@ max-new 1\n";

    /// The coverage of all tests of a program, without its declarations.
    fn covered(tests: &str, productions: &str) -> (File, FileCoverage) {
        let file = file(&format!("{tests}{DECLARATIONS}{productions}"));
        let tests: Vec<usize> = (0..file.program().tests.len()).collect();
        let covered = coverage(&file, &tests, &Progress::default()).expect("a program that compiles");
        (file, covered)
    }

    #[track_caller]
    fn check(tests: &str, productions: &str, expected: &[&str]) {
        let (file, covered) = covered(tests, productions);
        let shown = |part: &&Part| {
            let (kind, verdict) = (part.kind.name(), part.verdict().in_words());
            format!("{kind} {}: {verdict}", part.span.of(file.text()).lines().next().unwrap_or_default())
        };
        assert_eq!(covered.missing().iter().map(shown).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn what_is_not_reached_and_what_makes_no_difference_differ() {
        let production = "where symbol[N] in [A, B, C] and position[N] != D and symbol[N] not in [B, D]:\n    \
                          mark[N] = A\n    last[N] = last[N]\n";
        // The last condition refuses `B` in any case.
        let of_two = [
            "entry B: made no difference",
            "entry C: made no difference",
            "condition position[N] != D: made no difference",
            "entry D: made no difference",
            "assignment last[N] = last[N]: made no difference",
        ];
        check("//@ test \"A\" => \"A\"\n//@ test \"B\" => \"B\"\n//@ test \".\" => \".\"\n", production, &of_two);
        // Two conditions refuse `D`. Entries and assignments follow from what is around them.
        let of_one = [
            "production where symbol[N] in [A, B, C] and position[N] != D and symbol[N] not in [B, D]:: not reached",
            "condition symbol[N] in [A, B, C]: not reached",
            "condition position[N] != D: not reached",
            "condition symbol[N] not in [B, D]: not reached",
        ];
        check("//@ test \"D\" => \"D\"\n", production, &of_one);
    }

    #[test]
    fn a_production_that_writes_what_is_held_makes_no_difference() {
        let twice = "where position[N] == position[N]:\n    mark[N] = A\n".repeat(2);
        let second = "production where position[N] == position[N]:: made no difference";
        check("//@ test \"A\" => \"A\"\n", &twice, &[second]);
    }

    #[test]
    fn both_sides_of_until_are_parts() {
        let block = "repeat:\n    where symbol[N] == A:\n        symbol[N] = B\nuntil NO_CHANGE\n";
        check("//@ test \"A\" => \"B\"\n//@ test \"B\" => \"B\"\n", block, &[]);
        let once = ["production where symbol[N] == A:: not reached", "went-on until NO_CHANGE: not reached"];
        check("//@ test \"B\" => \"B\"\n", block, &once);
    }

    #[test]
    fn a_law_runs_with_symbols_that_the_program_does_not_know() {
        let law = "//@ law \"$A..3 B\" => \"B\"\n";
        let production = "where symbol[N] == B and symbol[n] == A:\n    mark[N] = A\n";
        let (_, covered) = covered(law, production);
        let [production] = &covered.productions[..] else { panic!("one production") };
        // The last cell attends to none of the others, and they to none either.
        let conditions: Vec<_> = production.conditions.iter().map(|it| (it.part.reached, it.part.mattered)).collect();
        assert_eq!((covered.runs, production.part.reached, conditions), (3, 0, vec![(0, 0), (9, 9)]));
        let many = "//@ law \"$a..30 $b..30\" => \"B\"\n";
        assert_eq!(self::covered(many, "where symbol[N] == A:\n    mark[N] = A\n").1.runs, PROMPTS);
    }

    #[test]
    fn a_test_without_a_prompt_does_not_run() {
        let (_, covered) =
            covered("//@ test json \"gone.json\" => \"A\"\n", "where symbol[N] == A:\n    mark[N] = A\n");
        assert_eq!(covered.runs, 0);
        assert_eq!(covered.mattering(PartKind::Production), (0, 1));
    }

    #[test]
    fn a_cancelled_count_ends_and_a_broken_program_has_none() {
        let file = file(&format!("//@ test \"A\" => \"A\"\n{DECLARATIONS}where symbol[N] == A:\n    mark[N] = A\n"));
        let progress = Progress::default();
        progress.cancelled.store(true, std::sync::atomic::Ordering::Relaxed);
        assert_eq!(coverage(&file, &[0], &progress).map(|it| it.runs), Ok(0));
        let broken = crate::fixture::file("where");
        assert!(coverage(&broken, &[], &Progress::default()).is_err());
    }
}
