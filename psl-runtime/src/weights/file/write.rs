//! The writer of weights files. It writes row by row, so that no whole matrix is ever in memory.

use std::{
    collections::HashMap,
    io::{self, Write},
};

use safetensors::tensor::{Dtype, Metadata, TensorInfo};

use super::{
    document::{KEY, document},
    model::Model,
};
use crate::weights::{
    parameters::Affine,
    tensors::{NamedMap, dense_bias, entries, named_maps, row_of},
};

/// The layout of the matrices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Every entry.
    Dense,
    /// The nonzero entries, with their indices.
    Sparse,
}

/// The part of a map that a tensor contains.
#[derive(Clone, Copy)]
enum Part {
    Matrix,
    Indices,
    Values,
    Bias,
}

/// A file before its tensors are written.
struct Plan<'m> {
    /// The names, types and places of the tensors, and the metadata.
    header: Vec<u8>,
    /// The tensors in the order of the file, each with its map.
    tensors: Vec<(String, Part, &'m Affine)>,
    /// The size of all tensors in bytes.
    end: usize,
}

/// The size in bytes of the file that [`write()`] writes.
///
/// # Errors
///
/// Matrices with more entries than can be counted.
pub fn size(model: &Model, layout: Layout) -> io::Result<u64> {
    let Plan { header, end, .. } = plan(model, layout)?;
    Ok((LENGTH + header.len()) as u64 + end as u64)
}

/// Bytes of the header's length.
const LENGTH: usize = size_of::<u64>();

fn plan(model: &Model, layout: Layout) -> io::Result<Plan<'_>> {
    let dimension = model.weights.dimension;
    let side = model.weights.registers.len() * dimension;
    let mut tensors = Vec::new();
    for NamedMap { matrix, bias, map } in named_maps(&model.weights.blocks) {
        match layout {
            Layout::Dense => tensors.push((matrix, Part::Matrix, map)),
            Layout::Sparse => {
                tensors.push((format!("{matrix}.indices"), Part::Indices, map));
                tensors.push((format!("{matrix}.values"), Part::Values, map));
            }
        }
        tensors.push((bias, Part::Bias, map));
    }
    // Wider types first, so that each tensor is aligned to its type.
    tensors.sort_by_key(|(_, part, _)| !matches!(part, Part::Indices));
    let mut end = 0_usize;
    let mut infos = Vec::with_capacity(tensors.len());
    for (name, part, map) in &tensors {
        let entries = || map.weights.iter().map(|block| block.matrix.nonzero()).sum::<usize>();
        let (dtype, shape) = match part {
            Part::Matrix => (Dtype::F32, vec![side, side]),
            Part::Indices => (Dtype::I64, vec![2, entries()]),
            Part::Values => (Dtype::F32, vec![entries()]),
            Part::Bias => (Dtype::F32, vec![side]),
        };
        let start = end;
        end = shape
            .iter()
            .try_fold(dtype.bitsize() / 8, |size: usize, &length| size.checked_mul(length))
            .and_then(|size| start.checked_add(size))
            .ok_or_else(|| io::Error::other("the matrices have too many entries to count"))?;
        infos.push((name.clone(), TensorInfo { dtype, shape, data_offsets: (start, end) }));
    }
    let metadata =
        Metadata::new(Some(HashMap::from([(KEY.to_owned(), document(model)?)])), infos).map_err(io::Error::other)?;
    let mut header = serde_json::to_vec(&metadata)?;
    header.resize(header.len().next_multiple_of(8), b' ');
    Ok(Plan { header, tensors, end })
}

/// Writes a model as safetensors.
///
/// # Errors
///
/// An error of `to`, or matrices with more entries than can be counted.
pub fn write(model: &Model, layout: Layout, to: &mut impl Write) -> io::Result<()> {
    let dimension = model.weights.dimension;
    let side = model.weights.registers.len() * dimension;
    let Plan { header, tensors, .. } = plan(model, layout)?;
    to.write_all(&(header.len() as u64).to_le_bytes())?;
    to.write_all(&header)?;
    for (_, part, map) in tensors {
        match part {
            Part::Matrix => {
                for row in 0..side {
                    let mut dense = vec![0.0; side];
                    for (column, value) in row_of(map, row, dimension) {
                        if let Some(entry) = dense.get_mut(column) {
                            *entry += value;
                        }
                    }
                    floats(dense, to)?;
                }
            }
            Part::Indices => {
                integers(entries(map, side, dimension).map(|(row, _, _)| row), to)?;
                integers(entries(map, side, dimension).map(|(_, column, _)| column), to)?;
            }
            Part::Values => floats(entries(map, side, dimension).map(|(_, _, value)| value), to)?,
            Part::Bias => floats(dense_bias(map, side, dimension), to)?,
        }
    }
    Ok(())
}

fn floats(values: impl IntoIterator<Item = f32>, to: &mut impl Write) -> io::Result<()> {
    values.into_iter().try_for_each(|value| to.write_all(&value.to_le_bytes()))
}

fn integers(values: impl IntoIterator<Item = usize>, to: &mut impl Write) -> io::Result<()> {
    values.into_iter().try_for_each(|value| to.write_all(&(value as u64).to_le_bytes()))
}
