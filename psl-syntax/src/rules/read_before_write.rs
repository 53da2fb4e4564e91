//! `read-before-write`: registers that are read before anything can have written them.

use std::mem;

use crate::{
    codes::Code,
    diagnostic::{Diagnostic, Severity},
    facts::Facts,
    flow::{Flow, Read, Uses},
    program::RegisterId,
};

/// One diagnostic for each register: a hint if the next cell provides a value, otherwise a warning.
pub fn read_before_write(facts: &Facts<'_>) -> Vec<Diagnostic> {
    let flow = &facts.flow;
    let set = |register| flow.program.machine_sets(register) || flow.program.is_input(register);
    let ours = flow.registers().filter(|&(register, _)| !set(register));
    ours.filter_map(|(register, uses)| report(flow, register, uses)).collect()
}

fn report(flow: &Flow<'_>, register: RegisterId, uses: &Uses) -> Option<Diagnostic> {
    let first_write = uses.writes.first();
    let reached = |read: &Read| first_write.is_some_and(|write| write.layer < last_before(flow, read));
    let mut reads = uses.reads.iter().filter(|read| !reached(read)).map(|read| flow.name_in(register, read.span));
    let span = reads.next()?;
    let mut last = span;
    let further = reads.filter(|&next| mem::replace(&mut last, next) != next);
    let name = flow.name(register);
    let diagnostic = if let Some(write) = first_write {
        let mut diagnostic =
            Diagnostic::new(Code::ReadBeforeWrite, span, format!("`{name}` is read before anything writes it"))
                .label(write.span, format!("`{name}` is first written here"))
                .help(format!(
                    "write `{name}` above this: it is null in the prompt, and a generated cell starts with the value of the cell \
                     before it"
                ));
        diagnostic.severity = Severity::Hint;
        diagnostic
    } else {
        Diagnostic::new(Code::ReadBeforeWrite, span, format!("`{name}` is read but never written")).help(format!(
            "assign a value to it, or declare with `//@ input {name}` that structured prompts set it: it is null in every cell"
        ))
    };
    Some(diagnostic.labels(further, &format!("`{name}` is also read here")))
}

/// The end of the layers whose writes can reach the read: the layers above it, and all layers of the blocks around
/// it.
fn last_before(flow: &Flow<'_>, read: &Read) -> usize {
    flow.around(read.block).last().map_or(read.layer, |outermost| outermost.layers.end)
}
