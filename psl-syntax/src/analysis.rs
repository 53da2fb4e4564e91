//! From the tree to the program and the facts that follow from its text.

use std::sync::{Arc, OnceLock};

use crate::{
    causality::{Causality, causality},
    declarations::Scope,
    diagnostic::Diagnostic,
    domains::{self, Domains, Verdicts},
    holes,
    incremental::known_productions::Known,
    incremental::relex::Unchanged,
    index::IndexVec,
    names::Names,
    program::{ProductionId, Program},
    resolve::resolve,
    role_namesakes::{RoleNamesake, role_namesakes, with_roles},
    same_meaning::{declare_alike, run_alike},
    tree::Tree,
};

/// The analysis of a tree.
///
/// Facts about values, firing and causality hold for plain prompts, and for structured prompts that only set
/// registers declared with `//@ input`. A register with the name of a role is treated as having that role.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The program with resolved names. Productions with errors are marked.
    pub program: Program,
    /// The declarations and uses of each name.
    pub names: Names,
    /// The registers that have the name of a role, but not the role.
    pub namesakes: Vec<RoleNamesake>,
    /// The possible values of each register before each layer. Empty if the program has errors.
    pub domains: Arc<Domains>,
    verdicts: OnceLock<Arc<Verdicts>>,
    /// Entry i is the causality of layer i + 1, if it fires.
    pub causality: Arc<IndexVec<ProductionId, Causality>>,
    /// Whether neither the tree nor the names have errors.
    pub sound: bool,
    /// Errors in names and their uses, in text order. Diagnostics of the program as a whole are not included.
    pub diagnostics: Vec<Diagnostic>,
}

/// The number of additional uses of names to reserve memory for.
const ROOM: usize = 64;

/// Resolves the names of a tree and infers the possible values of its registers.
pub fn analyze(tree: &Tree) -> Analysis {
    analyze_after(None, tree)
}

/// Like [`analyze`], but reuses the results of an earlier analysis, given with the code that is the same since: its
/// productions, and the facts about its values if the program runs the same.
pub fn analyze_after(earlier: Option<(&Analysis, Unchanged)>, tree: &Tree) -> Analysis {
    let mut scope = Scope::new(tree);
    let known = earlier.filter(|(earlier, _)| declare_alike(&earlier.program, &scope.program));
    let uses = known.map_or(0, |(earlier, _)| earlier.names.references.len());
    scope.names.references.reserve(uses + ROOM);
    let known = known.map(|(earlier, unchanged)| Known::new(&earlier.program, &earlier.names, unchanged));
    resolve(&mut scope, known);
    scope.report_unknown();
    scope.diagnostics.extend(holes::report(tree));
    let Scope { program, mut names, mut diagnostics, .. } = scope;
    names.references.sort_by_key(|reference| reference.span);
    diagnostics.sort_by_key(|diagnostic| diagnostic.span);
    // Consequences of an error are not reported.
    let sound = tree.sound && !diagnostics.iter().any(Diagnostic::is_error);
    let namesakes = if sound { role_namesakes(tree, &program) } else { Vec::new() };
    let alike = earlier.map(|(earlier, _)| earlier).filter(|earlier| {
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
    /// The analysis of a program with resolved names, without diagnostics. `namesakes` are its registers that have the
    /// name of a role but not the role. `sound` is whether it has no errors so far.
    pub fn of_program(program: Program, names: Names, namesakes: Vec<RoleNamesake>, sound: bool) -> Self {
        let assumed = with_roles(&program, &namesakes);
        let domains = if sound { domains::domains(&assumed) } else { Domains::default() };
        let (domains, causality) = (Arc::new(domains), Arc::new(causality(&assumed)));
        let (verdicts, diagnostics) = (OnceLock::new(), Vec::new());
        Self { program, names, namesakes, domains, verdicts, causality, sound, diagnostics }
    }

    /// Verdicts on the conditions, empty if the program has errors. They are computed on demand, because a hover does
    /// not need them.
    pub fn verdicts(&self) -> &Verdicts {
        self.verdicts.get_or_init(|| {
            Arc::new(if self.sound {
                domains::verdicts(&with_roles(&self.program, &self.namesakes), &self.domains)
            } else {
                Verdicts::default()
            })
        })
    }

    /// The verdicts, if they are known and contain no spans, so that they hold for every program that runs the same.
    fn verdicts_without_places(&self) -> OnceLock<Arc<Verdicts>> {
        let known = self.verdicts.get().filter(|verdicts| !verdicts.have_places());
        known.map_or_else(OnceLock::new, |known| OnceLock::from(Arc::clone(known)))
    }
}
