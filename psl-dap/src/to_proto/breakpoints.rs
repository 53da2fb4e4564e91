//! Breakpoints, and what can have one.

use psl_debug::{BreakOn, Breakpoint, Debugger};
use psl_program::File;
use psl_syntax::Span;
use serde_json::{Map, Value, json};

use crate::{breakpoints::Found, lines::Lines, numbering::Numbering, refusal::Refusal};

/// Breakpoints, or the reasons why they are refused.
pub fn breakpoints(debugger: &Debugger, lines: &Lines, numbering: Numbering, found: &[Found]) -> Value {
    let shown = found.iter().map(|found| match found {
        Ok(breakpoint) => shown(debugger, lines, numbering, breakpoint),
        Err(why) => refused(why),
    });
    json!({ "breakpoints": shown.collect::<Vec<_>>() })
}

/// Breakpoints that are all refused.
pub fn refused_breakpoints(count: usize, why: &Refusal) -> Value {
    json!({ "breakpoints": vec![refused(why); count] })
}

fn refused(why: &Refusal) -> Value {
    json!({ "verified": false, "message": why.to_string() })
}

fn shown(debugger: &Debugger, lines: &Lines, numbering: Numbering, breakpoint: &Breakpoint) -> Value {
    let mut shown = json!({ "id": breakpoint.id, "verified": true });
    let Some(object) = shown.as_object_mut() else { return shown };
    object.extend(breakpoint.note(debugger.run()).map(|note| ("message".to_owned(), note.into())));
    if let BreakOn::Layer { layer, .. } = breakpoint.on
        && let Some((file, head)) = lines.head(debugger.file(), layer)
    {
        object.extend(range(numbering, file, head));
    }
    shown
}

/// The heads of productions, each with its file, as locations of breakpoints.
pub fn breakpoint_locations<'f>(numbering: Numbering, heads: impl Iterator<Item = (&'f File, Span)>) -> Value {
    let shown = heads.map(|(file, head)| range(numbering, file, head));
    json!({ "breakpoints": shown.collect::<Vec<_>>() })
}

/// The range of a span as fields.
fn range(numbering: Numbering, file: &File, span: Span) -> Map<String, Value> {
    let (line, column) = numbering.line_and_column(file, span.start);
    let (end_line, end_column) = numbering.line_and_column(file, span.end);
    let range = [("line", line), ("column", column), ("endLine", end_line), ("endColumn", end_column)];
    range.into_iter().map(|(name, number)| (name.to_owned(), json!(number))).collect()
}

/// The name of a register of a cell for a breakpoint, or `None` if it is anything else.
pub fn data_breakpoint_info(id: Option<&str>) -> Value {
    match id {
        Some(id) => {
            json!({ "dataId": id, "description": id, "accessTypes": ["write", "readWrite"], "canPersist": true })
        }
        None => json!({ "dataId": null, "description": "only a register of a cell can have a data breakpoint" }),
    }
}
