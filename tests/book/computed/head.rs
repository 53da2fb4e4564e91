//! The program and the prompt of the page.

use std::collections::BTreeMap;

use psl_runtime::{
    Input, Registers, Vocabulary, Weights, compile,
    input::State,
    qkvl, weights,
    weights::{HeadWeights, WeightsBlock},
};

use super::{
    arithmetic::{Map, Vector},
    attention::Attention,
};

const PAGE: &str = include_str!("../../../docs/production-to-weights.md");

/// The attention head of the page, on each level.
pub struct Head {
    pub program: qkvl::Program,
    pub registers: Registers,
    pub vocabulary: Vocabulary,
    pub input: Input,
    pub weights: Weights,
    pub attention: Attention,
}

impl Head {
    /// The page's first program with its first prompt.
    pub fn new() -> Self {
        let program = compile(&psl_syntax::check(first_block(PAGE, "psl")).analysis.program);
        let registers = Registers::from(&program);
        let prompt: Vec<BTreeMap<String, String>> =
            serde_json::from_str(first_block(PAGE, "json")).expect("the prompt");
        let register = |name: &str| registers.by_long(name).expect("a register");
        let mut cells = Vec::new();
        for cell in &prompt {
            cells.push(cell.iter().map(|(name, value)| (register(name), value.as_str())).collect());
        }
        let symbols: Vec<&str> = prompt.iter().map(|cell| cell["symbol"].as_str()).collect();
        // The page compiles with `--positions 2`.
        let mut vocabulary = Vocabulary::with_positions(&program.constants(), &symbols, 2);
        let input = Input::new(&registers, &mut vocabulary, &cells);
        let weights = weights(&program, &vocabulary);
        let layer = layer(&weights);
        let map = |map| Map::new(map, &weights);
        let attention = Attention {
            i: input.cells.iter().map(|state| one_hot(state, &weights)).collect(),
            q: map(&layer.matching.query),
            k: map(&layer.matching.key),
            v: map(&layer.value),
            m: f64::from(u32::try_from(layer.matching.count).expect("a number of conditions")),
        };
        Self { program, registers, vocabulary, input, weights, attention }
    }
}

/// The one-hot vector of a cell.
pub fn one_hot(state: &State, weights: &Weights) -> Vector {
    let mut vector = vec![0.0; weights.dimension * weights.registers.len()];
    for (register, value) in state.iter().enumerate() {
        if let Some(value) = value {
            vector[register * weights.dimension + value.0 as usize] = 1.0;
        }
    }
    vector
}

/// The first layer.
pub fn layer(weights: &Weights) -> &HeadWeights {
    let WeightsBlock::Layer(layer) = &weights.blocks[0] else { panic!("expected a layer") };
    layer
}

/// The text of a page's first block in a language.
pub fn first_block(page: &'static str, language: &str) -> &'static str {
    let (_, rest) = page.split_once(&format!("```{language}\n")).expect("a block");
    rest.split_once("```").expect("its end").0
}
