//! The weights of one layer, block by block: the instruction of each block, and its numbers.

use psl_ide::code;
use psl_runtime::{
    Executable, Vocabulary,
    qkvl::Function,
    weights::{Attribute, BlockInfo, Kind, describe},
};
use psl_syntax::program::ProductionId;

use crate::no_answer::NoAnswer;

/// The query, key and value weights of a layer. Each is an R d x R d matrix and a bias of R d components.
#[derive(Clone, Debug, PartialEq)]
pub struct LayerTensors {
    /// d, the number of components of a register.
    pub dimension: usize,
    /// The short names of all R registers: first those that hold state, then the primed ones.
    pub registers: Vec<String>,
    /// The blocks of query, key and value, in this order. Everything outside them is zero.
    pub blocks: Vec<TensorBlock>,
}

/// The part of a layer's weights that writes one register: a block of the matrix, a part of the bias, or both.
#[derive(Clone, Debug, PartialEq)]
pub struct TensorBlock {
    pub attribute: Attribute,
    /// The register written, by its index in [`LayerTensors::registers`].
    pub target: usize,
    /// The register read, or `None` for a bias alone.
    pub source: Option<usize>,
    pub kind: Kind,
    /// The effect, as a sentence.
    pub text: String,
    /// The nonzero entries of the d x d block: the value read, the value written and the entry.
    pub weights: Vec<(u32, u32, f32)>,
    /// The nonzero components of the bias: the value written and the component.
    pub bias: Vec<(u32, f32)>,
}

/// The maximum number of components of a register. Beyond it, pictures of weights and states would have millions of
/// points.
const MOST_COMPONENTS: usize = 20_000;

/// Returns the weights of the layer with a number, for a vocabulary.
///
/// # Errors
///
/// Fails if the layer is unknown, or if the vocabulary has more than 20,000 values.
pub fn layer_tensors(executable: &Executable, vocabulary: &Vocabulary, layer: usize) -> Result<LayerTensors, NoAnswer> {
    fits(vocabulary)?;
    let described = executable.qkvl().layers();
    let weights = executable.weights(vocabulary);
    let found = ProductionId::of_number(layer).map(ProductionId::index);
    let found = found.map(|index| (described.get(index).copied(), weights.layers().get(index).copied()));
    let Some((Some(described), Some(tensors))) = found else {
        return Err(NoAnswer::UnknownLayer(layer));
    };
    let index = |name: &String| weights.registers.iter().position(|register| register == name);
    let block = |info: BlockInfo| {
        let target = index(&info.target)?;
        let map = match info.attribute {
            Attribute::Query => &tensors.matching.query,
            Attribute::Key => &tensors.matching.key,
            Attribute::Value => &tensors.value,
        };
        let slot = map.targets.iter().position(|register| *register == target)?;
        let read = map.weights.iter().find(|block| block.target == slot);
        let bias = map.bias.get(slot)?;
        Some(TensorBlock {
            attribute: info.attribute,
            target,
            source: read.map(|block| block.source),
            kind: info.kind,
            text: sentence(executable, &info),
            weights: read.map_or_else(Vec::new, |block| block.matrix.entries().collect()),
            bias: bias.other_than(0.0).collect(),
        })
    };
    let blocks = describe(described, vocabulary).into_iter().filter_map(block).collect();
    Ok(LayerTensors { dimension: weights.dimension, registers: weights.registers.clone(), blocks })
}

/// Returns an error if the vocabulary is too large for pictures.
pub(crate) fn fits(vocabulary: &Vocabulary) -> Result<(), NoAnswer> {
    let values = vocabulary.len();
    if values <= MOST_COMPONENTS { Ok(()) } else { Err(NoAnswer::TooManyValues { values, limit: MOST_COMPONENTS }) }
}

/// The effect of a block, such as ``The key is the value of `symbol` in `n` ``.
fn sentence(executable: &Executable, info: &BlockInfo) -> String {
    let registers = &executable.registers;
    let named = |short: &String| {
        let long = registers.by_short(short).and_then(|register| registers.long.get(register.index()));
        code(long.unwrap_or(short))
    };
    let (start, cell) = match info.attribute {
        Attribute::Query => ("The query is".to_owned(), "N"),
        Attribute::Key => ("The key is".to_owned(), "n"),
        Attribute::Value => (format!("{} becomes", named(&info.target)), "n"),
    };
    let read = info.source.as_ref().map(named).unwrap_or_default();
    let value = |function| match function {
        None => format!("the value of {read} in `{cell}`"),
        Some(Function::PosIncrement) => format!("the position after {read} in `{cell}`"),
        Some(Function::PosDecrement) => format!("the position before {read} in `{cell}`"),
    };
    let constants = info.constants.iter().map(|constant| code(constant)).collect::<Vec<_>>().join(", ");
    let what = match info.kind {
        Kind::Identity => value(None),
        Kind::Shift(function) => value(Some(function)),
        Kind::OneHot => format!("the constant {constants}"),
        Kind::ManyHot => format!("each of {constants}"),
        Kind::OnesMinus(function) => format!("every value except {}", value(function)),
        Kind::OnesComplement | Kind::ManyHotComplement => format!("every value except {constants}"),
    };
    format!("{start} {what}.")
}

#[cfg(test)]
#[allow(clippy::expect_used, clippy::indexing_slicing, reason = "a test may fail by panic")]
mod tests {
    use std::{collections::BTreeMap, fs};

