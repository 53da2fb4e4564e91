//! `unused-register`, `unused-constant` and `never-read`: unused names, and registers that are never read.

use crate::{
    codes::Code,
    comments::{has_comment, without},
    diagnostic::Diagnostic,
    facts::Facts,
    flow::Flow,
    names::{Access, Symbol},
    program::{Constant, ConstantId, Program, RegisterId},
    span::Span,
    token::Kind,
    tree::{Entries, Tree},
};

/// A warning for each such name. A role, an entry in the watch list, and a value that the machine writes count as uses.
pub fn unused(facts: &Facts<'_>) -> Vec<Diagnostic> {
    let Facts { program, tree, flow, .. } = facts;
    let mut register_used = vec![false; program.registers.len()];
    let mut constant_used: Vec<bool> =
        program.constants.iter().map(|constant| machine_writes(program, constant)).collect();
    let uses = flow.names.references.iter();
    for used in uses.filter(|used| !matches!(used.access, Access::Declaration | Access::ShortName | Access::Input)) {
        let (list, index) = match used.symbol {
            Symbol::Register(RegisterId(id)) => (&mut register_used, id),
            Symbol::Constant(ConstantId(id)) => (&mut constant_used, id),
        };
        if let Some(used) = list.get_mut(index as usize) {
            *used = true;
        }
    }
    for (_, role) in program.roles.iter() {
        if let Some(used) = role.and_then(|RegisterId(id)| register_used.get_mut(id as usize)) {
            *used = true;
        }
    }
    let mut diagnostics = never_read(flow, gives_output(tree));
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

/// Whether the program itself gives the role `output`.
fn gives_output(tree: &Tree) -> bool {
    tree.declarations.iter().any(|declaration| match &declaration.entries {
        Entries::System(roles) => roles.iter().any(|(role, _)| tree.name(*role) == "output"),
        _ => false,
    })
}

fn never_read(flow: &Flow<'_>, gives_output: bool) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    for ((register, uses), declared) in flow.registers().zip(&flow.program.registers) {
        if !uses.writes.is_empty()
            && uses.reads.is_empty()
            && !uses.watched
            && flow.program.roles.output != Some(register)
        {
            let name = &declared.name;
            diagnostics.push(
                Diagnostic::new(Code::NeverRead, declared.span, format!("register `{name}` is written but never read"))
                    .labels(uses.writes.iter().map(|write| write.span), &format!("`{name}` is written here"))
                    .help(if gives_output {
                        format!("show it in traces with `watch: [{name}]`, or remove it and its assignments")
                    } else {
                        format!(
                            "if it is the answer, give it the role `output`, as in `system: {{symbol: symbol, position: position, output: {name}}}`; otherwise `watch: [{name}]` shows it in traces"
                        )
                    }),
            );
        }
    }
    diagnostics
}

fn report(tree: &Tree, code: Code, span: Span, entry: Span, unused: &str) -> Diagnostic {
    Diagnostic::new(code, span, format!("{unused} is never used"))
        .help("remove it, or use it")
        .fix_all(format!("Remove {unused}"), without(tree, with_comma(tree, entry)))
}

/// An entry with its comma.
fn with_comma(tree: &Tree, entry: Span) -> Span {
    let code = &tree.tokens.code;
    let first = code.partition_point(|token| token.span.start < entry.start);
    let next = code.partition_point(|token| token.span.start < entry.end);
    let before = first.checked_sub(1).and_then(|before| code.get(before)).filter(|token| token.kind == Kind::Comma);
    let after = code.get(next).filter(|token| token.kind == Kind::Comma);
    match (before, after) {
        (_, Some(comma)) => entry.join(comma.span),
        // The comma before the last entry may stay, as a trailing comma.
        (Some(comma), None) if !has_comment(tree, comma.span.join(entry)) => comma.span.join(entry),
        _ => entry,
    }
}
