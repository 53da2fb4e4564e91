//! The decompiler from QKVL to PSL, as data and as text.
//!
//! ```text
//! build(&qkvl::Program)  -> psl_syntax::Program, or the reason why PSL cannot express it
//! print(&Program)        -> its text and the offset of each statement
//! ```
//!
//! Invariant: the text is formatted and has no errors. Program and text both compile to the given layers, labels included.
//! QKVL that no program compiles to is refused. Only `psl-syntax` finds errors, and only in a text: the program is printed
//! and checked even if only the data is asked for, but it is not read back from the text.

mod build;
mod conditions;
mod error;
mod print;
mod symbol_table;

use psl_syntax::Diagnostic;

use crate::{compile::compile, qkvl};
use error::refuse;
use print::Printed;

pub use error::DecompileError;

/// The PSL program that compiles to some QKVL. Its spans are empty, because it has no text.
///
/// # Errors
///
/// The first part that PSL cannot express.
pub fn program(qkvl: &qkvl::Program) -> Result<psl_syntax::Program, DecompileError> {
    checked(qkvl).map(|(program, _)| program)
}

/// The formatted text of the PSL program that compiles to some QKVL.
///
/// # Errors
///
/// The first part that PSL cannot express.
pub fn decompile(qkvl: &qkvl::Program) -> Result<String, DecompileError> {
    let (_, text) = checked(qkvl)?;
    Ok(psl_syntax::format(&text).map_or(text, |formatted| formatted.text))
}

/// The program and its text, checked for the invariant.
fn checked(qkvl: &qkvl::Program) -> Result<(psl_syntax::Program, String), DecompileError> {
    let program = build::build(qkvl)?;
    let printed = print::print(&program);
    let checked = psl_syntax::check(&printed.text);
    if let Some(Diagnostic { span, message, help, .. }) = checked.diagnostics.iter().find(|found| found.is_error()) {
        let help = help.clone().unwrap_or_else(|| "see `psl explain`".to_owned());
        return refuse(printed.place(span.start), format!("not allowed in PSL: {message}"), help);
    }
    for compiled in [compile(&checked.analysis.program), compile(&program)] {
        if let Some(index) = compiled.weights.iter().zip(&qkvl.weights).position(|(ours, given)| ours != given) {
            let place = format!("weights[{index}]");
            return refuse(
                place,
                "no PSL compiles to these instructions",
                "change them to instructions that `psl compile` writes",
            );
        }
    }
    let Printed { text, .. } = printed;
    Ok((program, text))
}
