//! What the rules look at.

use std::collections::BTreeSet;

use crate::{
    analysis::Analysis,
    causality::Causality,
    domains::{self, Domains, Verdicts},
    duplicates::duplicates,
    flow::Flow,
    names::Names,
    program::Program,
    role_namesakes::RoleNamesake,
    tree::Tree,
};

/// All that is known of a program without errors.
pub struct Facts<'f> {
    /// The tree.
    pub tree: &'f Tree,
    /// The program as it is written.
    pub written: &'f Program,
    /// The program in which the role namesakes have their roles.
    pub program: &'f Program,
    /// Where each name is declared and used.
    pub names: &'f Names,
    /// The registers that are named like a role and do not have it.
    pub namesakes: &'f [RoleNamesake],
    /// What each register can hold in front of each layer.
    pub domains: &'f Domains,
    /// Which conditions never or always hold.
    pub verdicts: &'f Verdicts,
    /// Entry i tells whether layer i + 1 can look ahead, if it fires.
    pub causality: &'f [Causality],
    /// Which layer writes and reads what.
    pub flow: Flow<'f>,
    /// The layers that do nothing new, counted from 0 and in order, each with the earlier one that it repeats.
    pub duplicates: Vec<(usize, usize)>,
    without_input: Option<Domains>,
}

impl<'f> Facts<'f> {
    /// The facts of an analysed program without errors; `program` is the one in which the role namesakes have their roles.
    pub fn new(tree: &'f Tree, analysis: &'f Analysis, program: &'f Program) -> Self {
        let Analysis { program: written, names, namesakes, domains, causality, .. } = analysis;
        let without_input = (!program.input.is_empty()).then(|| {
            let program = Program { input: BTreeSet::new(), ..program.clone() };
            domains::domains(&program)
        });
        let flow = Flow::new(program, names);
        let duplicates = duplicates(&flow);
        let verdicts = analysis.verdicts();
        Self { tree, written, program, names, namesakes, domains, verdicts, causality, flow, duplicates, without_input }
    }

    /// What each register can hold in front of each layer where prompts set no register that `//@ input` names.
    pub fn plain_domains(&self) -> &Domains {
        self.without_input.as_ref().unwrap_or(self.domains)
    }
}
