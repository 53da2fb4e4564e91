//! Where the cells of a wave find those that they attend to.

use super::{Match, Wave};
use crate::dat::conditions::Conditions;
use crate::dat::history::{History, Shape};
use crate::dat::index::Index;
use crate::dat::{Layer, Value};
use crate::meter::Meter;
use crate::qkvl::CausalAttn;
use crate::run_error::RunError;

/// Where a layer finds the cell to attend to.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Search {
    Nowhere,
    /// So far to the right.
    At(isize),
    ByKey,
}

impl Wave<'_> {
    fn search(&self, conditions: &Conditions) -> Search {
        if !conditions.can_hold() {
            return Search::Nowhere;
        }
        conditions.offset().filter(|_| self.pinned).map_or(Search::ByKey, Search::At)
    }

    /// What later cells find the rows of a layer in; none where they attend to no earlier cell.
    pub(in crate::dat) fn history(&self, layer: &Layer) -> Option<History> {
        let (equal, differ) = layer.conditions.sizes();
        let len = equal + differ + layer.value.len();
        match self.search(&layer.conditions) {
            _ if layer.causal_attn == Some(CausalAttn::Reverse) => None,
            Search::Nowhere | Search::At(0..) => None,
            // The cell to the left.
            Search::At(_) => {
                let shape = Shape { len, key: 0, differ: (0, 0), newer_first: true, newest_only: true };
                Some(History::new(shape, 1))
            }
            Search::ByKey => {
                let (differ, newer_first) = ((equal, equal + differ), layer.right_match);
                let shape = Shape { len, key: equal, differ, newer_first, newest_only: false };
                Some(History::new(shape, self.cells() + 8))
            }
        }
    }

    /// Finds the cells that the wave's attend to, and tells the history of the wave's. Where the layer ran in the pass
    /// before, at a time `since`, only for cells for which something has changed.
    pub(in crate::dat) fn attend(
        &mut self,
        layer: &Layer,
        since: Option<u64>,
        history: Option<&mut History>,
        pass: Option<u32>,
        meter: &mut Meter<'_>,
    ) -> Result<(), RunError> {
        self.matches.clear();
        self.values.clear();
        let recent = since.map(|since| self.changes.partition_point(|change| change.time < since));
        let changed = recent.is_none_or(|recent| recent < self.changes.len());
        match self.search(&layer.conditions) {
            Search::Nowhere => {}
            search if self.first > 0 && search != Search::At(0) => {
                let at = pass.unwrap_or(1);
                if changed || history.as_ref().is_some_and(|history| history.last_change() >= at) {
                    self.attend_alone(layer, search, history, pass, meter)?;
                }
            }
            Search::At(offset) if changed => {
                self.attend_at(layer, offset, recent, meter)?;
                if let Some(history) = history {
                    self.record_last(layer, history, pass);
                }
            }
            Search::ByKey if changed => {
                self.attend_by_key(layer, meter)?;
                self.record(history, pass);
            }
            Search::At(_) | Search::ByKey => {}
        }
        Ok(())
    }

    /// For all cells, or only those that changed, or whose only match did, from that change on.
    fn attend_at(
        &mut self,
        layer: &Layer,
        offset: isize,
        recent: Option<usize>,
        meter: &mut Meter<'_>,
    ) -> Result<(), RunError> {
        let hidden = match layer.causal_attn {
            Some(CausalAttn::True) => offset > 0,
            Some(CausalAttn::Reverse) => offset < 0,
            Some(CausalAttn::False) | None => false,
        };
        if hidden {
            return Ok(());
        }
        let Self { shifts, states, changes, matches, values, width, first, .. } = self;
        let mut attend = |cell: usize, n: usize, updated: &[Value], other: &[Value]| {
            if layer.conditions.hold(shifts, updated, other) {
                let start = values.len() as u32;
                values.extend(layer.value.iter().map(|(_, source)| source.of(shifts, other)));
                matches.push(Match { cell: cell as u32, n: (*first + n) as u32, values: (start, values.len() as u32) });
            }
        };
        let Some(recent) = recent else {
            let (left, right) = (offset.min(0).unsigned_abs(), offset.max(0).unsigned_abs());
            let mut pairs =
                states.chunks_exact(*width).skip(left).zip(states.chunks_exact(*width).skip(right)).enumerate();
            // Counted together, and not pair by pair: comparing two costs hardly more than counting.
            while pairs.len() > 0 {
                let together = pairs.len().min(Meter::AT_ONCE);
                meter.compared(together)?;
                for (index, (updated, other)) in pairs.by_ref().take(together) {
                    attend(index + left, index + right, updated, other);
                }
            }
            return Ok(());
        };
        let state = |cell: usize| states.get(cell * *width..(cell + 1) * *width);
        for changes in changes.get(recent..).unwrap_or_default().chunks(Meter::AT_ONCE / 2) {
            meter.compared(2 * changes.len())?;
            for change in changes {
                let cell = change.place as usize / *width;
                let reader = cell.checked_add_signed(-offset).filter(|reader| *reader != cell);
                for cell in [Some(cell), reader].into_iter().flatten() {
                    let Some(n) = cell.checked_add_signed(offset) else { continue };
                    if let (Some(updated), Some(other)) = (state(cell), state(n)) {
                        attend(cell, n, updated, other);
                    }
                }
            }
        }
        Ok(())
    }

    fn attend_by_key(&mut self, layer: &Layer, meter: &mut Meter<'_>) -> Result<(), RunError> {
        let Self { shifts, width, states, matches, values, query, rows, index, .. } = self;
        let conditions = &layer.conditions;
        let (equal, differ) = conditions.sizes();
        rows.fill(conditions, &layer.value, shifts, states.chunks_exact(*width));
        let backwards = layer.causal_attn == Some(CausalAttn::Reverse);
        let masked = matches!(layer.causal_attn, Some(CausalAttn::True | CausalAttn::Reverse));
        let newer_first = layer.right_match != backwards;
        index.clear();
        if !states.chunks_exact(*width).any(|state| conditions.asks(shifts, state)) {
            return Ok(());
        }
        let mut find = |index: &Index, cell: usize| {
            meter.compared(1)?;
            let Some(state) = states.get(cell * *width..(cell + 1) * *width) else { return Ok(()) };
            if !conditions.query(shifts, state, query) {
                return Ok(());
            }
            for n in index.find(query.get(..equal).unwrap_or_default(), newer_first) {
                meter.compared(1 + differ)?;
                if conditions.agree(query, rows.get(n)) {
                    let start = values.len() as u32;
                    values.extend_from_slice(rows.part(n, equal + differ, rows.len));
                    matches.push(Match { cell: cell as u32, n, values: (start, values.len() as u32) });
                    break;
                }
            }
            Ok(())
        };
        let count = rows.present.len();
        for step in 0..count {
            let cell = if backwards { count - 1 - step } else { step };
            if rows.present.get(cell) == Some(&true) {
                let readings = |cell| rows.part(cell, equal, equal + differ);
                index.insert(cell as u32, rows.part(cell as u32, 0, equal), newer_first, readings);
            }
            if masked {
                // The cells so far are those that this one sees.
                find(index, cell)?;
            }
        }
        if masked { Ok(()) } else { (0..count).try_for_each(|cell| find(index, cell)) }
    }

    /// For a single cell after others.
    fn attend_alone(
        &mut self,
        layer: &Layer,
        search: Search,
        mut history: Option<&mut History>,
        pass: Option<u32>,
        meter: &mut Meter<'_>,
    ) -> Result<(), RunError> {
        let Self { shifts, states, matches, values, query, rows, first, .. } = self;
        let conditions = &layer.conditions;
        rows.fill(conditions, &layer.value, shifts, [states.as_slice()]);
        if conditions.query(shifts, states, query) {
            let query = &*query;
            let sees_itself = rows.present.first() == Some(&true) && search == Search::ByKey;
            let itself = Some((*first as u32, rows.get(0)));
            let itself = itself.filter(|(_, row)| sees_itself && conditions.agree(query, row));
            let mut earlier = None;
            if let Some(history) = history.as_mut().filter(|_| itself.is_none() || !layer.right_match) {
                let key = query.get(..history.shape().key).unwrap_or_default();
                for (n, row) in history.find(key, pass.unwrap_or(1)) {
                    meter.compared(1 + conditions.sizes().1)?;
                    if conditions.agree(query, row) {
                        earlier = Some((n, row));
                        break;
                    }
                }
            }
            if let Some((n, row)) = earlier.or(itself) {
                let (equal, differ) = conditions.sizes();
                values.extend_from_slice(row.get(equal + differ..).unwrap_or_default());
                matches.push(Match { cell: 0, n, values: (0, values.len() as u32) });
            }
        }
        self.record(history, pass);
        Ok(())
    }

    /// Tells the history of all rows.
    fn record(&self, history: Option<&mut History>, pass: Option<u32>) {
        let Some(history) = history else { return };
        for (index, present) in self.rows.present.iter().enumerate() {
            let row = Some(self.rows.get(index as u32)).filter(|_| *present);
            history.record(index, (self.first + index) as u32, pass, row);
        }
    }

    /// Tells the history of the last cell.
    fn record_last(&mut self, layer: &Layer, history: &mut History, pass: Option<u32>) {
        let last = self.states.rchunks_exact(self.width).next();
        self.rows.fill(&layer.conditions, &layer.value, self.shifts, last);
        let row = Some(self.rows.get(0)).filter(|_| self.rows.present.first() == Some(&true));
        history.record(0, (self.first + self.cells()).saturating_sub(1) as u32, pass, row);
    }

    /// Whether the query of some cell of the wave matches the key of one.
    pub(in crate::dat) fn some_pair_matches(
        &mut self,
        conditions: &Conditions,
        meter: &mut Meter<'_>,
    ) -> Result<bool, RunError> {
        let Self { shifts, width, states, query, rows, index, .. } = self;
        let (equal, differ) = conditions.sizes();
        rows.fill(conditions, &[], shifts, states.chunks_exact(*width));
        index.clear();
        if !conditions.can_hold() {
            return Ok(false);
        }
        for (cell, _) in (0..).zip(&rows.present).filter(|(_, present)| **present) {
            meter.compared(1)?;
            index.insert(cell, rows.part(cell, 0, equal), false, |cell| rows.part(cell, equal, equal + differ));
        }
        for state in states.chunks_exact(*width) {
            meter.compared(1)?;
            if conditions.query(shifts, state, query) {
                for cell in index.find(query.get(..equal).unwrap_or_default(), false) {
                    meter.compared(1 + differ)?;
                    if conditions.agree(query, rows.get(cell)) {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }
}
