//! Conditional breakpoints, against the table of the language over the trace.

use psl_debug::{Breakpoint, DebugCondition};
use psl_runtime::{CellId, Update};

use super::{Case, Stop, breakpoint, cases, everywhere, stop_of};
use crate::common::{numbers::cell, random::Random};

/// The functions of positions, by one more than what they add.
const FUNCTIONS: [&str; 3] = ["@pos_decrement", "", "@pos_increment"];

/// The cell of a side of a condition.
#[derive(Clone, Copy)]
enum Cell {
    Updated,
    Source,
    Fixed(CellId),
}

/// A condition as text and as a function of the values.
struct Written {
    left: (usize, Cell),
    right: Right,
    equal: bool,
}

enum Right {
    Constants(Vec<usize>),
    /// A position, which is declared by some programs only.
    Position(usize),
    /// The last number chooses the function.
    Register(usize, Cell, usize),
    Counter(&'static str, usize),
}

impl Cell {
    fn random(random: &mut Random) -> Self {
        match random.below(3) {
            0 => Self::Updated,
            1 => Self::Source,
            _ => Self::Fixed(cell(1 + random.below(9) as usize)),
        }
    }

    fn text(self) -> String {
        match self {
            Self::Updated => "N".to_owned(),
            Self::Source => "n".to_owned(),
            Self::Fixed(cell) => cell.to_string(),
        }
    }
}

impl Written {
    fn random(case: &Case, random: &mut Random) -> Self {
        let registers = case.executable.registers.len() as u64;
        let constants = case.program().constants.len() as u64;
        let left = (random.below(registers) as usize, Cell::random(random));
        let right = match random.below(10) {
            0..=2 => Right::Constants((0..=random.below(3)).map(|_| random.below(constants) as usize).collect()),
            3 => Right::Counter("cell", 1 + random.below(6) as usize),
            4 => Right::Counter("step", random.below(3) as usize),
            5 => Right::Counter("pass", 1 + random.below(3) as usize),
            6..=7 => Right::Position(random.below(9) as usize),
            _ => Right::Register(random.below(registers) as usize, Cell::random(random), random.below(3) as usize),
        };
        Self { left, right, equal: random.percent(70) }
    }

    fn text(&self, case: &Case) -> String {
        let name = |register: usize| &case.program().registers.as_slice()[register].name;
        let operator = if self.equal { "==" } else { "!=" };
        let left = format!("{}[{}]", name(self.left.0), self.left.1.text());
        match &self.right {
            Right::Counter(counter, number) => format!("{counter} {operator} {number}"),
            Right::Register(register, cell, by) => {
                let function = FUNCTIONS[*by];
                format!("{left} {operator} {}[{}]{function}", name(*register), cell.text())
            }
            Right::Position(position) => format!("{left} {operator} {position}"),
            Right::Constants(list) => {
                let list: Vec<_> =
                    list.iter().map(|&it| format!("{:?}", case.program().constants.as_slice()[it].name)).collect();
                let operator = if self.equal { "in" } else { "not in" };
                format!("{left} {operator} [{}]", list.join(", "))
            }
        }
    }

    fn holds(&self, case: &Case, update: &Update) -> bool {
        // The outer `None`: the cell does not exist.
        let value = |register: usize, cell: Cell| {
            let cell = match cell {
                Cell::Updated => update.cell,
                Cell::Source => update.attends?,
                Cell::Fixed(cell) => cell,
            };
            let value = case.trace.state(cell, case.trace.read(update, cell)?)[register];
            Some(value.and_then(|value| case.task.vocabulary.text(value)))
        };
        let equal = match &self.right {
            Right::Counter(counter, number) => {
                let number_here = match *counter {
                    "cell" => Some(update.cell.number()),
                    "step" => Some(update.step),
                    _ => update.pass.last().copied(),
                };
                return number_here.is_some_and(|it| (it == *number) == self.equal);
            }
            Right::Position(position) => {
                let Some(Some(left)) = value(self.left.0, self.left.1) else { return false };
                let name = position.to_string();
                let declared = case.program().constants.iter().find(|constant| constant.name == name);
                declared.map_or(&name, |constant| &constant.value) == left
            }
            Right::Constants(list) => {
                let Some(Some(left)) = value(self.left.0, self.left.1) else { return false };
                list.iter().any(|&it| case.program().constants.as_slice()[it].value == left)
            }
            Right::Register(register, cell, by) => {
                let Some(Some(left)) = value(self.left.0, self.left.1) else { return false };
                let Some(right) = value(*register, *cell) else { return false };
                let right = if FUNCTIONS[*by].is_empty() { right.map(str::to_owned) } else { moved(case, right, *by) };
                right.as_deref() == Some(left)
            }
        };
        equal == self.equal
    }
}

/// The result of a function of positions. `by` is its index.
fn moved(case: &Case, value: Option<&str>, by: usize) -> Option<String> {
    let positions = 0..case.task.vocabulary.positions().len();
    let is_canonical = |position: &usize| positions.contains(position) && Some(position.to_string().as_str()) == value;
    let position: usize = value?.parse().ok().filter(is_canonical)?;
    let moved = (position + by).checked_sub(1)?;
    positions.contains(&moved).then(|| moved.to_string())
}

#[test]
fn conditional_breakpoints_stop_where_the_trace_meets_the_condition() {
    let mut random = Random::new(20);
    let (mut stops, mut skipped) = (0, 0);
    for case in cases() {
        let file = case.file();
        for layer in case.program().productions().ids() {
            for _ in 0..4 {
                let written: Vec<_> = (0..=random.below(2)).map(|_| Written::random(&case, &mut random)).collect();
                let texts: Vec<_> = written.iter().map(|written| written.text(&case)).collect();
                let text = texts.join(" and ");
                let condition = DebugCondition::parse(&file, &text).unwrap_or_else(|error| panic!("{text}: {error}"));
                let updates = case.trace.updates.iter().filter(|update| update.layer == layer);
                let (holding, others): (Vec<_>, Vec<_>) =
                    updates.partition(|update| written.iter().all(|written| written.holds(&case, update)));
                let expected: Vec<Stop> = holding.into_iter().map(stop_of).collect();
                let condition = Some(condition);
                let found = case.stops(&Breakpoint { condition, ..breakpoint(everywhere(layer)) }, cell(1));
                assert_eq!(found, expected, "{}, layer {layer}, {text}", case.place);
                stops += expected.len();
                skipped += others.len();
            }
        }
    }
    assert!(stops > 300 && skipped > 300, "{stops} stops, {skipped} others");
}
