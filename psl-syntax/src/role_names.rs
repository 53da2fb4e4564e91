//! Registers that are named like a role and do not have it.

use crate::{
    codes::Code,
    declare::{self, BY_ROLE, is_short_name_taken, system},
    diagnostic::{Diagnostic, Edit, Fix},
    program::{Program, Register, RegisterId, Roles},
    tree::Tree,
};

/// A register named like a role that it does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotTaken {
    /// The role.
    pub role: &'static str,
    /// The register.
    pub register: RegisterId,
}

/// The registers of a program without errors that are named like a role and do not have it, in the order of the roles. Where
/// a system declaration gives the role to another register, that is what its author chose.
pub fn not_taken(tree: &Tree, program: &Program) -> Vec<NotTaken> {
    let by_name = |name: &str| {
        let index = program.registers.iter().position(|register| register.name == name)?;
        Some(RegisterId(index as u32))
    };
    let has_system = system(tree).is_some();
    let roles = program.roles.iter().filter_map(|(role, holder)| {
        let register = by_name(role)?;
        let open = if has_system { role != "output" && holder.is_none() } else { holder != Some(register) };
        open.then_some(NotTaken { role, register })
    });
    roles.collect()
}

/// The roles as the names of the registers say them.
pub fn as_meant(mut roles: Roles, not_taken: &[NotTaken]) -> Roles {
    for taken in not_taken {
        roles.set(taken.role, Some(taken.register));
    }
    roles
}

/// One warning for all of them.
pub fn report(tree: &Tree, program: &Program, not_taken: &[NotTaken]) -> Option<Diagnostic> {
    let registers: Vec<&Register> = not_taken.iter().filter_map(|taken| program.register(taken.register)).collect();
    let (first, others) = registers.split_first()?;
    let names: Vec<String> = registers.iter().map(|register| format!("`{}`", register.name)).collect();
    let message = match names.as_slice() {
        [name] => format!("register {name} does not have the role of that name"),
        [names @ .., last] => format!("registers {} and {last} do not have the roles of those names", names.join(", ")),
        [] => return None,
    };
    let short = short_names(tree, program, not_taken);
    let system = system_line(tree, program, not_taken);
    let help = match (&short, self::system(tree)) {
        (Some(_), _) => {
            "the machine sets a register only by its role: use the short name that carries the role, or declare `system`"
        }
        (None, Some(_)) => "the machine sets a register only by its role: add the role to `system`",
        (None, None) => "without `system`, roles go by short names: declare `system` to give the role",
    };
    let mut found = Diagnostic::new(Code::RoleNotTaken, first.span, message)
        .labels(others.iter().map(|register| register.span), "nor does this one")
        .help(help);
    found.fixes.extend(short);
    found.fixes.push(system);
    Some(found)
}

/// Gives the registers the short names by which they have their roles, as far as these are free; nothing where a system
/// declaration decides.
fn short_names(tree: &Tree, program: &Program, not_taken: &[NotTaken]) -> Option<Fix> {
    let renamed: Vec<(&str, Edit)> = not_taken
        .iter()
        .filter_map(|taken| {
            let (_, short) = BY_ROLE.into_iter().find(|(role, _)| *role == taken.role)?;
            let span = program.register(taken.register)?.short_span;
            let free = !is_short_name_taken(program, short);
            free.then(|| (short, Edit { span, text: format!("'{short}'") }))
        })
        .collect();
    if renamed.is_empty() || system(tree).is_some() {
        return None;
    }
    let names: Vec<String> = renamed.iter().map(|(short, _)| format!("`{short}`")).collect();
    let plural = if names.len() == 1 { "" } else { "s" };
    let title = format!("use the short name{plural} {}", names.join(", "));
    let mut edits: Vec<Edit> = renamed.into_iter().map(|(_, edit)| edit).collect();
    edits.sort_by_key(|edit| edit.span);
    Some(Fix { title, certain: false, edits })
}

/// Gives all registers their roles by a system declaration.
fn system_line(tree: &Tree, program: &Program, not_taken: &[NotTaken]) -> Fix {
    let is_new = |role: &str| not_taken.iter().any(|taken| taken.role == role);
    let declared = system(tree).is_some();
    let roles = as_meant(program.roles, not_taken);
    let entries: Vec<String> = roles
        .iter()
        .filter(|(role, _)| !declared || is_new(role))
        .filter_map(|(role, register)| Some(format!("{role}: {}", program.register(register?)?.name)))
        .collect();
    let title = if declared { "add to `system`" } else { "declare `system`" };
    Fix { title: title.to_owned(), certain: false, edits: declare::roles(tree, &entries) }
}
