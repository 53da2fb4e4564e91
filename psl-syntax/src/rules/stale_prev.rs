//! `stale-prev`: copies of the left neighbour's registers that are read when they no longer hold what the neighbour has.

use std::{ops::Range, ptr};

use crate::{
    codes::Code,
    diagnostic::Diagnostic,
    facts::Facts,
    flow::{Block, Flow, Read, Uses, Write},
    program::{Cell, Operand, Place, RegisterId, Until},
    span::Span,
};

/// A warning for each production, or `until`, and stale copy that it reads.
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

/// Why a copy is stale where it is read.
struct Stale {
    refresh: Span,
    source: RegisterId,
    /// Where the source was written since, the first few places.
    written: Vec<Span>,
}

fn report(flow: &Flow<'_>, copy: RegisterId, read: &Read, stale: &Stale) -> Diagnostic {
    let [name, source] = [copy, stale.source].map(|register| flow.name(register));
    let position = flow.program.roles.position.map_or("position", |position| flow.name(position));
    Diagnostic::new(
        Code::StalePrev,
        flow.name_in(copy, read.span),
        format!("`{name}` is out of date: it copies `{source}` from the left, and `{source}` has changed since"),
    )
    .label(stale.refresh, format!("`{name}` is copied here"))
    .labels(stale.written.iter().copied(), &format!("`{source}` is written here"))
    .help(format!(
        "copy it again above: `where {position}[n] == {position}[N]@pos_decrement:` and, on the next line, \
         `{name}[N] = {source}[n]`"
    ))
}

/// The register that a write copies from the cell to the left.
fn copied_from(flow: &Flow<'_>, copy: RegisterId, write: &Write) -> Option<RegisterId> {
    let Operand::Register(Place { register, cell: Cell::Source }, None) = write.source else { return None };
    let looks_left = flow.layers.get(write.layer).is_some_and(|layer| layer.looks_left);
    (register != copy && looks_left).then_some(register)
}

/// Whether the reading production is one that copies: what it tests then is how far the copying has come.
fn copies_itself(flow: &Flow<'_>, copy: RegisterId, uses: &Uses, read: &Read) -> bool {
    let own =
        || uses.writes_in(read.layer..read.layer + 1).iter().any(|write| copied_from(flow, copy, write).is_some());
    flow.layers.get(read.layer).is_some_and(|layer| layer.block == read.block) && own()
}

/// Whether, on every path to the read, the source was written since the copy was.
///
/// From the innermost block outward: where the block writes the copy above the read, every path comes through there. Where
/// it writes it only from the read on, a path comes back from there to the block's start, and one comes from outside.
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

/// Whether the source is written after `write` in the same pass of the block, before layer `end`, or in the next pass, in
/// the layers `again`.
fn since(
    flow: &Flow<'_>,
    copy: RegisterId,
    write: &Write,
    inside: Option<&Block<'_>>,
    end: usize,
    again: Range<usize>,
) -> Option<Stale> {
    let source = copied_from(flow, copy, write)?;
    // The last pass of a block that ends with NO_CHANGE wrote nothing new, so its copies hold at its end.
    let settled = flow
        .around(flow.layers.get(write.layer)?.block)
        .take_while(|block| inside.is_none_or(|inside| !ptr::eq(*block, inside)))
        .filter(|block| block.repeat.until == Until::NoChange)
        .last();
    // A layer that copies its source and writes it copies the old value.
    let from = settled.map_or(write.layer, |block| block.layers.end);
    let source_uses = flow.uses.get(source.0 as usize)?;
    let written = || source_uses.writes_in(from..end).iter().chain(source_uses.writes_in(again.clone()));
    written().next()?;
    Some(Stale { refresh: write.span, source, written: written().map(|write| write.span).take(8).collect() })
}
