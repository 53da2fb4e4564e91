//! Linked editing: all uses of a register change while one is being edited.

use psl_program::File;
use psl_syntax::{Span, names::Symbol, register_uses};

/// The form of a register's name, as a regular expression.
pub const NAME_PATTERN: &str = "[A-Za-z_][A-Za-z0-9_]*";

/// Returns all uses of the register under the cursor, without quotes.
pub fn linked_editing_ranges(file: &File, offset: u32) -> Option<Vec<Span>> {
    let checked = file.checked();
    let here = checked.analysis.names.at(offset)?;
    let Symbol::Register(id) = here.symbol else { return None };
    let name = &checked.analysis.program.registers[id].name;
    let unquoted = |span: Span| {
        let quote = u32::from(checked.tree.str(span).starts_with(['"', '\'']));
        Span::new(span.start + quote, span.end - quote)
    };
    let spans: Vec<Span> = register_uses(checked, id).into_iter().map(unquoted).collect();
    let same = spans.iter().all(|span| checked.tree.str(*span) == name);
    (same && spans.iter().any(|span| span.touches(offset))).then_some(spans)
}
