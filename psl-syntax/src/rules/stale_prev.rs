//! `stale-prev`: copies of a left neighbor's registers that are read when the neighbor's value has changed.

use std::{ops::Range, ptr};

use crate::{
    codes::Code,
    diagnostic::Diagnostic,
    facts::Facts,
    flow::{Flow, FlowBlock, Read, Uses, Write},
    program::{Cell, CellRegister, Operand, RegisterId, Until},
    span::Span,
};

/// A warning for each production or `until`, and each stale copy that it reads.
pub fn stale_reads(facts: &Facts<'_>) -> Vec<Diagnostic> {
    let flow = &facts.flow;
    let mut diagnostics = Vec::new();
    for (copy, uses) in flow.registers() {
        if !uses.writes.iter().any(|write| copied_from(flow, copy, write).is_some()) {
            continue;
        }
        let mut last = None;
        for read in &uses.reads {
            let reader = (read.layer, read.block);
            if last.replace(reader) != Some(reader)
                && !copies_itself(flow, copy, uses, read)
                && let Some(stale) = stale(flow, copy, uses, read)
            {
                diagnostics.push(report(flow, copy, read, &stale));
            }
        }
    }
    diagnostics
}

/// The reason why a copy is stale at a read.
struct Stale {
    refresh: Span,
    source: RegisterId,
    /// The first few writes to the source since then.
    written: Vec<Span>,
}

fn report(flow: &Flow<'_>, copy: RegisterId, read: &Read, stale: &Stale) -> Diagnostic {
    let [name, source] = [copy, stale.source].map(|register| flow.name(register));
    let position = flow.program.roles.position.map_or("position", |position| flow.name(position));
    let in_until = flow.layers.get(read.layer).is_none_or(|layer| layer.block != read.block);
    let reader = if in_until { "`until`" } else { "the production" };
    Diagnostic::new(
        Code::StalePrev,
        flow.name_in(copy, read.span),
        format!("`{name}` is out of date: it copies `{source}` from the left, and `{source}` has changed since"),
    )
    .label(stale.refresh, format!("`{name}` is copied here"))
    .labels(stale.written.iter().copied(), &format!("`{source}` is written here"))
    .help(format!(
        "copy it again above: `where {position}[n] == {position}[N]@pos_decrement:` and, on the next line, \
         `{name}[N] = {source}[n]`, or, if the old value is intended, write `//@ allow stale-prev` on the line above {reader}"
    ))
}

/// The register that a write copies from the cell to the left, if it is such a copy.
fn copied_from(flow: &Flow<'_>, copy: RegisterId, write: &Write) -> Option<RegisterId> {
    let Operand::Register(CellRegister { register, cell: Cell::Source }, None) = write.source else { return None };
    let looks_left = flow.layers.get(write.layer).is_some_and(|layer| layer.looks_left);
    (register != copy && looks_left).then_some(register)
}

/// Whether the production that reads is itself a copy, which tests how far copying has progressed.
fn copies_itself(flow: &Flow<'_>, copy: RegisterId, uses: &Uses, read: &Read) -> bool {
    let own =
        || uses.writes_in(read.layer..read.layer + 1).iter().any(|write| copied_from(flow, copy, write).is_some());
    flow.layers.get(read.layer).is_some_and(|layer| layer.block == read.block) && own()
}

/// Returns why the copy is stale, if its source was written after it on every path to the read.
///
/// Blocks are checked from the inside out. If a block writes the copy above the read, every path passes through that
/// write. If it only writes the copy after the read, one path comes back from there to the start of the block, and
/// one enters the block from above.
fn stale(flow: &Flow<'_>, copy: RegisterId, uses: &Uses, read: &Read) -> Option<Stale> {
    for block in flow.around(read.block) {
        let Range { start, end } = block.layers;
        if let Some(above) = uses.writes_in(start..read.layer).last() {
            return since(flow, copy, above, Some(block), read.layer, 0..0);
        }
        if let Some(below) = uses.writes_in(read.layer..end).last() {
            since(flow, copy, below, Some(block), end, start..read.layer)?;
        }
    }
    let above = uses.writes_in(0..read.layer).last()?;
    since(flow, copy, above, None, read.layer, 0..0)
}

/// Returns why the copy is stale, if its source is written after `write` in the same pass of the block, before layer
/// `end`, or in the layers `again` of the next pass.
fn since(
    flow: &Flow<'_>,
    copy: RegisterId,
    write: &Write,
    inside: Option<&FlowBlock<'_>>,
    end: usize,
    again: Range<usize>,
) -> Option<Stale> {
    let source = copied_from(flow, copy, write)?;
    // The last pass of a block that ends with NO_CHANGE wrote nothing new, so its copies are current at its end.
    let settled = flow
        .around(flow.layers.get(write.layer)?.block)
        .take_while(|block| inside.is_none_or(|inside| !ptr::eq(*block, inside)))
        .filter(|block| block.repeat.until == Until::NoChange)
        .last();
    // A layer that writes the source of its own copy copies the old value.
    let from = settled.map_or(write.layer, |block| block.layers.end);
    let source_uses = &flow.uses[source];
    let written = || source_uses.writes_in(from..end).iter().chain(source_uses.writes_in(again.clone()));
    written().next()?;
    Some(Stale { refresh: write.span, source, written: written().map(|write| write.span).take(8).collect() })
}
