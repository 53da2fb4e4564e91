//! The definitions of a line.

use std::{collections::HashMap, slice};

use psl_program::count;

use crate::nfe::symbols::{ARROW, CLOSE, COMMA, MAX_PARAMETERS, OPEN, SEMICOLON, is_reserved};

/// The functions of a line by name.
pub struct Definitions<'l>(HashMap<&'l str, Definition<'l>>);

struct Definition<'l> {
    parameters: Vec<&'l str>,
    body: &'l [&'l str],
}

impl<'l> Definitions<'l> {
    /// Parses definitions, without the semicolons after them.
    pub fn parse(parts: &[&'l [&'l str]]) -> Result<Self, String> {
        if parts.is_empty() {
            return Err(format!("missing `{SEMICOLON}` between the definitions and the expression"));
        }
        let mut definitions = HashMap::new();
        for (index, part) in parts.iter().enumerate() {
            let (name, definition) = definition(index + 1, part)?;
            if definitions.insert(name, definition).is_some() {
                return Err(format!("duplicate definition of `{name}`"));
            }
        }
        Ok(Self(definitions))
    }

    /// The number of parameters of a function, or `None` if it is unknown.
    pub fn parameters(&self, name: &str) -> Option<usize> {
        self.0.get(name).map(|definition| definition.parameters.len())
    }

    /// The value of a call, `NAME ( argument , … )`, whose arguments are symbols. Parameters are replaced all at once.
    pub fn value<'c>(&'c self, call: &'c [&'l str]) -> impl Iterator<Item = &'l str> + 'c {
        let (definition, arguments) = match call {
            [name, _, arguments @ .., _] => (self.0.get(name), arguments),
            _ => (None, call),
        };
        let arguments: Vec<&[&str]> = arguments.split(|symbol| *symbol == COMMA).collect();
        definition.into_iter().flat_map(move |Definition { parameters, body }| {
            let arguments = arguments.clone();
            body.iter().flat_map(move |symbol| {
                let argument = parameters.iter().zip(&arguments).find(|(parameter, _)| *parameter == symbol);
                argument.map_or(slice::from_ref(symbol), |(_, argument)| argument).iter().copied()
            })
        })
    }
}

/// Parses the definition with this number.
fn definition<'l>(number: usize, symbols: &'l [&'l str]) -> Result<(&'l str, Definition<'l>), String> {
    let Some(arrow) = symbols.iter().position(|symbol| *symbol == ARROW) else {
        return Err(format!("missing `{ARROW}` in definition {number}"));
    };
    let (left, right) = symbols.split_at(arrow);
    let body = right.get(1..).unwrap_or_default();
    let [name, OPEN, inner @ .., CLOSE] = left else {
        return Err(format!("expected `NAME {OPEN} PARAMETER {COMMA} … {CLOSE} {ARROW}` in definition {number}"));
    };
    if is_reserved(name) {
        return Err(format!("expected a name at the start of definition {number}, found `{name}`"));
    }
    let parameters = parameters(name, inner)?;
    match body.iter().find(|symbol| is_reserved(symbol)) {
        Some(&(OPEN | CLOSE)) => Err(format!("call in the definition of `{name}`")),
        Some(symbol) => Err(format!("unexpected `{symbol}` in the definition of `{name}`")),
        None if body.is_empty() => Err(format!("missing right side in the definition of `{name}`")),
        None => Ok((name, Definition { parameters, body })),
    }
}

/// Parses the parameters of a function.
fn parameters<'l>(name: &str, symbols: &[&'l str]) -> Result<Vec<&'l str>, String> {
    let parameters = symbols.split(|symbol| *symbol == COMMA).enumerate().map(|(index, parameter)| match parameter {
        [parameter] if is_reserved(parameter) => Err(format!("unexpected `{parameter}` in the parameters of `{name}`")),
        [parameter] => Ok(*parameter),
        _ => {
            let found = count(parameter.len(), "symbol");
            Err(format!("parameter {} of `{name}` has {found}, expected 1", index + 1))
        }
    });
    let parameters = parameters.collect::<Result<Vec<_>, _>>()?;
    if parameters.len() > MAX_PARAMETERS {
        let found = count(parameters.len(), "parameter");
        return Err(format!("`{name}` has {found}, expected 1 to {MAX_PARAMETERS}"));
    }
    for (index, parameter) in parameters.iter().enumerate() {
        if parameters.iter().take(index).any(|before| before == parameter) {
            return Err(format!("duplicate parameter `{parameter}` of `{name}`"));
        }
    }
    Ok(parameters)
}
