//! TypeScript types of the names that answers contain as strings.

use std::path::PathBuf;

use psl_runtime::{MachineKind, Stopped as Stop};
use psl_syntax::{
    Severity as Level,
    program::{CausalAttn as Causal, Function},
};
use ts_rs::{Config, TS};

macro_rules! names {
    ($($name:ident: $names:expr;)*) => {$(
        pub struct $name;

        impl TS for $name {
            type WithoutGenerics = Self;
            type OptionInnerType = Self;

            fn name(_: &Config) -> String {
                stringify!($name).to_owned()
            }

            fn inline(_: &Config) -> String {
                $names.map(|name| format!("{name:?}")).join(" | ")
            }

            fn decl(config: &Config) -> String {
                format!("type {} = {};", Self::name(config), Self::inline(config))
            }

            fn output_path() -> Option<PathBuf> {
                Some(PathBuf::new())
            }
        }
    )*};
}

names! {
    Machine: MachineKind::ALL.map(MachineKind::name);
    Severity: [Level::Error, Level::Warning, Level::Info, Level::Hint].map(Level::as_str);
    CausalAttn: [Causal::True, Causal::False, Causal::Reverse].map(Causal::as_str);
    PositionFunction: Function::ALL.map(Function::as_str);
    Stopped: Stop::ALL.map(Stop::as_str);
}
