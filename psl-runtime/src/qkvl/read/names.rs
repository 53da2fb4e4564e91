//! The names of a file: registers, constants and roles.

use psl_syntax::{
    program::Function,
    roles::{ANSWER, DEFAULT_ROLES, missing_role},
};
use serde_json::Value;

use super::{
    error::{Read, error},
    json::{kind, object, string},
};
use crate::qkvl::{
    program::{Entries, Term, is_primed, list_primed},
    words::{REGISTERS, ROLES},
};

/// Long names to short names, with primed names in our spelling, and the primed names in the file's spelling.
type RegisterMap = (Entries<String>, Entries<String>);

pub(super) fn register_map(json: &Value) -> Read<RegisterMap> {
    const PLACE: &str = "register_map";
    let entries = object(json, PLACE)?
        .iter()
        .map(|(long, short)| Ok((long.as_str(), string(short, &format!("{PLACE}.{long}"))?)))
        .collect::<Read<Vec<_>>>()?;
    let mut map = Entries::default();
    let mut primed = Entries::default();
    let mut taken = Entries::default();
    for &(long, short) in &entries {
        let place = format!("{PLACE}.{long}");
        let (base, count) = split_primes(short);
        let has_base = || entries.iter().any(|&(_, other)| other == base);
        let canonical = if is_primed(short) || (count > 0 && long.starts_with("alt_") && has_base()) {
            if !has_base() {
                return error(
                    &place,
                    format!("the register of the primed name `{short}` is missing"),
                    "add it to register_map",
                );
            }
            let canonical = with_primes(base, count);
            primed.insert(short.to_owned(), canonical.clone());
            canonical
        } else {
            short.to_owned()
        };
        if canonical.is_empty() || canonical.contains('@') {
            return error(&place, format!("`{short}` is not a valid short name"), "use a name without `@`");
        }
        if let Some(other) = taken.insert(canonical.clone(), long) {
            return error(
                &place,
                format!("duplicate short name `{short}`: `{other}` has it too"),
                "rename one of them",
            );
        }
        map.insert(long.to_owned(), canonical);
    }
    Ok((map, primed))
}

/// A name without its primes, in either spelling, and the number of primes.
fn split_primes(name: &str) -> (&str, usize) {
    let base = name.trim_end_matches(['`', '\'']);
    (base, name.len() - base.len())
}

fn with_primes(base: &str, count: usize) -> String {
    format!("{base}{}", "`".repeat(count))
}

pub(super) fn constant_map(json: &Value) -> Read<Entries<String>> {
    const PLACE: &str = "constant_map";
    let entry = |(name, value): (&String, &Value)| {
        let value = match value {
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            // App. J: the string is optional.
            Value::Null => name.clone(),
            other => {
                return error(
                    &format!("{PLACE}.{name}"),
                    format!("a constant cannot be {}", kind(other)),
                    "use a string",
                );
            }
        };
        Ok((name.clone(), value))
    };
    object(json, PLACE)?.iter().map(entry).collect()
}

pub(super) fn system_map(json: Option<&Value>, names: &Resolver) -> Read<Entries<String>> {
    const PLACE: &str = "system_map";
    let map: Entries<String> = match json {
        Some(json) => {
            let entry = |(role, name): (&String, &Value)| {
                let place = format!("{PLACE}.{role}");
                if role != ANSWER && !DEFAULT_ROLES.iter().any(|(known, _)| known == role) {
                    return error(&place, "unknown role", ROLES);
                }
                Ok((role.clone(), names.register(&place, string(name, &place)?)?))
            };
            object(json, PLACE)?.iter().map(entry).collect::<Read<_>>()?
        }
        None => DEFAULT_ROLES
            .into_iter()
            .filter(|(_, short)| names.is_register(short))
            .map(|(role, short)| (role.to_owned(), short.to_owned()))
            .collect(),
    };
    let has = |role: &str| map.contains_key(role) || (role == "output" && map.contains_key(ANSWER));
    match ["symbol", "output"].into_iter().find(|role| !has(role)) {
        Some(role) => error(PLACE, missing_role(role), "map it to a short name"),
        None => Ok(map),
    }
}

/// Resolves names to registers or constants.
pub(super) struct Resolver {
    /// Long names to short names. Every primed name that is used is added.
    pub(super) register_map: Entries<String>,
    /// Primed names in the file's spelling to ours.
    pub(super) primed: Entries<String>,
}

impl Resolver {
    fn is_register(&self, short: &str) -> bool {
        self.register_map.values().any(|name| name == short && !is_primed(name))
    }

    /// A register by its short or long name.
    pub(super) fn register(&self, place: &str, name: &str) -> Read<String> {
        if self.is_register(name) {
            return Ok(name.to_owned());
        }
        match self.register_map.get(name) {
            Some(short) if !is_primed(short) => Ok(short.clone()),
            _ => error(place, format!("unknown register `{name}`"), REGISTERS),
        }
    }

    /// A slot of query or key: a register's short name, primed or not.
    pub(super) fn slot(&mut self, place: &str, name: &str) -> Read<String> {
        if self.is_register(name) {
            return Ok(name.to_owned());
        }
        if let Some(canonical) = self.primed.get(name) {
            return Ok(canonical.clone());
        }
        let (base, count) = split_primes(name);
        if count == 0 || !self.is_register(base) {
            return error(place, format!("unknown register `{name}`"), REGISTERS);
        }
        let canonical = with_primes(base, count);
        list_primed(&mut self.register_map, &canonical);
        Ok(canonical)
    }

    pub(super) fn term(&self, place: &str, text: &str) -> Read<Term> {
        const PRIMED: &str = "a primed name has no value";
        if self.is_register(text) {
            return Ok(Term::Register(text.to_owned(), None));
        }
        if self.primed.contains_key(text) {
            return error(place, format!("cannot read `{text}`: {PRIMED}"), "remove the primes");
        }
        let Some((name, function)) = text.rsplit_once('@').filter(|(name, _)| self.is_register(name)) else {
            return Ok(Term::Constant(text.to_owned()));
        };
        match Function::from_name(function) {
            Some(function) => Ok(Term::Register(name.to_owned(), Some(function))),
            None => error(place, format!("unknown function `{function}`"), "use `pos_increment` or `pos_decrement`"),
        }
    }

    pub(super) fn constants(&self, place: &str, list: &[&str]) -> Read<Vec<String>> {
        match list.iter().find(|text| self.is_register(text)) {
            Some(text) => error(place, format!("register `{text}` in a list"), "list constants only"),
            None => Ok(list.iter().map(|&text| text.to_owned()).collect()),
        }
    }
}
