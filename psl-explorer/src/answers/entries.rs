//! Query and key of one pair of cells, entry by entry.

use psl_runtime::{
    State, ValueId,
    qkvl::{Function, Source, Term},
};
use serde::Serialize;

use crate::view::View;

/// An entry of the query with that of the key.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SlotEntry {
    slot: String,
    /// The instructions, with short names.
    query: String,
    key: String,
    query_value: Held,
    key_value: Held,
    #[serde(rename = "match")]
    matches: bool,
}

/// The value that an instruction names, or the values of its list. A complement has the same value without its sign.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(untagged)]
enum Held {
    One(Option<String>),
    Many(Vec<String>),
}

/// The values that an entry accepts.
enum Accepted {
    Only(Option<ValueId>),
    Except(Option<ValueId>),
    Among(Vec<ValueId>),
    NotAmong(Vec<ValueId>),
}

/// The entries of query and key of a layer, for the states of N and of n.
pub fn entries(view: View<'_>, layer: usize, query_state: &State, key_state: &State) -> Vec<SlotEntry> {
    let layers = view.runner.executable().qkvl.layers();
    let Some(layer) = layer.checked_sub(1).and_then(|index| layers.get(index)) else { return Vec::new() };
    let entry = |(slot, query): (&String, &Source)| {
        let key = layer.weights.k.get(slot)?;
        let (of_query, of_key) = (accepted(view, query, query_state), accepted(view, key, key_state));
        Some(SlotEntry {
            slot: slot.clone(),
            query: query.to_string(),
            key: key.to_string(),
            matches: matches(&of_query, &of_key),
            query_value: held(view, &of_query),
            key_value: held(view, &of_key),
        })
    };
    layer.weights.q.iter().filter_map(entry).collect()
}

fn accepted(view: View<'_>, source: &Source, state: &State) -> Accepted {
    let list = |list: &[String]| list.iter().filter_map(|value| view.run.vocabulary().get(value)).collect();
    match source {
        Source::Is(term) => Accepted::Only(value(view, term, state)),
        Source::Not(term) => Accepted::Except(value(view, term, state)),
        Source::In(values) => Accepted::Among(list(values)),
        Source::NotIn(values) => Accepted::NotAmong(list(values)),
    }
}

fn value(view: View<'_>, term: &Term, state: &State) -> Option<ValueId> {
    let vocabulary = view.run.vocabulary();
    match term {
        Term::Constant(value) => vocabulary.get(value),
        Term::Register(short, function) => {
            let register = view.runner.executable().registers.by_short(short)?;
            let held = state.get(register).copied().flatten()?;
            let positions = vocabulary.positions();
            let position = || positions.iter().position(|&position| position == held);
            match function {
                None => Some(held),
                Some(Function::PosIncrement) => positions.get(position()? + 1).copied(),
                Some(Function::PosDecrement) => positions.get(position()?.checked_sub(1)?).copied(),
            }
        }
    }
}

/// One of the two is a value, since every condition has a register alone on its left.
fn matches(query: &Accepted, key: &Accepted) -> bool {
    let accepts = |set: &Accepted, value: ValueId| match set {
        Accepted::Only(held) => *held == Some(value),
        Accepted::Except(held) => *held != Some(value),
        Accepted::Among(list) => list.contains(&value),
        Accepted::NotAmong(list) => !list.contains(&value),
    };
    match (query, key) {
        (set, Accepted::Only(Some(value))) | (Accepted::Only(Some(value)), set) => accepts(set, *value),
        _ => false,
    }
}

fn held(view: View<'_>, accepted: &Accepted) -> Held {
    match accepted {
        Accepted::Only(value) | Accepted::Except(value) => Held::One(view.value(*value).map(str::to_owned)),
        Accepted::Among(list) | Accepted::NotAmong(list) => {
            Held::Many(list.iter().filter_map(|&value| view.value(Some(value))).map(str::to_owned).collect())
        }
    }
}
