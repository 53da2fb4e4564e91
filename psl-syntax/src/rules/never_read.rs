//! `never-read`: registers that are written, but that nothing reads.

use crate::{
    codes::Code,
    comments::{without, without_entry},
    declaration_edits::{roles, watch},
    diagnostic::{Diagnostic, Edit, Fix},
    facts::Facts,
    names::{Access, Symbol},
    program::{Register, RegisterId, Statement},
    tree::{Entries, Tree},
};

/// A warning for each such register. The role `output` and an entry in the watch list count as reads.
pub fn never_read(facts: &Facts<'_>) -> Vec<Diagnostic> {
    let Facts { flow, program, tree, .. } = facts;
    let mut diagnostics = Vec::new();
    for ((register, uses), declared) in flow.registers().zip(&program.registers) {
        let is_read = !uses.reads.is_empty() || uses.watched || program.roles.output == Some(register);
        if uses.writes.is_empty() || is_read {
            continue;
        }
        let name = &declared.name;
        let mut found =
            Diagnostic::new(Code::NeverRead, declared.span, format!("register `{name}` is written but never read"))
                .labels(uses.writes.iter().map(|write| write.span), &format!("`{name}` is written here"));
        if gives_output(tree) {
            found = found.help(format!("show it in traces with `watch: [{name}]`, or remove it and its assignments"));
        } else {
            found = found.help(format!(
                "if it is the answer, give it the role `output`, as in `system: {{symbol: symbol, position: position, output: {name}}}`; otherwise `watch: [{name}]` shows it in traces"
            ));
            let title = format!("Give `{name}` the role `output`");
            found.fixes.push(Fix { title, certain: false, edits: as_output(facts, name) });
        }
        let title = format!("Show `{name}` in traces with `watch`");
        found.fixes.push(Fix { title, certain: false, edits: watch(tree, name) });
        if let Some(edits) = without_register(facts, register, declared) {
            let title = format!("Remove `{name}` and its assignments");
            found.fixes.push(Fix { title, certain: false, edits });
        }
        diagnostics.push(found);
    }
    diagnostics
}

/// Whether the program itself gives the role `output`.
fn gives_output(tree: &Tree) -> bool {
    tree.declarations.iter().any(|declaration| match &declaration.entries {
        Entries::System(roles) => roles.iter().any(|(role, _)| tree.name(*role) == "output"),
        _ => false,
    })
}

fn as_output(Facts { tree, program, .. }: &Facts<'_>, name: &str) -> Vec<Edit> {
    let output = format!("output: {name}");
    if tree.system().is_some() {
        return roles(tree, &[output]);
    }
    let others = program.roles.iter().filter(|(role, _)| *role != "output");
    let given = others.filter_map(|(role, register)| Some(format!("{role}: {}", program.registers[register?].name)));
    roles(tree, &given.chain([output]).collect::<Vec<_>>())
}

/// The edits that remove a register and all assignments to it, with the productions that assign nothing else. `None`
/// if a block would be left empty, or if something else mentions the register.
fn without_register(facts: &Facts<'_>, register: RegisterId, declared: &Register) -> Option<Vec<Edit>> {
    let Facts { tree, program, names, .. } = facts;
    let entries = tree.declarations.iter().flat_map(|declaration| match &declaration.entries {
        Entries::Registers(entries) => entries.as_slice(),
        _ => &[],
    });
    let (long, short) = entries.into_iter().find(|(long, _)| long.span == declared.span)?;
    let mut removed = Vec::new();
    for production in program.productions() {
        let (its, others): (Vec<_>, Vec<_>) = production.assignments.iter().partition(|it| it.target == register);
        if others.is_empty() {
            removed.push(production.span);
        } else {
            removed.extend(its.iter().map(|assignment| assignment.span));
        }
    }
    let is_gone = |statement: &Statement| matches!(statement, Statement::Production(it) if removed.contains(&it.span));
    if has_empty_block(&program.statements, &is_gone) {
        return None;
    }
    let is_declared = |access: Access| matches!(access, Access::Declaration | Access::ShortName);
    let mut mentions = names.references.iter().filter(|it| it.symbol == Symbol::Register(register));
    if !mentions.all(|it| is_declared(it.access) || removed.iter().any(|span| span.touches(it.span.start))) {
        return None;
    }
    let mut edits = without_entry(tree, long.span.join(short.span));
    edits.extend(removed.iter().flat_map(|span| without(tree, *span)));
    edits.sort_by_key(|edit| edit.span);
    Some(edits)
}

/// Whether nothing is left of a list of statements or of one inside it. Recursion depth is the nesting of repeat
/// blocks, which the parser limits.
fn has_empty_block(statements: &[Statement], is_gone: &impl Fn(&Statement) -> bool) -> bool {
    statements.iter().all(is_gone)
        || statements.iter().any(|statement| match statement {
            Statement::Repeat(repeat) => has_empty_block(&repeat.body, is_gone),
            Statement::Production(_) => false,
        })
}
