//! The parts of a program that decided in a run: counts of productions, conditions, entries of lists, assignments and
//! passes.

use std::collections::BTreeSet;

use psl_syntax::{
    Program,
    index::IndexVec,
    program::{Cell, Comparison, Condition, Production, ProductionId, RegisterId},
};

use super::{
    recorded_run::RecordedRun,
    row::{Row, RowId, Time},
};
use crate::{cell_id::CellId, psm::Tester, vocabulary::ValueId};

/// The most pairs of cells of a run that are looked at, which takes about a second. Each row has the same share, and
/// then only its first cells count.
const MOST: u64 = 100_000_000;

/// The counts of a program, over all runs that were added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// Those of each production without errors, in program order.
    pub productions: IndexVec<ProductionId, ProductionCounts>,
    /// Those of each repeat block, in the order in which they open.
    pub repeats: Vec<RepeatCounts>,
}

/// The counts of a production.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProductionCounts {
    /// The number of cells in which it fired, over all passes.
    pub fired: u64,
    /// The number of visible pairs of cells that met all conditions.
    pub passed: u64,
    /// Those of its conditions, in program order.
    pub conditions: Vec<ConditionCounts>,
    /// For each assignment, the number of times that it changed a register.
    pub assignments: Vec<u64>,
}

/// The counts of a condition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConditionCounts {
    /// The number of visible pairs of cells that met all other conditions of the production, but not this one.
    pub refused: u64,
    /// For each entry of a list, the number of pairs that met all other conditions, with this entry, and no other one
    /// of the list, equal to the left side.
    pub entries: Vec<u64>,
}

/// The counts of a repeat block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RepeatCounts {
    /// The number of passes that another pass followed.
    pub went_on: u64,
    /// The number of passes that ended the block.
    pub ended: u64,
}

impl Coverage {
    /// The counts of a program before any run.
    pub fn new(program: &Program) -> Self {
        let condition = |condition: &Condition| {
            let entries = match &condition.comparison {
                Comparison::In(list) | Comparison::NotIn(list) => list.len(),
                Comparison::Is(_) | Comparison::IsNot(_) => 0,
            };
            ConditionCounts { refused: 0, entries: vec![0; entries] }
        };
        let production = |production: &Production| ProductionCounts {
            conditions: production.conditions.iter().map(condition).collect(),
            assignments: vec![0; production.assignments.len()],
            ..ProductionCounts::default()
        };
        Self {
            productions: sound(program).into_iter().map(production).collect::<Vec<_>>().into(),
            repeats: vec![RepeatCounts::default(); program.repeats().len()],
        }
    }

    /// Adds a run of the program.
    pub fn add(&mut self, program: &Program, run: &RecordedRun) {
        let tester = Tester::new(program, run.vocabulary());
        let most = MOST / (run.rows().len() as u64).max(1);
        for (layer, production) in ProductionId::first(self.productions.len()).zip(sound(program)) {
            for row in run.rows_of_layer(layer) {
                let counted = CountedRow { run, tester: &tester, production, row };
                counted.count_pairs(&mut self.productions[layer], most);
                counted.count_writes(&mut self.productions[layer]);
            }
        }
        for (block, counts) in (1..).zip(&mut self.repeats) {
            count_passes(run, block, counts);
        }
    }
}

fn sound(program: &Program) -> Vec<&Production> {
    program.productions().into_iter().filter(|production| production.sound).collect()
}

/// A row of a run, with its production.
struct CountedRow<'a> {
    run: &'a RecordedRun,
    tester: &'a Tester<'a>,
    production: &'a Production,
    row: RowId,
}

/// A condition with the values that it compares at a row.
struct Sides<'a> {
    condition: &'a Condition,
    /// The cells that its sides are read from. A side without a register has that of the left one.
    cells: [Cell; 2],
    /// The values of the sides, if they are read from a cell.
    values: [IndexVec<CellId, Option<ValueId>>; 2],
}

impl Sides<'_> {
    fn left(&self, pair: Pair) -> Option<ValueId> {
        self.values[0].find(pair.cell(self.cells[0])).copied().flatten()
    }

    fn holds(&self, pair: Pair, tester: &Tester<'_>) -> bool {
        let right = self.values[1].find(pair.cell(self.cells[1])).copied().flatten();
        tester.compare(self.left(pair), &self.condition.comparison, right)
    }

    /// Whether the condition depends on this cell alone.
    fn is_of(&self, cell: Cell) -> bool {
        self.cells == [cell; 2]
    }
}

/// The cells n and N.
#[derive(Clone, Copy)]
struct Pair {
    source: CellId,
    updated: CellId,
}

impl Pair {
    fn cell(self, cell: Cell) -> CellId {
        match cell {
            Cell::Source => self.source,
            Cell::Updated => self.updated,
        }
    }
}

/// The conditions that refuse a pair, by index. Two are enough to know that none alone does.
#[derive(Clone, Copy)]
enum Refusing {
    None,
    One(usize),
    Several,
}

impl Refusing {
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::None, one) | (one, Self::None) => one,
            _ => Self::Several,
        }
    }
}

