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
    /// Whether neither the tree nor the names hold an error.
    pub sound: bool,
    /// What is wrong with its names and their uses, in the order of the text; see [`findings`] for what the whole shows.
    pub diagnostics: Vec<Diagnostic>,
}

/// Resolves the names of a tree and infers what its registers can hold.
pub fn analyze(tree: &Tree) -> Analysis {
    let mut scope = Scope::new(tree);
    resolve(&mut scope);
    let Scope { program, mut names, mut diagnostics, .. } = scope;
    names.references.sort_by_key(|reference| reference.span);
    diagnostics.sort_by_key(|diagnostic| diagnostic.span);
    let causality = causality(&program);
    // What only follows from an error is not reported again.
    let sound = tree.sound && !diagnostics.iter().any(Diagnostic::is_error);
    let domains = if sound { domains::domains(&program) } else { Domains::default() };
    Analysis { program, names, domains, causality, sound, diagnostics }
}

/// What the program as a whole shows beyond the analysis' own diagnostics, in the order of the text. What needs a program without
/// errors is left out where there are any.
pub fn findings(tree: &Tree, analysis: &Analysis) -> Vec<Diagnostic> {
    let Analysis { program, names, domains, causality, .. } = analysis;
    let mut found = unindented_assignments(tree);
    if analysis.sound {
        found.extend(domains::diagnostics(program, names, domains));
        found.extend(flow(program, names, tree));
        found.extend(causality::diagnostics(program, causality, &found));
        found.extend(not_portable(tree, program));
    }
    found.sort_by_key(|diagnostic| diagnostic.span);
    found
}
