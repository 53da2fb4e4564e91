//! Linked editing: the uses of a register, which change together while one of them is typed over.

use psl_syntax::{Span, names::Symbol, register_uses};

use crate::file::File;

/// What a register's name is made of, as a regular expression.
pub const NAME_PATTERN: &str = "[A-Za-z_][A-Za-z0-9_]*";

/// The register's name wherever it stands in the file, quotes left out, where a cursor touches it.
pub fn linked_editing_ranges(file: &File, offset: u32) -> Option<Vec<Span>> {
    let checked = file.checked();
    let here = checked.analysis.names.at(offset)?;
    let Symbol::Register(id) = here.symbol else { return None };
    let name = &checked.analysis.program.register(id)?.name;
    let unquoted = |span: Span| {
        let quote = u32::from(checked.tree.str(span).starts_with(['"', '\'']));
        Span::new(span.start + quote, span.end - quote)
    };
    let spans: Vec<Span> = register_uses(checked, id).into_iter().map(unquoted).collect();
    let same = spans.iter().all(|span| checked.tree.str(*span) == name);
    (same && spans.iter().any(|span| span.touches(offset))).then_some(spans)
}
