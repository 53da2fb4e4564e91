//! The counts of coverage, against brute force over all pairs of cells of the whole trace.

use std::collections::BTreeSet;

use psl_runtime::{
    MachineKind, Options, Update,
    record::{Coverage, RepeatCounts},
};
use psl_syntax::program::{Comparison, Operand, ProductionId, Statement};

use super::{
    Case, cases, enough,
    questions::{Pair, updates, visible},
    record,
};
use crate::common;

/// Counts one pair of cells.
fn count_pair(counts: &mut Coverage, layer: ProductionId, production: &psl_syntax::program::Production, pair: &Pair) {
    let refusing: Vec<usize> =
        (0..production.conditions.len()).filter(|&index| !pair.holds(&production.conditions[index])).collect();
    let counts = &mut counts.productions[layer];
    counts.passed += u64::from(refusing.is_empty());
    for (index, condition) in production.conditions.iter().enumerate() {
        if refusing.iter().any(|refusing| *refusing != index) {
            continue;
        }
        counts.conditions[index].refused += u64::from(!refusing.is_empty());
        let (Comparison::In(list) | Comparison::NotIn(list)) = &condition.comparison else { continue };
        let left = pair.register(condition.left);
        let equal = |entry: usize| pair.operand(Operand::Constant(list[entry])).as_deref() == left && left.is_some();
        let equal: Vec<usize> = (0..list.len()).filter(|entry| equal(*entry)).collect();
        if let [entry] = equal[..] {
            counts.conditions[index].entries[entry] += 1;
        }
    }
}

/// The numbers of the blocks around each production.
fn blocks(statements: &[Statement], around: &[usize], opened: &mut usize, found: &mut Vec<Vec<usize>>) {
    for statement in statements {
        match statement {
            Statement::Production(_) => found.push(around.to_vec()),
            Statement::Repeat(repeat) => {
                *opened += 1;
                blocks(&repeat.body, &[around, &[*opened]].concat(), opened, found);
            }
        }
    }
}

fn passes(case: &Case) -> Vec<RepeatCounts> {
    let mut around = Vec::new();
    blocks(&case.executable.program.statements, &[], &mut 0, &mut around);
    let updates = &case.trace.updates;
    let of_block = |block: usize| {
        let depth = |update: &Update| around[update.layer.index()].iter().position(|it| *it == block);
        let distinct = |end: usize| {
            let pass = |update: &Update| Some((update.step, update.pass[..depth(update)? + end].to_vec()));
            updates.iter().filter_map(pass).collect::<BTreeSet<_>>().len() as u64
        };
        let open = updates.last().is_some_and(|last| case.trace.run.is_err() && depth(last).is_some());
        RepeatCounts { went_on: distinct(1) - distinct(0), ended: distinct(0) - u64::from(open) }
    };
    (1..=case.executable.program.repeats().len()).map(of_block).collect()
}

#[test]
fn counts_are_those_of_brute_force() {
    let [mut refused, mut entries, mut changed, mut went_on] = [0; 4];
    for case in cases() {
        let program = &case.executable.program;
        let mut expected = Coverage::new(program);
        updates(&case, |update, _, production, pairs| {
            for (source, pair) in pairs.ids().zip(&pairs) {
                if visible(production, update.cell, source) {
                    count_pair(&mut expected, update.layer, production, pair);
                }
            }
            let counts = &mut expected.productions[update.layer];
            counts.fired += u64::from(update.attends.is_some());
            let before = pairs[update.cell].updated;
            for (assignment, count) in production.assignments.iter().zip(&mut counts.assignments) {
                let register = assignment.target.index();
                *count += u64::from(update.state[register] != before[register]);
            }
        });
        expected.repeats = passes(&case);
        let mut found = Coverage::new(program);
        found.add(program, &case.recorded);
        assert_eq!(found, expected, "{}", case.place);
        let conditions = || found.productions.iter().flat_map(|counts| &counts.conditions);
        refused += conditions().filter(|counts| counts.refused > 0).count();
        entries += conditions().flat_map(|counts| &counts.entries).filter(|count| **count > 0).count();
        changed += found.productions.iter().flat_map(|counts| &counts.assignments).filter(|it| **it > 0).count();
        went_on += found.repeats.iter().filter(|counts| counts.went_on > 0).count();
    }
    enough(refused, 100, "conditions that refuse alone");
    enough(entries, 100, "entries that decide");
    enough(changed, 100, "assignments that change a register");
    enough(went_on, 10, "blocks with several passes");
}

