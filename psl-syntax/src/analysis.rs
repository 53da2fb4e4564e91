//! From the tree to the program and all that the text says of it.

use std::sync::{Arc, OnceLock};

use crate::{
    causality::{Causality, causality},
    declarations::Scope,
    diagnostic::Diagnostic,
    domains::{self, Domains, Verdicts},
    names::Names,
    program::Program,
    resolve::resolve,
    role_namesakes::{RoleNamesake, role_namesakes, with_roles},
    same_meaning::run_alike,
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
    pub namesakes: Vec<RoleNamesake>,
    /// What each register can hold in front of each layer; nothing is known of a program with errors.
    pub domains: Arc<Domains>,
    verdicts: OnceLock<Arc<Verdicts>>,
    /// Entry i tells whether layer i + 1 can look ahead, if it fires.
    pub causality: Arc<Vec<Causality>>,
    /// Whether neither the tree nor the names hold an error.
    pub sound: bool,
    /// What is wrong with its names and their uses, in the order of the text; what the whole shows is not among it.
    pub diagnostics: Vec<Diagnostic>,
}

/// Resolves the names of a tree and infers what its registers can hold.
pub fn analyze(tree: &Tree) -> Analysis {
    analyze_after(None, tree)
}

/// As [`analyze`], in less time where a program that runs alike was analyzed earlier: nothing is inferred twice.
pub fn analyze_after(earlier: Option<&Analysis>, tree: &Tree) -> Analysis {
    let mut scope = Scope::new(tree);
    resolve(&mut scope);
    scope.report_unknown();
    let Scope { program, mut names, mut diagnostics, .. } = scope;
    names.references.sort_by_key(|reference| reference.span);
    diagnostics.sort_by_key(|diagnostic| diagnostic.span);
    // What only follows from an error is not reported again.
    let sound = tree.sound && !diagnostics.iter().any(Diagnostic::is_error);
    let namesakes = if sound { role_namesakes(tree, &program) } else { Vec::new() };
    let alike = earlier.filter(|earlier| {
        earlier.sound == sound && earlier.namesakes == namesakes && run_alike(&earlier.program, &program)
    });
    match alike {
        Some(earlier) => {
            let (domains, causality) = (Arc::clone(&earlier.domains), Arc::clone(&earlier.causality));
            let verdicts = earlier.verdicts_without_places();
            Analysis { program, names, namesakes, domains, verdicts, causality, sound, diagnostics }
        }
        None => Analysis { diagnostics, ..Analysis::of_program(program, names, namesakes, sound) },
    }
}

impl Analysis {
    /// The analysis of a program whose names are resolved, without diagnostics. `namesakes` are its registers that are named
    /// like a role and do not have it; `sound` tells whether there was no error on the way to it.
    pub fn of_program(program: Program, names: Names, namesakes: Vec<RoleNamesake>, sound: bool) -> Self {
        let assumed = with_roles(&program, &namesakes);
        let domains = if sound { domains::domains(&assumed) } else { Domains::default() };
        let (domains, causality) = (Arc::new(domains), Arc::new(causality(&assumed)));
        let (verdicts, diagnostics) = (OnceLock::new(), Vec::new());
        Self { program, names, namesakes, domains, verdicts, causality, sound, diagnostics }
    }

    /// Which conditions never or always hold; nothing is known of a program with errors. Found when first asked for: a hover
    /// can do without.
    pub fn verdicts(&self) -> &Verdicts {
        self.verdicts.get_or_init(|| {
            Arc::new(if self.sound {
                domains::verdicts(&with_roles(&self.program, &self.namesakes), &self.domains)
            } else {
                Verdicts::default()
            })
        })
    }

    /// The verdicts, where they are known and hold of every program that runs alike, wherever its conditions stand.
    fn verdicts_without_places(&self) -> OnceLock<Arc<Verdicts>> {
        let known = self.verdicts.get().filter(|verdicts| !verdicts.have_places());
        known.map_or_else(OnceLock::new, |known| OnceLock::from(Arc::clone(known)))
    }
}