    use psl_program::File;
    use psl_runtime::weights::{Affine, HeadWeights, Weights};

    use super::*;
    use crate::fixture::file;

    /// The entries of a matrix or a bias by row and column. A bias is a matrix with one row.
    type Entries = BTreeMap<(usize, usize), f32>;

    /// Expands an affine map into its matrix and bias, as the machine reads it.
    fn of_map(map: &Affine, dimension: usize) -> (Entries, Entries) {
        let (mut matrix, mut bias) = (Entries::new(), Entries::new());
        for block in &map.weights {
            let (source, target) = (block.source * dimension, map.targets[block.target] * dimension);
            for row in 0..block.matrix.rows() {
                for &(column, entry) in block.matrix.row(row) {
                    *matrix.entry((source + row, target + column as usize)).or_default() += entry;
                }
            }
        }
        for (target, of_target) in map.targets.iter().zip(&map.bias) {
            for (value, component) in of_target.other_than(0.0) {
                *bias.entry((0, target * dimension + value as usize)).or_default() += component;
            }
        }
        (matrix, bias)
    }

    fn of_blocks(tensors: &LayerTensors, attribute: Attribute) -> (Entries, Entries) {
        let (mut matrix, mut bias) = (Entries::new(), Entries::new());
        let dimension = tensors.dimension;
        for block in tensors.blocks.iter().filter(|block| block.attribute == attribute) {
            let target = block.target * dimension;
            for &(row, column, entry) in &block.weights {
                let source = block.source.expect("a block with entries reads a register") * dimension;
                *matrix.entry((source + row as usize, target + column as usize)).or_default() += entry;
            }
            for &(value, component) in &block.bias {
                *bias.entry((0, target + value as usize)).or_default() += component;
            }
        }
        (matrix, bias)
    }

    #[test]
    fn the_blocks_of_every_layer_of_the_examples_are_its_weights() {
        let folder = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../examples")).expect("a folder");
        let mut layers = 0;
        for path in folder.map(|entry| entry.expect("an entry").path()) {
            if path.extension().is_none_or(|extension| extension != "psl") {
                continue;
            }
            let file = file(&fs::read_to_string(&path).expect("a program"));
            let runner = file.runner().expect("it compiles");
            let vocabulary = runner.task("Q a b A c").expect("a task").vocabulary;
            let weights: Weights = psl_runtime::weights(runner.executable().qkvl(), &vocabulary);
            for (layer, number) in weights.layers().into_iter().zip(1..) {
                let tensors = layer_tensors(runner.executable(), &vocabulary, number).expect("a layer");
                assert_eq!((&tensors.registers, tensors.dimension), (&weights.registers, weights.dimension));
                let HeadWeights { matching, value, .. } = layer;
                let maps =
                    [(Attribute::Query, &matching.query), (Attribute::Key, &matching.key), (Attribute::Value, value)];
                for (attribute, map) in maps {
                    let expected = of_map(map, weights.dimension);
                    assert_eq!(of_blocks(&tensors, attribute), expected, "{path:?}, layer {number}, {attribute:?}");
                }
                layers += 1;
            }
        }
        assert!(layers > 100, "{layers} layers");
    }

    fn program(production: &str) -> File {
        file(&format!(
            "registers: {{symbol: 's', position: 'p', mark: 'm'}}\nconstants: {{A, B}}\n{production}:\n    mark[N] = symbol[n]"
        ))
    }

    /// The texts of the blocks of the first layer.
    fn texts(production: &str) -> Vec<String> {
        let file = program(production);
        let runner = file.runner().expect("it compiles");
        let vocabulary = runner.task("x").expect("a task").vocabulary;
        let tensors = layer_tensors(runner.executable(), &vocabulary, 1).expect("a layer");
        tensors.blocks.into_iter().map(|block| block.text).collect()
    }

    #[test]
    fn each_block_has_a_sentence() {
        assert_eq!(
            texts("where position[n] == position[N]@pos_decrement and symbol[n] != mark[N] and symbol[N] in [A, B]"),
            [
                "The query is the position before `position` in `N`.",
                "The query is every value except the value of `mark` in `N`.",
                "The query is the value of `symbol` in `N`.",
                "The key is the value of `position` in `n`.",
                "The key is the value of `symbol` in `n`.",
                "The key is each of `A`, `B`.",
                "`mark` becomes the value of `symbol` in `n`.",
            ]
        );
        assert_eq!(
            texts("where symbol[n] == A and mark[n] not in [A, B]"),
            [
                "The query is the constant `A`.",
                "The query is every value except `A`, `B`.",
                "The key is the value of `symbol` in `n`.",
                "The key is the value of `mark` in `n`.",
                "`mark` becomes the value of `symbol` in `n`.",
            ]
        );
    }

    #[test]
    fn an_unknown_layer_and_a_large_vocabulary_are_refused() {
        let file = program("where symbol[n] == A");
        let executable = file.runner().expect("it compiles").executable();
        let vocabulary = Vocabulary::new(&[], &[], 1);
        for layer in [0, 2] {
            assert_eq!(layer_tensors(executable, &vocabulary, layer), Err(NoAnswer::UnknownLayer(layer)));
        }
        let vocabulary = Vocabulary::new(&[], &[], MOST_COMPONENTS);
        let message = layer_tensors(executable, &vocabulary, 1).expect_err("it is too large").to_string();
        assert!(message.contains("20003 values"), "{message}");
    }
}
