//! Finds the conditions that compile to some slots: the inverse of `crate::compile`.

use psl_syntax::program::Cell;
use rustc_hash::FxHashSet;

use super::error::{DecompileError, refuse};
use crate::qkvl::{Slots, Source, Term, words::BOTH_SIDES};

/// A condition: `register[cell]` and its right side.
pub(super) struct SlotCondition<'q> {
    /// The short name.
    pub(super) register: &'q str,
    pub(super) cell: Cell,
    pub(super) right: &'q Source,
    /// The cell of a register on the right side.
    pub(super) right_cell: Cell,
}

/// The conditions of a production or of an `until` clause.
pub(super) fn conditions<'q>(
    q: &'q Slots,
    k: &'q Slots,
    position: Option<&str>,
    place: &str,
) -> Result<Vec<SlotCondition<'q>>, DecompileError> {
    let mut slots = Vec::with_capacity(q.len());
    for (index, (name, query)) in q.iter().enumerate() {
        let Some(key) = k.get(name) else {
            return refuse(place, format!("`{name}` is in q but not in k"), BOTH_SIDES);
        };
        let taken = |name: &str| q.get_index_of(name).is_some_and(|other| other < index);
        slots.push(Slot::new(name, query, key, taken));
    }
    if slots.is_empty() {
        return refuse(place, "q and k are empty", "add a condition, such as `position[N] == position[N]`");
    }
    if let Some(same_cell) = same_cell(&slots, position) {
        let conditions = same_cell.iter().map(|slot| SlotCondition {
            register: slot.register,
            cell: Cell::Updated,
            right: slot.key,
            right_cell: Cell::Updated,
        });
        return Ok(conditions.collect());
    }
    let mut conditions = Vec::with_capacity(slots.len());
    for Slot { name, register, query, key, source, updated } in &slots {
        conditions.push(match (source, updated) {
            (true, _) => SlotCondition { register, cell: Cell::Source, right: query, right_cell: Cell::Updated },
            (false, true) => SlotCondition { register, cell: Cell::Updated, right: key, right_cell: Cell::Source },
            (false, false) => {
                let cause = format!("no condition compiles to slot `{name}`");
                let help = format!(
                    "for `[n]` on the left, set k to `{register}` under its first free primed name; for `[N]`, set q to \
                     `{register}` under its first free name"
                );
                return refuse(place, cause, help);
            }
        });
    }
    if conditions.iter().any(|condition| condition.cell == Cell::Source || reads_register(condition.right)) {
        return Ok(conditions);
    }
    let help = "add the position to q and k, as PSL does for a production without `n`";
    refuse(place, "no condition selects the cell to attend to", help)
}

struct Slot<'q> {
    name: &'q str,
    /// The register of the slot: its name without primes.
    register: &'q str,
    query: &'q Source,
    key: &'q Source,
    /// Whether a condition with `[n]` on the left compiles to the slot.
    source: bool,
    /// Whether a condition with `[N]` on the left compiles to the slot.
    updated: bool,
}

impl<'q> Slot<'q> {
    fn new(name: &'q str, query: &'q Source, key: &'q Source, taken: impl Fn(&str) -> bool) -> Self {
        let register = name.trim_end_matches('`');
        let first_free = |start: usize| {
            let ends = start..name.len();
            name.len() >= start && ends.filter_map(|end| name.get(..end)).all(&taken)
        };
        Self {
            name,
            register,
            query,
            key,
            source: is_register(key, register) && first_free(register.len() + 1),
            updated: is_register(query, register) && first_free(register.len()),
        }
    }

    fn compares_with_itself(&self, register: &str) -> bool {
        self.register == register && is_register(self.query, register) && is_register(self.key, register)
    }
}

/// The slots of the conditions if it can be a production without `n`: all slots except the one that is added for the
/// position.
fn same_cell<'s, 'q>(slots: &'s [Slot<'q>], position: Option<&str>) -> Option<&'s [Slot<'q>]> {
    let position = position?;
    if !slots.iter().all(|slot| slot.updated) {
        return None;
    }
    // Without `n`, duplicate conditions are left out. With it, `x[N] == x[n]` and `x[n] == x[N]` are two conditions.
    let mut seen = FxHashSet::default();
    if !slots.iter().all(|slot| seen.insert((slot.register, slot.query, slot.key))) {
        return None;
    }
    let itself = |slot: &Slot<'_>| slot.compares_with_itself(position);
    match slots.split_last() {
        Some((last, before)) if !before.is_empty() && itself(last) && !before.iter().any(itself) => Some(before),
        _ => slots.iter().any(itself).then_some(slots),
    }
}

fn is_register(source: &Source, register: &str) -> bool {
    matches!(source, Source::Is(Term::Register(name, None)) if name == register)
}

fn reads_register(source: &Source) -> bool {
    matches!(source, Source::Is(Term::Register(..)) | Source::Not(Term::Register(..)))
}
