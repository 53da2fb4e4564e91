//! Random walks through runs of random programs.

use std::{
    collections::{HashMap, VecDeque},
    ops::Range,
};

use psl_debug::{Moment, StepPlace, Timeline};
use psl_program::{Progress, Runner};
use psl_runtime::{
    CellId, MachineKind, State, Update,
    qkvl::Block,
    record::{RecordedRun, Row},
};
use psl_syntax::program::ProductionId;

use crate::common::{
    self,
    numbers::cell,
    random::Random,
    seeds::{enough, seeds},
};

/// A random program and prompt, recorded on one machine, with the places and states that the whole trace gives.
struct Case {
    place: String,
    recorded: RecordedRun,
    updates: Vec<Update>,
    /// The places of all steps in order.
    places: Vec<(usize, StepPlace)>,
    /// The states of each cell: after i of its updates. A generated cell lacks the first.
    states: HashMap<(CellId, usize), State>,
}

impl Case {
    fn new(seed: u64) -> Self {
        let (executable, mut task) = common::random_task(seed);
        let machine = MachineKind::ALL[(seed % 4) as usize];
        task.limits.recompute = false;
        let (run, trace) = common::traced(&executable, machine, &task);
        let prompt_cells = task.input.cells.len();
        let updates = whole_layers(trace.updates, prompt_cells);
        let nodes = nodes(&executable.qkvl().weights, &mut ProductionId::new(0), &mut 0);
        let places = places(&updates, &nodes, run.as_ref().ok().map(|run| run.output.len()));
        let starts = CellId::first(prompt_cells).zip(&task.input.cells).map(|(cell, state)| ((cell, 0), state.clone()));
        let mut states: HashMap<_, _> = starts.collect();
        let mut counts = HashMap::new();
        for update in &updates {
            let count = counts.entry(update.cell).or_insert(0);
            *count += 1;
            states.insert((update.cell, *count), update.state.as_ref().clone());
        }
        let recorded = Runner::of(executable).record(task, machine, &Progress::default());
        Self { place: format!("seed {seed}, {}", machine.name()), recorded, updates, places, states }
    }

    fn cells(&self, step: usize) -> Range<CellId> {
        let (prompt, all) = (self.recorded.prompt_cells(), self.recorded.cells());
        let (first, last) = if step == 0 { (1, prompt) } else { (all.min(prompt + step), all.min(prompt + step)) };
        cell(first)..cell(last).next()
    }

    /// The index of a moment's place.
    fn index(&self, indices: &HashMap<&(usize, StepPlace), usize>, moment: Moment) -> usize {
        let place = (moment.step, Timeline::new(&self.recorded).place(moment));
        let index = indices.get(&place).unwrap_or_else(|| panic!("{}: {place:?} is not in the run", self.place));
        assert!(self.cells(moment.step).contains(&moment.cell), "{}: {moment:?}", self.place);
        *index
    }

    /// Asserts that all cells of the step have the states of the trace.
    fn check_states(&self, index: usize, moment: Moment) {
        let before = self.places[..index].iter().rev().take_while(|(step, _)| *step == moment.step);
        let count = before.filter(|(_, place)| matches!(place, StepPlace::Layer(_))).count();
        // No cell is computed after the last step.
        let first = cell(if moment.step == 0 { 1 } else { self.recorded.prompt_cells() + moment.step });
        for cell in CellId::each(first..self.cells(moment.step).end) {
            let Some(state) = self.states.get(&(cell, count)) else { continue };
            let time = Timeline::new(&self.recorded).time(moment);
            assert_eq!(&self.recorded.state(cell, time), state, "{}: cell {cell} at {moment:?}", self.place);
        }
    }
}

/// The updates without those of a layer that only some cells of the prompt ran.
fn whole_layers(mut updates: Vec<Update>, prompt_cells: usize) -> Vec<Update> {
    let key = |update: &Update| (update.step, update.layer, update.pass.clone());
    let Some(last) = updates.last().map(key).filter(|(step, ..)| *step == 0) else { return updates };
    let ran = updates.iter().rev().take_while(|update| key(update) == last).count();
    if ran < prompt_cells {
        updates.truncate(updates.len() - ran);
    }
    updates
}

/// A layer, or a repeat block with its body, by number.
enum Node {
    Layer(ProductionId),
    Repeat(usize, Vec<Node>),
}

impl Node {
    fn has(&self, layer: ProductionId) -> bool {
        match self {
            Self::Layer(own) => *own == layer,
            Self::Repeat(_, body) => body.iter().any(|node| node.has(layer)),
        }
    }
}

