//! Domains in words, and the places where their values come from.

use std::cell::OnceCell;

use rustc_hash::FxHashMap;

use super::{Domain, Domains, MAX_CONSTANTS, ValueId, Values, Wide};
use crate::{
    diagnostic::Diagnostic,
    program::{Cell, Function, Operand, Place, Program, RegisterId},
    span::Span,
};

/// More values than these are not listed, and more places not labelled.
const MOST: usize = 8;

pub(super) struct Words<'p> {
    program: &'p Program,
    pub(super) domains: &'p Domains,
    origins: OnceCell<Vec<Origins>>,
}

/// Where a register gets its values: the first place for each constant, and the first few copies.
#[derive(Clone, Default)]
struct Origins {
    constants: FxHashMap<ValueId, Span>,
    copies: Vec<(Span, RegisterId, Option<Function>)>,
}

impl<'p> Words<'p> {
    pub(super) fn new(program: &'p Program, domains: &'p Domains) -> Self {
        Self { program, domains, origins: OnceCell::new() }
    }

    fn collect_origins(&self) -> Vec<Origins> {
        let mut all = vec![Origins::default(); self.program.registers.len()];
        for assignment in self.program.productions().into_iter().flat_map(|production| &production.assignments) {
            let Some(origins) = all.get_mut(assignment.target.0 as usize) else { continue };
            match assignment.source {
                Operand::Constant(id) if origins.constants.len() <= MAX_CONSTANTS => {
                    origins.constants.entry(self.domains.values.of(id)).or_insert(assignment.span);
                }
                Operand::Register(place, function) if origins.copies.len() < MOST => {
                    origins.copies.push((assignment.span, place.register, function));
                }
                _ => {}
            }
        }
        all
    }

    pub(super) fn register(&self, id: RegisterId) -> String {
        format!("`{}`", self.program.register(id).map_or("?", |register| &register.name))
    }

    pub(super) fn operand(&self, id: RegisterId, function: Option<Function>) -> String {
        let name = self.program.register(id).map_or("?", |register| &register.name);
        match function {
            None => format!("`{name}`"),
            Some(function) => format!("`{name}@{}`", function.as_str()),
        }
    }

    pub(super) fn place(&self, place: Place) -> String {
        let name = self.program.register(place.register).map_or("?", |register| &register.name);
        let cell = if place.cell == Cell::Source { "n" } else { "N" };
        format!("`{name}[{cell}]`")
    }

    /// Such as "XQ, XA or a position".
    pub(super) fn domain(&self, domain: &Domain) -> String {
        self.domains.in_words(domain)
    }

    /// Adds the places where a register gets the values of a domain.
    pub(super) fn origins(&self, found: Diagnostic, register: RegisterId, domain: &Domain) -> Diagnostic {
        let name = self.register(register);
        let all = self.origins.get_or_init(|| self.collect_origins());
        let Some(origins) = all.get(register.0 as usize) else { return found };
        let constants = domain.constants.iter().filter_map(|id| {
            let value = self.domains.values.name(*id);
            Some((*origins.constants.get(id)?, format!("{name} becomes {value} here")))
        });
        let copies = origins.copies.iter().map(|(span, from, function)| {
            (*span, format!("{name} is set from {} here", self.operand(*from, *function)))
        });
        constants.chain(copies).take(MOST).fold(found, |found, (span, message)| found.label(span, message))
    }
}

impl Domains {
    /// The names of a domain's values, null not among them; nothing where they are none or too many to list.
    pub fn listed(&self, domain: &Domain) -> Option<Vec<&str>> {
        let values = domain.constants.iter().map(|id| self.values.name(*id));
        (domain.wide.is_none() && !domain.constants.is_empty()).then(|| values.collect())
    }

    /// A domain in words, null too, such as "XQ, XA, or null".
    pub fn in_words_or_null(&self, domain: &Domain) -> String {
        self.values.in_words_or_null(domain)
    }

    /// A domain in words, such as "XQ, XA or a position"; null is not mentioned.
    pub fn in_words(&self, domain: &Domain) -> String {
        self.values.in_words(domain)
    }
}

impl Values {
    pub(super) fn in_words_or_null(&self, domain: &Domain) -> String {
        match (domain.is_empty(), domain.null) {
            (true, true) => "null".to_owned(),
            (false, true) => format!("{}, or null", self.in_words(domain)),
            (_, false) => self.in_words(domain),
        }
    }

    pub(super) fn in_words(&self, domain: &Domain) -> String {
        let mut words: Vec<&str> = domain.constants.iter().take(MOST).map(|id| self.name(*id)).collect();
        let more = format!("{} other constants", domain.constants.len().saturating_sub(MOST));
        if domain.constants.len() > MOST {
            words.push(&more);
        }
        words.extend(domain.wide.map(|wide| match wide {
            Wide::CellPositions => "a position from 1",
            Wide::Positions => "a position",
            Wide::Symbols => "any symbol",
        }));
        match words.split_last() {
            None => "nothing".to_owned(),
            Some((last, [])) => (*last).to_owned(),
            Some((last, first)) => format!("{} or {last}", first.join(", ")),
        }
    }
}
