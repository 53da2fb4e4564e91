//! Matches with their reasons, and writes.

use psl_runtime::{
    CellId, Executable, MachineKind, Options, Right, Update, ValueId, Vocabulary,
    record::{CellAttention, Matches, RowId, Time, Write, attention, history, last_write, matches, why},
};
use psl_syntax::{
    Program,
    index::IndexVec,
    program::{CausalAttn, Cell, CellRegister, Comparison, Condition, Function, Operand, Production},
};

use super::{Case, cases, enough, record};
use crate::common::{self, numbers::cell};

/// A production as a cell n and a cell N would evaluate it, on the texts of the values.
pub struct Pair<'a> {
    program: &'a Program,
    vocabulary: &'a Vocabulary,
    source: &'a [Option<ValueId>],
    pub updated: &'a [Option<ValueId>],
}

impl<'a> Pair<'a> {
    pub fn register(&self, place: CellRegister) -> Option<&'a str> {
        let cell = if place.cell == Cell::Source { self.source } else { self.updated };
        cell[place.register.0 as usize].and_then(|value| self.vocabulary.text(value))
    }

    fn function(&self, function: Function, from: Option<&str>) -> Option<String> {
        let positions = 0..self.vocabulary.positions().len();
        let from = from?;
        let position: usize = from.parse().ok().filter(|position: &usize| position.to_string() == from)?;
        positions.contains(&position).then_some(())?;
        let moved = match function {
            Function::PosIncrement => position + 1,
            Function::PosDecrement => position.checked_sub(1)?,
        };
        positions.contains(&moved).then(|| moved.to_string())
    }

    pub fn operand(&self, operand: Operand) -> Option<String> {
        match operand {
            Operand::Constant(id) => Some(self.program.constants[id].value.clone()),
            Operand::Register(place, None) => self.register(place).map(str::to_owned),
            Operand::Register(place, Some(function)) => self.function(function, self.register(place)),
        }
    }

    /// The table of the language.
    pub fn holds(&self, condition: &Condition) -> bool {
        let Some(left) = self.register(condition.left) else { return false };
        let among = |list: &[_]| list.iter().any(|&id| self.operand(Operand::Constant(id)).as_deref() == Some(left));
        match &condition.comparison {
            Comparison::Is(right) => self.operand(*right).is_some_and(|right| right == left),
            Comparison::IsNot(right) => self.operand(*right).is_none_or(|right| right != left),
            Comparison::In(list) => among(list),
            Comparison::NotIn(list) => !among(list),
        }
    }
}

pub fn visible(production: &Production, updated: CellId, source: CellId) -> bool {
    if !production.conditions.iter().any(Condition::mentions_n) {
        return source == updated;
    }
    match production.causal_attn {
        Some(CausalAttn::True) => source <= updated,
        Some(CausalAttn::Reverse) => source >= updated,
        Some(CausalAttn::False) | None => true,
    }
}

/// Calls `check` with a case, an update, its row, its production, and the pair that it forms with each cell that exists
/// then.
pub fn updates<'c>(
    case: &'c Case,
    mut check: impl FnMut(&'c Update, RowId, &'c Production, IndexVec<CellId, Pair<'c>>),
) {
    let program = &case.executable.program;
    let productions = program.productions();
    for update in &case.trace.updates {
        let read = |cell| Some(&case.trace.state(cell, case.trace.read(update, cell)?)[..]);
        let updated = read(update.cell).expect("a state");
        let sources = case.trace.starts.ids().map_while(read);
        let pair = |source| Pair { program, vocabulary: &case.task.vocabulary, source, updated };
        let row = case.row(update);
        check(update, row, productions[update.layer], sources.map(pair).collect());
    }
}

