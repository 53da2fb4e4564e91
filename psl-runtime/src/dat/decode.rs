//! Attention of a generated cell to itself and to earlier cells.

use std::ops::Range;

use psl_syntax::program::CausalAttn;
use smallvec::SmallVec;

use super::{
    bits::{end, place},
    conditions::Pair,
    history::History,
    maps::HeadMaps,
    prefill::is_hidden,
    reading::{Reading, Shifts},
    search::SHARED,
    step::{DatStep, LayerState, Matches, Scratch},
    timeline::{Pass, Timeline},
    value::{NULL, Value},
};
use crate::{meter::Meter, run_error::RunError};

/// The earlier cells at one layer, in one pass of each block around it.
struct Earlier<'s> {
    shifts: &'s Shifts,
    history: &'s History,
    /// The registers of all of them after the last layer.
    finished: &'s [Value],
    timeline: &'s Timeline,
    path: &'s [Pass],
    layer: &'s HeadMaps,
    /// The number of cells of the prompt.
    prompt: usize,
}

impl Earlier<'_> {
    fn tick(&self, cell: usize) -> u32 {
        self.timeline.tick(self.step_of(cell), self.path, self.layer.place)
    }

    fn step_of(&self, cell: usize) -> usize {
        (cell + 1).saturating_sub(self.prompt)
    }

    fn read(&self, cell: usize, tick: u32, reading: Reading) -> Value {
        self.shifts.shifted(reading.function, self.history.at(self.finished, cell, reading.register, tick))
    }

    /// Whether an earlier cell passes its tests, and the comparisons with the updated cell hold. `by_index` if the cell
    /// was found in the index, which outside blocks is all of the tests and the first comparison. Otherwise, its
    /// distance decides the first comparison.
    fn matches(&self, cell: usize, by_index: bool, query: impl Fn(Reading) -> Value) -> bool {
        let passes = by_index && self.path.is_empty();
        let tick = self.tick(cell);
        let read = |reading| self.read(cell, tick, reading);
        (passes || self.layer.conditions.key_tests_pass(read))
            && self.layer.conditions.pairs_hold(passes || !by_index, query, read)
    }

    /// Adds the cells that may be attended to in some pass to the index.
    fn index(&self, state: &mut LayerState, first: usize) {
        let LayerState { of_prompt, earlier, indexed, later, .. } = state;
        let mut insert = |value, cell| {
            if value != NULL {
                earlier.insert(value, cell, self.layer.right_match);
            }
        };
        let key = self.layer.conditions.equal.first().map(|pair| pair.key);
        if self.path.is_empty() {
            if *indexed == 0 {
                let tick = self.tick(0);
                of_prompt.iter().for_each(|cell| insert(key.map_or(SHARED, |key| self.read(cell, tick, key)), cell));
            }
            later.drain(..).for_each(|(value, cell)| insert(value, cell as usize));
        } else {
            self.index_passes(*indexed..first, key, insert);
        }
        *indexed = first;
    }

    /// Adds cells with each value that they have in some pass.
    fn index_passes(&self, cells: Range<usize>, key: Option<Reading>, mut insert: impl FnMut(Value, usize)) {
        let at = |pass| self.path.iter().map(move |it| Pass { pass, ..*it }).collect::<SmallVec<[Pass; 4]>>();
        let (early, late) = (at(1), at(usize::MAX));
        for cell in cells {
            let tick = |path| self.timeline.tick(self.step_of(cell), path, self.layer.place);
            let (from, to) = (tick(&early), tick(&late));
            let read = |reading: Reading| {
                let values = self.history.during(self.finished, cell, reading.register, from, to);
                values.map(move |value| self.shifts.shifted(reading.function, value))
            };
            let mut tests = self.layer.conditions.key_tests.iter();
            if tests.all(|test| read(test.reading).any(|value| test.passes(value))) {
                match key {
                    None => insert(SHARED, cell),
                    Some(key) => read(key).for_each(|value| insert(value, cell)),
                }
            }
        }
    }
}

impl DatStep<'_> {
    /// Finds the cell that the step's only cell attends to. It sees itself unless the layer reads a neighbor.
    pub(super) fn decode(&mut self, layer: &HeadMaps, meter: &mut Meter<'_>) -> Result<(), RunError> {
        self.clear_matches();
        if !self.path.is_empty() {
            self.start_layer(layer);
        }
        let Self { shifts, pinned, first, prompt, path, scratch, .. } = self;
        let Scratch { states, matches, history, finished, timeline, layers, .. } = &mut **scratch;
        let Matches { targets, sources, received } = matches;
        let state = &mut layers[layer.id];
        let conditions = &layer.conditions;
        let itself = |reading: Reading| shifts.read(reading, states);
        state.asleep = true;
        let is_null = |pair: &Pair| itself(pair.query) == NULL;
        if !conditions.can_hold()
            || !conditions.query_tests_pass(shifts, states)
            || conditions.equal.iter().any(is_null)
        {
            return Ok(());
        }
        let offset = conditions.offset().filter(|_| *pinned);
        let sees_itself = offset.is_none_or(|offset| offset == 0)
            && conditions.key_tests_pass(itself)
            && conditions.pairs_hold(offset.is_some(), itself, itself);
        let earlier = Earlier { shifts, history, finished, timeline, path, layer, prompt: *prompt };
        let found = match offset {
            _ if sees_itself && (layer.right_match || offset.is_some()) => None,
            Some(-1) if !is_hidden(layer, -1) => {
                state.asleep = false;
                meter.compared(1)?;
                first.checked_sub(1).filter(|n| earlier.matches(*n, false, itself))
            }
            Some(_) => None,
            None if layer.causal_attn == Some(CausalAttn::Reverse) => None,
            None => {
                state.asleep = false;
                meter.worked(*first - state.indexed)?;
                earlier.index(state, *first);
                let value = conditions.equal.first().map_or(SHARED, |pair| itself(pair.query));
                let mut cursor = state.earlier.cursor(value);
                let mut found = None;
                while let Some((word, mut bits)) = state.earlier.next(&mut cursor).filter(|_| found.is_none()) {
                    while bits != 0 && found.is_none() {
                        meter.compared(1)?;
                        let n = end(word, bits, layer.right_match);
                        bits &= !place(n).1;
                        found = Some(n).filter(|n| earlier.matches(*n, true, itself));
                    }
                }
                found
            }
        };
        let Some(n) = found.or(sees_itself.then_some(*first)) else { return Ok(()) };
        targets.insert(0);
        sources.push(n);
        let readings = layer.value.iter().filter_map(|(_, source)| source.reading());
        match found.map(|n| earlier.tick(n)) {
            Some(tick) => received.extend(readings.map(|reading| earlier.read(n, tick, reading))),
            None => received.extend(readings.map(itself)),
        }
        Ok(())
    }
}
