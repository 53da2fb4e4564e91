//! The numbers of `docs/gpt2.md`: its program as a GPT-2, computed in 64 bits by an arithmetic that the tools do not
//! use.

mod heads;
mod model;
mod names;
mod neurons;
mod stream;
mod tokens;

use model::PageModel;

/// The text of a computed block of the page, or `None` if the name is unknown.
pub fn computed(name: &str) -> Option<String> {
    let page = PageModel::new();
    Some(match name {
        "components" => page.components(),
        "embedding" => page.embedding(),
        "norms" => page.norms(),
        "queries" => page.queries(),
        "scores" => page.scores(),
        "weights" => page.weights(),
        "neurons" => page.neurons(),
        "layer" => page.layer(),
        "registers" => page.registers(),
        "cell-tokens" => page.cell_tokens(),
        "logits" => page.logits(),
        _ => return None,
    })
}
