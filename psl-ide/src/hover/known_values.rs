//! The possible values of registers before a layer.

use psl_syntax::{
    Analysis, Checked,
    domains::{Domain, DomainsAtPoint, ProgramPoint, domains_at},
    program::{ProductionId, RegisterId},
};

/// The possible values of registers before a layer. In a program with errors, they are computed again from the parts
/// without errors.
pub struct KnownValues<'a> {
    analysis: &'a Analysis,
    layer: ProductionId,
    guessed: Option<DomainsAtPoint>,
}

impl<'a> KnownValues<'a> {
    pub fn new(checked: &'a Checked, layer: ProductionId) -> Self {
        let analysis = &checked.analysis;
        let guessed = || domains_at(&analysis.program, &analysis.names, ProgramPoint::Layer(layer));
        Self { analysis, layer, guessed: (!checked.compiles()).then(guessed) }
    }

    /// Describes the possible values of a register that the layer mentions.
    pub fn describe(&self, register: RegisterId) -> Option<String> {
        let domains = &self.analysis.domains;
        match &self.guessed {
            Some(held) => held.in_words(register),
            None => Some(domains.in_words_or_null(domains.before(self.layer, register)?)),
        }
    }

    /// Whether a register can hold any symbol.
    pub fn is_any(&self, register: RegisterId) -> bool {
        match &self.guessed {
            Some(held) => held.is_any(register),
            None => self.analysis.domains.before(self.layer, register).is_some_and(Domain::is_any),
        }
    }
}
