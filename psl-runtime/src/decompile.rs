//! The decompiler from QKVL to PSL, as data and as text.
//!
//! ```text
//! build(&qkvl::Program)  -> psl_syntax::Program, or the reason why PSL cannot express it
//! one_head_each(&Program) -> the program with a layer for each head, if some order of the heads allows that
//! print(&Program)        -> its text and the offset of each statement
//! ```
//!
//! Invariant: the text is formatted and has no errors. The program compiles to the given layers, labels included. So
//! does the text, except for what a text cannot express: it has one layer for each head, labels without the blanks
//! around them, and `causal_attn: false`, which means the same, where a layer without a setting follows one with a
//! setting. QKVL that no program compiles to is refused. Only `psl-syntax` finds errors, and only in a text: the
//! program is printed and checked even if only the data is asked for, but it is not read back from the text.

mod build;
mod conditions;
mod error;
mod order;
mod print;
mod symbol_table;

use psl_syntax::{Diagnostic, program::CausalAttn};

use crate::{
    compile::compile,
    qkvl::{self, Block},
};
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

/// The formatted text of the PSL program that compiles to some QKVL. In a text, each production is a layer of its own,
/// so heads of one layer are in an order in which that makes no difference.
///
/// # Errors
///
/// The first part that PSL cannot express, or a layer with heads that have no such order.
pub fn decompile(qkvl: &qkvl::Program) -> Result<String, DecompileError> {
    let (program, mut text) = checked(qkvl)?;
    if program.productions().iter().any(|production| production.shares_layer) {
        text = print::print(&order::one_head_each(&program)?).text;
    }
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
    let mut by_text = compile(&checked.analysis.program);
    equate(&mut by_text.weights, &qkvl.weights);
    for compiled in [by_text, compile(&program)] {
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

/// Gives layers what their text cannot express and the given ones have.
fn equate(blocks: &mut [Block], given: &[Block]) {
    let equate_label = |label: &mut Option<String>, given: &Option<String>| {
        if label.as_deref() == given.as_deref().map(str::trim) {
            label.clone_from(given);
        }
    };
    for (block, given) in blocks.iter_mut().zip(given) {
        match (block, given) {
            (Block::Layer(layer), Block::Layer(given)) => {
                layer.shares_layer = given.shares_layer;
                equate_label(&mut layer.layer_comment, &given.layer_comment);
                if given.causal_attn.is_none() && layer.causal_attn == Some(CausalAttn::False) {
                    layer.causal_attn = None;
                }
            }
            (Block::Repeat(repeat), Block::Repeat(given)) => {
                equate_label(&mut repeat.layer_comment, &given.layer_comment);
                equate(&mut repeat.weights, &given.weights);
            }
            _ => {}
        }
    }
}
