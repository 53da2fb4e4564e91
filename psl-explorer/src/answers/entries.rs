//! Query and key of one pair of cells, entry by entry.

use psl_runtime::{
    State, ValueId,
    qkvl::{Function, Source, Term},
};
use psl_syntax::program::ProductionId;
use serde::Serialize;

use crate::view::View;

/// An entry of the query, with the entry of the key that it is compared with.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SlotEntry<'a> {
    slot: &'a str,
    /// The long name of the register that the slot is named after.
    register: Option<&'a str>,
    query: Instruction<'a>,
    key: Instruction<'a>,
    #[serde(rename = "match")]
    matches: bool,
}

/// An instruction of a query or a key, with the values that it accepts.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct Instruction<'a> {
    /// Whether the instruction accepts all values except `values`.
    negated: bool,
    /// The value of the register, which may be null, or the constants.
    values: Vec<Option<&'a str>>,
    /// The long name of the register that it reads, or null for constants.
    register: Option<&'a str>,
    #[cfg_attr(test, ts(as = "Option<crate::protocol_names::PositionFunction>"))]
    function: Option<&'static str>,
}

/// The values that an entry accepts.
enum Accepted {
    Only(Option<ValueId>),
    Except(Option<ValueId>),
    Among(Vec<ValueId>),
    NotAmong(Vec<ValueId>),
}

/// The entries of a layer's query and key, for the states of N and n.
pub fn entries<'a>(view: View<'a>, layer: ProductionId, query_state: &State, key_state: &State) -> Vec<SlotEntry<'a>> {
    let layers = view.runner.executable().qkvl().layers();
    let Some(layer) = layers.get(layer.index()) else { return Vec::new() };
    let entry = |(slot, query): (&'a String, &'a Source)| {
        let key = layer.weights.k.get(slot)?;
        let (of_query, of_key) = (accepted(view, query, query_state), accepted(view, key, key_state));
        Some(SlotEntry {
            slot,
            register: long_name(view, slot.trim_end_matches('`')),
            matches: matches(&of_query, &of_key),
            query: instruction(view, query, of_query),
            key: instruction(view, key, of_key),
        })
    };
    layer.weights.q.iter().filter_map(entry).collect()
}

fn long_name<'a>(view: View<'a>, short: &str) -> Option<&'a str> {
    let registers = &view.runner.executable().registers;
    registers.by_short(short).map(|register| registers.name(register))
}

fn instruction<'a>(view: View<'a>, source: &Source, accepted: Accepted) -> Instruction<'a> {
    let (register, function) = match source {
        Source::Is(Term::Register(short, function)) | Source::Not(Term::Register(short, function)) => {
            (long_name(view, short), function.map(Function::as_str))
        }
        _ => (None, None),
    };
    let values = match accepted {
        Accepted::Only(value) | Accepted::Except(value) => vec![view.value(value)],
        Accepted::Among(list) | Accepted::NotAmong(list) => {
            list.into_iter().map(|value| view.value(Some(value))).collect()
        }
    };
    Instruction { negated: matches!(source, Source::Not(_) | Source::NotIn(_)), values, register, function }
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
            let held = state.get(register.index()).copied().flatten()?;
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

/// Whether query and key match. One of them is a single value, since every condition has a lone register on its left.
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
