//! Waves of cells through layers and repeat blocks: the prompt's cells side by side, then each generated cell alone.

use super::conditions::Conditions;
use super::history::{Form, History};
use super::index::Index;
use super::{Dat, Layer, NULL, Node, Repeat, Shifts, Source, Value, held};
use crate::limits::{Limits, Meter};
use crate::machine::{BlockName, Observer, RunError};
use crate::orbit::Orbit;
use crate::qkvl::CausalAttn;
use crate::trace::Update;

pub(super) struct Forward<'m, 'o> {
    limits: &'m Limits,
    meter: Meter<'m>,
    observer: Option<Observer<'o>>,
    /// What the observer is told, each time anew.
    update: Update,
    pass: Vec<usize>,
    step: usize,
    kept: Option<Vec<Kept>>,
    nodes: &'m [Node],
    wave: Wave<'m>,
}

/// What a layer or a block keeps for later cells.
#[derive(Clone, Debug)]
enum Kept {
    /// None where no later cell can attend to an earlier one.
    Layer(Option<History>),
    /// Of a block without blocks inside, the histories of its layers over all passes; else those of each pass.
    Repeat {
        /// The passes so far.
        passes: usize,
        inside: Vec<Vec<Kept>>,
    },
}

/// The cells that are updated, and room to work.
struct Wave<'m> {
    shifts: &'m Shifts,
    /// Whether each cell's position is its place.
    pinned: bool,
    /// The number of registers.
    width: usize,
    /// The number of cells before the wave.
    first: usize,
    /// The registers of the wave's cells, cell after cell.
    states: Vec<Value>,
    /// The cell that each of the wave's cells attends to, and where its values start.
    attends: Vec<Option<(u32, u32)>>,
    values: Vec<Value>,
    query: Vec<Value>,
    key: Vec<Value>,
    /// The rows of the wave's cells.
    rows: Vec<Value>,
    has_row: Vec<bool>,
    index: Index,
}

/// Where a layer finds the cell to attend to.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Search {
    Nowhere,
    /// So far to the right.
    At(isize),
    ByKey,
}

impl<'m, 'o> Forward<'m, 'o> {
    pub(super) fn new(dat: &'m Dat<'_>, limits: &'m Limits, observer: Option<Observer<'o>>, pinned: bool) -> Self {
        let wave = Wave {
            shifts: &dat.shifts,
            pinned,
            width: dat.maps.width,
            first: 0,
            states: Vec::new(),
            attends: Vec::new(),
            values: Vec::new(),
            query: Vec::new(),
            key: Vec::new(),
            rows: Vec::new(),
            has_row: Vec::new(),
            index: Index::default(),
        };
        let (update, pass) = (Update::default(), Vec::new());
        Self {
            limits,
            meter: Meter::new(limits),
            observer,
            update,
            pass,
            step: 0,
            kept: None,
            nodes: &dat.maps.nodes,
            wave,
        }
    }

    /// There are no earlier cells any more.
    pub(super) fn forget(&mut self) {
        self.kept = None;
        self.wave.first = 0;
        self.meter.forget();
    }

    /// Takes the next cells through all layers and gives their registers after the last. All cells of the first wave come
    /// at once, and every later one alone.
    pub(super) fn wave(&mut self, states: &[Value]) -> Result<&[Value], RunError> {
        self.wave.states.clear();
        self.wave.states.extend_from_slice(states);
        let nodes = self.nodes;
        let mut kept = self.kept.take().unwrap_or_else(|| self.wave.nothing_kept(nodes));
        self.nodes(nodes, &mut kept, None)?;
        self.kept = Some(kept);
        self.step += 1;
        self.wave.first += self.wave.cells();
        Ok(&self.wave.states)
    }