fn nodes(blocks: &[Block], layer: &mut ProductionId, block: &mut usize) -> Vec<Node> {
    let mut node = |written: &Block| match written {
        Block::Layer(_) => {
            let node = Node::Layer(*layer);
            *layer = layer.next();
            node
        }
        Block::Repeat(repeat) => {
            *block += 1;
            Node::Repeat(*block, nodes(&repeat.weights, layer, block))
        }
    };
    blocks.iter().map(&mut node).collect()
}

/// The places of a run in order, by running its program along the trace. `symbols` is `None` if the run fails.
fn places(updates: &[Update], nodes: &[Node], symbols: Option<usize>) -> Vec<(usize, StepPlace)> {
    let last = symbols.unwrap_or_else(|| updates.last().map_or(0, |update| update.step));
    let mut all = Vec::new();
    for step in 0..=last {
        let mut rows: VecDeque<Row> = VecDeque::new();
        for update in updates.iter().filter(|update| update.step == step) {
            let row = Row { layer: update.layer, pass: update.pass.clone() };
            if rows.back() != Some(&row) {
                rows.push_back(row);
            }
        }
        let mut found = Vec::new();
        let fails = symbols.is_none() && step == last;
        let is_whole = !rows.is_empty() && visit(nodes, &[], fails, &mut rows, &mut found).is_some();
        let has_symbol = is_whole && step < symbols.unwrap_or(last);
        found.push(if has_symbol { StepPlace::Symbol } else { StepPlace::End });
        assert!(rows.is_empty(), "the rows {rows:?} are left");
        all.extend(found.into_iter().map(|place| (step, place)));
    }
    all
}

/// `None` if the run fails.
fn visit(
    nodes: &[Node],
    pass: &[usize],
    fails: bool,
    rows: &mut VecDeque<Row>,
    found: &mut Vec<StepPlace>,
) -> Option<()> {
    for node in nodes {
        if fails && rows.is_empty() {
            return None;
        }
        match node {
            Node::Layer(layer) => {
                let row = rows.pop_front().expect("a row");
                assert_eq!((row.layer, row.pass.as_slice()), (*layer, pass));
                found.push(StepPlace::Layer(row));
            }
            Node::Repeat(block, body) => {
                found.push(StepPlace::Block { block: *block, pass: pass.to_vec() });
                for number in 1.. {
                    let inside = [pass, &[number]].concat();
                    let goes_on = |row: &Row| row.pass.starts_with(&inside) && node.has(row.layer);
                    if !rows.front().is_some_and(goes_on) {
                        break;
                    }
                    visit(body, &inside, fails, rows, found)?;
                    if fails && rows.is_empty() {
                        return None;
                    }
                    found.push(StepPlace::Until { block: *block, pass: inside });
                }
            }
        }
    }
    Some(())
}

/// Walks from a moment on, over at most `most` moments.
fn walk(mut moment: Moment, most: usize, step: impl Fn(Moment) -> Option<Moment>) -> Vec<Moment> {
    let mut moments = vec![moment];
    while let Some(next) = step(moment) {
        moments.push(next);
        assert!(moments.len() <= most, "the walk does not end");
        moment = next;
    }
    moments
}

fn cases() -> impl Iterator<Item = Case> {
    seeds().map(Case::new)
}

#[test]
fn in_visits_the_updates_of_the_trace_and_back_in_returns() {
    let (mut nested, mut failed) = (0, 0);
    for case in cases() {
        let Case { place, recorded, updates, places, .. } = &case;
        let timeline = Timeline::new(recorded);
        let mut expected = Vec::new();
        for (step, place) in places {
            let cells = case.cells(*step);
            let cells = if matches!(place, StepPlace::Layer(_)) { cells } else { cells.start..cells.start.next() };
            expected.extend(CellId::each(cells).map(|cell| (*step, place.clone(), cell)));
        }
        let moments = walk(timeline.start(), expected.len(), |moment| timeline.next_cell(moment));
        let found: Vec<_> = moments.iter().map(|&moment| (moment.step, timeline.place(moment), moment.cell)).collect();
        assert_eq!(found, expected, "{place}");
        let layers = found.iter().filter_map(|(step, place, cell)| match place {
            StepPlace::Layer(row) => Some((*step, row.layer, row.pass.as_slice(), *cell)),
            _ => None,
        });
        let of_trace = updates.iter().map(|update| (update.step, update.layer, update.pass.as_slice(), update.cell));
        assert!(layers.eq(of_trace), "{place}");
        assert!(moments.is_sorted_by(|before, after| before < after), "{place}");
        let last = moments[moments.len() - 1];
        let mut back = walk(last, moments.len(), |moment| timeline.back_cell(moment));
        back.reverse();
        assert_eq!(back, moments, "{place}");
        let end = timeline.end();
        assert_eq!((end.step, timeline.place(end)), (last.step, StepPlace::End), "{place}");
        nested +=
            usize::from(places.iter().any(|(_, place)| matches!(place, StepPlace::Block { .. }) && place.depth() > 0));
        failed += usize::from(recorded.outcome().is_err());
    }
    enough(nested, 5, "runs with nested blocks");
    enough(failed, 10, "runs that fail");
}

