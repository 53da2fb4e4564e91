//! The maps of weights as tensors of the whole residual stream, with R d components.

use psl_syntax::index::at;

use super::parameters::{Affine, WeightsBlock};

/// A map with the names of its tensors, such as `layers.1.W_q` and `layers.1.b_q`: the heads of all layers are numbered
/// in program order, and repeat blocks, as `until.1`, in the order in which they open.
pub struct NamedMap<'w> {
    /// The name of the matrix, of shape [R d, R d].
    pub matrix: String,
    /// The name of the bias, of shape [R d].
    pub bias: String,
    /// The map.
    pub map: &'w Affine,
}

/// All maps of the blocks, in program order.
pub fn named_maps(blocks: &[WeightsBlock]) -> Vec<NamedMap<'_>> {
    fn visit<'w>(blocks: &'w [WeightsBlock], counts: &mut (usize, usize), maps: &mut Vec<NamedMap<'w>>) {
        for block in blocks {
            let (place, list) = match block {
                WeightsBlock::Layer(layer) => {
                    counts.0 += 1;
                    let matching = &layer.matching;
                    let maps = vec![('q', &matching.query), ('k', &matching.key), ('v', &layer.value)];
                    (format!("layers.{}", counts.0), maps)
                }
                WeightsBlock::Repeat(repeat) => {
                    counts.1 += 1;
                    let matching = repeat.until.iter();
                    let maps = matching.flat_map(|matching| [('q', &matching.query), ('k', &matching.key)]).collect();
                    (format!("until.{}", counts.1), maps)
                }
            };
            maps.extend(list.into_iter().map(|(letter, map)| NamedMap {
                matrix: format!("{place}.W_{letter}"),
                bias: format!("{place}.b_{letter}"),
                map,
            }));
            if let WeightsBlock::Repeat(repeat) = block {
                visit(&repeat.blocks, counts, maps);
            }
        }
    }
    let mut maps = Vec::new();
    visit(blocks, &mut (0, 0), &mut maps);
    maps
}

/// The nonzero entries of a map's matrix, row by row: row, column and value. The matrix has `side` rows, R d.
pub fn entries(map: &Affine, side: usize, dimension: usize) -> impl Iterator<Item = (usize, usize, f32)> {
    (0..side).flat_map(move |row| row_of(map, row, dimension).map(move |(column, value)| (row, column, value)))
}

/// A row of a map's matrix: column and value of its nonzero entries.
pub(super) fn row_of(map: &Affine, row: usize, dimension: usize) -> impl Iterator<Item = (usize, f32)> {
    let (source, row) = (row / dimension, row % dimension);
    let blocks = map.weights.iter().filter(move |block| block.source == source);
    blocks.flat_map(move |block| {
        let register = at(&map.targets, block.target);
        block.matrix.row(row).iter().map(move |&(column, value)| (register * dimension + column as usize, value))
    })
}

/// The bias of a map, with its zeros.
pub fn dense_bias(map: &Affine, side: usize, dimension: usize) -> Vec<f32> {
    let mut dense = vec![0.0; side];
    for (register, bias) in map.targets.iter().zip(&map.bias) {
        for (component, weight) in bias.other_than(0.0) {
            if let Some(place) = dense.get_mut(register * dimension + component as usize) {
                *place = weight;
            }
        }
    }
    dense
}
