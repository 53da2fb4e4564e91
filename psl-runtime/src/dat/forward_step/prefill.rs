//! Attention of a step's cells to each other.

use psl_syntax::program::CausalAttn;

use super::step_cells::{ForwardStep, Match};
use crate::{
    dat::{conditions::Conditions, index::Index, maps::Layer, value::Value},
    meter::Meter,
    run_error::RunError,
};

impl ForwardStep<'_> {
    /// Updates all cells, or only those affected by the changes from `recent` on: the cell that changed, and the cell whose
    /// only candidate it is.
    pub(super) fn prefill_at(
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
            if layer.conditions.match_at_offset(shifts, updated, other) {
                let start = values.len() as u32;
                values.extend(layer.value.iter().map(|(_, source)| source.of(shifts, other)));
                matches.push(Match { cell: cell as u32, n: (*first + n) as u32, values: (start, values.len() as u32) });
            }
        };
        let Some(recent) = recent else {
            let (left, right) = (offset.min(0).unsigned_abs(), offset.max(0).unsigned_abs());
            let mut pairs =
                states.chunks_exact(*width).skip(left).zip(states.chunks_exact(*width).skip(right)).enumerate();
            // Pairs are counted in batches, because counting a pair takes nearly as long as comparing it.
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

    pub(super) fn prefill_by_key(&mut self, layer: &Layer, meter: &mut Meter<'_>) -> Result<(), RunError> {
        let Self { shifts, width, states, matches, values, query, rows, index, .. } = self;
        let conditions = &layer.conditions;
        let (equal, differ) = conditions.sizes();
        rows.fill(conditions, &layer.value, shifts, states.chunks_exact(*width));
        let backwards = layer.causal_attn == Some(CausalAttn::Reverse);
        let masked = matches!(layer.causal_attn, Some(CausalAttn::True | CausalAttn::Reverse));
        let newer_first = layer.right_match != backwards;
        index.clear();
        if !states.chunks_exact(*width).any(|state| conditions.query_tests_pass(shifts, state)) {
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
                if conditions.rows_match(query, rows.get(n)) {
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
                // The index contains the cells that this one sees.
                find(index, cell)?;
            }
        }
        if masked { Ok(()) } else { (0..count).try_for_each(|cell| find(index, cell)) }
    }

    /// Whether the query of some cell of the step matches the key of some cell.
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
                    if conditions.rows_match(query, rows.get(cell)) {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }
}
