//! The origins of values, by tags that follow the trace forward.

use psl_runtime::{
    CellId, State,
    record::{LinkKind, RowId, Time, origin},
};
use psl_syntax::{
    index::IndexVec,
    program::{Cell, Operand, RegisterId},
};

use super::{Case, cases, enough};

/// The origin of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    /// The start of a cell, by cell and register: the prompt, the machine or null.
    Start(CellId, RegisterId),
    /// An assignment of a constant, by row, cell and register.
    Constant(RowId, CellId, RegisterId),
}

/// The origin of a register's value, and the number of registers that it passed through. No condition reads it.
type Tag = (Origin, usize);

/// The tags of each register of each cell before its first update and after each update.
fn tags(case: &Case) -> IndexVec<CellId, Vec<Vec<Tag>>> {
    let executable = &case.executable;
    let productions = executable.program.productions();
    let position = executable.program.roles.position;
    let registers = || executable.registers.ids();
    let start = |cell| registers().map(|register| (Origin::Start(cell, register), 1)).collect::<Vec<Tag>>();
    let mut tags: IndexVec<CellId, Vec<Vec<Tag>>> =
        CellId::first(case.trace.prompt_cells).map(|cell| vec![start(cell)]).collect();
    for update in &case.trace.updates {
        if update.cell.number() > tags.len() {
            let last = tags.as_slice().last().and_then(|cell| cell.last()).expect("the cell before");
            let copied = |(register, (origin, links)): (RegisterId, &Tag)| {
                let machine = (Origin::Start(update.cell, register), 1);
                if Some(register) == position { machine } else { (*origin, links + 1) }
            };
            tags.push(vec![registers().zip(last).map(copied).collect()]);
        }
        let before = tags[update.cell].len() - 1;
        let mut after = tags[update.cell][before].clone();
        for assignment in &productions[update.layer].assignments {
            let target = assignment.target;
            if update.set.iter().all(|(register, _)| *register != target) {
                continue;
            }
            after[target.index()] = match assignment.source {
                Operand::Constant(_) => (Origin::Constant(case.row(update), update.cell, target), 1),
                Operand::Register(place, _) => {
                    let from = if place.cell == Cell::Source { update.attends.expect("a cell") } else { update.cell };
                    let time = case.trace.read(update, from).expect("a time");
                    let (origin, links) = tags[from][time][place.register.index()];
                    (origin, links + 1)
                }
            };
        }
        tags[update.cell].push(after);
    }
    tags
}

#[test]
fn a_tag_on_an_origin_arrives_where_the_chain_says() {
    let mut longest = 0;
    for case in cases() {
        let program = &case.executable.program;
        let tags = tags(&case);
        for (cell, of_cell) in tags.ids().zip(&tags) {
            let updates: Vec<_> = case.trace.of_cell(cell).collect();
            for (count, tags) in of_cell.iter().enumerate() {
                let time = count.checked_sub(1).map_or(Time::START, |last| Time::after(case.row(updates[last])));
                for (register, tag) in program.register_ids().zip(tags) {
                    let place = format!("{}, {register:?} of cell {cell}, {time:?}", case.place);
                    let links = origin(program, &case.recorded, register, cell, time);
                    longest = links.len().max(longest);
                    let first = links.first().map(|link| (link.register, link.cell, link.time));
                    assert_eq!(first, Some((register, cell, time)), "{place}");
                    let last = links.last().expect("a link");
                    let origin = match (last.kind, last.row) {
                        (LinkKind::Constant, Some(row)) => Origin::Constant(row, last.cell, last.register),
                        (LinkKind::Prompt | LinkKind::Machine | LinkKind::Null, None) => {
                            Origin::Start(last.cell, last.register)
                        }
                        _ => panic!("{place}: {links:?}"),
                    };
                    assert_eq!((origin, links.len()), *tag, "{place}: {links:?}");
                }
            }
        }
    }
    enough(longest, 10, "links in the longest chain");
}

#[test]
fn each_link_is_a_write_or_a_start_and_nothing_wrote_the_register_after_it() {
    for case in cases() {
        let executable = &case.executable;
        let roles = executable.program.roles;
        let end = case.recorded.end();
        for cell in CellId::first(case.recorded.cells()) {
            for register in executable.registers.ids() {
                let links = origin(&executable.program, &case.recorded, register, cell, end);
                for (index, link) in links.iter().enumerate() {
                    let place = format!("{}, link {index} of {links:#?}", case.place);
                    let next = links.get(index + 1);
                    let mut writes = case.trace.of_cell(link.cell).filter_map(|update| {
                        let (_, value) = update.set.iter().find(|(register, _)| *register == link.register)?;
                        let row = case.row(update);
                        (Time::before(row) < link.time).then_some((row, *value))
                    });
                    let value = |state: &State| state[link.register.index()];
                    match (link.row, writes.next_back()) {
                        (Some(row), Some(last)) => assert_eq!((row, link.value), (last.0, Some(last.1)), "{place}"),
                        (None, None) => assert_eq!(link.value, value(&case.trace.starts[link.cell]), "{place}"),
                        _ => panic!("{place}"),
                    }
                    let is_position = roles.position == Some(link.register);
                    let is_marked = [roles.parse, roles.eop].iter().flatten().any(|role| *role == link.register);
                    match link.kind {
                        LinkKind::Assigned | LinkKind::Copied => {
                            assert_eq!(next.expect("a link").value, link.value, "{place}");
                            assert_eq!(link.kind == LinkKind::Copied, link.row.is_none(), "{place}");
                        }
                        LinkKind::Moved => assert_ne!(next.expect("a link").value, link.value, "{place}"),
                        LinkKind::Constant => assert!(link.row.is_some() && next.is_none(), "{place}"),
                        LinkKind::Prompt => assert!(link.value.is_some() && next.is_none() && !is_position, "{place}"),
                        LinkKind::Machine => assert!(link.value.is_some() && (is_position || is_marked), "{place}"),
                        LinkKind::Null => assert!(link.value.is_none() && next.is_none(), "{place}"),
                        LinkKind::Changed => panic!("{place}"),
                    }
                }
            }
        }
    }
}
