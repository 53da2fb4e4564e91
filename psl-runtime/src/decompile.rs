//! From QKVL back to PSL: the program that compiles to it, as data and as text.
//!
//! ```text
//! build(&qkvl::Program)  -> psl_syntax::Program, or why PSL has no words for it
//! print(&Program)        -> its text, and where each statement starts
//! ```
//!
//! Invariant: the text has no errors and is formatted, and program and text both compile to the same layers, labels
//! included; QKVL that no program compiles to is refused. What is an error only `psl-syntax` says, and it says it of a text:
//! so the program is printed and checked even where only the data is asked for, but it is not read back from the text.

mod build;
mod conditions;
mod no_psl;
mod print;
mod symbol_table;

use psl_syntax::Diagnostic;

use crate::compile::compile;
use crate::qkvl;
use no_psl::no_psl;
use print::Printed;

pub use no_psl::NoPsl;

/// The PSL program that compiles to some QKVL. Its spans are empty, as it has no text of its own.
///
/// # Errors
///
/// The first thing that PSL cannot say.
pub fn program(qkvl: &qkvl::Program) -> Result<psl_syntax::Program, NoPsl> {
    checked(qkvl).map(|(program, _)| program)
}

/// The formatted text of the PSL program that compiles to some QKVL.
///
/// # Errors
///
/// The first thing that PSL cannot say.
pub fn decompile(qkvl: &qkvl::Program) -> Result<String, NoPsl> {
    let (_, text) = checked(qkvl)?;
    Ok(psl_syntax::format(&text).map_or(text, |formatted| formatted.text))
}

/// The program and its text, which keep the invariant.
fn checked(qkvl: &qkvl::Program) -> Result<(psl_syntax::Program, String), NoPsl> {
    let program = build::build(qkvl)?;
    let printed = print::print(&program);
    let checked = psl_syntax::check(&printed.text);
    if let Some(Diagnostic { span, message, help, .. }) = checked.diagnostics.iter().find(|found| found.is_error()) {
        let help = help.clone().unwrap_or_else(|| "`psl explain` says why".to_owned());
        return no_psl(printed.place(span.start), format!("PSL does not allow it: {message}"), help);
    }
    for compiled in [compile(&checked.analysis.program), compile(&program)] {
        if let Some(index) = compiled.weights.iter().zip(&qkvl.weights).position(|(ours, given)| ours != given) {
            let place = format!("weights[{index}]");
            return no_psl(place, "the nearest PSL compiles to other instructions", "change it to what PSL can say");
        }
    }
    let Printed { text, .. } = printed;
    Ok((program, text))
}
