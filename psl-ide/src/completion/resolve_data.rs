//! The data of a completion: small enough to send along, and sufficient to document the item later, even if the
//! document has changed.

use std::fmt::Write as _;

use psl_program::config;
use psl_syntax::{
    Analysis, Code,
    domains::DomainsAtPoint,
    glossary::{self, meaning},
    names::{Access, Symbol},
    program::{Constant, RegisterId},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    markdown::{code, code_block, plain},
    skeleton::SKELETON,
};

/// Maximum number of layers to list.
const MOST_LAYERS: usize = 12;

/// The data of a completion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ResolveData {
    Register(Register),
    Constant {
        name: String,
        value: String,
    },
    /// The program to start with.
    Skeleton,
    /// A keyword or operator.
    Keyword(String),
    Cell(String),
    Function(String),
    Role(String),
    Directive(String),
    /// A diagnostic's code.
    Code(String),
    /// A key of `psl.toml`, by its dotted path.
    Setting(String),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Register {
    name: String,
    short: String,
    roles: Vec<String>,
    /// The register's possible values at the cursor.
    holds: Option<String>,
    /// The listed layers that write it, and the number of all layers that do.
    written: (Vec<usize>, usize),
    /// The listed layers that read it, and the number of all layers that do.
    read: (Vec<usize>, usize),
}

/// Every register of a program, with its possible values at one place.
pub fn registers(analysis: &Analysis, held: Option<&DomainsAtPoint>) -> Vec<Register> {
    let program = &analysis.program;
    let mut all: Vec<Register> = (0..)
        .map(RegisterId)
        .zip(&program.registers)
        .map(|(id, register)| Register {
            name: register.name.clone(),
            short: register.short.clone(),
            roles: program
                .roles
                .iter()
                .filter(|(_, role)| *role == Some(id))
                .map(|(name, _)| name.to_owned())
                .collect(),
            holds: held.and_then(|held| held.in_words(id)),
            written: Default::default(),
            read: Default::default(),
        })
        .collect();
    for (layer, production) in (1..).zip(program.productions()) {
        for reference in analysis.names.within(production.span) {
            let Symbol::Register(RegisterId(id)) = reference.symbol else { continue };
            let Some(register) = all.get_mut(id as usize) else { continue };
            let (layers, count) =
                if reference.access == Access::Write { &mut register.written } else { &mut register.read };
            if layers.last() != Some(&layer) {
                *count += 1;
                if layers.len() < MOST_LAYERS {
                    layers.push(layer);
                }
            }
        }
    }
    all
}

impl ResolveData {
    pub fn constant(constant: &Constant) -> Self {
        Self::Constant { name: constant.name.clone(), value: constant.value.clone() }
    }

    /// The JSON that is sent with the completion.
    pub fn data(&self) -> Option<Value> {
        serde_json::to_value(self).ok()
    }

    /// The documentation, in Markdown.
    pub fn markdown(&self) -> Option<String> {
        let sentence = match self {
            Self::Register(register) => return Some(register.markdown()),
            Self::Constant { name, value } => {
                return Some(format!("constant {} with the value {}", code(name), code(value)));
            }
            Self::Skeleton => return Some(code_block(SKELETON.trim_end())),
            Self::Setting(path) => return config::keys::about(&path.split('.').collect::<Vec<_>>()),
            Self::Code(name) => return Code::from_name(name).map(|code| code.entry().markdown()),
            Self::Keyword(word) => meaning(glossary::KEYWORDS, word),
            Self::Cell(word) => meaning(glossary::CELLS, word),
            Self::Function(word) => meaning(glossary::FUNCTIONS, word),
            Self::Role(word) => meaning(glossary::ROLES, word),
            Self::Directive(word) => meaning(glossary::DIRECTIVES, word),
        };
        sentence.map(str::to_owned)
    }
}

/// The documentation of an item by the data sent with it, or `None` if the data is not ours.
pub fn documentation(data: &Value) -> Option<String> {
    ResolveData::deserialize(data).ok()?.markdown()
}

impl Register {
    fn markdown(&self) -> String {
        let Self { name, short, roles, holds, written, read } = self;
        let mut text = format!("register {}, short name {}", code(name), code(short));
        if !roles.is_empty() {
            let _ = write!(text, "\n\nrole: {}", roles.join(", "));
        }
        if let Some(holds) = holds {
            let _ = write!(text, "\n\nvalues here: {}", plain(holds));
        }
        let _ = write!(text, "\n\nwritten by: {}\n\nread by: {}", listed(written), listed(read));
        text
    }
}

fn listed((layers, count): &(Vec<usize>, usize)) -> String {
    let numbers: Vec<String> = layers.iter().map(ToString::to_string).collect();
    let numbers = numbers.join(", ");
    match (layers.len(), count) {
        (0, _) => "no layer".to_owned(),
        (1, 1) => format!("layer {numbers}"),
        (listed, count) if *count > listed => format!("layers {numbers}, and {} more", count - listed),
        _ => format!("layers {numbers}"),
    }
}
