//! `unused-register` and `unused-constant`: unused names.

use crate::{
    codes::Code,
    comments::without_entry,
    diagnostic::Diagnostic,
    facts::Facts,
    names::{Access, Symbol},
    program::{Constant, ConstantId, Program, RegisterId},
    span::Span,
    tree::{Entries, Tree},
};

/// A warning for each such name. A role, `//@ answer`, an entry in the watch list, and a value that the
/// machine writes count as uses.
pub fn unused(facts: &Facts<'_>) -> Vec<Diagnostic> {
    let Facts { program, tree, flow, .. } = facts;
    let mut register_used = vec![false; program.registers.len()];
    let mut constant_used: Vec<bool> =
        program.constants.iter().map(|constant| machine_writes(program, constant)).collect();
    let uses = flow.names.references.iter();
    for used in uses.filter(|used| !matches!(used.access, Access::Declaration | Access::ShortName | Access::Directive))
    {
        let (list, index) = match used.symbol {
            Symbol::Register(RegisterId(id)) => (&mut register_used, id),
            Symbol::Constant(ConstantId(id)) => (&mut constant_used, id),
        };
        if let Some(used) = list.get_mut(index as usize) {
            *used = true;
        }
    }
    for used in program.roles.iter().map(|(_, role)| role).chain([program.answer]) {
        if let Some(used) = used.and_then(|RegisterId(id)| register_used.get_mut(id as usize)) {
            *used = true;
        }
    }
    let mut diagnostics = Vec::new();
    let [mut registers, mut constants] = [register_used.iter(), constant_used.iter()];
    for declaration in &tree.declarations {
        match &declaration.entries {
            Entries::Registers(entries) => {
                for (&(long, short), _) in entries.iter().zip(&mut registers).filter(|(_, used)| !**used) {
                    let unused = format!("register `{}`", tree.name(long));
                    let entry = long.span.join(short.span);
                    diagnostics.push(report(tree, Code::UnusedRegister, long.span, entry, &unused));
                }
            }
            Entries::Constants(entries) => {
                for (&(name, value), _) in entries.iter().zip(&mut constants).filter(|(_, used)| !**used) {
                    let unused = format!("constant `{}`", tree.name(name));
                    let entry = value.map_or(name.span, |value| name.span.join(value.span));
                    diagnostics.push(report(tree, Code::UnusedConstant, name.span, entry, &unused));
                }
            }
            Entries::System(_) | Entries::Watch(_) => {}
        }
    }
    diagnostics
}

/// Whether its value is one that the machine writes: `1` to the parse register, `EOP` to the eop register.
fn machine_writes(program: &Program, constant: &Constant) -> bool {
    match constant.value.as_str() {
        "1" => program.roles.parse.is_some(),
        "EOP" => program.roles.eop.is_some(),
        _ => false,
    }
}

fn report(tree: &Tree, code: Code, span: Span, entry: Span, unused: &str) -> Diagnostic {
    Diagnostic::new(code, span, format!("{unused} is never used"))
        .help("remove it, or use it")
        .fix_all(format!("Remove {unused}"), without_entry(tree, entry))
}
