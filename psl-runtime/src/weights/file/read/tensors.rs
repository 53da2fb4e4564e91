//! Reads blocks from tensors.

use std::{
    collections::BTreeMap,
    io::{Read as Input, Seek, SeekFrom},
    sync::Arc,
};

use rustc_hash::{FxHashMap, FxHashSet};
use safetensors::tensor::{Dtype, Metadata};

use crate::{
    qkvl::{
        self, CausalAttn,
        read::error::{Read, error},
        words::{NO_HEADS, TOO_DEEP, nesting_help},
    },
    weights::{
        bias::Bias,
        file::document::{BlockEntry, Conditions, HELP, LayerEntry, METADATA, duplicate_register, unreadable},
        matrix::Matrix,
        parameters::{Affine, HeadWeights, Matching, Repeat, WeightBlock, Weights, WeightsBlock},
    },
};

/// Reads tensors and keeps track of those that it has read.
pub(super) struct Reader<'f, F> {
    file: &'f mut F,
    metadata: Metadata,
    data_start: u64,
    registers: FxHashMap<String, usize>,
    /// R d.
    side: usize,
    dimension: usize,
    layers: usize,
    repeats: usize,
    taken: FxHashSet<String>,
}

/// A matrix and a bias from the file: the nonzero entries as row, column and value, and the whole bias.
struct Tensors {
    entries: Vec<(usize, usize, f32)>,
    bias: Vec<f32>,
}

/// The rows of a block, each as pairs of column and value.
type Rows = Vec<Vec<(u32, f32)>>;

impl<'f, F: Input + Seek> Reader<'f, F> {
    pub(super) fn new(file: &'f mut F, metadata: Metadata, data_start: u64, weights: &Weights) -> Self {
        Self {
            file,
            metadata,
            data_start,
            registers: weights.registers.iter().cloned().zip(0..).collect(),
            side: weights.registers.len().saturating_mul(weights.dimension),
            dimension: weights.dimension,
            layers: 0,
            repeats: 0,
            taken: FxHashSet::default(),
        }
    }

    /// Checks, after all blocks, that there is a layer and that every tensor was used.
    pub(super) fn end(&self) -> Read<()> {
        if self.layers == 0 {
            return error(METADATA, "the file has no layers", HELP);
        }
        match self.metadata.offset_keys().into_iter().find(|name| !self.taken.contains(name)) {
            Some(name) => error(&format!("tensor {name}"), "no layer in the metadata uses it", HELP),
            None => Ok(()),
        }
    }

    pub(super) fn blocks(&mut self, entries: Vec<BlockEntry>, depth: usize) -> Read<Vec<WeightsBlock>> {
        if depth > qkvl::Program::MAX_NESTING {
            return error(METADATA, TOO_DEEP, nesting_help());
        }
        let mut blocks = Vec::with_capacity(entries.len());
        for entry in entries {
            match entry {
                BlockEntry::Layer(layer) => blocks.push(WeightsBlock::Layer(self.head(layer, false)?)),
                BlockEntry::Heads(heads) if heads.is_empty() => {
                    return error(METADATA, "a layer has no heads", NO_HEADS);
                }
                BlockEntry::Heads(heads) => {
                    for (index, head) in heads.into_iter().enumerate() {
                        blocks.push(WeightsBlock::Layer(self.head(head, index > 0)?));
                    }
                }
                BlockEntry::Repeat(repeat) => {
                    self.repeats += 1;
                    let place = format!("until.{}", self.repeats);
                    let until = repeat.until.map(|conditions| self.matching(&place, &conditions)).transpose()?;
                    blocks.push(WeightsBlock::Repeat(Repeat {
                        label: repeat.label,
                        until,
                        blocks: self.blocks(repeat.blocks, depth + 1)?,
                    }));
                }
            }
        }
        Ok(blocks)
    }

