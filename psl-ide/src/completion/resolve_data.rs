//! What a completion is about: small enough to be sent with it, and enough to document it later, whatever the document has
//! become meanwhile.

use std::fmt::Write as _;

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
    config,
    markdown::{code, code_block, plain},
    skeleton::SKELETON,
};

/// How many layers are listed.
const MOST_LAYERS: usize = 12;

/// What a completion is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ResolveData {
    /// A register.
    Register(Register),
    /// A constant.
    Constant {
        /// Its name.
        name: String,
        /// Its value.
        value: String,
    },
    /// The program to start from.
    Skeleton,
    /// A keyword or operator.
    Keyword(String),
    /// A cell.
    Cell(String),
    /// A function.
    Function(String),
    /// A role.
    Role(String),
    /// A directive.
    Directive(String),
    /// A diagnostic's code.
    Code(String),
    /// A key of `psl.toml`, by its path with dots.
    Setting(String),
}

/// A register.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Register {
    name: String,
    short: String,
    roles: Vec<String>,
    /// What it can hold at the cursor.
    holds: Option<String>,
    /// The layers that write it, as far as they are listed, and how many there are.
    written: (Vec<usize>, usize),
    /// The layers that read it, as far as they are listed, and how many there are.
    read: (Vec<usize>, usize),
}

/// Each register of a program, as it is at one place.
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
    /// A constant.
    pub fn constant(constant: &Constant) -> Self {
        Self::Constant { name: constant.name.clone(), value: constant.value.clone() }
    }

    /// As it travels with the completion.
    pub fn data(&self) -> Option<Value> {
        serde_json::to_value(self).ok()
    }

    /// Its documentation, in Markdown.
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

/// The documentation of what travelled with a completion; nothing where that is not ours.
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
            let _ = write!(text, "\n\nholds here: {}", plain(holds));
        }
        let _ = write!(text, "\n\nwritten in layers: {}\n\nread in layers: {}", listed(written), listed(read));
        text
    }
}

fn listed((layers, count): &(Vec<usize>, usize)) -> String {
    let mut words: Vec<String> = layers.iter().map(ToString::to_string).collect();
    if *count > layers.len() {
        words.push(format!("and {} more", count - layers.len()));
    }
    if words.is_empty() { "none".to_owned() } else { words.join(", ") }
}