/// The places where steps lead, by search among all places.
struct Search<'c>(&'c [(usize, StepPlace)]);

impl Search<'_> {
    fn first_after(&self, index: usize, is: impl Fn(&StepPlace) -> bool) -> Option<usize> {
        (index + 1..self.0.len()).find(|&index| is(&self.0[index].1))
    }

    fn next(&self, index: usize) -> Option<usize> {
        match &self.0[index].1 {
            StepPlace::Block { pass, .. } => self.first_after(index, |place| place.depth() <= pass.len()),
            _ => self.first_after(index, |_| true),
        }
    }

    fn out(&self, index: usize) -> Option<usize> {
        let here = &self.0[index].1;
        let is_last = |place: &StepPlace| matches!(place, StepPlace::Symbol | StepPlace::End);
        match here {
            StepPlace::Until { pass, .. } => self.first_after(index, |place| place.depth() < pass.len()),
            _ if here.depth() == 0 => self.first_after(index, is_last),
            _ => self.first_after(index, |place| {
                *place == StepPlace::End || matches!(place, StepPlace::Until { pass, .. } if pass.len() == here.depth())
            }),
        }
    }

    fn back(&self, index: usize) -> Option<usize> {
        let before = index.checked_sub(1)?;
        match &self.0[before].1 {
            StepPlace::Until { block, pass } if pass.len() > self.0[index].1.depth() => {
                let start = StepPlace::Block { block: *block, pass: pass[..pass.len() - 1].to_vec() };
                self.0[..index].iter().rposition(|(_, place)| *place == start)
            }
            _ => Some(before),
        }
    }
}

#[test]
fn every_step_leads_where_it_says_and_shows_the_values_of_the_trace() {
    let mut after_blocks = 0;
    for (case, seed) in cases().zip(seeds()) {
        let Case { place, recorded, places, .. } = &case;
        let (timeline, search) = (Timeline::new(recorded), Search(places));
        let indices: HashMap<_, _> = places.iter().zip(0..).collect();
        let mut random = Random::new(seed);
        let mut moment = timeline.start();
        for _ in 0..200 {
            let index = case.index(&indices, moment);
            case.check_states(index, moment);
            let (name, found, expected) = match random.below(8) {
                0..3 => ("next", timeline.next(moment), search.next(index)),
                3 => ("out", timeline.out(moment), search.out(index)),
                4 | 5 => ("back", timeline.back(moment), search.back(index)),
                6 => {
                    moment = timeline.next_cell(moment).unwrap_or(moment);
                    continue;
                }
                _ => {
                    moment = timeline.back_cell(moment).unwrap_or(moment);
                    continue;
                }
            };
            let here = format!("{place}: {name} from {:?}", places[index]);
            let found_index = found.map(|found| case.index(&indices, found));
            assert_eq!(found_index.map(|found| &places[found]), expected.map(|found| &places[found]), "{here}");
            assert_eq!(found_index, expected, "{here}");
            let Some(found) = found else { continue };
            if name != "out" && found.step == moment.step {
                assert_eq!(found.cell, moment.cell, "{here}");
            }
            if name == "next" && found.step == moment.step {
                let undone = timeline.back(found);
                // A run that fails in a block ends inside of it.
                let fails = recorded.outcome().is_err() && timeline.place(found) == StepPlace::End;
                if matches!(places[index].1, StepPlace::Until { .. }) && undone != Some(moment) {
                    after_blocks += 1;
                } else if !fails {
                    assert_eq!(undone, Some(moment), "{here}");
                }
            }
            moment = if random.percent(1) { timeline.end() } else { found };
        }
    }
    enough(after_blocks, 50, "steps back from after a block");
}