impl CountedRow<'_> {
    /// Counts the pairs that all conditions but one let through, or all of them. It looks at about `most` pairs.
    fn count_pairs(&self, counts: &mut ProductionCounts, most: u64) {
        let mut seen = 0;
        let sides = self.sides();
        let refusing = |pair: Pair, is_of: &dyn Fn(&Sides<'_>) -> bool| {
            let mut refusing = Refusing::None;
            for (index, sides) in sides.iter().enumerate().filter(|(_, sides)| is_of(sides)) {
                if !sides.holds(pair, self.tester) {
                    refusing = refusing.and(Refusing::One(index));
                }
                if matches!(refusing, Refusing::Several) {
                    break;
                }
            }
            refusing
        };
        let alone = |cell| Pair { source: cell, updated: cell };
        let of_cell = |cell| move |sides: &Sides<'_>| sides.is_of(cell);
        let cells = CellId::first(self.run.cells());
        let of_sources: IndexVec<CellId, _> =
            cells.clone().map(|cell| refusing(alone(cell), &of_cell(Cell::Source))).collect::<Vec<_>>().into();
        let is_of_both = |sides: &Sides<'_>| !sides.is_of(Cell::Source) && !sides.is_of(Cell::Updated);
        let compares_both = sides.iter().any(is_of_both);
        for updated in cells.filter(|&cell| self.run.has_row(self.row, cell)) {
            let of_updated = refusing(alone(updated), &of_cell(Cell::Updated));
            if matches!(of_updated, Refusing::Several) {
                continue;
            }
            let visible = CellId::each(self.run.visible(self.production, updated));
            seen += visible.len() as u64;
            if seen > most {
                return;
            }
            for source in visible {
                let pair = Pair { source, updated };
                let mut all = of_updated.and(of_sources[source]);
                if compares_both && !matches!(all, Refusing::Several) {
                    all = all.and(refusing(pair, &is_of_both));
                }
                self.count_pair(pair, all, &sides, counts);
            }
        }
    }

    fn count_pair(&self, pair: Pair, refusing: Refusing, sides: &[Sides<'_>], counts: &mut ProductionCounts) {
        let reached = match refusing {
            Refusing::Several => return,
            Refusing::None => {
                counts.passed += 1;
                0..sides.len()
            }
            Refusing::One(index) => {
                counts.conditions.get_mut(index).into_iter().for_each(|counts| counts.refused += 1);
                index..index + 1
            }
        };
        let conditions = counts.conditions.get_mut(reached.clone()).into_iter().flatten();
        for (sides, counts) in sides.get(reached).into_iter().flatten().zip(conditions) {
            let (Comparison::In(list) | Comparison::NotIn(list)) = &sides.condition.comparison else { continue };
            let Some(left) = sides.left(pair) else { continue };
            let is_left = |&entry: &_| self.tester.constant(entry) == Some(left);
            let mut equal = list.iter().zip(&mut counts.entries).filter(|(entry, _)| is_left(entry));
            if let (Some((_, count)), None) = (equal.next(), equal.next()) {
                *count += 1;
            }
        }
    }

    /// The sides of all conditions, with the values of every cell.
    fn sides(&self) -> Vec<Sides<'_>> {
        let of_condition = |condition| {
            let cells = Condition::registers(condition).map(|place| place.cell).collect::<Vec<_>>();
            let left = condition.left.cell;
            let values = self.values(condition);
            Sides { condition, cells: [left, cells.last().copied().unwrap_or(left)], values }
        };
        self.production.conditions.iter().map(of_condition).collect()
    }

    /// The values of both sides of a condition, as the row reads them from each cell.
    fn values(&self, condition: &Condition) -> [IndexVec<CellId, Option<ValueId>>; 2] {
        let of_cell = |cell| match self.run.time_read(self.row, cell) {
            Some(time) => self.tester.sides(condition, |register| self.run.value(register, cell, time)),
            None => [None; 2],
        };
        let [mut left, mut right] = [Vec::new(), Vec::new()];
        for [of_left, of_right] in CellId::first(self.run.cells()).map(of_cell) {
            left.push(of_left);
            right.push(of_right);
        }
        [left.into(), right.into()]
    }

    /// Counts the cells in which the production fired, and the registers that it changed there.
    fn count_writes(&self, counts: &mut ProductionCounts) {
        for cell in CellId::first(self.run.cells()) {
            let Some(update) = self.run.update(self.row, cell).filter(|update| update.attends.is_some()) else {
                continue;
            };
            counts.fired += 1;
            let held = |register: RegisterId| self.run.value(register, cell, Time::before(self.row));
            let changes = |target| update.set.iter().any(|&(set, value)| set == target && held(set) != Some(value));
            for (assignment, count) in self.production.assignments.iter().zip(&mut counts.assignments) {
                *count += u64::from(changes(assignment.target));
            }
        }
    }
}

/// Counts the passes of a block, by its number, in all steps of a run.
fn count_passes(run: &RecordedRun, block: usize, counts: &mut RepeatCounts) {
    for step in 0..run.steps() {
        let rows = run.rows_of_step(step);
        // The block of a row, by the number of blocks around it.
        let depth = |row: &Row| run.blocks_around(row.layer).iter().position(|&around| around == block);
        let passes_to = |end: usize| {
            let rows = rows.iter().filter_map(|&row| run.rows().find(row));
            let passes = rows.filter_map(|row| row.pass.get(..depth(row)? + end));
            passes.collect::<BTreeSet<_>>().len() as u64
        };
        let (passes, entered) = (passes_to(1), passes_to(0));
        let last = rows.last().and_then(|&row| run.rows().find(row));
        // A run that failed ended in the blocks around its last row.
        let is_open = run.outcome().is_err() && step + 1 == run.steps() && last.and_then(depth).is_some();
        counts.went_on += passes - entered;
        counts.ended += entered - u64::from(is_open);
    }
}
