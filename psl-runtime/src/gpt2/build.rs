//! From a program to the files of a checkpoint.

use super::{
    construct::construct,
    files::{CheckpointFile, files},
    meaning::meaning,
    precision::Precision,
    refusal::{MAX_CELLS, MAX_PARAMETERS, Refusal, Why},
    source::{Bounds, Source},
};
use crate::{input::Registers, qkvl, vocabulary::Vocabulary, weights};

/// A checkpoint to build.
pub struct Request<'a> {
    /// The program.
    pub program: &'a qkvl::Program,
    /// For each layer, whether it is not proved that a cell attends to none on its right.
    pub looks_ahead: &'a [bool],
    /// The symbols of prompts.
    pub symbols: &'a [&'a str],
    /// The symbol that ends a continuation.
    pub stop: &'a str,
    /// The bounds of the runs.
    pub bounds: Bounds,
    /// The number format.
    pub precision: Precision,
    /// The format with the fewest digits in which the model is right: an engine that computes with fewer ends the
    /// continuation visibly.
    pub digits: Precision,
    /// The most parameters, at most [`MAX_PARAMETERS`].
    pub max_parameters: usize,
}

/// Builds a checkpoint.
///
/// # Errors
///
/// Fails if the program has no equal GPT-2, or one that is too large.
pub fn build(request: &Request<'_>) -> Result<Vec<CheckpointFile>, Refusal> {
    let Request { program, bounds, .. } = *request;
    if bounds.cells() > MAX_CELLS {
        return Err(Refusal { layer: None, why: Why::Long { cells: bounds.cells() } });
    }
    // The second head of a layer is preceded by the first, whose number is the second's index.
    if let Some(first) = program.layers().iter().position(|layer| layer.shares_layer) {
        return Err(Refusal { layer: Some(first), why: Why::Heads });
    }
    let last = Vocabulary::last_position(bounds.prompt, bounds.new);
    let vocabulary = Vocabulary::with_positions(&program.constants(), request.symbols, last);
    let registers = Registers::from(program);
    let weights = weights(program, &vocabulary);
    let mut symbols: Vec<_> = request.symbols.iter().filter_map(|symbol| vocabulary.get(symbol)).collect();
    symbols.sort_unstable();
    symbols.dedup();
    let source = Source::new(&weights, &registers, &vocabulary, request.looks_ahead, symbols, bounds);
    let mut built = construct(&source, request.digits, request.max_parameters.min(MAX_PARAMETERS))?;
    built.model.precision = request.precision;
    // Only maps whose keys are not strings could fail.
    let program = serde_json::to_value(program).unwrap_or_default();
    let meaning = meaning(&built, program, request.stop, &weights.labels());
    let files = files(&built.model, &built.tokens, &meaning);
    files.map_err(|error| Refusal { layer: None, why: Why::Unwritable { reason: error.to_string() } })
}