#[test]
fn matches_are_those_of_brute_force_and_the_winner_is_that_of_the_machine() {
    let mut several = 0;
    for case in cases() {
        let program = &case.executable.program;
        updates(&case, |update, row, production, pairs| {
            let met = |(_, pair): &(CellId, Pair<'_>)| production.conditions.iter().all(|it| pair.holds(it));
            let shown = pairs.ids().zip(pairs).filter(|(source, _)| visible(production, update.cell, *source));
            let cells: Vec<CellId> = shown.filter(met).map(|(source, _)| source).collect();
            several += usize::from(cells.len() > 1);
            let found = matches(program, &case.recorded, row, update.cell);
            assert_eq!(found, Some(Matches { cells, winner: update.attends }), "{}, {update:?}", case.place);
        });
        assert_eq!(matches(program, &case.recorded, RowId::new(case.recorded.rows().len()), cell(1)), None);
        for row in case.recorded.rows().ids() {
            let of_row: Vec<_> =
                attention(program, &case.recorded, row).into_iter().map(|cell| Some(cell?.matches)).collect();
            let of_cell = |cell| Some(matches(program, &case.recorded, row, cell)?.cells);
            assert_eq!(
                of_row,
                CellId::first(case.recorded.cells()).map(of_cell).collect::<Vec<_>>(),
                "{}, {row:?}",
                case.place
            );
        }
    }
    enough(several, 100, "updates with several matches");
}

#[test]
fn why_gives_both_sides_of_every_condition_for_every_cell() {
    for case in cases() {
        let program = &case.executable.program;
        let text = |value: Option<ValueId>| value.and_then(|value| case.task.vocabulary.text(value));
        updates(&case, |update, row, production, pairs| {
            let place = format!("{}, {update:?}", case.place);
            for (source, pair) in pairs.ids().zip(&pairs) {
                let why = why(program, &case.recorded, row, update.cell, source).expect("an answer");
                assert_eq!(why.visible, visible(production, update.cell, source), "{place}, {source}");
                assert_eq!(why.wins, update.attends == Some(source), "{place}, {source}");
                let holds: Vec<bool> = production.conditions.iter().map(|condition| pair.holds(condition)).collect();
                let found: Vec<bool> = why.conditions.iter().map(|condition| condition.holds).collect();
                assert_eq!(found, holds, "{place}, {source}");
                assert_eq!(why.first_failed, holds.iter().position(|holds| !holds), "{place}, {source}");
                assert_eq!(why.matches(), why.visible && !holds.contains(&false), "{place}, {source}");
                for (condition, found) in production.conditions.iter().zip(why.conditions) {
                    assert_eq!(text(found.left), pair.register(condition.left), "{place}, {source}");
                    match (&condition.comparison, found.right) {
                        (Comparison::In(list) | Comparison::NotIn(list), Right::List(values)) => {
                            let list = list.iter().map(|id| program.constants[*id].value.as_str());
                            assert!(values.into_iter().map(Some).map(text).eq(list.map(Some)), "{place}, {source}");
                        }
                        (Comparison::Is(right) | Comparison::IsNot(right), found) => {
                            let (Right::Value(value) | Right::Moved { to: value, .. }) = found else {
                                panic!("{place}, {source}: {found:?}")
                            };
                            assert_eq!(text(value).map(str::to_owned), pair.operand(*right), "{place}, {source}");
                            if let Right::Moved { from, .. } = found {
                                assert_eq!(text(from), right.register().and_then(|place| pair.register(place)));
                            }
                        }
                        (comparison, found) => panic!("{place}, {source}: {comparison:?} with {found:?}"),
                    }
                }
            }
            for later in (pairs.len()..=case.recorded.cells()).map(CellId::new) {
                let why = why(program, &case.recorded, row, update.cell, later).expect("an answer");
                assert!(!why.matches() && why.conditions.is_empty(), "{place}, {later}");
            }
        });
    }
}

#[test]
fn history_and_last_write_are_those_of_brute_force() {
    for case in cases() {
        let rows = case.recorded.rows().len();
        for cell in CellId::first(case.recorded.cells()) {
            let of_cell: Vec<_> = case.trace.of_cell(cell).collect();
            for register in case.executable.registers.ids() {
                let mut before = case.trace.starts[cell][register.index()];
                let mut writes = Vec::new();
                for update in &of_cell {
                    if let Some((_, value)) = update.set.iter().find(|(set, _)| *set == register) {
                        let row = case.row(update);
                        writes.push(Write { row, before, value: *value, attends: update.attends.expect("a cell") });
                    }
                    before = update.state[register.index()];
                }
                let place = format!("{}, {register:?} of cell {cell}", case.place);
                assert_eq!(history(&case.recorded, register, cell), writes, "{place}");
                for time in (0..=rows).map(Time::new) {
                    let last = writes.iter().rfind(|write| Time::before(write.row) < time).copied();
                    assert_eq!(last_write(&case.recorded, register, cell, time), last, "{place}, {time:?}");
                }
            }
        }
    }
}

#[test]
fn a_row_has_the_matches_of_each_cell_and_the_one_attended_to() {
    let checked = psl_syntax::check(
        "registers: {symbol: 's', position: 'p', mark: 'm'}\nconstants: {A, B}\n\
         where_rm symbol[n] == A and symbol[N] == B:\n    mark[N] = symbol[n]\n\
         repeat:\n    where mark[N] == A and symbol[n] == symbol[N]:\n        mark[N] = symbol[n]\nuntil NO_CHANGE\n\
         where position[N] == position[N]:\n    symbol[N] = B",
    );
    let executable = Executable::new(checked.analysis.program);
    let task = common::task(&executable, "A A", &Options::of(&executable.program));
    let run = record(&executable, &task, MachineKind::Psm);
    let attends = |row| attention(&executable.program, &run, RowId::new(row))[..3].to_vec();
    let silent = || Some(CellAttention { attends: None, matches: Vec::new() });
    let fires = |attends, matches: &[usize]| {
        let matches = matches.iter().map(|&number| cell(number)).collect();
        Some(CellAttention { attends: Some(cell(attends)), matches })
    };
    assert_eq!(attends(0), [silent(), silent(), fires(2, &[1, 2])]);
    assert_eq!(attends(1), [silent(), silent(), fires(3, &[3])]);
    // The generated cell takes 2 passes, the prompt takes 1.
    assert_eq!(attends(2), [None, None, silent()]);
    assert_eq!(attends(3), [fires(1, &[1]), fires(2, &[2]), fires(3, &[3])]);
}
