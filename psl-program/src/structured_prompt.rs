//! Structured prompts: a JSON list of cells, `{register: value, …}`, with long names of registers.

use std::{collections::HashSet, fmt};

use psl_runtime::{Cell, Registers, json_error::in_words};
use psl_syntax::{
    nearest,
    program::{Program, RegisterId},
};
use serde::{
    Deserialize, Deserializer,
    de::{Error, MapAccess, SeqAccess, Visitor},
};
use serde_json::{Map, Value};
use thiserror::Error;

/// A structured prompt as written: the registers of each cell, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StructuredPrompt(Vec<Vec<(String, String)>>);

impl StructuredPrompt {
    /// Parses JSON.
    ///
    /// # Errors
    ///
    /// Returns a message that names the cell and its place.
    pub fn parse(text: &str) -> Result<Self, NotAPrompt> {
        serde_json::from_str(text).map_err(|error| {
            let example = r#"; a structured prompt is a JSON list of cells, such as [{"symbol": "A"}]"#;
            NotAPrompt::Json(format!("{}{}", in_words(&error), if error.is_data() { "" } else { example }))
        })
    }

    /// Resolves the names of registers for the runtime.
    ///
    /// # Errors
    ///
    /// Fails if a cell names an unknown register or sets one twice.
    pub fn resolve<'t>(&'t self, registers: &Registers) -> Result<Vec<Cell<'t>>, NotAPrompt> {
        let cell = |(index, given): (usize, &'t Vec<(String, String)>)| {
            let mut cell: Cell = Cell::new();
            for (name, value) in given {
                let register = register(name, registers).map_err(|of| NotAPrompt::Register { cell: index + 1, of })?;
                if cell.iter().any(|&(other, _)| other == register) {
                    return Err(NotAPrompt::Duplicate { cell: index + 1, name: name.clone() });
                }
                cell.push((register, value.as_str()));
            }
            Ok(cell)
        };
        self.0.iter().enumerate().map(cell).collect()
    }

    /// Describes what the cells do without a `//@ input` declaration: setting a register, or having no symbol.
    pub fn undeclared(&self, program: &Program) -> Option<String> {
        let set: HashSet<&str> = self.0.iter().flatten().map(|(name, _)| name.as_str()).collect();
        let of_machine = [program.roles.symbol, program.roles.position];
        let undeclared = program.registers.iter().zip(0..).filter(|(register, id)| {
            let id = RegisterId(*id);
            set.contains(register.name.as_str()) && !of_machine.contains(&Some(id)) && !program.is_input(id)
        });
        let mut names: Vec<&str> = undeclared.map(|(register, _)| register.name.as_str()).collect();
        let sets = (!names.is_empty()).then(|| format!("cells set `{}`", names.join("`, `")));
        let symbol = program.roles.symbol.filter(|symbol| !program.is_input(*symbol));
        let symbol = symbol.map(|symbol| program.registers[symbol].name.as_str());
        let lacks = |symbol: &&str| self.0.iter().any(|cell| cell.iter().all(|(name, _)| name != symbol));
        let lacked = symbol.filter(lacks).map(|symbol| {
            names.push(symbol);
            format!("cells lack `{symbol}`")
        });
        let both: Vec<String> = sets.into_iter().chain(lacked).collect();
        (!both.is_empty()).then(|| {
            let (what, names) = (both.join(", and "), names.join(", "));
            format!("{what}; add `//@ input {names}` to the program so that `psl check` allows for it")
        })
    }

    /// The number of cells.
    pub fn cell_count(&self) -> usize {
        self.0.len()
    }

    /// The values in all cells.
    pub fn values(&self) -> impl Iterator<Item = &str> {
        self.0.iter().flatten().map(|(_, value)| value.as_str())
    }

    /// The cells as JSON.
    pub fn to_json(&self) -> Value {
        let cell = |given: &Vec<(String, String)>| {
            Value::Object(
                given.iter().map(|(name, value)| (name.clone(), Value::from(value.as_str()))).collect::<Map<_, _>>(),
            )
        };
        self.0.iter().map(cell).collect()
    }
}

/// Cells that cannot be the prompt of a program.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NotAPrompt {
    /// The text is not a JSON list of cells: the place and the reason.
    #[error("{0}")]
    Json(String),
    /// A cell names an unknown register.
    #[error("cell {cell}: {of}")]
    Register {
        /// The number of the cell, 1-based.
        cell: usize,
        /// The name, and those that the program has.
        of: UnknownRegister,
    },
    /// A cell sets a register twice.
    #[error("cell {cell}: duplicate register `{name}`; remove one of the two")]
    Duplicate {
        /// The number of the cell, 1-based.
        cell: usize,
        /// The name of the register.
        name: String,
    },
}

/// A register that a program lacks.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown register `{name}`; {}", match .near {
    Some(near) => format!("did you mean `{near}`?"),
    None => format!("expected one of {}", .all.join(", ")),
})]
pub struct UnknownRegister {
    /// The name in the prompt.
    pub name: String,
    /// The most similar long name.
    pub near: Option<String>,
    /// The long names of all registers.
    pub all: Vec<String>,
}

fn register(name: &str, registers: &Registers) -> Result<RegisterId, UnknownRegister> {
    registers.by_long(name).ok_or_else(|| {
        let long_of_short = registers.by_short(name).map(|register| registers.name(register));
        let near = long_of_short.or_else(|| nearest(name, registers.long.iter().map(String::as_str)));
        UnknownRegister { name: name.to_owned(), near: near.map(str::to_owned), all: registers.long.clone() }
    })
}

impl<'de> Deserialize<'de> for StructuredPrompt {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(CellsVisitor).map(Self)
    }
}

struct CellsVisitor;

impl<'de> Visitor<'de> for CellsVisitor {
    type Value = Vec<Vec<(String, String)>>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a list of cells")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut cells = Vec::new();
        loop {
            let in_cell = |error| A::Error::custom(format!("cell {}: {error}", cells.len() + 1));
            match list.next_element::<Registered>().map_err(in_cell)? {
                Some(Registered(cell)) => cells.push(cell),
                None => return Ok(cells),
            }
        }
    }
}

/// One cell. A map would lose a duplicate register.
struct Registered(Vec<(String, String)>);

impl<'de> Deserialize<'de> for Registered {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(CellVisitor).map(Self)
    }
}

struct CellVisitor;

impl<'de> Visitor<'de> for CellVisitor {
    type Value = Vec<(String, String)>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object of registers and their values")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut cell = Vec::new();
        while let Some(name) = map.next_key::<String>()? {
            let of_register = |error| A::Error::custom(format!("`{name}`: {error}"));
            let value = match map.next_value().map_err(of_register)? {
                Text::Symbol(text) => text,
                Text::Number(number) => number.to_string(),
            };
            cell.push((name, value));
        }
        Ok(cell)
    }
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a string or a whole number")]
enum Text {
    Symbol(String),
    Number(i64),
}
