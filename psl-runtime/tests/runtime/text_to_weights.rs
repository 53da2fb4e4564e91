//! The way from the text of a program to the weights of its layer, which `docs/architecture.md` shows.

use psl_runtime::{
    Vocabulary, compile,
    weights::{WeightsBlock, weights},
};
use psl_syntax::{analyze, parse, rule_diagnostics, token::tokenize};

/// Each cell copies the symbol on its left.
const TEXT: &str = "registers: {symbol: 's', position: 'p', previous: 'r'}
system: {symbol: symbol, position: position, output: previous}

# copy from the left
where position[n] == position[N]@pos_decrement:
    previous[N] = symbol[n]
";

#[test]
fn text_becomes_weights_in_seven_calls() {
    let tokens = tokenize(TEXT);
    let parsed = parse(TEXT);
    let analysis = analyze(&parsed.tree);
    let found = rule_diagnostics(&parsed.tree, &analysis);
    let qkvl = compile(&analysis.program);
    let vocabulary = Vocabulary::new(&qkvl.constants(), &["a", "b"], 1);
    let weights = weights(&qkvl, &vocabulary);

    assert_eq!(tokens.code[0].span.of(TEXT), "registers");
    assert_eq!((parsed.diagnostics, analysis.diagnostics, found), (Vec::new(), Vec::new(), Vec::new()));
    assert_eq!(weights.registers, ["s", "p", "r", "p`"]);
    let [WeightsBlock::Layer(layer)] = &weights.blocks[..] else { panic!("one production is one layer") };
    // A key matches a query in one slot, the position.
    assert_eq!(layer.matching.count, 1);
}
