//! The hover of a register or a constant: its possible values and its uses.

use std::fmt::Write as _;

use psl_syntax::{
    Analysis, Checked, Span,
    glossary::{ROLES, Section, at, find, meaning},
    names::{Access, Reference, Symbol},
    program::{ConstantId, ProductionId, Program, RegisterId},
};

use super::{known_values::KnownValues, layers::Layers};
use crate::markdown::{code, plain};

/// Maximum number of places to list.
const MOST: usize = 8;

/// The hover of a register at one of its uses.
pub fn register(checked: &Checked, layers: &Layers<'_>, id: RegisterId, at: Span) -> String {
    let program = &checked.analysis.program;
    let register = &program.registers[id];
    let mut text = format!("**register** {}, short name {}\n", code(&register.name), code(&register.short));
    for (role, _) in program.roles.iter().filter(|(_, holder)| *holder == Some(id)) {
        let _ = writeln!(text, "\nrole {role}: {}", meaning(ROLES, role).unwrap_or_default());
    }
    if program.is_input(id) {
        text.push_str("\ninput: a structured prompt may set it\n");
    }
    if program.answer == Some(id) {
        text.push_str("\nanswer: the value of each cell in a row\n");
    }
    if let Some((layer, _)) = layers.at(at.start)
        && let Some(held) = KnownValues::new(checked, layer).describe(id)
    {
        let _ = writeln!(text, "\nvalues before layer {layer}: {}", plain(&held));
    }
    let uses = |access| {
        let references = checked.analysis.names.references.iter();
        references.filter(move |it| it.symbol == Symbol::Register(id) && it.access == access)
    };
    places(&mut text, "written by", layers, uses(Access::Write));
    places(&mut text, "read by", layers, uses(Access::Read));
    text
}

/// The section of the reference on the register's first role, or on registers.
pub fn section(program: &Program, id: RegisterId) -> Section {
    let role = program.roles.iter().find(|(_, holder)| *holder == Some(id));
    role.and_then(|(role, _)| find(ROLES, role)).map_or(at("programs", "Registers"), |entry| entry.section)
}

/// The hover of a constant.
pub fn constant(analysis: &Analysis, layers: &Layers<'_>, id: ConstantId) -> String {
    let program = &analysis.program;
    let constant = &program.constants[id];
    let mut text = format!("**constant** {}", code(&constant.name));
    if constant.value != constant.name {
        let _ = write!(text, " with the value {}", code(&constant.value));
    }
    text.push('\n');
    let holders = analysis.domains.holders(id);
    let shown = holders.iter().map(|id| code(&program.registers[*id].name));
    let mut shown: Vec<_> = shown.take(MOST).collect();
    if holders.len() > MOST {
        shown.push(format!("{} more", holders.len() - MOST));
    }
    if !shown.is_empty() {
        let _ = writeln!(text, "\npossible value of {}", shown.join(", "));
    }
    let (assigned, tested): (Vec<_>, Vec<_>) = analysis
        .names
        .references
        .iter()
        .filter(|it| it.symbol == Symbol::Constant(id) && it.access == Access::Read)
        .partition(|it| layers.at(it.span.start).is_some_and(|(_, found)| found.head.end <= it.span.start));
    places(&mut text, "assigned by", layers, assigned.into_iter());
    places(&mut text, "tested by", layers, tested.into_iter());
    text
}

/// Writes a list of the layers and `until` clauses that contain these uses, each once.
fn places<'a>(text: &mut String, what: &str, layers: &Layers<'_>, uses: impl Iterator<Item = &'a Reference>) {
    let place = |reference: &Reference| match layers.at(reference.span.start) {
        Some((layer, _)) => (layer.number(), false),
        None => (layers.before(reference.span.start), true),
    };
    let mut found: Vec<(usize, bool)> = uses.map(place).collect();
    found.dedup();
    if found.is_empty() {
        let _ = writeln!(text, "\n{what}: no layer");
        return;
    }
    let _ = writeln!(text, "\n{what}:\n");
    for (layer, until) in found.iter().take(MOST) {
        let _ = match ProductionId::of_number(*layer) {
            Some(layer) if !until => writeln!(text, "- {}", layers.title(layer)),
            _ => writeln!(text, "- `until` after layer {layer}"),
        };
    }
    if found.len() > MOST {
        let _ = writeln!(text, "- and {} more", found.len() - MOST);
    }
}
