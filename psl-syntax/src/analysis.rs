//! From the tree to the program and all that the text says of it.

use std::{borrow::Cow, sync::OnceLock};

use crate::{
    causality::{self, Causality, causality},
    declarations::Scope,
    diagnostic::Diagnostic,
    domains::{self, Domains, Verdicts},
    flow::flow,
    indentation::unindented_assignments,
    names::Names,
    portable::not_portable,
    program::Program,
    resolve::resolve,
    role_names::{self, NotTaken},
    tree::Tree,
};

/// What a tree means.
///
/// What is known of values, of firing and of causality speaks of plain prompts, and of structured ones that set no more than
/// `//@ input` declares; registers named like a role count as having it.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The program with its names resolved; productions with errors are marked.
    pub program: Program,
    /// Where each name is declared and used.
    pub names: Names,
    /// The registers that are named like a role and do not have it.
    pub not_taken: Vec<NotTaken>,
    /// What each register can hold in front of each layer; nothing is known of a program with errors.
    pub domains: Domains,
    verdicts: OnceLock<Verdicts>,
    /// Entry i tells whether layer i + 1 can look ahead, if it fires.
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
    scope.report_unknown();
    let Scope { program, mut names, mut diagnostics, .. } = scope;
    names.references.sort_by_key(|reference| reference.span);
    diagnostics.sort_by_key(|diagnostic| diagnostic.span);
    // What only follows from an error is not reported again.
    let sound = tree.sound && !diagnostics.iter().any(Diagnostic::is_error);
    let not_taken = if sound { role_names::not_taken(tree, &program) } else { Vec::new() };
    let meant = as_meant(&program, &not_taken);
    let domains = if sound { domains::domains(&meant) } else { Domains::default() };
    let causality = causality(&meant);
    Analysis { program, names, not_taken, domains, verdicts: OnceLock::new(), causality, sound, diagnostics }
}

impl Analysis {
    /// Which conditions never or always hold; nothing is known of a program with errors. Found when first asked for: a hover
    /// can do without.
    pub fn verdicts(&self) -> &Verdicts {
        self.verdicts.get_or_init(|| {
            if self.sound {
                domains::verdicts(&as_meant(&self.program, &self.not_taken), &self.domains)
            } else {
                Verdicts::default()
            }
        })
    }
}

/// What the program as a whole shows beyond the analysis' own diagnostics, in the order of the text. What needs a program without
/// errors is left out where there are any.
pub fn findings(tree: &Tree, analysis: &Analysis) -> Vec<Diagnostic> {
    let Analysis { program, names, not_taken, domains, causality, .. } = analysis;
    let mut found = unindented_assignments(tree);
    if analysis.sound {
        let (meant, verdicts) = (as_meant(program, not_taken), analysis.verdicts());
        found.extend(role_names::report(tree, program, not_taken));
        found.extend(domains::diagnostics(&meant, names, domains, verdicts));
        found.extend(flow(&meant, names, tree));
        found.extend(causality::diagnostics(&meant, causality, |layer| verdicts.never_fires(layer)));
        found.extend(not_portable(tree, program));
    }
    found.sort_by_key(|diagnostic| diagnostic.span);
    found
}

/// The program with its roles as the registers' names say them: what follows from the slip is not reported as well.
fn as_meant<'p>(program: &'p Program, not_taken: &[NotTaken]) -> Cow<'p, Program> {
    if not_taken.is_empty() {
        return Cow::Borrowed(program);
    }
    Cow::Owned(Program { roles: role_names::as_meant(program.roles, not_taken), ..program.clone() })
}
