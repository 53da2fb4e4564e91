//! The machines, as values of `--machine`.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use psl_runtime::MachineKind;

/// A parser of the names of machines.
pub fn machine() -> impl TypedValueParser<Value = MachineKind> {
    PossibleValuesParser::new(names()).try_map(|name| name.parse::<MachineKind>())
}

/// A parser of the names of machines and of `all`.
pub fn machines() -> impl TypedValueParser<Value = Vec<MachineKind>> {
    let all = PossibleValue::new("all").help("All of them, one after the other");
    PossibleValuesParser::new(names().chain([all])).try_map(|name| match name.as_str() {
        "all" => Ok(MachineKind::ALL.to_vec()),
        name => name.parse().map(|machine| vec![machine]),
    })
}

fn names() -> impl Iterator<Item = PossibleValue> {
    MachineKind::ALL.into_iter().map(|machine| PossibleValue::new(machine.name()).help(description(machine)))
}

const fn description(machine: MachineKind) -> &'static str {
    match machine {
        MachineKind::Psm => "The production system",
        MachineKind::Qkvm => "Query, key and value maps",
        MachineKind::Dat => "The transformer, by lookups",
        MachineKind::FullDat => "The transformer, by matrix arithmetic",
    }
}
