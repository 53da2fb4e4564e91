//! Weights as a safetensors file: what `docs/weights.md` says to those who read it elsewhere.
//!
//! | tensor             | type and shape    | holds                                                            |
//! |--------------------|-------------------|------------------------------------------------------------------|
//! | `layers.1.W_q`     | F32 [R d, R d]    | dense: the whole matrix, a row for each component read            |
//! | `layers.1.W_q.indices` | I64 [2, entries] | sparse: row and column of each entry that is not zero         |
//! | `layers.1.W_q.values`  | F32 [entries]    | sparse: these entries                                         |
//! | `layers.1.b_q`     | F32 [R d]         | the bias                                                         |
//!
//! The same for `W_k`, `b_k`, `W_v` and `b_v`, for every layer in program order, and, without `W_v` and `b_v`, under
//! `until.1` for the repeat blocks, in the order in which they open, that conditions end. The metadata's entry `psl` is a
//! JSON document with everything that is no number.

mod document;
mod read;
mod write;

use super::{Affine, Block, Weights};
use crate::qkvl;
use crate::vocabulary::Vocabulary;
pub use read::read;
pub use write::{Layout, write};

/// Weights with the names that go with them.
#[derive(Clone, Debug)]
pub struct Model {
    /// The weights.
    pub weights: Weights,
    /// The values: one component of a register's block each.
    pub vocabulary: Vocabulary,
    /// The names of registers and constants, roles and watch list: a program without layers.
    pub names: qkvl::Program,
}

impl Model {
    /// The weights of a program for one vocabulary.
    pub fn new(program: &qkvl::Program, vocabulary: Vocabulary) -> Self {
        let weights = super::weights(program, &vocabulary);
        Self { weights, vocabulary, names: qkvl::Program { weights: Vec::new(), ..program.clone() } }
    }
}

/// The format's number.
const VERSION: u32 = 1;

/// The metadata's entry.
const KEY: &str = "psl";

/// All maps, under the names of their matrix and their bias.
fn maps(blocks: &[Block]) -> Vec<(String, String, &Affine)> {
    fn visit<'w>(blocks: &'w [Block], counts: &mut (usize, usize), maps: &mut Vec<(String, String, &'w Affine)>) {
        for block in blocks {
            let (place, list) = match block {
                Block::Layer(layer) => {
                    counts.0 += 1;
                    let matching = &layer.matching;
                    let maps = vec![('q', &matching.query), ('k', &matching.key), ('v', &layer.value)];
                    (format!("layers.{}", counts.0), maps)
                }
                Block::Repeat(repeat) => {
                    counts.1 += 1;
                    let matching = repeat.until.iter();
                    let maps = matching.flat_map(|matching| [('q', &matching.query), ('k', &matching.key)]).collect();
                    (format!("until.{}", counts.1), maps)
                }
            };
            maps.extend(
                list.into_iter()
                    .map(|(letter, map)| (format!("{place}.W_{letter}"), format!("{place}.b_{letter}"), map)),
            );
            if let Block::Repeat(repeat) = block {
                visit(&repeat.blocks, counts, maps);
            }
        }
    }
    let mut maps = Vec::new();
    visit(blocks, &mut (0, 0), &mut maps);
    maps
}
