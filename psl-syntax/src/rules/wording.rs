//! Descriptions of the possible values of registers and their origins.

use std::cell::OnceCell;

use rustc_hash::FxHashMap;

use crate::{
    diagnostic::Diagnostic,
    domains::{Domain, Domains, MAX_CONSTANTS, ValueId},
    index::IndexVec,
    program::{Cell, CellRegister, Function, Operand, Program, RegisterId},
    span::Span,
};

/// The label of the production that an assignment belongs to.
pub(super) const ITS_PRODUCTION: &str = "the assignment belongs to this production";

/// Maximum number of places with a label.
const MAX_LABELS: usize = 8;

/// Describes the registers of a program and their possible values.
pub(super) struct Wording<'p> {
    program: &'p Program,
    pub(super) domains: &'p Domains,
    origins: OnceCell<IndexVec<RegisterId, Origins>>,
}

/// The origins of a register's values: the first place of each constant, and the first few copies.
#[derive(Clone, Default)]
struct Origins {
    constants: FxHashMap<ValueId, Span>,
    copies: Vec<(Span, RegisterId, Option<Function>)>,
}

impl<'p> Wording<'p> {
    pub(super) fn new(program: &'p Program, domains: &'p Domains) -> Self {
        Self { program, domains, origins: OnceCell::new() }
    }

    fn collect_origins(&self) -> IndexVec<RegisterId, Origins> {
        let mut all: IndexVec<_, _> = vec![Origins::default(); self.program.registers.len()].into();
        for assignment in self.program.productions().into_iter().flat_map(|production| &production.assignments) {
            let origins: &mut Origins = &mut all[assignment.target];
            match assignment.source {
                Operand::Constant(id) if origins.constants.len() <= MAX_CONSTANTS => {
                    origins.constants.entry(self.domains.values.of(id)).or_insert(assignment.span);
                }
                Operand::Register(place, function) if origins.copies.len() < MAX_LABELS => {
                    origins.copies.push((assignment.span, place.register, function));
                }
                _ => {}
            }
        }
        all
    }

    pub(super) fn register(&self, id: RegisterId) -> String {
        format!("`{}`", &self.program.registers[id].name)
    }

    pub(super) fn operand(&self, id: RegisterId, function: Option<Function>) -> String {
        let name = &self.program.registers[id].name;
        match function {
            None => format!("`{name}`"),
            Some(function) => format!("`{name}@{}`", function.as_str()),
        }
    }

    pub(super) fn place(&self, place: CellRegister) -> String {
        let name = &self.program.registers[place.register].name;
        let cell = if place.cell == Cell::Source { "n" } else { "N" };
        format!("`{name}[{cell}]`")
    }

    /// Such as "`XQ`, `XA` or a position".
    pub(super) fn domain(&self, domain: &Domain) -> String {
        self.domains.values.in_code(domain)
    }

    /// Such as "`XQ`, `XA` or null".
    pub(super) fn domain_or_null(&self, domain: &Domain) -> String {
        self.domains.values.in_code_or_null(domain)
    }

    /// Labels the places where a register gets the values of a domain.
    pub(super) fn origins(&self, found: Diagnostic, register: RegisterId, domain: &Domain) -> Diagnostic {
        let name = self.register(register);
        let all = self.origins.get_or_init(|| self.collect_origins());
        let origins = &all[register];
        let constants = domain.constants.iter().filter_map(|id| {
            let value = self.domains.values.name(*id);
            Some((*origins.constants.get(id)?, format!("{name} is set to `{value}` here")))
        });
        let copies = origins.copies.iter().map(|(span, from, function)| {
            (*span, format!("{name} is copied from {} here", self.operand(*from, *function)))
        });
        constants.chain(copies).take(MAX_LABELS).fold(found, |found, (span, message)| found.label(span, message))
    }
}
