//! Hovers as text.

use std::sync::Arc;

use psl_program::File;

/// The hover at a line and a column in characters, both 1-based.
pub fn hover_at(program: &str, line: usize, column: usize) -> Result<String, String> {
    let start = match line {
        0 => None,
        1 => Some(0),
        _ => program.match_indices('\n').nth(line - 2).map(|(end, _)| end + 1),
    };
    let text = start.and_then(|start| program.get(start..)?.lines().next());
    let within = text.and_then(|text| text.char_indices().nth(column.checked_sub(1)?));
    let (Some(start), Some((within, _))) = (start, within) else {
        return Err(format!("the file has no column {line}:{column}"));
    };
    let found = psl_ide::hover(&File::new(program, Arc::default()), None, (start + within) as u32, None);
    found.map(|hover| hover.markdown).ok_or_else(|| format!("there is no hover at {line}:{column}"))
}
