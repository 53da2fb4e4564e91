//! `never-read`: registers that are written, but that nothing reads.

use crate::{
    codes::Code,
    diagnostic::Diagnostic,
    facts::Facts,
    tree::{Entries, Tree},
};

/// A warning for each such register. The role `output`, `//@ answer` and an entry in the watch list count as
/// reads.
pub fn never_read(facts: &Facts<'_>) -> Vec<Diagnostic> {
    let Facts { flow, program, tree, .. } = facts;
    let mut diagnostics = Vec::new();
    for ((register, uses), declared) in flow.registers().zip(&program.registers) {
        let is_read = !uses.reads.is_empty() || uses.watched || program.is_result(register);
        if uses.writes.is_empty() || is_read {
            continue;
        }
        let name = &declared.name;
        let message = format!("register `{name}` is written but never read");
        let help = if gives_output(tree) {
            format!("show it in traces with `watch: [{name}]`, or remove it and its assignments")
        } else {
            format!(
                "if it is the answer, give it the role `output`, as in `system: {{symbol: symbol, position: position, output: {name}}}`, or, for an answer in the cells of the prompt, write `//@ answer {name}`; otherwise `watch: [{name}]` shows it in traces"
            )
        };
        diagnostics.push(
            Diagnostic::new(Code::NeverRead, declared.span, message)
                .labels(uses.writes.iter().map(|write| write.span), &format!("`{name}` is written here"))
                .help(help),
        );
    }
    diagnostics
}

/// Whether the program itself gives the role `output`.
pub fn gives_output(tree: &Tree) -> bool {
    tree.declarations.iter().any(|declaration| match &declaration.entries {
        Entries::System(roles) => roles.iter().any(|(role, _)| tree.name(*role) == "output"),
        _ => false,
    })
}
