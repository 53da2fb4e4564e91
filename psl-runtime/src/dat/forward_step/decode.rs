//! Attention of a generated cell to itself and to earlier cells.

use super::step_cells::{ForwardStep, Match};
use crate::{
    dat::{kv_cache::KvCache, maps::Layer},
    meter::Meter,
    run_error::RunError,
};

impl ForwardStep<'_> {
    /// Updates a single cell. It sees itself only if the layer finds cells by key.
    pub(super) fn decode(
        &mut self,
        layer: &Layer,
        by_key: bool,
        mut cache: Option<&mut KvCache>,
        pass: Option<u32>,
        meter: &mut Meter<'_>,
    ) -> Result<(), RunError> {
        let Self { shifts, states, matches, values, query, rows, first, .. } = self;
        let conditions = &layer.conditions;
        rows.fill(conditions, &layer.value, shifts, [states.as_slice()]);
        if conditions.query(shifts, states, query) {
            let query = &*query;
            let sees_itself = rows.present.first() == Some(&true) && by_key;
            let itself = Some((*first as u32, rows.get(0)));
            let itself = itself.filter(|(_, row)| sees_itself && conditions.rows_match(query, row));
            let mut earlier = None;
            if let Some(cache) = cache.as_mut().filter(|_| itself.is_none() || !layer.right_match) {
                let key = query.get(..cache.shape().key).unwrap_or_default();
                for (n, row) in cache.find(key, pass.unwrap_or(1)) {
                    meter.compared(1 + conditions.sizes().1)?;
                    if conditions.rows_match(query, row) {
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
        self.record(cache, pass);
        Ok(())
    }
}