    fn head(&mut self, head: LayerEntry, shares_layer: bool) -> Read<HeadWeights> {
        self.layers += 1;
        let place = format!("layers.{}", self.layers);
        let value = self.tensors(&place, 'v')?;
        let targets = self.targets(&place, &head.sets, &[&value])?;
        Ok(HeadWeights {
            label: head.label,
            matching: self.matching(&place, &head.conditions)?,
            value: self.affine(&value, targets),
            causal_attn: head.causal_attn.map(CausalAttn::from),
            right_match: head.right_match,
            shares_layer,
        })
    }

    fn matching(&mut self, place: &str, Conditions { m, conditions }: &Conditions) -> Read<Matching> {
        let query = self.tensors(place, 'q')?;
        let key = self.tensors(place, 'k')?;
        let targets = self.targets(place, conditions, &[&query, &key])?;
        Ok(Matching { query: self.affine(&query, targets.clone()), key: self.affine(&key, targets), count: *m })
    }

    /// The listed registers, then all others that the tensors write.
    fn targets(&self, place: &str, listed: &[String], tensors: &[&Tensors]) -> Read<Vec<usize>> {
        let mut targets = Vec::with_capacity(listed.len());
        let mut written = vec![false; self.registers.len()];
        for name in listed {
            let place = format!("metadata of {place}");
            let Some(&register) = self.registers.get(name) else {
                return error(&place, format!("unknown register `{name}`"), "add it to `registers`");
            };
            match written.get_mut(register) {
                Some(written) if !*written => *written = true,
                _ => return duplicate_register(&place, name),
            }
            targets.push(register);
        }
        for tensors in tensors {
            let columns = tensors.entries.iter().map(|&(_, column, _)| column);
            let components = (0..).zip(&tensors.bias).filter(|(_, value)| **value != 0.0).map(|(column, _)| column);
            for column in columns.chain(components) {
                if let Some(written) = written.get_mut(column / self.dimension) {
                    *written = true;
                }
            }
        }
        let known: FxHashSet<usize> = targets.iter().copied().collect();
        let written = written.into_iter().zip(0..).filter_map(|(written, register)| written.then_some(register));
        targets.extend(written.filter(|register| !known.contains(register)));
        Ok(targets)
    }

    /// The affine map in the tensors. `targets` has every register that they write.
    fn affine(&self, tensors: &Tensors, targets: Vec<usize>) -> Affine {
        let dimension = self.dimension;
        let index: FxHashMap<usize, usize> = targets.iter().copied().zip(0..).collect();
        let mut blocks: BTreeMap<(usize, usize), Rows> = BTreeMap::new();
        for &(row, column, value) in &tensors.entries {
            let Some(&target) = index.get(&(column / dimension)) else { continue };
            let rows = blocks.entry((target, row / dimension)).or_insert_with(|| vec![Vec::new(); dimension]);
            if let Some(row) = rows.get_mut(row % dimension) {
                row.push(((column % dimension) as u32, value));
            }
        }
        let weights = blocks.into_iter().map(|((target, source), rows)| WeightBlock {
            source,
            target,
            matrix: Arc::new(Matrix::new(rows)),
        });
        let weights = weights.collect();
        let block = |&register: &usize| tensors.bias.get(register * dimension..(register + 1) * dimension);
        let bias = targets.iter().filter_map(block).map(Bias::of).collect();
        Affine { targets, weights, bias }
    }

    fn tensors(&mut self, place: &str, letter: char) -> Read<Tensors> {
        let matrix = format!("{place}.W_{letter}");
        let side = self.side;
        let entries = if self.metadata.info(&matrix).is_some() {
            let bytes = self.tensor(&matrix, Dtype::F32, |shape| shape == [side, side])?;
            let values = bytes.chunks_exact(4).map(float);
            let entries = values.zip(0..).filter(|(value, _)| *value != 0.0);
            entries.map(|(value, index)| (index / side, index % side, value)).collect()
        } else {
            self.sparse(&matrix)?
        };
        let bias = self.tensor(&format!("{place}.b_{letter}"), Dtype::F32, |shape| shape == [side])?;
        let bias: Vec<f32> = bias.chunks_exact(4).map(float).collect();
        if let Some(&(row, column, entry)) = entries.iter().find(|(_, _, entry)| !entry.is_finite()) {
            return not_finite(&matrix, &format!("row {row}, column {column}"), entry);
        }
        if let Some((component, &entry)) = bias.iter().enumerate().find(|(_, entry)| !entry.is_finite()) {
            return not_finite(&format!("{place}.b_{letter}"), &format!("component {component}"), entry);
        }
        Ok(Tensors { entries, bias })
    }

