//! `role-not-taken`: registers that have the name of a role, but not the role.

use crate::{
    codes::Code,
    declaration_edits::{self, BY_ROLE, is_short_name_taken},
    diagnostic::{Diagnostic, Edit, Fix},
    facts::Facts,
    program::{Program, Register},
    role_namesakes::{RoleNamesake, assume_roles},
    tree::Tree,
};

/// A single warning for all of them.
pub fn role_not_taken(facts: &Facts<'_>) -> Vec<Diagnostic> {
    report(facts.tree, facts.written, facts.namesakes).into_iter().collect()
}

fn report(tree: &Tree, program: &Program, namesakes: &[RoleNamesake]) -> Option<Diagnostic> {
    let registers: Vec<&Register> = namesakes.iter().map(|namesake| &program.registers[namesake.register]).collect();
    let (first, others) = registers.split_first()?;
    let names: Vec<String> = registers.iter().map(|register| format!("`{}`", register.name)).collect();
    let message = match names.as_slice() {
        [name] => format!("register {name} does not have the role {name}"),
        [names @ .., last] => {
            format!("registers {} and {last} do not have the roles of the same names", names.join(", "))
        }
        [] => return None,
    };
    let short = short_names(tree, program, namesakes);
    let system = system_line(tree, program, namesakes);
    let help = match (&short, tree.system()) {
        (Some(_), _) => "use the short name that gives the role, or declare the role in `system`",
        (None, Some(_)) => "add the role to `system`",
        (None, None) => "declare the role in `system`",
    };
    let mut found = Diagnostic::new(Code::RoleNotTaken, first.span, message)
        .labels(others.iter().map(|register| register.span), "this register does not have its role either")
        .help(help);
    found.fixes.extend(short);
    found.fixes.push(system);
    Some(found)
}

/// Gives the registers the short names of their roles, if these are free. `None` if there is a `system` declaration.
fn short_names(tree: &Tree, program: &Program, namesakes: &[RoleNamesake]) -> Option<Fix> {
    let renamed: Vec<(&str, Edit)> = namesakes
        .iter()
        .filter_map(|namesake| {
            let (_, short) = BY_ROLE.into_iter().find(|(role, _)| *role == namesake.role)?;
            let span = program.registers[namesake.register].short_span;
            let free = !is_short_name_taken(program, short);
            free.then(|| (short, Edit { span, text: format!("'{short}'") }))
        })
        .collect();
    if renamed.is_empty() || tree.system().is_some() {
        return None;
    }
    let names: Vec<String> = renamed.iter().map(|(short, _)| format!("`{short}`")).collect();
    let plural = if names.len() == 1 { "" } else { "s" };
    let title = format!("Use the short name{plural} {}", names.join(", "));
    let mut edits: Vec<Edit> = renamed.into_iter().map(|(_, edit)| edit).collect();
    edits.sort_by_key(|edit| edit.span);
    Some(Fix { title, certain: false, edits })
}

/// Gives all registers their roles with a `system` declaration.
fn system_line(tree: &Tree, program: &Program, namesakes: &[RoleNamesake]) -> Fix {
    let is_new = |role: &str| namesakes.iter().any(|namesake| namesake.role == role);
    let declared = tree.system().is_some();
    let roles = assume_roles(program.roles, namesakes);
    let entries: Vec<String> = roles
        .iter()
        .filter(|(role, _)| !declared || is_new(role))
        .filter_map(|(role, register)| Some(format!("{role}: {}", program.registers[register?].name)))
        .collect();
    let title = if declared { "Add to `system`" } else { "Declare `system`" };
    Fix { title: title.to_owned(), certain: false, edits: declaration_edits::roles(tree, &entries) }
}