/// The counts of a program's run on a prompt, without its declarations.
fn counted(productions: &str, prompt: &str, max_new: usize) -> Coverage {
    let program = common::program(&format!(
        "registers: {{symbol: 's', position: 'p', mark: 'm', copy: 'c'}}\nconstants: {{A, B, C, D, '1', '4'}}\n{productions}"
    ));
    let executable = psl_runtime::Executable::new(program);
    let options = Options { max_new: Some(max_new), ..Options::default() };
    let task = common::task(&executable, prompt, &options);
    let mut counts = Coverage::new(&executable.program);
    counts.add(&executable.program, &record(&executable, &task, MachineKind::Psm));
    counts
}

#[test]
fn a_condition_decides_where_all_others_hold() {
    let counts = counted(
        "where symbol[N] in [A, B, D] and position[N] != '4' and symbol[N] not in [B, C]:\n    mark[N] = A\n",
        "A B C E",
        1,
    );
    let production = &counts.productions[ProductionId::new(0)];
    assert_eq!((production.fired, production.passed), (1, 1));
    let refused: Vec<u64> = production.conditions.iter().map(|counts| counts.refused).collect();
    assert_eq!(refused, [0, 0, 1]);
    let entries: Vec<&[u64]> = production.conditions.iter().map(|counts| &counts.entries[..]).collect();
    // `A` passes, `B` is refused by the last condition, `C` by two.
    assert_eq!(entries, [&[1, 0, 0][..], &[], &[1, 0]]);
    assert_eq!(production.assignments, [1]);
}

#[test]
fn an_entry_that_is_listed_twice_decides_nothing_alone() {
    let counts = counted("where symbol[N] in [A, A, B]:\n    mark[N] = A\n", "A B", 1);
    assert_eq!(counts.productions[ProductionId::new(0)].conditions[0].entries, [0, 0, 1]);
}

#[test]
fn a_write_of_what_is_held_changes_nothing() {
    let production = "where symbol[N] == A:\n    symbol[N] = A\n    mark[N] = copy[N]\n    copy[N] = B\n";
    let counts = counted(&production.repeat(2), "A A", 1);
    let written: Vec<_> = counts.productions.iter().map(|counts| (counts.fired, &counts.assignments[..])).collect();
    assert_eq!(written, [(2, &[0, 0, 2][..]), (2, &[0, 2, 0])]);
}

#[test]
fn the_passes_of_a_block_go_on_and_end() {
    let block = "repeat:\n    where symbol[N] == A and mark[n] == B:\n        mark[N] = B\n    \
                 where symbol[N] == A and position[N] == '1':\n        mark[N] = B\nuntil ";
    // The first pass marks cell 1, the second one cell 2, the third one nothing.
    let passes = |until: &str, prompt| counted(&format!("{block}{until}\n"), prompt, 1).repeats[0];
    assert_eq!(passes("NO_CHANGE", "A A"), RepeatCounts { went_on: 2, ended: 1 });
    assert_eq!(passes("mark[N] == B", "A A"), RepeatCounts { went_on: 0, ended: 1 });
    // The run fails: the first pass changes nothing.
    assert_eq!(passes("mark[N] == B", "B"), RepeatCounts { went_on: 0, ended: 0 });
    // Each generated cell takes as many passes as the one before.
    let counts = counted(&format!("{block}NO_CHANGE\n"), "A A", 3);
    assert_eq!(counts.repeats[0], RepeatCounts { went_on: 2 * 3, ended: 3 });
    assert_eq!(counts.productions.iter().map(|counts| counts.fired).collect::<Vec<_>>(), [10, 3]);
}
