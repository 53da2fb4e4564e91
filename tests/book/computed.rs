//! The functions for the blocks `<!-- computed NAME -->`: the numbers of `docs/production-to-weights.md` and
//! `docs/gpt2.md`.

mod arithmetic;
mod attention;
mod dense;
mod forms;
mod gpt2;
mod head;
mod one_hot;
mod symbols;
mod table;

use head::Head;

/// The text of a computed block, or `None` if the name is unknown.
pub fn computed(name: &str) -> Option<String> {
    if let Some(name) = name.strip_prefix("gpt2/") {
        return gpt2::computed(name);
    }
    let head = Head::new();
    Some(match name {
        "attributes" => head.attributes(),
        "conditions" => head.conditions(),
        "cells" => head.cells(),
        "matrices" => head.matrices(),
        "forms" => forms::forms(),
        "vectors" => head.vectors(),
        "dot-products" => head.dot_products(),
        "output" => head.output(),
        "superposition" => head.superposition(),
        "dense-dot-products" => head.dense_dot_products(),
        "decoding" => head.decoding(),
        _ => return None,
    })
}
