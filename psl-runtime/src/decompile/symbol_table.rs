//! The names of registers and constants.

use indexmap::IndexMap;
use psl_syntax::{
    Span,
    program::{Constant, ConstantId, Program, Register, RegisterId, Roles},
    roles::ANSWER,
};
use rustc_hash::FxHashSet;

use super::error::{DecompileError, refuse};
use crate::qkvl::{
    self,
    words::{REGISTERS, ROLES},
};

pub(super) struct SymbolTable<'q> {
    /// Short names to long names, in the order of the registers' indices.
    registers: IndexMap<&'q str, &'q str>,
    /// Names to values, in the order of the constants' indices.
    constants: IndexMap<String, &'q str>,
    /// Values to the constants that refer to them.
    values: IndexMap<&'q str, ConstantId>,
}

impl<'q> SymbolTable<'q> {
    pub(super) fn new(qkvl: &'q qkvl::Program) -> Result<Self, DecompileError> {
        let mut registers = IndexMap::new();
        for (long, short) in qkvl.registers() {
            if !long.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
                || long.contains(|any: char| !any.is_ascii_alphanumeric() && any != '_')
            {
                let help = "use letters, digits and `_`, and start with a letter or `_`";
                return refuse(REGISTER_MAP, format!("invalid register name `{long}`"), help);
            }
            registers.insert(short, long);
        }
        let position = qkvl.system_map.get("position");
        for role in ["symbol", "parse", "eop"] {
            // A production without `n` could not identify its cell.
            if position.is_some() && qkvl.system_map.get(role) == position {
                let cause = format!("`position` and `{role}` are the same register");
                return refuse(SYSTEM_MAP, cause, "give each role a different register");
            }
        }
        let mut constants = IndexMap::new();
        let mut values = IndexMap::new();
        for (name, value) in &qkvl.constant_map {
            let (index, _) = constants.insert_full(name.clone(), value.as_str());
            values.entry(value.as_str()).or_insert(ConstantId(index as u32));
        }
        let long: FxHashSet<&str> = registers.values().copied().collect();
        for value in qkvl.constants() {
            if values.contains_key(value) {
                continue;
            }
            let mut name = value.to_owned();
            while constants.contains_key(&name) || long.contains(name.as_str()) {
                name.push('_');
            }
            let (index, _) = constants.insert_full(name, value);
            values.insert(value, ConstantId(index as u32));
        }
        Ok(Self { registers, constants, values })
    }

    /// A program without statements.
    pub(super) fn declarations(&self, qkvl: &qkvl::Program) -> Result<Program, DecompileError> {
        let mut registers = Vec::with_capacity(self.registers.len());
        for (&short, &long) in &self.registers {
            let short = one_line(REGISTER_MAP, short)?;
            registers.push(Register { name: long.into(), short, span: Span::default(), short_span: Span::default() });
        }
        let mut constants = Vec::with_capacity(self.constants.len());
        for (name, value) in &self.constants {
            let (name, value) = (one_line(CONSTANT_MAP, name)?, one_line(CONSTANT_MAP, value)?);
            constants.push(Constant { name, value, span: Span::default() });
        }
        let (mut roles, mut answer) = (Roles::default(), None);
        for (role, short) in &qkvl.system_map {
            let register = Some(self.register(SYSTEM_MAP, short)?);
            if role == ANSWER {
                answer = register;
            } else if !roles.set(role, register) {
                return refuse(SYSTEM_MAP, format!("unknown role `{role}`"), ROLES);
            }
        }
        let watch = qkvl.watch_list.iter().map(|short| self.register("watch_list", short)).collect::<Result<_, _>>()?;
        Ok(Program {
            registers: registers.into(),
            constants: constants.into(),
            roles,
            answer,
            watch,
            ..Program::default()
        })
    }

    /// A register by its short name.
    pub(super) fn register(&self, place: &str, short: &str) -> Result<RegisterId, DecompileError> {
        match self.registers.get_index_of(short) {
            Some(index) => Ok(RegisterId(index as u32)),
            None => refuse(place, format!("unknown register `{short}`"), REGISTERS),
        }
    }

    /// A constant by its value.
    pub(super) fn constant(&self, place: &str, value: &str) -> Result<ConstantId, DecompileError> {
        match self.values.get(value) {
            Some(&constant) => Ok(constant),
            None => refuse(place, format!("unknown constant `{value}`"), "declare it in constant_map"),
        }
    }
}

const REGISTER_MAP: &str = "register_map";
const CONSTANT_MAP: &str = "constant_map";
const SYSTEM_MAP: &str = "system_map";

/// Returns the text if it is on one line, as a string in PSL must be.
fn one_line(place: &str, text: &str) -> Result<String, DecompileError> {
    if text.contains(['\r', '\n']) {
        let cause = format!("line break in `{}`", text.escape_debug());
        return refuse(place, cause, "use a name on one line");
    }
    Ok(text.to_owned())
}
