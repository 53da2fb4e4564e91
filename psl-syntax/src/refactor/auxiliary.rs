//! A register that records for each cell whether conditions hold, set directly before the productions that test it.
//!
//! It is cleared first, because a generated cell starts with the values of the cell before it, and a repeat block
//! runs several times.

use super::site::block_start;
use crate::{
    checked::Checked, declaration_edits, diagnostic::Edit, lines::line_indentation, span::Span, tree::Production,
};

/// An auxiliary register.
pub struct Auxiliary {
    pub name: String,
    /// The register's value in cells where the conditions hold.
    pub yes: String,
    /// The edits that declare and set it.
    pub edits: Vec<Edit>,
}

/// A register named like `name` that holds a constant if the conditions, which are on cell N, hold. `None` if no
/// register has the position, which identifies a cell.
pub fn auxiliary(checked: &Checked, before: &Production, name: &str, conditions: &str) -> Option<Auxiliary> {
    let Checked { tree, analysis, .. } = checked;
    let program = &analysis.program;
    let position = &program.registers[program.roles.position?].name;
    let name = declaration_edits::register_name(program, name);
    let short = declaration_edits::short_name(program, tree, &name);
    let [yes, no] = ["YES", "NO"].map(|like| declaration_edits::constant_name(program, like));
    let top = block_start(tree, before)?;
    let indent = line_indentation(&tree.text, before.span.start);
    let end = tree.line_end();
    let text = format!(
        "{indent}where {position}[N] == {position}[N]:{end}{indent}    {name}[N] = {no}{end}\
         {indent}where {conditions}:{end}{indent}    {name}[N] = {yes}{end}"
    );
    let mut edits = declaration_edits::registers(tree, &[format!("{name}: '{short}'")]);
    edits.extend(declaration_edits::constants(tree, &[yes.clone(), no]));
    edits.push(Edit { span: Span::new(top, top), text });
    Some(Auxiliary { name, yes, edits })
}
