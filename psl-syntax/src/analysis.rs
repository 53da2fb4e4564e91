//! From the tree to the program and all that the text says of it.

use crate::{
    causality::{self, Causality, causality},
    declarations::Scope,
    diagnostic::Diagnostic,
    domains::{self, Domains},
    flow::flow,
    indentation::unindented_assignments,
    names::Names,
    portable::not_portable,
    program::Program,
    resolve::resolve,
    tree::Tree,
};

/// What a tree means.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The program with its names resolved; productions with errors are marked.
    pub program: Program,
    /// Where each name is declared and used.
    pub names: Names,
    /// What each register can hold in front of each layer; nothing is known of a program with errors.
    pub domains: Domains,
    /// Entry i tells whether layer i + 1 can look ahead.
    pub causality: Vec<Causality>,
    /// In the order of the text; those of the parser are not among them.
    pub diagnostics: Vec<Diagnostic>,
}

/// Resolves the names of a tree.
pub fn analyze(tree: &Tree) -> Analysis {
    let mut scope = Scope::new(tree);
    resolve(&mut scope);
    let Scope { program, mut names, mut diagnostics, .. } = scope;
    names.references.sort_by_key(|reference| reference.span);
    let causality = causality(&program);
    // What only follows from an error is not reported again.
    let mut domains = Domains::default();
    if tree.sound && !diagnostics.iter().any(Diagnostic::is_error) {
        domains = domains::domains(&program);
        diagnostics.extend(domains::diagnostics(&program, &names, &domains));
        diagnostics.extend(flow(&program, &names, tree));
        diagnostics.extend(not_portable(tree, &program));
        diagnostics.sort_by_key(|diagnostic| diagnostic.span);
        let non_causal = causality::diagnostics(&program, &causality, &diagnostics);
        diagnostics.extend(non_causal);
    }
    diagnostics.extend(unindented_assignments(tree));
    diagnostics.sort_by_key(|diagnostic| diagnostic.span);
    Analysis { program, names, domains, causality, diagnostics }
}
