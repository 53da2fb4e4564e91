//! Weights in words: there is no other text of them.

use psl_runtime::weights::{Attribute, BlockInfo, Kind, describe};
use serde_json::{Value, json};

use crate::runner::Runner;

/// The blocks of each layer's weights, for the vocabulary of a test's prompt, as indented JSON.
pub fn weights(runner: &Runner) -> Result<String, String> {
    let task = runner.example_task().map_err(|failure| failure.message)?;
    let qkvl = &runner.executable().qkvl;
    let block = |block: &BlockInfo| {
        let words = [block_name(block), block_kind(block), nonzero(block)];
        Value::from(words.join(": "))
    };
    let layers = qkvl.layers().into_iter().zip(1..).map(|(layer, number)| {
        let blocks: Vec<Value> = describe(layer, &task.vocabulary).iter().map(block).collect();
        json!({"layer": number, "label": layer.layer_comment, "blocks": blocks})
    });
    let dimension = task.vocabulary.len();
    let registers: Vec<&str> = qkvl.register_map.values().map(String::as_str).collect();
    let value = json!({
        "vocabulary": dimension,
        "vector": registers.len() * dimension,
        "registers": registers,
        "layers": layers.collect::<Vec<_>>(),
        "tensors": "`psl compile --emit weights -o OUT.safetensors FILE` writes them",
    });
    Ok(format!("{value:#}\n"))
}

/// Such as `W_q[s → s]`, short names in brackets.
pub fn block_name(block: &BlockInfo) -> String {
    let attribute = match block.attribute {
        Attribute::Query => "q",
        Attribute::Key => "k",
        Attribute::Value => "v",
    };
    match &block.source {
        Some(source) => format!("W_{attribute}[{source} → {}]", block.target),
        None => format!("b_{attribute}[{}]", block.target),
    }
}

/// What it does.
pub fn block_kind(block: &BlockInfo) -> String {
    let constants = block.constants.join(", ");
    match block.kind {
        Kind::Identity => "identity".to_owned(),
        Kind::Shift(function) => format!("shift, {}", function.as_str()),
        Kind::OneHot => format!("one-hot {constants}"),
        Kind::OnesComplement | Kind::ManyHotComplement => format!("ones but {constants}"),
        Kind::OnesMinus(None) => "ones, minus identity".to_owned(),
        Kind::OnesMinus(Some(function)) => format!("ones, minus shift, {}", function.as_str()),
        Kind::ManyHot => format!("many-hot {constants}"),
    }
}

/// How many entries are not zero, and the size.
pub fn nonzero(block: &BlockInfo) -> String {
    let size = block.dimension;
    match (block.block_nonzero, block.bias_nonzero) {
        (0, bias) => format!("{bias} of {size}"),
        (entries, 0) => format!("{entries} of {size}×{size}"),
        (entries, bias) => format!("{entries} of {size}×{size}, bias {bias} of {size}"),
    }
}
