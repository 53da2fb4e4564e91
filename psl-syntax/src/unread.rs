//! Fixes for a register that is written, but that nothing reads. An editor asks for them when it shows the diagnostic.

use crate::{
    analysis::Analysis,
    checked::Checked,
    comments::{keep_comments, without, without_entry},
    declaration_edits::{roles, watch},
    diagnostic::{Edit, Fix},
    names::{Access, Symbol},
    program::{Assignment, Program, RegisterId, Statement},
    role_namesakes::with_roles,
    rules::gives_output,
    span::Span,
    tree::{Entries, Tree},
};

/// Returns the fixes for the register that is declared at a span: to make it the output, to watch it, or to remove it.
pub fn unread_fixes(checked: &Checked, declared: Span) -> Vec<Fix> {
    let Checked { tree, analysis, .. } = checked;
    let program = with_roles(&analysis.program, &analysis.namesakes);
    let found = program.registers.ids().zip(&program.registers).find(|(_, register)| register.span == declared);
    let Some((id, register)) = found else { return Vec::new() };
    let name = &register.name;
    let output =
        (!gives_output(tree)).then(|| (format!("Give `{name}` the role `output`"), as_output(tree, &program, name)));
    let watched = (format!("Show `{name}` in traces with `watch`"), watch(tree, name));
    let removal = without_register(checked, id, declared);
    let removed = removal.map(|edits| (format!("Remove `{name}` and its assignments"), edits));
    let fix = |(title, mut edits): (String, Vec<Edit>)| {
        keep_comments(tree, &mut edits);
        Fix { title, certain: false, edits }
    };
    output.into_iter().chain([watched]).chain(removed).map(fix).collect()
}

fn as_output(tree: &Tree, program: &Program, name: &str) -> Vec<Edit> {
    let output = format!("output: {name}");
    if tree.system().is_some() {
        return roles(tree, &[output]);
    }
    let others = program.roles.iter().filter(|(role, _)| *role != "output");
    let given = others.filter_map(|(role, register)| Some(format!("{role}: {}", program.registers[register?].name)));
    roles(tree, &given.chain([output]).collect::<Vec<_>>())
}

/// The edits that remove a register and all assignments to it, with the productions that assign nothing else. `None`
/// if one of these is in a block or no other is left, or if something else mentions the register.
fn without_register(checked: &Checked, register: RegisterId, declared: Span) -> Option<Vec<Edit>> {
    let Checked { tree, analysis: Analysis { program, names, .. }, .. } = checked;
    let entries = tree.declarations.iter().flat_map(|declaration| match &declaration.entries {
        Entries::Registers(entries) => entries.as_slice(),
        _ => &[],
    });
    let (long, short) = entries.into_iter().find(|(long, _)| long.span == declared)?;
    let is_in_block = |at: u32| {
        let is_around = |it: &Statement| matches!(it, Statement::Repeat(repeat) if repeat.span.touches(at));
        program.statements.iter().any(is_around)
    };
    let mut removed = Vec::new();
    let mut is_any_left = false;
    for production in program.productions() {
        let assigns_it = |it: &&Assignment| it.target == register;
        if !production.assignments.iter().all(|it| assigns_it(&it)) {
            is_any_left = true;
            removed.extend(production.assignments.iter().filter(assigns_it).map(|it| it.span));
        } else if is_in_block(production.span.start) {
            return None;
        } else {
            removed.push(production.span);
        }
    }
    let is_declared = |access: Access| matches!(access, Access::Declaration | Access::ShortName);
    let mut mentions = names.references.iter().filter(|it| it.symbol == Symbol::Register(register));
    let is_gone = |at: u32| removed.iter().any(|span| span.touches(at));
    if !is_any_left || !mentions.all(|it| is_declared(it.access) || is_gone(it.span.start)) {
        return None;
    }
    let entry = long.span.join(short.span);
    let (before, after) = removed.split_at_checked(removed.partition_point(|span| span.start < entry.start))?;
    let mut edits: Vec<Edit> = before.iter().flat_map(|span| without(tree, *span)).collect();
    edits.extend(without_entry(tree, entry));
    edits.extend(after.iter().flat_map(|span| without(tree, *span)));
    Some(edits)
}
