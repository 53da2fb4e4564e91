//! Attention of a prompt's cells to each other, 64 cells at a time.

use psl_syntax::{index::at, program::CausalAttn};

use super::{
    bits::{cells, place},
    conditions::Conditions,
    index::Indexes,
    maps::HeadMaps,
    reading::Reading,
    search::Search,
    step::{DatStep, Matches, Scratch},
    value::NULL,
};
use crate::{meter::Meter, run_error::RunError};

impl DatStep<'_> {
    /// Finds the cells that the step's cells attend to. If the layer has run in this step, and `again` is not set, only
    /// for the cells that a change since then affects.
    pub(super) fn prefill(&mut self, layer: &HeadMaps, again: bool, meter: &mut Meter<'_>) -> Result<(), RunError> {
        self.clear_matches();
        let offset = layer.conditions.offset().filter(|_| self.pinned);
        let any = self.select(layer, offset, again);
        if !self.path.is_empty() {
            self.start_layer(layer);
        }
        let is_hidden = offset.is_some_and(|offset| is_hidden(layer, offset));
        meter.passed(self.scratch.columns.words)?;
        if !any || is_hidden || !layer.conditions.can_hold() {
            return Ok(());
        }
        match offset {
            Some(offset) => self.at_offset(layer, offset, meter)?,
            None if layer.conditions.equal.is_empty() && layer.conditions.differ.is_empty() => {
                self.at_end(layer, meter)?;
            }
            None => self.by_key(layer, meter)?,
        }
        self.receive(layer);
        Ok(())
    }

    /// Selects the cells to update that pass their tests as `queries`, and those that they can attend to as `keys`.
    /// Returns whether there are both.
    fn select(&mut self, layer: &HeadMaps, offset: Option<isize>, again: bool) -> bool {
        let Self { shifts, path, keeps, scratch, .. } = self;
        let Scratch { states, columns, layers, queries, keys, .. } = &mut **scratch;
        let own = &mut layers[layer.id];
        let state = Some(&*own).filter(|state| !path.is_empty() && state.ran && !again);
        // A cell that changed can be attended to instead of another.
        let state = state.filter(|state| offset.is_some() || state.changed_keys.is_empty());
        let mut any = [0; 2];
        queries.reset(columns.words);
        for word in 0..columns.words {
            let affected = state.map_or(u64::MAX, |state| {
                let neighbors = offset.map_or(0, |offset| state.changed_keys.moved_word(word, -offset));
                state.changed_queries.word(word) | neighbors
            });
            if affected != 0 {
                let found = affected & columns.passing(&layer.conditions.of_queries, word, shifts, states);
                queries.set_word(word, found);
                any[0] |= found;
            }
        }
        let keeps = *keeps && path.is_empty();
        if any[0] == 0 && !keeps {
            return false;
        }
        keys.reset(columns.words);
        for word in 0..columns.words {
            let found = columns.passing(&layer.conditions.of_keys, word, shifts, states);
            keys.set_word(word, found);
            any[1] |= found;
        }
        if keeps {
            own.of_prompt.copy(keys);
        }
        any.iter().all(|found| *found != 0)
    }

    /// Attention to a cell at a fixed distance to the right.
    fn at_offset(&mut self, layer: &HeadMaps, offset: isize, meter: &mut Meter<'_>) -> Result<(), RunError> {
        let Self { shifts, width, scratch, .. } = self;
        let Scratch { states, columns, queries, keys, matches, .. } = &mut **scratch;
        let Matches { targets, sources, .. } = matches;
        let state = |cell: usize| at(states, cell * *width..(cell + 1) * *width);
        for word in 0..columns.words {
            let mut found = queries.word(word) & keys.moved_word(word, -offset);
            meter.compared(1 + found.count_ones() as usize)?;
            if !layer.conditions.only_offset() {
                for cell in cells(word, found) {
                    let n = cell.wrapping_add_signed(offset);
                    let (query, key) = (|it: Reading| shifts.read(it, state(cell)), |it| shifts.read(it, state(n)));
                    if !layer.conditions.pairs_hold(true, query, key) {
                        found &= !place(cell).1;
                    }
                }
            }
            targets.set_word(word, found);
            sources.extend(cells(word, found).map(|cell| cell.wrapping_add_signed(offset)));
        }
        Ok(())
    }

    /// Attention without comparisons: to the first or last of the keys.
    fn at_end(&mut self, layer: &HeadMaps, meter: &mut Meter<'_>) -> Result<(), RunError> {
        let Scratch { queries, keys, matches, .. } = &mut *self.scratch;
        let Matches { targets, sources, .. } = matches;
        let end = if layer.right_match { keys.last() } else { keys.first() };
        for cell in queries.iter() {
            meter.compared(1)?;
            let n = match (layer.causal_attn, layer.right_match) {
                (None | Some(CausalAttn::False), _) => end,
                (Some(CausalAttn::True), false) => end.filter(|n| *n <= cell),
                (Some(CausalAttn::True), true) => keys.last_to(cell),
                (Some(CausalAttn::Reverse), false) => keys.first_from(cell),
                (Some(CausalAttn::Reverse), true) => end.filter(|n| *n >= cell),
            };
            if let Some(n) = n {
                targets.insert(cell);
                sources.push(n);
            }
        }
        Ok(())
    }

    /// Attention by comparisons. A masked layer finds only the cells that were added before.
    fn by_key(&mut self, layer: &HeadMaps, meter: &mut Meter<'_>) -> Result<(), RunError> {
        let Self { shifts, width, cells, scratch, .. } = self;
        let Scratch { states, queries, keys, matches, indexes, .. } = &mut **scratch;
        let Matches { targets, sources, .. } = matches;
        let state = |cell: usize| at(states, cell * *width..(cell + 1) * *width);
        let backwards = layer.causal_attn == Some(CausalAttn::Reverse);
        let search = Search { conditions: &layer.conditions, shifts, last: layer.right_match, backwards };
        indexes.reset(search.readings());
        let mut find = |indexes: &mut Indexes, cell: usize, meter: &mut Meter<'_>| {
            let (n, work) = search.find(indexes, state(cell));
            if let Some(n) = n {
                targets.insert(cell);
                sources.push(n);
            }
            meter.worked(1 + work)
        };
        if backwards || layer.causal_attn == Some(CausalAttn::True) {
            for step in 0..*cells {
                let cell = if backwards { *cells - 1 - step } else { step };
                if keys.contains(cell) {
                    meter.compared(1)?;
                    search.add(indexes, cell, state(cell));
                }
                if queries.contains(cell) {
                    find(indexes, cell, meter)?;
                }
            }
            if backwards {
                sources.reverse();
            }
            return Ok(());
        }
        for cell in keys.iter() {
            meter.compared(1)?;
            search.add(indexes, cell, state(cell));
        }
        queries.iter().try_for_each(|cell| find(indexes, cell, meter))
    }

    /// Reads the values that the targets receive.
    fn receive(&mut self, layer: &HeadMaps) {
        let Self { shifts, width, scratch, .. } = self;
        let Scratch { states, matches, .. } = &mut **scratch;
        let Matches { sources, received, .. } = matches;
        for Reading { register, function } in layer.value.iter().filter_map(|(_, source)| source.reading()) {
            let values = sources.iter().map(|n| states.get(n * *width + register).copied().unwrap_or(NULL));
            match function {
                None => received.extend(values),
                Some(_) => received.extend(values.map(|value| shifts.shifted(function, value))),
            }
        }
    }

    /// Whether conditions hold for some pair of the step's cells.
    pub(super) fn some_pair_matches(
        &mut self,
        conditions: &Conditions,
        meter: &mut Meter<'_>,
    ) -> Result<bool, RunError> {
        if !conditions.can_hold() {
            return Ok(false);
        }
        let Self { shifts, width, scratch, .. } = self;
        let Scratch { states, columns, indexes, .. } = &mut **scratch;
        let state = |cell: usize| at(states, cell * *width..(cell + 1) * *width);
        let search = Search { conditions, shifts, last: false, backwards: false };
        indexes.reset(search.readings());
        for word in 0..columns.words {
            for cell in cells(word, columns.passing(&conditions.of_keys, word, shifts, states)) {
                meter.compared(1)?;
                search.add(indexes, cell, state(cell));
            }
        }
        for word in 0..columns.words {
            for cell in cells(word, columns.passing(&conditions.of_queries, word, shifts, states)) {
                let (n, work) = search.find(indexes, state(cell));
                meter.worked(1 + work)?;
                if n.is_some() {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}

/// Whether a layer masks the cell at a distance to the right.
pub(super) fn is_hidden(layer: &HeadMaps, offset: isize) -> bool {
    match layer.causal_attn {
        Some(CausalAttn::True) => offset > 0,
        Some(CausalAttn::Reverse) => offset < 0,
        Some(CausalAttn::False) | None => false,
    }
}
