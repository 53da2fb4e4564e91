//! Recognizing the instructions of weights.

use std::sync::Arc;

use psl_runtime::{
    Executable, Options, Weights, weights,
    weights::{Bias, InstructionBlock, Matrix, WeightsBlock, recognize},
};

use crate::common::{program, task};

const HEAD: &str = "registers: {symbol: 's', position: 'p', mark: 'm'}
constants: {A, B}
system: {symbol: symbol, position: position, output: symbol}
";

/// The weights of one production. d is 8: A, B, EOP, the positions 0 to 3 and the prompt's symbol.
fn made(production: &str) -> Weights {
    let executable = Executable::new(program(&format!("{HEAD}{production}")));
    let task = task(&executable, "C", &Options { max_new: Some(1), ..Options::default() });
    weights(executable.qkvl(), &task.vocabulary)
}

fn layer(weights: &mut Weights) -> &mut psl_runtime::weights::HeadWeights {
    match &mut weights.blocks[0] {
        WeightsBlock::Layer(layer) => layer,
        WeightsBlock::Repeat(_) => panic!("the first block is a layer"),
    }
}

/// Checks the forms of the first layer's slots and values.
fn check(production: &str, slots: &[&str], value: &[&str]) {
    let steps = recognize(&made(production), &[]).unwrap();
    let InstructionBlock::Layer(found) = &steps[0] else { panic!("the first step is a layer") };
    let shown: Vec<_> = found.slots.iter().map(|slot| format!("{:?} {:?}", slot.query, slot.key)).collect();
    assert_eq!(shown, slots);
    assert_eq!(found.value.iter().map(|(_, form)| format!("{form:?}")).collect::<Vec<_>>(), value);
}

#[test]
fn each_instruction_is_recognized() {
    check("where symbol[n] == symbol[N]: mark[N] = A", &["Register(0, None) Register(0, None)"], &["OneOf([0])"]);
    check(
        "where position[n] == position[N]@pos_decrement: mark[N] = symbol[n]",
        &["Register(1, Some(PosDecrement)) Register(1, None)"],
        &["Register(0, None)"],
    );
    check(
        "where symbol[n] != mark[N]@pos_increment and symbol[N] != B: mark[N] = position[n]@pos_increment",
        &["Not(2, Some(PosIncrement)) Register(0, None)", "Register(0, None) NoneOf([1])"],
        &["Register(1, Some(PosIncrement))"],
    );
    check(
        "where symbol[n] in [B, A] and mark[n] not in [A]: symbol[N] = mark[n]",
        &["OneOf([0, 1]) Register(0, None)", "NoneOf([0]) Register(2, None)"],
        &["Register(2, None)"],
    );
}

/// Sets a component.
fn set(bias: &mut Bias, component: usize, to: f32) {
    let mut components = bias.dense();
    components[component] = to;
    *bias = Bias::of(&components);
}

/// Weights with one odd entry are refused, with a message that names the entry.
fn refuse(production: &str, change: impl Fn(&mut psl_runtime::weights::HeadWeights), expected: &str) {
    let mut changed = made(production);
    change(layer(&mut changed));
    assert_eq!(recognize(&changed, &[]).unwrap_err().to_string(), expected);
}

#[test]
fn odd_weights_are_refused() {
    let production = "where symbol[n] == symbol[N] and mark[N] == A: mark[N] = symbol[n]";
    let scaled = |by: f32| Arc::new(Matrix::new((0..8).map(|row| [(row, if row == 3 { by } else { 1.0 })])));
    refuse(
        production,
        |layer| set(&mut layer.matching.key.bias[1], 1, 0.5),
        "layer 1, register `m`: b_k has 0.5 at value 1, which is not a constant, a list of constants or the complement of one",
    );
    refuse(
        production,
        |layer| layer.matching.query.weights[0].matrix = scaled(2.0),
        "layer 1, register `s``: W_q has 2 from value 3 of `s` to value 3, which does not fit a copy, `pos_increment` or \
         `pos_decrement`",
    );
    refuse(
        production,
        |layer| layer.matching.query.weights[0].matrix = scaled(0.0),
        "layer 1, register `s``: W_q has 0 from value 3 of `s` to value 3, which does not fit a copy, `pos_increment` or \
         `pos_decrement`",
    );
    refuse(
        production,
        |layer| set(&mut layer.value.bias[0], 0, 1.0),
        "layer 1, register `m`: b_v has 1 at value 0, which is not a constant, a list of constants or the complement of one",
    );
    refuse(
        production,
        |layer| layer.matching.count = 3,
        "layer 1, register `m`: query and key do not write as many registers as the layer has conditions",
    );
    refuse(
        "where symbol[n] == A: mark[N] = A",
        |layer| set(&mut layer.value.bias[0], 1, 1.0),
        "layer 1, register `m`: W_v and b_v set it to several values at once",
    );
}
