//! The names of registers and constants in the program of a Turing machine.

use std::collections::{BTreeSet, HashMap, HashSet};

use psl_syntax::token::{constant_as_written, quote};

/// The registers, by long name, with the short names of the paper (74) and of PARGEN (99).
const REGISTERS: [(&str, &str); 7] = [
    ("symbol", "s"),
    ("position", "p"),
    ("parse", "a"),
    ("head", "c"),
    ("state", "q"),
    ("cursor", "k"),
    ("output", "x"),
];

/// Names that do not clash with the states and symbols of a table.
pub struct Names {
    /// The short name of each register.
    shorts: Vec<String>,
    /// The names of the constants that differ from their values, by value.
    constants: HashMap<String, String>,
    /// The values of all constants.
    values: BTreeSet<String>,
    /// The names that differ from the usual ones or from the table, each with the reason.
    pub changes: Vec<String>,
}

impl Names {
    /// Chooses the names for constants with these values, possibly with duplicates.
    pub fn new<'v>(values: impl Iterator<Item = &'v str>) -> Self {
        let values: BTreeSet<String> = values.map(str::to_owned).collect();
        let mut changes = Vec::new();
        let mut constants = HashMap::new();
        for (register, _) in REGISTERS.iter().filter(|(register, _)| values.contains(*register)) {
            let mut name = register.to_uppercase();
            while values.contains(&name) {
                name.push('_');
            }
            changes.push(format!("the constant `{name}` stands for `{register}`, the name of a register"));
            constants.insert((*register).to_owned(), name);
        }
        // QKVL reads the short name s as a register, and also s` and s@pos_increment.
        let registers = |value: &String| value.split('@').next().map(|value| value.trim_end_matches('`').to_owned());
        let taken: HashSet<String> = values.iter().filter_map(registers).collect();
        let mut shorts = Vec::new();
        for (register, usual) in REGISTERS {
            let numbered = (2..).map(|number| format!("{usual}{number}"));
            let short = [usual.to_owned()].into_iter().chain(numbered).find(|short| !taken.contains(short));
            let short = short.unwrap_or_default();
            if short != usual {
                changes.push(format!("the short name of `{register}` is `{short}`: the table uses `{usual}`"));
            }
            shorts.push(short);
        }
        Self { shorts, constants, values, changes }
    }

    /// The registers as declared.
    pub fn registers(&self) -> String {
        let entries = REGISTERS.iter().zip(&self.shorts).map(|((long, _), short)| format!("{long}: '{short}'"));
        entries.collect::<Vec<_>>().join(", ")
    }

    /// The constants as declared.
    pub fn constants(&self) -> String {
        let entry = |value: &String| match self.constants.get(value) {
            Some(name) => format!("{name}: {}", quote(value)),
            None => constant_as_written(value),
        };
        self.values.iter().map(entry).collect::<Vec<_>>().join(", ")
    }

    /// The constant with a value, as written in a condition or an assignment.
    pub fn constant(&self, value: &str) -> String {
        constant_as_written(self.constants.get(value).map_or(value, String::as_str))
    }
}
