//! The blocks of table (72), from y to x, and their biases.

use psl_runtime::{Vocabulary, qkvl, weights};
use serde_json::{Value, json};

use super::{
    arithmetic::Map,
    head::layer,
    table::{digits, labeled, table},
};

pub fn forms() -> String {
    let forms = [
        ("(72a)", "x: y", json!("y")),
        ("(72b)", "x: y@pos_decrement", json!("y@pos_decrement")),
        ("(72c)", "x: b", json!("b")),
        ("(72d)", "x != b", json!(["!=", "b"])),
        ("(72e)", "x != y", json!(["!=", "y"])),
        ("", "x in [a, b]", json!(["in", "a", "b"])),
    ];
    let vocabulary = Vocabulary::with_positions(&[], &["a", "b"], 2);
    let blocks = forms.each_ref().map(|(_, _, instruction)| block(instruction, &vocabulary));
    let row = |(at, label): (usize, &str)| labeled(label, blocks.iter().map(|rows| rows[at].clone()));
    let rows = vocabulary.iter().chain(["bias"]).enumerate().map(row);
    let headings = [forms.each_ref().map(|form| form.0), forms.each_ref().map(|form| form.1)];
    table(3, headings.map(|names| labeled("", names.map(str::to_owned))).into_iter().chain(rows))
}

/// The rows of the block of an instruction, and its bias.
fn block(instruction: &Value, vocabulary: &Vocabulary) -> Vec<String> {
    let program = json!({
        "register_map": {"x": "x", "y": "y"},
        "system_map": {"symbol": "x", "output": "x"},
        "weights": [{"weights": {"q": {"x": instruction}, "k": {"x": "x"}, "v": {}}}],
    });
    let weights = weights(&qkvl::Program::from_value(&program).expect("QKVL"), vocabulary);
    let (map, d) = (Map::new(&layer(&weights).matching.query, &weights), vocabulary.len());
    // Block 0 belongs to x, block 1 to y.
    map.matrix[d..].iter().chain([&map.bias]).map(|row| digits(&row[..d])).collect()
}
