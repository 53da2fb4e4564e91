//! The names of registers and constants, and their declarations.

use indexmap::IndexMap;
use psl_syntax::token::{Kind, quote, tokenize};
use rustc_hash::FxHashSet;

use super::{Said, no_psl};
use crate::qkvl::Program;

pub(super) struct Names<'p> {
    /// Short name to long name.
    registers: IndexMap<&'p str, &'p str>,
    /// Name to value.
    constants: IndexMap<String, &'p str>,
    /// Value to the name by which it is referred to.
    values: IndexMap<&'p str, String>,
    /// The position's short name.
    pub(super) position: Option<&'p str>,
}

impl<'p> Names<'p> {
    pub(super) fn new(program: &'p Program) -> Said<Self> {
        let mut registers = IndexMap::new();
        for (long, short) in program.registers() {
            if !long.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
                || long.contains(|any: char| !any.is_ascii_alphanumeric() && any != '_')
            {
                let help = "take letters, digits and `_`, a digit not first";
                return no_psl("register_map", format!("no register can be called `{long}`"), help);
            }
            registers.insert(short, long);
        }
        let position = program.system_map.get("position").map(String::as_str);
        for role in ["symbol", "parse", "eop"] {
            // A production without n could not tell its cell.
            if position.is_some() && program.system_map.get(role).map(String::as_str) == position {
                let cause = format!("position and {role} are one register");
                return no_psl("system_map", cause, "give each its own");
            }
        }
        let mut constants = IndexMap::new();
        let mut values = IndexMap::new();
        for (name, value) in &program.constant_map {
            constants.insert(name.clone(), value.as_str());
            values.entry(value.as_str()).or_insert_with(|| name.clone());
        }
        let long: FxHashSet<&str> = registers.values().copied().collect();
        for value in program.constants() {
            if values.contains_key(value) {
                continue;
            }
            let mut name = value.to_owned();
            while constants.contains_key(&name) || long.contains(name.as_str()) {
                name.push('_');
            }
            constants.insert(name.clone(), value);
            values.insert(value, name);
        }
        Ok(Self { registers, constants, values, position })
    }

    /// The declarations as PSL.
    pub(super) fn declarations(&self, program: &Program) -> Said<String> {
        let joined = |entries: &mut dyn Iterator<Item = Said<String>>| -> Said<String> {
            Ok(entries.collect::<Said<Vec<_>>>()?.join(", "))
        };
        let registers =
            joined(&mut self.registers.iter().map(|(short, long)| {
                Ok(format!("{}: {}", name("register_map", long)?, string("register_map", short)?))
            }))?;
        let constants = joined(&mut self.constants.iter().map(|(written, value)| {
            let name = name("constant_map", written)?;
            Ok(if written == value { name } else { format!("{name}: {}", string("constant_map", value)?) })
        }))?;
        let roles = joined(
            &mut (program.system_map.iter())
                .map(|(role, short)| Ok(format!("{role}: {}", self.register("system_map", short)?))),
        )?;
        let watched =
            joined(&mut program.watch_list.iter().map(|short| self.register("watch_list", short).map(str::to_owned)))?;
        let lists = [
            ("registers: {", registers, "}\n"),
            ("constants: {", constants, "}\n"),
            ("system: {", roles, "}\n"),
            ("watch: [", watched, "]\n"),
        ];
        let given = lists.iter().filter(|(_, list, _)| !list.is_empty());
        Ok(given.flat_map(|(open, list, close)| [*open, list, *close]).collect())
    }

    /// A register's long name.
    pub(super) fn register(&self, place: &str, short: &str) -> Said<&'p str> {
        match self.registers.get(short) {
            Some(long) => Ok(long),
            None => no_psl(place, format!("`{short}` is no register"), "register_map lists them all"),
        }
    }

    /// A constant's name by its value.
    pub(super) fn constant(&self, place: &str, value: &str) -> Said<String> {
        match self.values.get(value) {
            Some(written) => name(place, written),
            None => no_psl(place, format!("`{value}` is no constant"), "constant_map lists them all"),
        }
    }
}

/// A name, in quotes where it needs them.
fn name(place: &str, text: &str) -> Said<String> {
    let tokens = tokenize(text);
    match tokens.code.as_slice() {
        [token] if token.span.of(text) == text && matches!(token.kind, Kind::Name | Kind::Number) => {
            Ok(text.to_owned())
        }
        _ => string(place, text),
    }
}

fn string(place: &str, text: &str) -> Said<String> {
    if text.contains(['\r', '\n']) {
        let cause = format!("no string can hold the line end in `{}`", text.escape_debug());
        return no_psl(place, cause, "take a name without line ends");
    }
    Ok(if text.contains(['\'', '\\']) { quote(text) } else { format!("'{text}'") })
}
