//! Rules, each of which checks the program as a whole. A rule is a function from facts to diagnostics, in a separate
//! file. Rules do not depend on each other's diagnostics.

mod dead_assignment;
mod duplicate_production;
mod ill_typed;
mod may_not_terminate;
mod never_fires;
mod never_read;
mod non_causal;
mod not_a_position;
mod read_before_write;
mod reference_compat;
mod role_not_taken;
mod separate_layers;
mod stale_prev;
mod unindented_assignment;
mod unused;
mod wording;

pub(crate) use never_read::gives_output;
pub use non_causal::undecided_look_aheads;
pub use separate_layers::separate_layers;

use crate::{
    analysis::Analysis, comments::keep_in_fixes, diagnostic::Diagnostic, facts::Facts, role_namesakes::with_roles,
    tree::Tree,
};

/// The rules that only need the tree, which may have errors.
const OF_TREES: &[fn(&Tree) -> Vec<Diagnostic>] = &[unindented_assignment::unindented_assignments];

/// The rules that need a program without errors. Diagnostics with the same span are shown in this order.
const OF_PROGRAMS: &[fn(&Facts<'_>) -> Vec<Diagnostic>] = &[
    role_not_taken::role_not_taken,
    ill_typed::ill_typed_conditions,
    not_a_position::not_a_position,
    never_fires::never_fires,
    may_not_terminate::may_not_terminate,
    never_read::never_read,
    unused::unused,
    read_before_write::read_before_write,
    dead_assignment::dead_assignments,
    stale_prev::stale_reads,
    duplicate_production::duplicate_productions,
    non_causal::non_causal,
    reference_compat::reference_compat,
];

/// The diagnostics of all rules, in text order. Rules that need a program without errors are skipped if there are
/// any.
pub fn rule_diagnostics(tree: &Tree, analysis: &Analysis) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = OF_TREES.iter().flat_map(|rule| rule(tree)).collect();
    if analysis.sound {
        let program = with_roles(&analysis.program, &analysis.namesakes);
        let facts = Facts::new(tree, analysis, &program);
        found.extend(OF_PROGRAMS.iter().flat_map(|rule| rule(&facts)));
    }
    keep_in_fixes(tree, &mut found);
    found.sort_by_key(|diagnostic| diagnostic.span);
    found
}