    /// `pass` is that of the block around, where it is one without blocks inside.
    fn nodes(&mut self, nodes: &[Node], kept: &mut [Kept], pass: Option<u32>) -> Result<(), RunError> {
        for (node, kept) in nodes.iter().zip(kept) {
            match (node, kept) {
                (Node::Layer(layer), Kept::Layer(history)) => self.layer(layer, history.as_mut(), pass)?,
                (Node::Repeat(repeat), Kept::Repeat { passes, inside }) => self.repeat(repeat, passes, inside)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn layer(&mut self, layer: &Layer, mut history: Option<&mut History>, pass: Option<u32>) -> Result<(), RunError> {
        let wave = &mut self.wave;
        self.meter.layer(wave.cells(), 1)?;
        wave.attend(layer, history.as_deref(), pass.unwrap_or(1));
        if let Some(history) = &mut history {
            let before = history.len();
            wave.record(layer, history, pass);
            self.meter.keep(history.len().saturating_sub(before))?;
        }
        wave.write(&layer.value);
        let Some(observer) = &mut self.observer else { return Ok(()) };
        let update = &mut self.update;
        update.step = self.step;
        update.layer = layer.number;
        update.pass.clone_from(&self.pass);
        for (index, (state, attends)) in wave.states.chunks_exact(wave.width.max(1)).zip(&wave.attends).enumerate() {
            update.cell = wave.first + index + 1;
            update.attends = attends.map(|(n, _)| n as usize + 1);
            update.set.clear();
            if let Some((_, start)) = attends {
                let values = wave.values.get(*start as usize..).unwrap_or_default();
                let set = layer.value.iter().zip(values);
                update.set.extend(set.filter_map(|((register, _), value)| Some((*register, held(*value)?))));
            }
            update.state.clear();
            update.state.extend(state.iter().map(|&value| held(value)));
            observer(update);
        }
        Ok(())
    }

    fn repeat(&mut self, repeat: &Repeat, passes: &mut usize, inside: &mut Vec<Vec<Kept>>) -> Result<(), RunError> {
        let before = *passes;
        // Where blocks nest, a cell's own passes come after a copy of what it found in the last.
        let resting = if repeat.nests { inside.last().cloned() } else { None };
        let mut orbit = Orbit::default();
        let mut input = Vec::new();
        for pass in 1.. {
            if pass > self.limits.max_passes {
                return Err(RunError::TooManyPasses { block: name(repeat), max_passes: self.limits.max_passes });
            }
            let index = if repeat.nests { pass - 1 } else { 0 };
            if inside.len() <= index {
                let new = resting.clone().unwrap_or_else(|| self.wave.nothing_kept(&repeat.body));
                self.meter.keep(new.iter().map(Kept::len).sum())?;
                inside.push(new);
            }
            let Some(kept) = inside.get_mut(index) else { break };
            input.clone_from(&self.wave.states);
            self.pass.push(pass);
            self.nodes(&repeat.body, kept, (!repeat.nests).then_some(pass as u32))?;
            self.pass.pop();
            if pass < before {
                continue;
            }
            let ends = match &repeat.until {
                None => self.wave.states == input,
                // Of the earlier cells, at rest in their last pass, a pair satisfies the conditions already.
                Some(_) if before > 0 => true,
                Some(conditions) => self.wave.some_pair_matches(conditions),
            };
            if ends {
                *passes = pass;
                break;
            }
            if pass == before.max(1) {
                orbit = Orbit::new(&input);
            }
            if let Some(cycle) = orbit.closed_by(&self.wave.states, self.wave.first, self.wave.width, held) {
                return Err(RunError::Endless { block: name(repeat), cycle });
            }
        }
        if !repeat.nests {
            for kept in inside.iter_mut().flatten() {
                if let Kept::Layer(Some(history)) = kept {
                    let before = history.len();
                    history.rest();
                    self.meter.keep(history.len().saturating_sub(before))?;
                }
            }
        }
        Ok(())
    }
}

fn name(repeat: &Repeat) -> BlockName {
    BlockName { number: repeat.number, label: repeat.label.clone() }
}

impl Kept {
    /// The number of values.
    fn len(&self) -> usize {
        match self {
            Self::Layer(history) => history.as_ref().map_or(0, History::len),
            Self::Repeat { inside, .. } => inside.iter().flatten().map(Self::len).sum(),
        }
    }
}

impl Wave<'_> {
    fn cells(&self) -> usize {
        self.states.len().checked_div(self.width).unwrap_or_default()
    }

    fn search(&self, conditions: &Conditions) -> Search {
        if !conditions.can_hold() {
            return Search::Nowhere;
        }
        conditions.offset().filter(|_| self.pinned).map_or(Search::ByKey, Search::At)
    }

    fn nothing_kept(&self, nodes: &[Node]) -> Vec<Kept> {
        let nothing = |node: &Node| match node {
            Node::Layer(layer) => Kept::Layer(self.form(layer).map(History::new)),
            Node::Repeat(_) => Kept::Repeat { passes: 0, inside: Vec::new() },
        };
        nodes.iter().map(nothing).collect()
    }

    /// How a layer's rows are kept; none where later cells attend to no earlier one.
    fn form(&self, layer: &Layer) -> Option<Form> {
        let (equal, differ) = layer.conditions.sizes();
        let len = equal + differ + layer.value.len();
        match self.search(&layer.conditions) {
            _ if layer.causal_attn == Some(CausalAttn::Reverse) => None,
            Search::Nowhere | Search::At(0..) => None,
            // Only the cell to the left counts: the last one.
            Search::At(_) => Some(Form { len, key: 0, differ: (0, 0), newer_first: true }),
            Search::ByKey => {
                Some(Form { len, key: equal, differ: (equal, equal + differ), newer_first: layer.right_match })
            }
        }
    }

    /// Finds the cell that each cell of the wave attends to, and that cell's values.
    fn attend(&mut self, layer: &Layer, history: Option<&History>, pass: u32) {
        self.attends.clear();
        self.attends.resize(self.cells(), None);
        self.values.clear();
        match self.search(&layer.conditions) {
            Search::Nowhere => {}
            Search::At(offset) if self.first == 0 => self.attend_at(layer, offset),
            Search::ByKey if self.first == 0 => self.attend_by_key(layer),
            search => self.attend_alone(layer, search, history, pass),
        }
    }

    fn attend_at(&mut self, layer: &Layer, offset: isize) {
        let Layer { conditions, value, causal_attn, .. } = layer;
        let hidden = match causal_attn {
            Some(CausalAttn::True) => offset > 0,
            Some(CausalAttn::Reverse) => offset < 0,
            Some(CausalAttn::False) | None => false,
        };
        if hidden {
            return;
        }
        let states = || self.states.chunks_exact(self.width.max(1));
        let (skipped, shift) = (offset.min(0).unsigned_abs(), offset.max(0).unsigned_abs());
        for (cell, (state, source)) in states().skip(skipped).zip(states().skip(shift)).enumerate() {
            self.query.clear();
            if !conditions.query(self.shifts, state, &mut self.query) {
                continue;
            }
            self.key.clear();
            if conditions.key(self.shifts, source, &mut self.key) && conditions.agree(&self.query, &self.key) {
                if let Some(attends) = self.attends.get_mut(cell + skipped) {
                    *attends = Some(((cell + shift) as u32, self.values.len() as u32));
                }
                self.values.extend(value.iter().map(|(_, it)| it.of(self.shifts, source)));
            }
        }
    }

    fn attend_by_key(&mut self, layer: &Layer) {
        let (equal, differ) = layer.conditions.sizes();
        let len = equal + differ + layer.value.len();
        self.fill_rows(&layer.conditions, &layer.value);
        let Self { shifts, width, states, attends, values, query, rows, has_row, index, .. } = self;
        let backwards = layer.causal_attn == Some(CausalAttn::Reverse);
        let masked = matches!(layer.causal_attn, Some(CausalAttn::True | CausalAttn::Reverse));
        let newer_first = layer.right_match != backwards;
        let row = |cell: u32| rows.get(cell as usize * len..(cell as usize + 1) * len).unwrap_or_default();
        let part = |cell: u32, from: usize, to: usize| row(cell).get(from..to).unwrap_or_default();
        index.clear();
        let count = has_row.len();
        let in_order = |step: usize| if backwards { count - 1 - step } else { step };
        let insert = |index: &mut Index, cell: usize| {
            if has_row.get(cell) == Some(&true) {
                let readings = |cell| part(cell, equal, equal + differ);
                index.insert(cell as u32, part(cell as u32, 0, equal), newer_first, readings);
            }
        };
        let mut find = |index: &Index, cell: usize| {
            let Some(state) = states.get(cell * *width..(cell + 1) * *width) else { return };
            query.clear();
            if !layer.conditions.query(shifts, state, query) {
                return;
            }
            let key = query.get(..equal).unwrap_or_default();
            let found = index.find(key, newer_first).find(|&other| layer.conditions.agree(query, row(other)));
            if let (Some(found), Some(attends)) = (found, attends.get_mut(cell)) {
                *attends = Some((found, values.len() as u32));
                values.extend_from_slice(part(found, equal + differ, len));
            }
        };
        for step in 0..count {
            insert(index, in_order(step));
            if masked {
                // The cells so far are those that this one sees.
                find(index, in_order(step));
            }
        }
        if !masked {
            (0..count).for_each(|cell| find(index, cell));
        }
    }

    /// The rows of all cells: the key's readings, then the values.
    fn fill_rows(&mut self, conditions: &Conditions, value: &[(usize, Source)]) {
        let (equal, differ) = conditions.sizes();
        let len = equal + differ + value.len();
        self.rows.clear();
        self.has_row.clear();
        for (cell, state) in self.states.chunks_exact(self.width.max(1)).enumerate() {
            let has_row = conditions.key(self.shifts, state, &mut self.rows);
            if has_row {
                self.rows.extend(value.iter().map(|(_, it)| it.of(self.shifts, state)));
            }
            self.rows.resize((cell + 1) * len, NULL);
            self.has_row.push(has_row);
        }
    }

    /// A single cell after others.
    fn attend_alone(&mut self, layer: &Layer, search: Search, history: Option<&History>, pass: u32) {
        let conditions = &layer.conditions;
        if history.is_some() || search == Search::At(0) || search == Search::ByKey {
            self.fill_rows(conditions, &layer.value);
        }
        let (equal, differ) = conditions.sizes();
        self.query.clear();
        if !conditions.query(self.shifts, &self.states, &mut self.query) {
            return;
        }
        let query = &self.query;
        let own = || {
            let may = search != Search::At(-1) && search != Search::At(1) && self.has_row.first() == Some(&true);
            Some((self.first as u32, self.rows.as_slice())).filter(|(_, row)| may && conditions.agree(query, row))
        };
        let earlier = || {
            let history = history?;
            let key = query.get(..history.form().key).unwrap_or_default();
            history.find(key, pass).find(|(_, row)| conditions.agree(query, row))
        };
        let found = if layer.right_match { own().or_else(earlier) } else { earlier().or_else(own) };
        if let (Some((n, row)), Some(attends)) = (found, self.attends.first_mut()) {
            *attends = Some((n, 0));
            self.values.extend_from_slice(row.get(equal + differ..).unwrap_or_default());
        }
    }

    /// Keeps the wave's rows for later cells.
    fn record(&mut self, layer: &Layer, history: &mut History, pass: Option<u32>) {
        let len = history.form().len;
        let cells = self.cells();
        // Where only the last cell counts, or the rows are not there yet.
        let alone = matches!(self.search(&layer.conditions), Search::At(_));
        if alone && self.first == 0 {
            self.rows.clear();
            let last = self.states.rchunks_exact(self.width.max(1)).next().unwrap_or_default();
            let has_row = layer.conditions.key(self.shifts, last, &mut self.rows);
            self.rows.extend(layer.value.iter().filter(|_| has_row).map(|(_, it)| it.of(self.shifts, last)));
            self.has_row.clear();
            self.has_row.push(has_row);
        }
        let first = if alone { self.first + cells - 1 } else { self.first };
        for (index, has_row) in self.has_row.iter().enumerate() {
            let row = self.rows.get(index * len..(index + 1) * len).filter(|_| *has_row);
            match (pass, row) {
                (Some(pass), row) => history.record(index, (first + index) as u32, pass, row),
                (None, Some(row)) => history.record_for_good((first + index) as u32, row),
                (None, None) => {}
            }
        }
    }

    /// Sets the registers of the cells that attend to one; null sets nothing.
    fn write(&mut self, value: &[(usize, Source)]) {
        for (state, attends) in self.states.chunks_exact_mut(self.width.max(1)).zip(&self.attends) {
            let Some((_, start)) = attends else { continue };
            let values = self.values.get(*start as usize..).unwrap_or_default();
            for ((register, _), &value) in value.iter().zip(values) {
                if let Some(slot) = state.get_mut(*register).filter(|_| value != NULL) {
                    *slot = value;
                }
            }
        }
    }

    /// Whether the query of some cell of the wave matches the key of one.
    fn some_pair_matches(&mut self, conditions: &Conditions) -> bool {
        if !conditions.can_hold() {
            return false;
        }
        let (equal, differ) = conditions.sizes();
        let len = equal + differ;
        self.fill_rows(conditions, &[]);
        let Self { shifts, width, states, query, rows, has_row, index, .. } = self;
        let row = |cell: u32| rows.get(cell as usize * len..(cell as usize + 1) * len).unwrap_or_default();
        index.clear();
        for (cell, _) in (0..).zip(has_row.iter()).filter(|(_, has_row)| **has_row) {
            let readings = |cell| row(cell).get(equal..).unwrap_or_default();
            index.insert(cell, row(cell).get(..equal).unwrap_or_default(), false, readings);
        }
        states.chunks_exact((*width).max(1)).any(|state| {
            query.clear();
            conditions.query(shifts, state, query) && {
                let key = query.get(..equal).unwrap_or_default();
                index.find(key, false).any(|cell| conditions.agree(query, row(cell)))
            }
        })
    }
}

impl Source {
    fn of(&self, shifts: &Shifts, state: &[Value]) -> Value {
        match self {
            Self::Register(reading) => shifts.read(*reading, state),
            Self::Constant(value) => *value,
        }
    }
}
