//! The input of the rules.

use std::collections::BTreeSet;

use crate::{
    analysis::Analysis,
    causality::Causality,
    domains::{self, Conjunction, Domains, Verdicts, conjunctions},
    duplicates::duplicates,
    flow::Flow,
    index::IndexVec,
    names::Names,
    program::{ProductionId, Program},
    role_namesakes::RoleNamesake,
    tree::Tree,
};

/// The facts about a program without errors.
pub struct Facts<'f> {
    pub tree: &'f Tree,
    /// The program as written, without assumed roles.
    pub written: &'f Program,
    /// The program in which the role namesakes have their roles.
    pub program: &'f Program,
    /// The declarations and uses of each name.
    pub names: &'f Names,
    /// The registers that have the name of a role, but not the role.
    pub namesakes: &'f [RoleNamesake],
    /// The possible values of each register before each layer.
    pub domains: &'f Domains,
    /// Verdicts on the conditions.
    pub verdicts: &'f Verdicts,
    /// The causality of each production, if it fires.
    pub causality: &'f IndexVec<ProductionId, Causality>,
    /// The conditions of each production and of each `until`, in program order.
    pub conjunctions: Vec<Conjunction<'f>>,
    /// The writes and reads of each layer.
    pub flow: Flow<'f>,
    /// The layers (0-based, in order) that repeat an earlier one, each with that earlier layer.
    pub duplicates: Vec<(usize, usize)>,
    without_input: Option<Domains>,
}

impl<'f> Facts<'f> {
    /// The facts about an analyzed program without errors. `program` is the one in which the role namesakes have
    /// their roles.
    pub fn new(tree: &'f Tree, analysis: &'f Analysis, program: &'f Program) -> Self {
        let Analysis { program: written, names, namesakes, domains, causality, .. } = analysis;
        let without_input = (!program.input.is_empty()).then(|| {
            let program = Program { input: BTreeSet::new(), ..program.clone() };
            domains::domains(&program)
        });
        let flow = Flow::new(program, names);
        let duplicates = duplicates(&flow);
        let verdicts = analysis.verdicts();
        Self {
            tree,
            written,
            program,
            names,
            namesakes,
            domains,
            verdicts,
            causality,
            conjunctions: conjunctions(program),
            flow,
            duplicates,
            without_input,
        }
    }

    /// The possible values of each register before each layer, if prompts set no register from `//@ input`.
    pub fn plain_domains(&self) -> &Domains {
        self.without_input.as_ref().unwrap_or(self.domains)
    }
}
