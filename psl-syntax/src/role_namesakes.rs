//! Registers that have the name of a role, but not the role.

use std::borrow::Cow;

use crate::{
    program::{Program, RegisterId, Roles},
    tree::Tree,
};

/// A register that has the name of a role, but not the role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoleNamesake {
    /// The role that its name suggests.
    pub role: &'static str,
    /// The register with that name.
    pub register: RegisterId,
}

/// The role namesakes of a program without errors, in the order of the roles. A register is not included if a
/// `system` declaration gives the role to another register, because the author chose that.
pub fn role_namesakes(tree: &Tree, program: &Program) -> Vec<RoleNamesake> {
    let by_name = |name: &str| {
        let index = program.registers.iter().position(|register| register.name == name)?;
        Some(RegisterId(index as u32))
    };
    let has_system = tree.system().is_some();
    let roles = program.roles.iter().filter_map(|(role, holder)| {
        let register = by_name(role)?;
        let open = if has_system { role != "output" && holder.is_none() } else { holder != Some(register) };
        open.then_some(RoleNamesake { role, register })
    });
    roles.collect()
}

/// The roles after each namesake has received its role.
pub fn assume_roles(mut roles: Roles, namesakes: &[RoleNamesake]) -> Roles {
    for namesake in namesakes {
        roles.set(namesake.role, Some(namesake.register));
    }
    roles
}

/// The program after each namesake has received its role.
pub fn with_roles<'p>(program: &'p Program, namesakes: &[RoleNamesake]) -> Cow<'p, Program> {
    if namesakes.is_empty() {
        return Cow::Borrowed(program);
    }
    Cow::Owned(Program { roles: assume_roles(program.roles, namesakes), ..program.clone() })
}