    fn sparse(&mut self, matrix: &str) -> Read<Vec<(usize, usize, f32)>> {
        let values = self.tensor(&format!("{matrix}.values"), Dtype::F32, |shape| shape.len() == 1)?;
        let count = values.len() / 4;
        let name = format!("{matrix}.indices");
        let indices = self.tensor(&name, Dtype::I64, |shape| shape == [2, count])?;
        let index = |bytes: &[u8]| {
            let index = bytes.try_into().map(i64::from_le_bytes).ok().and_then(|index| usize::try_from(index).ok());
            index.filter(|index| *index < self.side)
        };
        let (rows, columns) = indices.split_at(8 * count);
        let places = rows.chunks_exact(8).map(index).zip(columns.chunks_exact(8).map(index));
        let entries: Option<Vec<_>> = places
            .zip(values.chunks_exact(4).map(float))
            .map(|((row, column), value)| Some((row?, column?, value)))
            .collect();
        let Some(mut entries) = entries else {
            let cause = format!("index out of range: vectors have {} components", self.side);
            return error(&format!("tensor {name}"), cause, HELP);
        };
        entries.sort_by_key(|&(row, column, _)| (row, column));
        if entries.windows(2).any(|pair| matches!(pair, [one, next] if (one.0, one.1) == (next.0, next.1))) {
            return error(&format!("tensor {name}"), "duplicate entry", "give each entry once");
        }
        entries.retain(|(_, _, value)| *value != 0.0);
        let block = |&(row, column, _): &(usize, usize, f32)| (row / self.dimension, column / self.dimension);
        let blocks = entries.iter().map(block).collect::<FxHashSet<_>>().len();
        // A block takes memory for its d rows, even with few entries.
        if blocks.saturating_mul(self.dimension) > 16 * (self.side + entries.len()) {
            let cause = format!("{} entries are scattered over {blocks} pairs of registers", entries.len());
            return error(&format!("tensor {name}"), cause, "store the whole matrix");
        }
        Ok(entries)
    }

    /// The bytes of a tensor.
    fn tensor(&mut self, name: &str, dtype: Dtype, fits: impl Fn(&[usize]) -> bool) -> Read<Vec<u8>> {
        let place = format!("tensor {name}");
        let Some(info) = self.metadata.info(name) else { return error(&place, "it is missing", HELP) };
        if info.dtype != dtype || !fits(&info.shape) {
            let cause = format!("unexpected type and shape {:?} {:?}", info.dtype, info.shape);
            let (registers, side) = (self.registers.len(), self.side);
            let help = format!(
                "{registers} registers of {} values make vectors of {side} components: see docs/weights.md",
                self.dimension
            );
            return error(&place, cause, help);
        }
        let (start, end) = info.data_offsets;
        let mut bytes = vec![0; end - start];
        let found = self.file.seek(SeekFrom::Start(self.data_start + start as u64));
        if let Err(cause) = found.and_then(|_| self.file.read_exact(&mut bytes)) {
            return unreadable(&place, &cause);
        }
        self.taken.insert(name.to_owned());
        Ok(bytes)
    }
}

fn not_finite<T>(tensor: &str, entry: &str, value: f32) -> Read<T> {
    let help = "every entry must be a finite number: write the weights again";
    error(&format!("tensor {tensor}"), format!("{entry} (0-based) is {value}"), help)
}

fn float(bytes: &[u8]) -> f32 {
    bytes.try_into().map(f32::from_le_bytes).unwrap_or_default()
}
